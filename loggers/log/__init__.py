"""Runs read from logs: columns, first hits of targets, and best-so-far values.

`read_log` returns the class `Log` of `log.py`. To compute something else for many runs at once,
copy `best_so_far.py`: it reads the rows of a block of runs and returns arrays.
"""
