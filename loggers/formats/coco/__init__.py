"""Read and write COCO's data: index files, data files, and references of average runtimes.

`reader.py` reads runs, `writer.py` exports a log, and `reference_data.py` reads references. To add
a kind of data file, change `reader.py`.
"""
