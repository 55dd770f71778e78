"""Writes the runs of a log on two objectives as COCO's data, with their archives."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from ....suites import Problem, Suite
from ....suites.biobj.pairs import PAIRS
from ....suites.suite import definition
from ...log.log import Log
from ...records.log_header import version_of
from ..export import Group, best_at, run_to_write
from . import biobj_lines, logger_lines

VERSION = "2.8.2"
"""The COCO whose format is written, and whose values those of the suites of its names are."""
SUITES = {"bbob-biobj": "bbob-biobj", "bbob-biobj-ext": "bbob-biobj", "bbob-biobj-mixint": ""}
"""Suites of COCO with two objectives, and how their files begin, where not by the name."""

_GROUPS = (
    (5, "1-separable"), (9, "2-moderate"), (14, "3-ill-conditioned"), (19, "4-multi-modal"),
    (24, "5-weakly-structured"),
)  # fmt: skip
"""The last function of bbob of each group, and COCO's name of the group."""


def write_part(log: Log, folder: Path, groups: Iterable[Group]) -> None:
    """Write the runs of one algorithm on one suite.

    Args:
        log: Where the runs are.
        folder: Where the index files go.
        groups: By function and dimension; at least one.
    """
    entries: dict[str, list[str]] = {}
    group = None
    for group in sorted(groups, key=lambda group: (group.dimension, group.function)):
        kind = _kind(group.function)
        entries.setdefault(kind, []).append(_write_group(log, folder, group, kind))
    assert group is not None
    for kind, lines in entries.items():
        text = "\n".join(
            [_facts(group, kind), f"% written by firsthit {version_of('firsthit')}", *lines]
        )
        (folder / f"{kind}_hyp.info").write_text(text, encoding="utf-8")


def _facts(group: Group, kind: str) -> str:
    return (
        f"suite = '{group.suite}', algorithm = '{group.algorithm}', indicator = 'hyp', "
        f"folder = '{kind}', coco_version = '{VERSION}'"
    )


def _kind(function: int) -> str:
    """The groups of both functions of bbob, as COCO names folders."""
    return "_".join(
        next(name for last, name in _GROUPS if one <= last) for one in PAIRS[function - 1]
    )


def _write_group(log: Log, folder: Path, group: Group, kind: str) -> str:
    """Write the data files of one function and dimension; the line of the index."""
    begin = SUITES[group.suite] or group.suite
    digits = 2 if SUITES[group.suite] else 3
    function, dimension = f"_f{group.function:0{digits}d}", f"_d{group.dimension:0{digits}d}"
    name = f"{begin}{function}{dimension}_hyp"
    for place in (kind, "archive"):
        (folder / place).mkdir(parents=True, exist_ok=True)
    instances = sorted({int(log.runs["instance"][row]) for row in group.rows})
    suite = Suite(group.suite, group.function, group.dimension, instances)
    texts: dict[str, list[str]] = {"dat": [], "tdat": [], "rdat": []}
    archives: dict[str, list[str]] = {}
    items = []
    for row in group.rows:
        run, instance = (
            run_to_write(log, row, logger_lines.NO_VALUE),
            int(log.runs["instance"][row]),
        )
        problem = suite.problem(group.function, group.dimension, instance)
        points = {
            "dat": biobj_lines.data_lines(run),
            "tdat": biobj_lines.value_lines(logger_lines.regular_points(run)),
            "rdat": biobj_lines.value_lines(logger_lines.after_restarts(log, row, run)),
        }
        for ending, text in texts.items():
            text.append(
                biobj_lines.head(
                    _index(problem), problem.title, instance, run.reference, ending == "dat"
                )
            )
            text.extend(points[ending])
        [(_, _, best)] = best_at(run, [run.evaluations])
        items.append(f"{instance}:{run.evaluations}|{best:.1e}")
        archive, kept = log.archive(row), str(log.runs["archive_kept"][row])
        if kept != "none":
            file = f"{begin}{function}_i{instance:02d}{dimension}_nondom_{kept}.adat"
            archives.setdefault(file, []).extend(
                biobj_lines.archive_lines(archive, instance, problem.title, run.evaluations)
            )
    for ending, text in texts.items():
        (folder / kind / f"{name}.{ending}").write_text("".join(text), encoding="ascii")
    for file, text in archives.items():
        (folder / "archive" / file).write_text("".join(text), encoding="ascii")
    place = f"function = {group.function:2d}, dim = {group.dimension:2d}"
    return ", ".join([place, f"{name}.dat", *items])


def _index(problem: Problem) -> int:
    """The problem's number in the whole suite, from 0; 0 of what is not in the suite as it is."""
    whole = definition(problem.suite)
    axes = (whole.dimensions, whole.functions, whole.instances)
    place = (problem.dimension, problem.function, problem.instance)
    number = 0
    for axis, one in zip(axes, place, strict=True):
        if one not in axis:
            return 0
        number = number * len(axis) + axis.index(one)
    return number
