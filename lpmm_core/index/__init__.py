"""What is rebuilt from the truth so that questions are fast: vectors, words, and the graph's weights.

Each index is a persistent value: an update returns a new one that shares almost everything with the old, so whoever reads an index
is never disturbed by a writer. The indexes themselves know no database: `gather` reads the truth for them, and `shelf` keeps them at
the journal's present number. Whoever asks may narrow an answer with `allowed`, a boolean array over row ids.
"""
