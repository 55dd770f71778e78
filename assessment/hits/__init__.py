"""Read the runs of a log by algorithm, function and dimension.

`run_sets` reads the first hits of targets, `within_budgets` best precisions, `curves` convergence
curves and the areas over them, and `archives` the archives of two objectives. `ranked_runs` ranks
the runs of two algorithms. Functions that read the runs of a log for several questions belong into
this package; formulas belong into ``statistics``.
"""
