"""Measure a report: the time to make it, beside cocopp, and the time to open it in Chromium.

Run ``python benchmarks/report.py`` (about 8 minutes, of which cocopp takes most).

1. 24 algorithms × 24 functions × 6 dimensions × 15 instances, twice on each, which is more than
   100 000 runs: CPU seconds and largest memory of the process, size of the file.
2. A COCO data set (``--data``, such as a folder that you have; else a synthetic one) and a second,
   synthetic one of the size of a full experiment (6 dimensions, 15 instances): the process of
   ``firsthit report`` and that of cocopp, start to end; the median of the rounds.
3. 20 algorithms × 24 functions × 5 dimensions × 15 instances: seconds to make, size of the file.
4. The pages of 2 and 3 in headless Chromium, where it is installed: first contentful paint, and how
   long a panel takes to be redrawn when another dimension is chosen.
"""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import UTC, datetime
from multiprocessing import get_context
from pathlib import Path

import click
from evaluation import machine
from synthetic import Size

from assessment import ENVIRONMENT, export, write

TWO = Size(algorithms=2)
TWENTY = Size(dimensions=(2, 3, 5, 10, 20), algorithms=20)
LARGE = Size(algorithms=24, repetitions=2)
FLAGS = (
    "--headless", "--no-sandbox", "--disable-gpu", "--no-first-run", "--window-size=1280,1000",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
)  # fmt: skip


def make_report(sources: Sequence[Path], output: Path) -> float:
    """Run ``firsthit report`` in a process, and return its wall seconds."""
    return measure_report(sources, output)[0]


def measure_report(sources: Sequence[Path], output: Path) -> tuple[float, resource.struct_rusage]:
    """Run ``firsthit report`` in a process, and return its wall seconds and its resources."""
    start = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "firsthit", "report", *map(str, sources), "-o", str(output),
         "--overwrite"],
        stderr=subprocess.PIPE, text=True, env=ENVIRONMENT,
    )  # fmt: skip
    _, status, used = os.wait4(process.pid, 0)
    seconds = time.perf_counter() - start
    process.returncode = os.waitstatus_to_exitcode(status)
    _, message = process.communicate()
    if process.returncode:
        raise click.ClickException(f"firsthit report: {message}")
    return seconds, used


def run_cocopp(sources: Sequence[Path], folder: Path) -> float:
    """Run cocopp's post-processing in a process, and return its wall seconds."""
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "cocopp", "-o", str(folder / "ppdata"),
         *(str(source.resolve()) for source in sources)],
        check=True, capture_output=True, cwd=folder, env=ENVIRONMENT,
    )  # fmt: skip
    return time.perf_counter() - start


def opened(page: Path) -> str:
    """Open a page in Chromium; return the times of first paint and redrawing as a sentence."""
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service

    options = Options()
    options.binary_location = shutil.which("chromium") or ""
    for flag in FLAGS:
        options.add_argument(flag)
    driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver") or ""))
    paints, redraws = [], []
    try:
        for _ in range(3):
            driver.get("about:blank")
            driver.get(page.as_uri())
            paints.append(_paint(driver))
            redraws.extend(driver.execute_async_script(_REDRAW))
    finally:
        driver.quit()
    return (
        f"first contentful paint {statistics.median(paints):.0f} ms, another dimension drawn in "
        f"{statistics.median(redraws):.0f} ms (at most {max(redraws):.0f} ms)"
    )


_REDRAW = """
const done = arguments[0];
const [section, list] = ['ecdf', 'dimension'].map(id => document.getElementById(id));
const drawn = () => Number(section.dataset.drawn ?? 0);
const until = (count) => new Promise(resolve => {
  const look = () => drawn() >= count ? resolve() : requestAnimationFrame(look);
  look();
});
(async () => {
  section.scrollIntoView({behavior: 'instant'});
  await until(1);
  const took = [];
  for (const option of [...list.options].slice(1).concat(list.options[0])) {
    const start = performance.now(), before = drawn();
    list.value = option.value;
    list.dispatchEvent(new Event('change', {bubbles: true}));
    await until(before + 1);
    took.push(performance.now() - start);
  }
  done(took);
})();
"""


def _paint(driver: object) -> float:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        paint_times = driver.execute_script(  # type: ignore[attr-defined]
            "return performance.getEntriesByName('first-contentful-paint').map(e => e.startTime)"
        )
        if paint_times:
            return float(paint_times[0])
    raise click.ClickException("the page was never painted")


@click.command()
@click.option("--data", type=click.Path(path_type=Path, exists=True), help="A COCO data set.")
@click.option(
    "--rounds",
    default=1,
    show_default=True,
    help="Turns of cocopp in part 2; firsthit has at least 3.",
)
@click.option("--keep", type=click.Path(path_type=Path), help="Folder for data and pages.")
@click.option("--without-cocopp", is_flag=True)
@click.option("--large-only", is_flag=True, help=f"Part 1 alone: {LARGE.runs} runs (a minute).")
def main(
    data: Path | None, rounds: int, keep: Path | None, without_cocopp: bool, large_only: bool
) -> None:
    """Print what a report takes to make and to open."""
    click.echo(f"{datetime.now(UTC):%Y-%m-%d}  {machine()}")
    with tempfile.TemporaryDirectory() as scratch:
        folder = keep or Path(scratch)
        folder.mkdir(parents=True, exist_ok=True)
        # Another process makes the data, because the memory of this process counts for its
        # children.
        with ProcessPoolExecutor(1, get_context("spawn")) as other_process:
            some, many = other_process.map(write, (TWO, LARGE), (folder, folder))
        pages = {name: folder / f"{name}.html" for name in ("large", "two", "twenty")}
        make_report([some], pages["two"])  # compiles what is compiled once
        seconds, used = measure_report([many], pages["large"])
        cpu, most = used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / 1e6
        click.echo(f"1. {LARGE.runs} runs of {LARGE.algorithms} algorithms: {seconds:.1f} s, "
                   f"CPU {cpu:.1f} s, {most:.0f} MB of memory at most, "
                   f"{pages['large'].stat().st_size / 1e6:.1f} MB")  # fmt: skip
        if large_only:
            return
        sources = sorted(export(some, "coco", folder / "coco").iterdir())
        if data is not None:
            sources[0] = data
        durations = [make_report(sources, pages["two"]) for _ in range(max(rounds, 3))]
        click.echo(f"2. firsthit report on two data sets: {statistics.median(durations):.2f} s, "
                   f"{pages['two'].stat().st_size / 1e6:.1f} MB")  # fmt: skip
        if not without_cocopp:
            peer = statistics.median(run_cocopp(sources, folder) for _ in range(rounds))
            click.echo(
                f"   cocopp: {peer:.1f} s, {peer / statistics.median(durations):.0f} times as long"
            )
        seconds = make_report([write(TWENTY, folder)], pages["twenty"])
        click.echo(f"3. {TWENTY.runs} runs of 20 algorithms: {seconds:.1f} s, "
                   f"{pages['twenty'].stat().st_size / 1e6:.1f} MB")  # fmt: skip
        if shutil.which("chromium") and shutil.which("chromedriver"):
            for name in ("two", "twenty"):
                click.echo(f"4. {name}: {opened(pages[name])}")


if __name__ == "__main__":
    main()
