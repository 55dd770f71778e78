"""Write a folder to publish: the runs, tables and figures from them, and metadata.

- `contents.py` lists the parts of the folder and writes them. To add a part, add a `Part` there.
- `metadata.py` writes title, authors and licence for people and for machines.
- `campaigns.py` writes the files from which the runs can be made again.
- `pages.py` writes the pages for readers.
"""
