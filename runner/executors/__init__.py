"""Executors run tasks in worker processes of this machine, or on the workers of a Dask cluster.

An executor runs tasks, which are functions with their arguments, and knows nothing of runs of
optimizers. To add an executor, implement the protocol ``executor.Executor`` (``dask.py`` is an
example), and choose it in `make_executor` of ``execution/execute.py``.
"""
