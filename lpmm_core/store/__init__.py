"""The durable truth of one space: a SQLite file in which everything that cannot be recomputed for free is kept, and its journal.

`database` opens the file, `schema` is what it holds, `journal` is the only way to write, `undo` takes a person's edits back, `texts`
and `evidence` are the domain's writes, `edits` a person's, `read` the queries, `jobs` the work that waits; `backup`, `purge` and
`checks` keep the file well.
"""
