"""Frozen data of a finished run, of its identity and its suite, and of the header of a log.

To record further data of runs, add a row type to `dtypes.py` and a field to `RunRecord`.
"""
