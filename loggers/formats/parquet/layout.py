"""What stands where in a folder of Parquet files.

``firsthit.json`` holds what stands once: headers, algorithms, suites, functions, messages,
references. Each table is a folder with a file for each suite, dimension and function::

    runs/suite=bbob/dimension=2/function=1/part.parquet
    hits/suite=bbob/dimension=2/function=1/part.parquet

``runs`` has a row a run, with its number in the column ``run``; the other tables name the run of
each row by that number. Columns are those of the log's tables of the same name; ``algorithm`` and
``status`` are texts, and their numbers in the log stand in ``algorithm_row`` and ``status_row``.
"""

from __future__ import annotations

from pathlib import Path

INDEX = "firsthit.json"
FORMAT = "firsthit parquet"
PART = "part.parquet"


def is_parquet(folder: Path) -> bool:
    """Whether this is a folder that ``write_parquet`` wrote."""
    return (folder / INDEX).is_file()
