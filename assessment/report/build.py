"""``report``: from logs to the page."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ...suites.selection import ranges
from ..data.run_sets import Choice, broken_notes, choose, run_sets_of
from ..results import load
from ..targets.parse import bbob_targets
from .content import content
from .fingerprint import fingerprints
from .page import Page, Panel, check_report_path, packed_plotly, write_report
from .words import DRAWS, HOW, answers

if TYPE_CHECKING:
    from ..results import Results

PANELS = (
    Panel(
        "ecdf",
        "Runtime profiles",
        "Share of function-target pairs solved within a budget: 51 targets, precisions 1e2 … 1e-8. "
        "Runtimes are those of the algorithm restarted until it succeeds, simulated from its runs. "
        "Thin cross: median over functions of the longest unsuccessful runs; right of it a profile "
        "rests on simulated restarts. Band: 95 %, at each budget by itself. Higher and further "
        "left is better. A click on a name hides it everywhere, a double click shows it alone.",
    ),
    Panel(
        "functions",
        "Profiles of each function",
        "As above, for each of the chosen functions.",
    ),
    Panel(
        "art",
        "Average runtimes",
        "aRT: evaluations of all runs until they hit the target or else ended, divided by the runs "
        "that hit it; ∞ where none did, successes of runs beside it where some failed; pointing at "
        "a number shows its 95 % interval. Bold: the least of those shown. ★: significantly "
        "less than the next of all algorithms (rank-sum test, 5 %, Bonferroni over functions and "
        "algorithms).",
        is_table=True,
    ),
    Panel(
        "scaling",
        "Scaling with the dimension",
        "aRT / dimension against the dimension, both logarithmic; a horizontal line is a runtime "
        "proportional to the dimension. No mark where nothing succeeded.",
    ),
    Panel(
        "fixed-budget",
        "Precision at a budget",
        "Median over the runs of the best precision so far, and the quartiles as a band. "
        "Precisions below 1e-12 are drawn at 1e-12.",
    ),
    Panel(
        "outcomes",
        "Restarts and failures",
        "How runs ended, what they spent, how often they restarted and why.",
        is_table=True,
    ),
    Panel(
        "timing",
        "What if an evaluation took time",
        "The profiles over seconds: each evaluation costs what the optimizer spends on it, as "
        "measured in these runs, and what the slider says.",
    ),
)


def report(
    paths: str | Path | Iterable[str | Path],
    output: str | Path,
    *,
    title: str = "Benchmark report",
    seed: int = 1,
) -> Path:
    """Write an interactive report on logs, one HTML file that needs no network.

    Args:
        paths: Logs, as for `load`.
        output: The file, ``NAME.html``; replaced if it exists.
        title: Its heading.
        seed: Of simulated restarts and of bootstraps.

    Returns:
        The file.

    Raises:
        FirsthitError: A log cannot be read, or the file cannot be written.
        MissingPackageError: jinja2 or plotly is not installed.
    """
    check_report_path(output)
    with ThreadPoolExecutor(1) as thread:
        thread.submit(packed_plotly)  # it takes a moment, and is needed at the end
        return write_report(page_of(load(paths), title, seed), output)


def page_of(results: Results, title: str, seed: int) -> Page:
    """All that the report says about ``results``."""
    log = results.log
    files = [_shown(file) for file in log.files]
    run_sets = list(run_sets_of(log, choose(log, Choice()), bbob_targets()))
    return Page(
        title=title,
        what=_what(results),
        answer=answers(run_sets, seed),
        warnings=broken_notes(run_sets),
        how=HOW.format(draws=DRAWS),
        panels=PANELS,
        data=content(results, run_sets, files, seed),
        logs=[
            {"file": shown, "runs": runs, "sha256": _sha256(file)}
            for shown, file, runs in zip(files, log.files, _runs_of_files(results), strict=True)
        ],
        headers=_headers(log.headers),
        first_hits=fingerprints(log),
    )


def _what(results: Results) -> str:
    names = results.algorithms
    shown = ", ".join(name or "(no name)" for name in names[:8])
    more = f" and {len(names) - 8} more" if len(names) > 8 else ""
    n = len(names)
    return (
        f"{n} algorithm{'s' if n > 1 else ''} ({shown}{more}) on {', '.join(results.suites)}: "
        f"functions {ranges(results.functions)}, dimensions {ranges(results.dimensions)}; "
        f"{len(results.log)} runs."
    )


def _runs_of_files(results: Results) -> list[int | str]:
    files = results.log.files
    return [len(results.log)] if len(files) == 1 else [""] * len(files)


def _headers(headers: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    return [
        {"title": f"Campaign, versions and machine ({i} of {len(headers)})", "content": header}
        for i, header in enumerate(headers, start=1)
    ]


def _shown(file: Path) -> str:
    """The file as a reader may type it: relative where it lies below the working folder."""
    absolute = file.absolute()
    here = Path(os.getcwd())
    return str(absolute.relative_to(here)) if absolute.is_relative_to(here) else str(absolute)


def _sha256(source: Path) -> str:
    """Of a file; of a folder (data of other tools), of its files' names and checksums."""
    if source.is_dir():
        digest = hashlib.sha256()
        for file in sorted(path for path in source.rglob("*") if path.is_file()):
            digest.update(f"{_sha256(file)}  {file.relative_to(source).as_posix()}\n".encode())
        return digest.hexdigest()
    with open(source, "rb") as opened:
        return hashlib.file_digest(opened, "sha256").hexdigest()
