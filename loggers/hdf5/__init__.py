"""The log: one HDF5 file, and journals beside it while it is written.

`schema.py` and `journal.py` say what stands in them. To add a table, add the type of its rows and a
line in `TABLES` to `records/dtypes.py`, and a field to `RunRecord`; older logs stay readable.
"""
