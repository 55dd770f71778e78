"""IOHprofiler's data: an index, in JSON or the older .info, and a data file for each scenario.

`reader.py` reads runs, `writer.py` writes a log. A further form of index is added in
`index_files.py`.
"""
