"""Read and write the data formats of COCO, IOHprofiler and Parquet.

Readers return runs, which `tables.py` converts to the tables of a log; writers export a `Log`. To
add a format, add a folder with `reader.py` and `writer.py`, or one file, and call it in
`foreign_data.py`.
"""
