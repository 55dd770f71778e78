"""What is known of one finished run, its identity, its suite, and the log's header: frozen data.

A run that has more of something gets a row type in `dtypes.py` and a field of `RunRecord`.
"""
