"""How long assessments take: firsthit, iohinspector and cocopp on the same runs, in one go.

Run ``python benchmarks/assessment.py`` (about 20 minutes; ``--size quick`` about 3). Runs are
synthetic (``synthetic.py``); peers get them as firsthit exports them. Every measurement is a
process of its own; contenders take turns, and the medians over the rounds are shown.

1. 18 000 runs: load them, aRT and ECDF of every algorithm, function and dimension.
2. Two data sets of COCO: every number that cocopp's pages show, from start to end of the process.
3. 1 008 000 runs: load the log, aRT of 10 080 cells, ECDFs over 24 functions of 70 algorithms in 6
   dimensions; wall seconds after imports and the highest memory.
"""

from __future__ import annotations

import json
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

import click
from evaluation import machine
from synthetic import Size, synthetic_table

from firsthit.loggers.image import encode

SIZES = {
    "full": (
        Size(dimensions=(2, 3, 5, 10, 20)),
        Size(algorithms=2),
        Size(instances=20, algorithms=70, repetitions=5),
    ),
    "quick": (
        Size(dimensions=(2, 10), instances=5, algorithms=8),
        Size(dimensions=(2, 3, 5, 10, 20), instances=5, algorithms=2),
        Size(instances=10, algorithms=70),
    ),
    "tiny": (Size(functions=2, dimensions=(2, 5), instances=3, algorithms=2),) * 3,
}
"""The runs of the three parts."""


ENVIRONMENT = {k: v for k, v in os.environ.items() if k != "PYTHONDONTWRITEBYTECODE"}
"""Modules of all contenders are compiled once and kept, as those that pip installs are."""


def firsthit_results(path: str) -> None:
    """Load a log, aRT to ten targets, ECDF to 51 targets over all functions."""
    import firsthit

    results = firsthit.load(path)
    results.art()
    results.ecdf()


def firsthit_by_function(path: str) -> None:
    """The same with an ECDF for each function, as the peer is asked for."""
    import firsthit

    results = firsthit.load(path)
    results.art()
    results.ecdf(group_by="function")


def iohinspector_results(path: str) -> None:
    """Load, runtime statistics and ECDFs, each by algorithm, function and dimension."""
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
    """Read COCO's folders, and all that cocopp's pages for two data sets show."""
    import firsthit
    from firsthit.assessment import CompareOptions

    results = firsthit.load([str(folder) for folder in sorted(Path(path).iterdir())])
    best2009 = str(next(Path(find_spec("cocopp").origin).parent.glob("refalgs/best2009-bbob*")))
    results.performance(reference=best2009)
    for targets in (None, "1e1,1e-1,1e-4,1e-8"):
        results.ecdf(targets=targets, group_by=("function", "group", "all"))
    results.scaling()
    results.scatter(*results.algorithms)
    results.ratios(*results.algorithms)
    results.compare(options=CompareOptions(resampling=None))
    results.loss(best2009)


def cocopp_pages(path: str) -> None:
    """The post-processing of two data sets."""
    folders = [str(folder) for folder in sorted(Path(path).iterdir())]
    with tempfile.TemporaryDirectory() as output:
        subprocess.run(
            [sys.executable, "-W", "ignore", "-m", "cocopp", "-o", output, *folders],
            check=True, capture_output=True, cwd=output,
        )  # fmt: skip


TASKS: dict[str, Callable[[str], None]] = {
    task.__name__: task
    for task in (
        firsthit_results, firsthit_by_function, iohinspector_results, firsthit_pages, cocopp_pages,
    )
}  # fmt: skip


def measured(task: str, path: Path) -> dict[str, float]:
    """Wall and CPU seconds after imports, wall seconds of the whole process, GiB at most."""
    start = time.perf_counter()
    done = subprocess.run(
        [sys.executable, __file__, "--task", task, "--path", str(path)],
        capture_output=True, text=True, env=ENVIRONMENT,
    )  # fmt: skip
    if done.returncode:
        raise click.ClickException(f"{task} failed: {done.stderr[-2000:]}")
    found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
    return {**found, "process": time.perf_counter() - start}


def one_task(task: str, path: str) -> None:
    """In a process of its own: import everything, do the task, print what it took."""
    library = task.split("_")[0]
    import_module({"firsthit": "firsthit.assessment"}.get(library, library))
    before, start = cpu_seconds(), time.perf_counter()
    TASKS[task](path)
    seconds, cpu = time.perf_counter() - start, cpu_seconds() - before
    peak = max(peak_of_this(), resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
    click.echo(json.dumps({"seconds": seconds, "cpu": cpu, "peak_gib": peak / 2**20}))


def peak_of_this() -> int:
    """Most memory of this process in KiB.

    On Linux not by ``ru_maxrss``: that begins with the memory of the process that started this one.
    """
    status = Path("/proc/self/status")
    if not status.exists():
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    lines = status.read_text().splitlines()
    return int(next(line for line in lines if line.startswith("VmHWM:")).split()[1])


def cpu_seconds() -> float:
    """Of this process and those that it started and that ended."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


def contest(title: str, contenders: dict[str, tuple[str, Path]], rounds: int, what: str) -> None:
    """Let contenders take turns; print medians and the ratios to the first."""
    found: dict[str, list[dict[str, float]]] = {name: [] for name in contenders}
    for _ in range(rounds):
        for name, (task, path) in contenders.items():
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
        path.write_bytes(encode(synthetic_table(size)))
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


@click.command()
@click.option("--parts", default="1,2,3", help="Which of the three, such as 1,3.")
@click.option("--rounds", default=3, help="Turns that every contender takes in part 1.")
@click.option("--size", type=click.Choice(list(SIZES)), default="full", show_default=True)
@click.option("--data", type=click.Path(path_type=Path), help="Where data are kept for next time.")
@click.option("--task", hidden=True)
@click.option("--path", hidden=True)
def main(
    parts: str, rounds: int, size: str, data: Path | None, task: str | None, path: str | None
) -> None:
    """Print what assessments take, side by side with the peers."""
    if task and path:
        one_task(task, path)
        return
    some, two, many = SIZES[size]
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
                1, "process",
            )  # fmt: skip
        if "3" in parts:
            log = write(many, folder)
            contest(
                f"3. {many.runs} runs, {log.stat().st_size / 1e6:.0f} MB: load, aRT, ECDF",
                {"firsthit": ("firsthit_results", log)}, rounds, "seconds",
            )  # fmt: skip


if __name__ == "__main__":
    main()
