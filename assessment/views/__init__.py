"""One file a table: from run sets and options to what `Results` and the command line answer.

Each has a function ``…_table`` that takes run sets (or rows of a log) and targets and returns a
`Table`. To add one, copy `area`, and give it a method of `Results` and a subcommand of ``assess``.
"""
