"""How long assessments take: firsthit, iohinspector and cocopp on the same runs, in one go.

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

from firsthit.loggers.hdf5.merge import encode

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
"""The runs of parts 1 to 3, 4 being of the same as 3, and a tenth of those of part 5."""


ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
"""Modules of all contenders are compiled once and kept, as those that pip installs are."""
_LONG_SECONDS = 30.0
TASKS = Path(__file__).with_name("assessment_tasks.py")


def measured(task: str, path: Path) -> dict[str, float]:
    """Wall and CPU seconds after imports, wall seconds of the whole process, GiB at most."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, str(TASKS), task, str(path)],
        capture_output=True, text=True, env=ENVIRONMENT,
    )  # fmt: skip
    if done.returncode:
        raise click.ClickException(f"{task} failed: {done.stderr[-2000:]}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return {**found, "process": time.perf_counter() - start}


def contest(
    title: str, contenders: dict[str, tuple[str, Path]], rounds: int, what: str, long: float = inf
) -> None:
    """Let contenders take turns, one only the ``long`` ones; print medians and ratios."""
    found: dict[str, list[dict[str, float]]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, (task, path) in contenders.items():
            if not found[name] or found[name][-1]["process"] < long:
                found[name].append(measured(task, path))
    click.echo(f"\n{title}\n{'':34s}{'seconds':>9s}{'process':>9s}{'CPU':>9s}{'GiB':>7s}  ratio")
    own = statistics.median(run[what] for run in found[next(iter(contenders))])
    for name, runs in found.items():
        row = {key: statistics.median(run[key] for run in runs) for key in runs[0]}
        numbers = f"{row['seconds']:9.2f}{row['process']:9.2f}{row['cpu']:9.2f}"
        click.echo(f"{name:34s}{numbers}{row['peak_gib']:7.2f}  {row[what] / own:.1f}")


def write(size: Size, folder: Path) -> Path:
    """A log of synthetic runs."""
    path = folder / f"runs_{size.runs}.h5"
    if not path.exists():
        path.write_bytes(b"".join(encode(synthetic_table(size))))
    return path


def export(log: Path, form: str, folder: Path) -> Path:
    """The runs of a log as the data of a peer, one folder for each algorithm."""
    if not folder.exists():
        click.echo(f"exporting {log.name} as {form}", err=True)
        subprocess.run(
            [sys.executable, "-m", "firsthit", "export", str(log), "--format", form,
             "-o", str(folder)], check=True, capture_output=True,
        )  # fmt: skip
    return folder


def tenfold(log: Path, folder: Path) -> Path:
    """The runs of a log in 2-D as Parquet, in ten dimensions; as its own tables, hard links."""
    if not folder.exists():
        export(log, "parquet", folder)
        for place in list(folder.rglob("dimension=2")):
            for dimension in range(3, 12):
                copy = place.with_name(f"dimension={dimension}")
                shutil.copytree(place, copy, copy_function=os.link)
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
