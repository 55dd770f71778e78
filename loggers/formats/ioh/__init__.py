"""Read and write IOHprofiler's data: index files, and a data file for each scenario.

`reader.py` reads runs, and `writer.py` exports a log. To add a format of index files, change
`index_files.py`.
"""
