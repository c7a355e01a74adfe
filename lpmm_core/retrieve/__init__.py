"""The read path: understand the question, find candidates, filter, spread over the graph, fuse, pack with reasons."""
