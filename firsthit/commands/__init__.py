"""The commands of the command line; a folder or a file for each heading of the help.

To add one, copy `catalogue/suites.py` and name it in `firsthit/cli.py`; commands that print a table
of logs stand in `assess/`.
"""
