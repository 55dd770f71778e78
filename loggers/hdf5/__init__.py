"""The log: one HDF5 file, and immutable parts beside it while it is written.

`schema.py` says what stands in it; `writer.py`, `reader.py` and `merge.py` are the doors;
`storage.py` is all that changes the disk. To add a table, add the type of its rows and
a line in `TABLES` to `records/rows.py`.
"""
