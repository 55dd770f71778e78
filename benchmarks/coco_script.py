"""Measure the cost of COCO's loop: the same script with ``firsthit.coco`` and with ``cocoex``.

Run ``python benchmarks/coco_script.py`` (about half a minute, kernels compiled). A round is 480
problems of bbob (2, 3, 5 and 10 variables, instances 1-5), each observed and evaluated at the same
50 random points, all data written. The two take turns. ``process`` is a process of its own, with
imports, kernels loaded and logs closed; ``round`` is a later round in one process. Seconds are CPU
seconds; the table shows medians, and the median of the ratios of rounds that follow each other.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile

import click

SCRIPT = """
import sys, time
import cocoex as coco
import numpy as np

rng = np.random.default_rng(1)
points = {d: rng.uniform(-5, 5, (50, d)) for d in (2, 3, 5, 10)}
suite = coco.Suite("bbob", "instances: 1-5", "dimensions: 2,3,5,10")
began = 0.0
for turn in range(3):
    observer = coco.Observer("bbob", "result_folder: round")
    for problem in suite:
        problem.observe_with(observer)
        for x in points[problem.dimension]:
            problem(x)
    print("SECONDS", time.process_time() - began)
    began = time.process_time()
"""


def seconds(contender: str) -> tuple[float, float]:
    """Run the script in a process, and return its CPU seconds.

    Returns:
        Seconds of the first round, with imports and loading of kernels, and of a later round.
    """
    script = SCRIPT.replace("import cocoex", f"import {contender}")
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(
            [sys.executable, "-c", script], cwd=folder, check=True, capture_output=True, text=True
        )
    rounds = [float(line.split()[1]) for line in done.stdout.splitlines() if "SECONDS" in line]
    return rounds[0], min(rounds[1:])


@click.command()
@click.option("--rounds", default=5, show_default=True, help="Turns of each.")
def main(rounds: int) -> None:
    """Print CPU seconds of 480 problems with 50 evaluations each."""
    seconds("firsthit.coco")  # compiles what is not compiled
    taken = [(seconds("firsthit.coco"), seconds("cocoex")) for _ in range(rounds)]
    print(f"{'':9}{'firsthit':>10}{'cocoex':>10}{'ratio':>8}")
    for i, label in enumerate(("process", "round")):
        ours, theirs = ([pair[contender][i] for pair in taken] for contender in (0, 1))
        ratio = statistics.median(a / b for a, b in zip(ours, theirs, strict=True))
        medians = statistics.median(ours), statistics.median(theirs)
        print(f"{label:9}{medians[0]:10.2f}{medians[1]:10.2f}{ratio:8.1f}")


if __name__ == "__main__":
    main()
