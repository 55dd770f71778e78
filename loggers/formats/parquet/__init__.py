"""Logs as Parquet files, for DuckDB, pandas, polars and whatever else reads columns.

`writer.py` writes a `Log` into a folder, `reader.py` reads it back; both know `layout.py`.
"""
