"""What is computed on the graph: how activation spreads, which names mean the same, what a canvas shows and where."""
