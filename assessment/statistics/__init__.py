"""Pure functions on arrays: each formula of the assessment stands here, once, and nowhere else.

They know no logs and no tables. Hits, evaluations spent and targets come in as arrays (`hits`), an
array goes out. Add a formula as a function with its source in the docstring and an example that can
be checked by hand.

By subject: runtimes (`average_runtime`, `runtime_statistics`, `ratios`, `restart_distribution`),
profiles (`ecdf`, `bands`), intervals and tests (`intervals`, `significance`, `rank_tests`), ranks
of algorithms (`friedman`, `ranking`), convergence (`aocc`, `attainment`), two objectives
(`fronts`).
"""
