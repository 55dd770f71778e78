"""Observation: the loop over a suite, the observed problem, its limits, and its record.

`observe_problem` makes an `ObservedProblem`, which wraps a problem. Its `Recorder` writes into a
`RunMemory`, and `make_record` makes the record of the run from this memory. To record something
new, add a dtype to `records/dtypes.py` and a method to the recorder.
"""
