"""Target precisions and budgets: from text to numbers, defaults from the suite, run-length targets.

`parse` and `budgets` read the texts of a user. `target_sets` holds the targets of a question and
the defaults, which it takes from the suite's `Measurement`. This package reads no runs; modules
that compute targets from runs are one level above.
"""
