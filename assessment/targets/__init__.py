"""Target precisions and budgets: from text to numbers, defaults from the suite, run-length targets.

`parse` and `budgets` read what a user writes, `target_sets` takes targets from what a suite says of
itself and holds those of a question. Add a default there; what needs runs stands a floor above, in
``data``.
"""
