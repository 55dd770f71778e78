"""Run a task that `assessment.py` measures, in a new process: ``assessment_tasks.py TASK PATH``.

Each task imports only the packages that it needs.
"""

from __future__ import annotations

import json
import os
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import chdir
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path


def firsthit_results(path: str) -> None:
    """Load a log; compute aRT to ten targets, and the ECDF to 51 targets over all functions."""
    import firsthit

    results = firsthit.load(path)
    results.art()
    results.ecdf()


def firsthit_by_function(path: str) -> None:
    """Load a log; compute aRT, and the ECDF of each function, which the peer computes, too."""
    import firsthit

    results = firsthit.load(path)
    results.art()
    results.ecdf(group_by="function")


def iohinspector_results(path: str) -> None:
    """Load runs; compute runtime statistics and ECDFs by algorithm, function and dimension."""
    import polars
    from iohinspector import DataManager
    from iohinspector.metrics import aggregate_running_time, get_data_ecdf

    manager = DataManager()
    for folder in sorted(Path(path).iterdir()):
        manager.add_folder(str(folder))
    data = manager.load(monotonic=True, include_meta_data=True)
    cell = ["algorithm_name", "function_id", "dimension"]
    data = data.select([*cell, "data_id", "run_id", "evaluations", "raw_y"])
    aggregate_running_time(data, free_vars=cell, eval_max=200_000)
    numbers = data.with_columns(polars.col("algorithm_name").cast(polars.Categorical).to_physical())
    get_data_ecdf(numbers, free_vars=cell, turbo=True)


def firsthit_pages(path: str) -> None:
    """Load COCO's folders, and compute all that cocopp's pages for two data sets show."""
    import firsthit

    results = firsthit.load([str(folder) for folder in sorted(Path(path).iterdir())])
    best2009 = str(next(Path(find_spec("cocopp").origin).parent.glob("refalgs/best2009-bbob*")))
    results.coco_table(reference=best2009)
    for targets in (None, "1e1,1e-1,1e-4,1e-8"):
        results.ecdf(targets=targets, group_by=("function", "group", "all"))
    results.scaling()
    results.scatter(*results.algorithms)
    results.ratios(*results.algorithms)
    results.compare(interval=None)
    results.loss(best2009)


def duckdb_art(path: str) -> None:
    """Compute average runtimes to 1e-8 by algorithm, function and dimension in DuckDB."""
    import duckdb

    runs, hits = (f"read_parquet('{path}/{t}/**/*.parquet', hive_partitioning = true)"
                  for t in ("runs", "hits"))  # fmt: skip
    duckdb.sql("SET memory_limit = '8GB'")
    duckdb.sql(f"""
        WITH first AS (
          SELECT run, suite, dimension, function, min(evaluation) AS hit FROM {hits}
          WHERE target <= 1e-8 * (1 + 1e-9) GROUP BY ALL)
        SELECT algorithm, suite, dimension, function,
               sum(coalesce(hit, evaluations)) / nullif(count(hit), 0) AS art
        FROM {runs} LEFT JOIN first USING (run, suite, dimension, function) GROUP BY ALL
    """).fetchall()


def cocopp_pages(path: str) -> None:
    """Run the post-processing of cocopp on two data sets."""
    import warnings

    import cocopp

    warnings.simplefilter("ignore")
    folders = [str(folder.resolve()) for folder in sorted(Path(path).iterdir())]
    with tempfile.TemporaryDirectory() as output, chdir(output):
        cocopp.main(["-o", output, *folders])


TASKS: dict[str, Callable[[str], None]] = {
    task.__name__: task
    for task in (
        firsthit_results, firsthit_by_function, iohinspector_results, firsthit_pages, cocopp_pages,
        duckdb_art,
    )
}  # fmt: skip


def one_task(task: str, path: str) -> None:
    """Import the task's library, run the task, and print what it used as JSON."""
    library = task.split("_")[0]
    import_module({"firsthit": "firsthit.assessment"}.get(library, library))
    before, start = cpu_seconds(), time.perf_counter()
    TASKS[task](path)
    seconds, cpu = time.perf_counter() - start, cpu_seconds() - before
    peak = max(peak_of_this(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    print(json.dumps({"seconds": seconds, "cpu": cpu, "peak_gib": peak / 2**20}))


def peak_of_this() -> int:
    """Return the largest memory of this process in KiB.

    On Linux, ``ru_maxrss`` is not used, because it begins with the memory of the parent process.
    """
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    lines = status.read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1])


def cpu_seconds() -> float:
    """Return the CPU seconds of this process and of its ended child processes."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


if __name__ == "__main__":
    one_task(*sys.argv[1:])
