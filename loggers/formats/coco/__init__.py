"""COCO's data: index files, data files, and references of average runtimes.

`reader.py` reads runs, `writer.py` writes a log, `reference_data.py` reads references. A further
kind of data file is added in `reader.py`.
"""
