"""Where tasks run: in worker processes of this machine, or on the workers of a Dask cluster.

An executor knows tasks (a function and its arguments), not runs. To add one, write the two methods
of ``executor.Executor`` (``dask.py`` shows one) and choose it in ``execution/execute.py``.
"""
