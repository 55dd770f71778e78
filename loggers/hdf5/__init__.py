"""The log: one HDF5 file, and journals beside it while it is written.

`schema.py` describes the content of the file, and `journal.py` that of a journal. To add a table,
add the type of its rows and a line in `TABLES` to `records/dtypes.py`, and a field to `RunRecord`;
older logs remain readable.
"""
