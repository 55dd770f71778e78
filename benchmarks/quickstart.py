"""Compare the time of ``firsthit run quickstart --report`` in two environments.

Run ``python benchmarks/quickstart.py --base ENVIRONMENT/bin/firsthit``, where the environment has
another version of firsthit. Each round runs both versions twice, in alternation: first with an
empty cache of kernels (cold), then with the kernels of the first run (warm). Processor time counts
the command and its workers. The command runs on a pseudo-terminal of 80 columns, so that it prints
its early table; ``early`` is the wall time until then, as a share of the whole wall time.
``--no-terminal`` runs it without a terminal and without that table. Needs Linux or macOS.
"""

from __future__ import annotations

import fcntl
import os
import pty
import resource
import struct
import subprocess
import tempfile
import termios
import time
from pathlib import Path
from statistics import median
from typing import NamedTuple

import click

EARLY_TABLE_END = b"the campaign continues"
"""Text that follows the early table."""


class Measurement(NamedTuple):
    """Duration of one command."""

    cpu_seconds: float
    wall_seconds: float
    early_seconds: float  # wall time until the early table; NaN: there was none


def measure_run(
    command: str, folder: Path, kernels: Path, options: tuple[str, ...], has_terminal: bool
) -> Measurement:
    """Run quickstart with a new log, and measure it.

    Args:
        command: Path of the command ``firsthit``.
        folder: Empty folder for the log and the report.
        kernels: Folder for compiled kernels.
        options: Further options of ``firsthit run``.
        has_terminal: Whether its stderr is a pseudo-terminal instead of a pipe.
    """
    words = [command, "run", "quickstart", "--report", *options]
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(kernels)}
    reader, writer = pty.openpty() if has_terminal else os.pipe()
    if has_terminal:
        fcntl.ioctl(writer, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    cpu_before, started = cpu_seconds_of_children(), time.perf_counter()
    process = subprocess.Popen(
        words, cwd=folder, env=environment, stdout=subprocess.DEVNULL, stderr=writer
    )
    os.close(writer)
    shown, early_seconds = b"", float("nan")
    while text := read_output(reader):
        if EARLY_TABLE_END not in shown and EARLY_TABLE_END in shown + text:
            early_seconds = time.perf_counter() - started
        shown += text
    if process.wait():
        raise click.ClickException(f"{command} failed:\n{shown.decode(errors='replace')}")
    os.close(reader)
    wall_seconds = time.perf_counter() - started
    return Measurement(cpu_seconds_of_children() - cpu_before, wall_seconds, early_seconds)


def read_output(descriptor: int) -> bytes:
    """Return the next output on a terminal or pipe; ``b""`` if its writers have ended."""
    try:
        return os.read(descriptor, 2**16)
    except OSError:  # so Linux signals the end of a terminal
        return b""


def cpu_seconds_of_children() -> float:
    """Return the processor time of all ended child processes and of their children."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


@click.command()
@click.option("--base", required=True, help="The command firsthit of the version to compare with.")
@click.option("--new", default="firsthit", help="That of the new version (firsthit).")
@click.option("--rounds", default=3, help="Rounds of four runs (3).")
@click.option("--terminal/--no-terminal", default=True, help="Whether stderr is a terminal (yes).")
@click.argument("options", nargs=-1)
def main(base: str, new: str, rounds: int, terminal: bool, options: tuple[str, ...]) -> None:
    """Print medians over the rounds; OPTIONS, after ``--``, are further ones of firsthit run."""
    measurements: dict[tuple[str, str], list[Measurement]] = {}
    for _ in range(rounds):
        with tempfile.TemporaryDirectory() as temporary:
            for state in ("cold", "warm"):
                for version, command in (("base", base), ("new", new)):
                    folder = Path(temporary, version, state)
                    folder.mkdir(parents=True)
                    kernels = Path(temporary, version, "kernels")
                    measured = measure_run(command, folder, kernels, options, terminal)
                    measurements.setdefault((state, version), []).append(measured)
    click.echo("state  base CPU s  new CPU s  ratio  base wall s  new wall s  early")
    for state in ("cold", "warm"):
        pairs = list(zip(measurements[state, "base"], measurements[state, "new"], strict=True))
        cpu = [median(pair[i].cpu_seconds for pair in pairs) for i in (0, 1)]
        wall = [median(pair[i].wall_seconds for pair in pairs) for i in (0, 1)]
        ratio = median(after.cpu_seconds / before.cpu_seconds for before, after in pairs)
        early = median(after.early_seconds / after.wall_seconds for _, after in pairs)
        click.echo(
            f"{state:5}  {cpu[0]:10.1f}  {cpu[1]:9.1f}  {ratio:5.2f}  {wall[0]:11.1f}"
            f"  {wall[1]:10.1f}  {early:5.2f}"
        )


if __name__ == "__main__":
    main()
