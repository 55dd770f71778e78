"""Reads IOHprofiler's data: an index (JSON, or the older .info) and a .dat for each scenario."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from ....suites import Problem
from ....suites.facts import ProblemId
from ....suites.pbo import NAMES, refusal
from ....suites.suite import problem_of
from ...records.run_record import Record, is_clock
from ..blocks import Block, Layout, read_blocks
from ..data_files import DataFiles, is_ioh_index
from ..tables import DataSet, ImportedRun
from .index_files import (
    CONSTRAINTS,
    NO_VALUE,
    SECONDS,
    IndexedRun,
    Scenario,
    parse_json,
    parse_old_info,
)

_VALUES = ("raw_y", "current f(x)", "raw_y_best", "best-so-far f(x)", "current_y",
           "current_y_best", "transformed_y", "transformed_y_best")  # fmt: skip
"""Columns that can be read, the first found is; those after the fourth hold an offset."""
_RAW = _VALUES[:4]
_HEADS = ("evaluations", '"function evaluation"')
_HALF_DIGIT = 6e-11
_FRACTIONS = (18, 24, 25)
"""Functions of PBO whose values are no whole numbers: ten decimals round them."""
_NO_ROWS = np.empty((0, 3))
_NO_PARAMETER = re.compile(
    r"evaluations|function evaluation|(raw|current|transformed)_y(_best)?|current f\(x\)"
    r"|best-so-far f\(x\)|(current|best) af\(x\)\+b|(violation|penalty)\d*|x\d+"
    rf"|{CONSTRAINTS}"
)
"""Columns that hold no parameter of the algorithm: counts, values, constraints, points."""
_BBOB = (
    "Sphere", "Ellipsoid", "Rastrigin", "BuecheRastrigin", "LinearSlope", "AttractiveSector",
    "StepEllipsoid", "Rosenbrock", "RosenbrockRotated", "EllipsoidRotated", "Discus", "BentCigar",
    "SharpRidge", "DifferentPowers", "RastriginRotated", "Weierstrass", "Schaffers10",
    "Schaffers1000", "GriewankRosenbrock", "Schwefel", "Gallagher101", "Gallagher21", "Katsuura",
    "LunacekBiRastrigin",
)  # fmt: skip
"""IOHprofiler's names of the 24 bbob functions."""
_SUITES = {"bbob": "bbob", "sbox": "bbob-boxed"}
"""IOHprofiler's suites, in lower case, whose functions are those of a suite here."""


def read_ioh(files: DataFiles) -> DataSet:
    """All runs of a data set of IOHprofiler; a LogFormatError names file and line.

    Values become best so far. Values of bbob functions are precisions; those of PBO are measured
    from the largest ones that our suite ``pbo`` knows; others are no precisions, and their runs
    have no reference value. Where larger is better, values change their sign.
    """
    notes: dict[str, None] = {}
    found: list[tuple[Scenario, list[ImportedRun]]] = []
    listed: set[str] = set()
    for index in (name for name in files if is_ioh_index(name)):
        for scenario in _scenarios(files, index):
            listed.add(files.neighbour_file(index, scenario.path))
            found.append((scenario, _runs(files, index, scenario, notes)))
    runs: dict[str, list[ImportedRun]] = {}
    others = [run for scenario, many in found if not scenario.is_ours for run in many]
    every = all(map(_every_improvement, others))
    kind: Record = "improvements" if every else "sampled"
    if others:
        notes["every line but the last of each run improves, so all improvements are taken to be "
              "recorded." if every else "not every improvement is recorded: hits may have come "
              "earlier than at the evaluations recorded."] = None  # fmt: skip
    for scenario, many in found:
        if not scenario.is_ours:
            many = [run._replace(record=kind) for run in many]
        runs.setdefault(scenario.algorithm, []).extend(many)
    unlisted = [name for name in files if name.endswith(".dat") and name not in listed]
    if unlisted:
        notes[f"{len(unlisted)} data files are in no index and were left out, such as "
              f"{unlisted[0]}."] = None  # fmt: skip
    names = {(run.problem.suite, run.problem.function): s.name for s, many in found for run in many}
    return DataSet(runs, {"format": "IOHprofiler"}, tuple(notes), names)


def _scenarios(files: DataFiles, index: str) -> list[Scenario]:
    parse = parse_json if index.endswith(".json") else parse_old_info
    with files.parsing(index):
        return parse(files.text(index))


def _runs(
    files: DataFiles, index: str, scenario: Scenario, notes: dict[str, None]
) -> list[ImportedRun]:
    name = files.neighbour_file(index, scenario.path)
    data = files[name].replace(b" None", b" nan")
    head = _head(data)
    column, values = _columns(files, name, head)
    parameters = [i for i, column in enumerate(head) if not _NO_PARAMETER.fullmatch(column)]
    is_timed = SECONDS in head and scenario.is_ours
    if is_timed:
        parameters = [i for i in parameters if head[i] != SECONDS]
        parameters.append(head.index(SECONDS))
    constraints = head.index(CONSTRAINTS) if CONSTRAINTS in head and scenario.is_ours else 0
    layout = Layout(
        _HEADS, lambda line: True, (0, constraints, column, *parameters),
        values=1 + len(parameters),
    )  # fmt: skip
    with files.parsing(name):
        blocks = read_blocks(data, layout)
    for block in blocks if not constraints else ():
        block.rows[:, 1] = 0
    if len({block.head for block in blocks}) > 1:
        raise files.error(name, "its runs have different columns")
    if not scenario.is_ours and _is_rounded(data, column):
        notes["values are printed with 10 decimals: those below 5e-11 read as 0, and hits of "
              "targets below 1e-6 can be wrong by that rounding."] = None  # fmt: skip
    linked = _linked(scenario.runs, blocks, scenario.maximization)
    if linked is None:
        raise files.error(
            name, f"its {len(blocks)} runs are not the {len(scenario.runs)} of {index!r}: numbers "
            "of evaluations or best values differ",
        )  # fmt: skip
    if len(blocks) > len(linked):
        notes[f"{name} holds {len(blocks)} runs, but {index} lists {len(linked)}: the others are "
              "left out."] = None  # fmt: skip
    sign = -1.0 if scenario.maximization else 1.0
    pbo = _pbo_problem(scenario, values)
    suite, reference = ("pbo", pbo.reference_value) if pbo else _meaning(scenario, values, notes)
    if is_timed:
        parameters.pop()
        if not all(
            is_clock(np.append(block.rows[:, -1], run.seconds))
            for run, block in zip(scenario.runs, linked, strict=True)
        ):
            raise files.error(name, "its seconds are not finite, or fall")
    runs = [
        _run(ProblemId(suite, scenario.function, scenario.dimension, run.instance), reference, run,
             block, sign, [head[i] for i in parameters],
             lifted=scenario.function in _FRACTIONS and pbo is not None and not scenario.is_ours)
        for run, block in zip(scenario.runs, linked, strict=True)
    ]  # fmt: skip
    return [_as_precisions(run, pbo) for run in runs] if pbo else runs


def _pbo_problem(scenario: Scenario, values: str) -> Problem | None:
    """The first instance of a function of PBO; None where values are those of another suite.

    Raw values are the same on all instances.
    """
    numbers = scenario.function, scenario.dimension
    named = 1 <= scenario.function <= len(NAMES) and NAMES[scenario.function - 1] == scenario.name
    if not (named and scenario.maximization and values in _RAW) or refusal(*numbers):
        return None
    return problem_of("pbo", *numbers, 1)


def _as_precisions(run: ImportedRun, problem: Problem) -> ImportedRun:
    """A run of PBO, whose entries are values of ``problem``; at its optimum a precision is 0."""
    reference = problem.reference_value
    if np.isnan(reference):
        return run
    entries = run.entries - (0.0, 0.0, reference)
    entries[np.abs(entries[:, 2]) <= 2 * _HALF_DIGIT, 2] = 0.0  # of others it is far more
    path = entries if len(run.path) else run.path
    return run._replace(entries=entries, path=path, target_unit=problem.target_unit)


def _is_rounded(data: bytes, column: int) -> bool:
    """Whether all finite values are printed as ``ioh`` prints them, with 10 decimals."""
    values = [line.split()[column] for line in data.splitlines() if line[:1].isdigit()]
    finite = [value for value in values if value[-1:].isdigit()]
    return bool(finite) and all(re.fullmatch(rb"-?\d+\.\d{10}", value) for value in finite)


def _head(data: bytes) -> list[str]:
    """Names of the columns."""
    head = data[: data.find(b"\n")].decode("utf-8", "replace")
    return [quoted or bare for quoted, bare in re.findall(r'"([^"]*)"|(\S+)', head)]


def _columns(files: DataFiles, name: str, names: Sequence[str]) -> tuple[int, str]:
    """Position and name of the column of values."""
    if not names or names[0] not in ("evaluations", "function evaluation"):
        raise files.error(name, "its first line does not begin with the column 'evaluations'", 1)
    for value in _VALUES:
        if value in names:
            return names.index(value), value
    raise files.error(
        name,
        f"none of its columns is one of {', '.join(_VALUES)}; they are {' '.join(names)[:80]!r}",
        1,
    )


def _linked(
    runs: Sequence[IndexedRun], blocks: Sequence[Block], maximization: bool
) -> list[Block] | None:
    """The block of each run, in order; None where the runs are not among the blocks.

    Nothing in a block says which run it is, and a run can be missing in the index. So evaluations
    spent and best value must agree, and blocks that agree with no run are passed over.
    """
    linked = []
    rest = iter(blocks)
    for run in runs:
        block = next((b for b in rest if _agrees(run, b, maximization)), None)
        if block is None:
            return None
        linked.append(block)
    return linked


def _agrees(run: IndexedRun, block: Block, maximization: bool) -> bool:
    counts, values = block.rows[:, 0], block.rows[:, 2]
    if not len(counts) or (run.evaluations is not None and counts[-1] != run.evaluations):
        return False
    finite = values[np.abs(values) < NO_VALUE]
    if np.isnan(run.best) or not len(finite):
        return np.isnan(run.best) and not len(finite)
    best = finite.max() if maximization else finite.min()
    tolerance = _HALF_DIGIT + abs(run.best) * 10.0 ** (1 - run.digits)
    return bool(abs(best - run.best) <= tolerance)


def _meaning(scenario: Scenario, values: str, notes: dict[str, None]) -> tuple[str, float]:
    """The suite as it is called here, and the reference value: 0 where values are precisions."""
    if scenario.is_ours:
        return scenario.suite, 0.0 if scenario.is_precision else float("nan")
    named = 1 <= scenario.function <= 24 and _BBOB[scenario.function - 1] == scenario.name
    suite = _SUITES.get(scenario.suite.lower(), scenario.suite)
    if scenario.suite == "unknown_suite" and named and not scenario.maximization:
        suite = "bbob"
        notes["the suite is not named: by its functions' names it is taken to be bbob. Data of "
              "SBOX that were not made by a suite look the same."] = None  # fmt: skip
    if suite != scenario.suite and suite == "bbob-boxed":
        notes["values of SBOX at points outside the box are those of the function, not infinity: "
              "points out there may hit targets."] = None  # fmt: skip
    if suite in _SUITES.values() and values in _RAW:
        return suite, 0.0
    notes[f"the values of suite {suite} are no precisions, and their optima are unknown: runs "
          "have no reference value, and targets do not apply."] = None  # fmt: skip
    if scenario.maximization:
        notes["where larger is better, values have changed their sign."] = None
    return suite, float("nan")


def _run(
    problem: ProblemId,
    reference: float,
    run: IndexedRun,
    block: Block,
    sign: float,
    parameters: Sequence[str],
    lifted: bool,
) -> ImportedRun:
    """A run; with ``lifted``, rounded values become the best that are printed so."""
    entries = block.rows[:, :3] * (1.0, 1.0, sign)
    entries[np.abs(entries[:, 2]) >= NO_VALUE, 2] = np.inf
    best, is_best = sign * run.best, np.zeros(len(entries), dtype=bool)
    if run.best_at is not None and run.digits > 6:  # the index has it in full
        is_best = (entries[:, 0] == run.best_at) & (np.abs(entries[:, 2] - best) <= _HALF_DIGIT)
    if lifted:
        entries[:, 2] -= _HALF_DIGIT
    entries[is_best, 2] = best
    seconds = block.rows[:, 3 + len(parameters) :].ravel()
    return ImportedRun(
        problem, run.record, reference if run.reference is None else run.reference,
        int(block.rows[-1, 0]), run.constraints, entries=entries,
        path=entries if len(seconds) or run.record not in ("sampled", "improvements") else _NO_ROWS,
        best_solution=np.array(run.best_x if len(run.best_x) == problem.dimension else ()),
        notes=dict(zip(parameters, block.rows[:, 3 : 3 + len(parameters)].T, strict=True)),
        seconds=seconds, seconds_in_all=run.seconds, host=run.host,
    )  # fmt: skip


def _every_improvement(run: ImportedRun) -> bool:
    counts, values = run.entries[:, 0], run.entries[:, 2]
    if not len(counts) or counts[0] != 1:
        return False
    steps, known = np.diff(values[:-1]), np.isfinite(values[0])
    is_rounded = run.problem.suite == "pbo" and run.problem.function in _FRACTIONS
    improves = known and bool(np.all(steps <= 2 * _HALF_DIGIT if is_rounded else steps < 0))
    return improves or bool(np.all(np.diff(counts) == 1))
