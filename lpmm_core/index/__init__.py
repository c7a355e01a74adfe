"""What is rebuilt from the truth so that questions are fast: vectors, words, and the graph's weights.

Each index is a persistent value: an update returns a new one that shares almost everything with the old, so whoever reads an index
is never disturbed by a writer. Nothing here knows SQLite; whoever feeds the indexes says what is visible with `allowed`, a boolean
array over row ids.
"""
