"""Pure functions on arrays: the formulas of the assessment, each of them once.

They are independent of logs and tables: hits and evaluations (`hits`), targets and budgets are
arrays, and so are results. To add a formula, write a function whose docstring has the source of the
formula and an example that can be checked by hand.

By subject: runtimes (`average_runtime`, `runtime_statistics`, `ratios`, `restart_distribution`),
profiles (`ecdf`, `bands`), intervals and tests (`intervals`, `significance`, `rank_tests`), ranks
of algorithms (`friedman`, `ranking`), convergence (`aocc`, `attainment`), two objectives
(`fronts`).
"""
