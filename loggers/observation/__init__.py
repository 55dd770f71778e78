"""Observation: the loop over a suite, the observed problem, its limits, and what it records.

`ObservedProblem` wraps a problem; a `Recorder` writes into a `RunMemory`, and `record_of` makes the
run's record of it. What is to be recorded more gets a row type in `records/dtypes.py`, a table in
`memory.py` and a method of the recorder.
"""
