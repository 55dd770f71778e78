"""Target precisions and budgets: from text to numbers, defaults from the suite, run-length targets.

`parse` and `budgets` read what a user writes, `defaults` takes targets from what a suite says of
itself, `target_sets` holds those of a question. Add a default in `defaults`; what needs runs stands
a floor above, in ``data``.
"""
