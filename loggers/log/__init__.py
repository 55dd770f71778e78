"""Runs read from logs: their facts as columns, first hits of any target, the best so far.

`log.py` is what `read_log` returns. To answer another question of many runs at once, copy
`best_so_far.py`: it reads the rows of a block of runs and returns arrays.
"""
