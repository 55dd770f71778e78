"""The runs of a log sorted for a question: which ones, by cell, at targets, at budgets, ranked.

`selection` selects runs, `run_sets` gives their first hits, `fixed_budget_data` their precisions at
budgets, `target_choice` the targets that a question means. Add here what questions share that
reads a log; formulas belong to ``statistics``.
"""
