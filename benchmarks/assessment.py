"""Measure how long assessments take: firsthit, iohinspector and cocopp on the same runs.

Run ``python benchmarks/assessment.py`` (about 20 minutes; ``--size quick`` about 3). Runs are
synthetic (``synthetic.py``); peers get them as firsthit exports them. Every measurement is a
process of its own; contenders take turns, and the medians over the rounds are shown.

1. 18 000 runs: load them, aRT and ECDF of every algorithm, function and dimension.
2. Two data sets of COCO: every number that cocopp's pages show, from start to end of the process.
3. 1 008 000 runs: load the log, aRT of 10 080 cells, ECDFs over 24 functions of 70 algorithms in 6
   dimensions; wall seconds after imports and the highest memory.
4. The same from Parquet.
5. 10 080 000 runs of 20 hits as Parquet, the same million in ten dimensions: aRT by DuckDB, which
   may use 8 GB. Not part of the default.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from math import inf
from pathlib import Path

import click
from evaluation import machine
from synthetic import Size, synthetic_table

from firsthit.loggers.hdf5.encode import encode

SIZES = {
    "full": (
        Size(dimensions=(2, 3, 5, 10, 20)),
        Size(algorithms=2),
        Size(instances=20, algorithms=70, repetitions=5),
        Size(dimensions=(2,), instances=20, algorithms=70, repetitions=30, hits=(20, 20)),
    ),
    "quick": (
        Size(dimensions=(2, 10), instances=5, algorithms=8),
        Size(dimensions=(2, 3, 5, 10, 20), instances=5, algorithms=2),
        Size(instances=10, algorithms=70),
        Size(dimensions=(2,), instances=20, algorithms=70, hits=(20, 20)),
    ),
    "tiny": (
        *(Size(functions=2, dimensions=(2, 5), instances=3, algorithms=2),) * 3,
        Size(functions=2, dimensions=(2,), instances=3, algorithms=2),
    ),
}
"""Runs of parts 1, 2 and 3, and a tenth of the runs of part 5; part 4 has those of part 3."""

ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
"""Environment in which Python caches compiled modules of all contenders, as pip does."""
_LONG_SECONDS = 30.0
"""Duration from which on a contender of part 2 runs only once."""
TASKS = Path(__file__).with_name("assessment_tasks.py")


def measured(task: str, path: Path) -> dict[str, float]:
    """Run a task of ``assessment_tasks.py`` in a process, and return what it used.

    Returns:
        ``seconds`` and ``cpu``: wall and CPU seconds after imports; ``process``: wall seconds of
        the whole process; ``peak_gib``: largest memory in GiB.
    """
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, str(TASKS), task, str(path)],
        capture_output=True, text=True, env=ENVIRONMENT,
    )  # fmt: skip
    if done.returncode:
        raise click.ClickException(f"{task} failed: {done.stderr[-2000:]}")
    usage: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return {**usage, "process": time.perf_counter() - start}


def contest(
    title: str,
    contenders: dict[str, tuple[str, Path]],
    rounds: int,
    compared: str,
    long: float = inf,
) -> None:
    """Let contenders take turns, and print medians and ratios.

    Args:
        title: Title of the table.
        contenders: Task and path of the data, by name. Ratios are relative to the first one.
        rounds: Number of turns of each contender.
        compared: Key of `measured` that the ratios compare.
        long: A contender whose process takes longer has one turn only, in seconds.
    """
    measurements: dict[str, list[dict[str, float]]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, (task, path) in contenders.items():
            if not measurements[name] or measurements[name][-1]["process"] < long:
                measurements[name].append(measured(task, path))
    click.echo(f"\n{title}\n{'':34s}{'seconds':>9s}{'process':>9s}{'CPU':>9s}{'GiB':>7s}  ratio")
    first_median = statistics.median(run[compared] for run in measurements[next(iter(contenders))])
    for name, runs in measurements.items():
        row = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
        numbers = f"{row['seconds']:9.2f}{row['process']:9.2f}{row['cpu']:9.2f}"
        click.echo(f"{name:34s}{numbers}{row['peak_gib']:7.2f}  {row[compared] / first_median:.1f}")


def write(size: Size, folder: Path) -> Path:
    """Write a log of synthetic runs into a folder that does not have it yet; return its path."""
    path = folder / f"runs_{size.runs}.h5"
    if not path.exists():
        path.write_bytes(b"".join(encode(synthetic_table(size))))
    return path


def export(log: Path, output_format: str, folder: Path) -> Path:
    """Export the runs of a log to the format of a peer, one folder for each algorithm.

    Args:
        log: The log.
        output_format: A format of ``firsthit export``.
        folder: Folder to write; if it exists, nothing is written.

    Returns:
        The folder.
    """
    if not folder.exists():
        click.echo(f"exporting {log.name} as {output_format}", err=True)
        subprocess.run(
            [sys.executable, "-m", "firsthit", "export", str(log), "--format", output_format,
             "-o", str(folder)], check=True, capture_output=True,
        )  # fmt: skip
    return folder


def tenfold(log: Path, folder: Path) -> Path:
    """Export a log in 2-D to Parquet, and repeat its runs in nine more dimensions by hard links."""
    if not folder.exists():
        export(log, "parquet", folder)
        for path in list(folder.rglob("dimension=2")):
            for dimension in range(3, 12):
                copy = path.with_name(f"dimension={dimension}")
                shutil.copytree(path, copy, copy_function=os.link)
    return folder


@click.command()
@click.option("--parts", default="1,2,3,4", help="Which of the five, such as 1,3.")
@click.option("--rounds", default=3, help="Turns that every contender takes.")
@click.option("--size", type=click.Choice(list(SIZES)), default="full", show_default=True)
@click.option("--data", type=click.Path(path_type=Path), help="Where data are kept for next time.")
def main(parts: str, rounds: int, size: str, data: Path | None) -> None:
    """Print what assessments take, side by side with the peers."""
    some, two, many, tenth = SIZES[size]
    click.echo(f"{datetime.now(UTC):%Y-%m-%d}  {machine()}")
    subprocess.run([sys.executable, "-c", "import firsthit.assessment"], env=ENVIRONMENT)
    with tempfile.TemporaryDirectory() as scratch:
        folder = data or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        if "1" in parts:
            log = write(some, folder)
            ioh = export(log, "ioh", folder / f"ioh_{some.runs}")
            contest(
                f"1. {some.runs} runs: load, aRT, ECDF",
                {
                    "firsthit, a log": ("firsthit_results", log),
                    "firsthit, a log, ECDF by function": ("firsthit_by_function", log),
                    "firsthit, IOHprofiler data": ("firsthit_by_function", ioh),
                    "iohinspector": ("iohinspector_results", ioh),
                },
                rounds, "seconds",
            )  # fmt: skip
        if "2" in parts:
            coco = export(write(two, folder), "coco", folder / f"coco_{two.runs}")
            contest(
                f"2. two data sets of COCO, {two.runs // 2} runs each: all numbers of the pages",
                {"firsthit": ("firsthit_pages", coco), "cocopp": ("cocopp_pages", coco)},
                rounds, "process", _LONG_SECONDS,
            )  # fmt: skip
        if "3" in parts:
            log = write(many, folder)
            contest(
                f"3. {many.runs} runs, {log.stat().st_size / 1e6:.0f} MB: load, aRT, ECDF",
                {"firsthit": ("firsthit_results", log)}, rounds, "seconds",
            )  # fmt: skip
        if "4" in parts:
            parquet = export(write(many, folder), "parquet", folder / f"parquet_{many.runs}")
            contest(
                f"4. {many.runs} runs as Parquet: load, aRT, ECDF",
                {"firsthit": ("firsthit_results", parquet)}, rounds, "seconds",
            )  # fmt: skip
        if "5" in parts:
            parquet = tenfold(write(tenth, folder), folder / f"parquet_{10 * tenth.runs}")
            contest(
                f"5. {10 * tenth.runs} runs as Parquet: aRT",
                {"DuckDB": ("duckdb_art", parquet)}, rounds, "seconds",
            )  # fmt: skip


if __name__ == "__main__":
    main()
