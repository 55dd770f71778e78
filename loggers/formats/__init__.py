"""Data of other tools, in and out: COCO's and IOHprofiler's, from folders and archives.

Readers give runs, which become tables of a log (`tables.py`); writers take a `Log`. A further
format is a folder with `reader.py` and `writer.py`, or one file, called in `foreign_data.py`.
"""
