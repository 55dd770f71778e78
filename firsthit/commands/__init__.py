"""The commands of the command line, one module each; a folder for each heading of the help.

To add one, copy `catalogue/suites.py` and name it in `firsthit/cli.py`.
"""
