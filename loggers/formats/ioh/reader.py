"""Read IOHprofiler's data: index files in JSON or ``.info``, and a data file for each scenario.

`read_ioh` reads the runs of all scenarios. Data files do not name their runs, so the runs of the
index are matched to the blocks of the data file by evaluations and best value. Values become
precisions where their reference value is known. Irregular data that have one meaning are read with
a note. Contradictory data are refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ....suites import Problem
from ....suites.facts import ProblemId
from ....suites.pbo import NAMES, refusal
from ....suites.suite import problem_of
from ...records.run_record import Record, is_clock
from ...targets.grid import evaluation_schedule
from ..blocks import Block, Layout, read_blocks
from ..data_files import DataFiles, describe_mixed_folders, has_other_problem, is_ioh_index
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

_VALUES = ("raw_y_best", "best-so-far f(x)", "raw_y", "current f(x)", "current_y_best",
           "current_y", "transformed_y_best", "transformed_y")  # fmt: skip
"""Columns with values. The first one in a file is read. Best values so far come first, because
triggers such as ``At`` leave out improvements. Columns after the fourth have an offset."""
_RAW = _VALUES[:4]
_HEADS = ("evaluations", '"function evaluation"')
_HALF_DIGIT = 6e-11
"""Half a unit of the tenth decimal, with a tolerance: rounding changes a value by at most this."""
_FRACTIONS = (18, 24, 25)
"""Functions of PBO with fractional values, which are rounded to ten decimals in a file."""
_NO_ROWS = np.empty((0, 3))
_NO_PARAMETER = re.compile(
    r"evaluations|function evaluation|(raw|current|transformed)_y(_best)?|current f\(x\)"
    r"|best-so-far f\(x\)|(current|best) af\(x\)\+b|(violation|penalty)\d*|x\d+"
    rf"|{CONSTRAINTS}"
)
"""Columns that are no parameter of the algorithm: counts, values, constraints, points."""
_POSITION = re.compile(r"x\d+")
"""Columns of points."""
_POINT_TOLERANCE = 1e-6
"""Tolerance for coordinates, which ioh prints with 6 decimals."""
_INDEX_NAME = re.compile(r"IOHprofiler_f(\d{1,9})_(.*)\.json")
_FURTHER_OBJECTIVE = re.compile(r"F[2-9]")
"""Columns of further objectives, by the convention of iohinspector: ``raw_y``, ``F2``, ``F3``."""
_BBOB = (
    "Sphere", "Ellipsoid", "Rastrigin", "BuecheRastrigin", "LinearSlope", "AttractiveSector",
    "StepEllipsoid", "Rosenbrock", "RosenbrockRotated", "EllipsoidRotated", "Discus", "BentCigar",
    "SharpRidge", "DifferentPowers", "RastriginRotated", "Weierstrass", "Schaffers10",
    "Schaffers1000", "GriewankRosenbrock", "Schwefel", "Gallagher101", "Gallagher21", "Katsuura",
    "LunacekBiRastrigin",
)  # fmt: skip
"""IOHprofiler's names of the 24 bbob functions."""
_SUITES = {"bbob": "bbob", "sbox": "bbob-boxed"}
"""IOHprofiler's suites, in lower case, and the suites of firsthit with the same functions."""


def read_ioh(files: DataFiles) -> DataSet:
    """Read all runs of a data set of IOHprofiler.

    Values of bbob functions are precisions. Values of PBO are converted to precisions, relative to
    the largest values that the suite ``pbo`` declares. Runs on other functions have no reference
    value. If larger values are better, their signs are changed. Functions with a name instead of a
    number are numbered in the order of their names.

    Args:
        files: The files of the data set.

    Returns:
        The runs by algorithm, the names of functions, and notes on what was inferred or left out.

    Raises:
        LogFormatError: A file is malformed or missing, index and data contradict each other, the
            data have several objectives, or the index files list no runs. The message names the
            file.
    """
    notes: dict[str, None] = {}  # an ordered set
    indices = [name for name in files if is_ioh_index(name)]
    indexed = [(index, scenario) for index in indices for scenario in _read_index(files, index)]
    listed = {files.neighbour_file(index, scenario.path) for index, scenario in indexed}
    scenarios: list[tuple[Scenario, list[ImportedRun]]] = [
        (scenario, _read_runs(files, index, scenario, notes))
        for index, scenario in _number_functions(indexed, notes)
    ]
    if not any(members for _, members in scenarios):
        raise files.error("", "its index files list no runs")
    runs: dict[str, list[ImportedRun]] = {}
    # Files of other writers do not say which evaluations they contain.
    foreign = [run for scenario, members in scenarios if not scenario.is_ours for run in members]
    is_complete = all(map(_has_all_improvements, foreign))
    record: Record = "improvements" if is_complete else "sampled"
    if foreign:
        notes["every line but the last of each run improves, so all improvements are taken to be "
              "recorded." if is_complete else "not every improvement is recorded: hits may have "
              "come earlier than at the evaluations recorded."] = None  # fmt: skip
    for scenario, members in scenarios:
        if not scenario.is_ours:
            members = [run._replace(record=record) for run in members]
        runs.setdefault(scenario.algorithm, []).extend(members)
    notes |= dict.fromkeys(describe_mixed_folders(_collect_writers(indexed)))
    unlisted = [name for name in files if name.endswith(".dat") and name not in listed]
    if unlisted:
        notes[f"{len(unlisted)} data files are in no index and were left out, such as "
              f"{unlisted[0]}."] = None  # fmt: skip
    names = {
        (run.problem.suite, run.problem.function): scenario.name
        for scenario, members in scenarios
        for run in members
    }
    return DataSet(runs, {"format": "IOHprofiler"}, tuple(notes), names)


def _collect_writers(indexed: Sequence[tuple[str, Scenario]]) -> dict[str, set[str]]:
    """Return the algorithms and suites in the index files of each folder."""
    writers: dict[str, set[str]] = {}
    for index, scenario in indexed:
        folder = index.rpartition("/")[0]
        writers.setdefault(folder, set()).add(f"{scenario.algorithm} on {scenario.suite}")
    return writers


def _read_index(files: DataFiles, index: str) -> list[Scenario]:
    parse = parse_json if index.endswith(".json") else parse_old_info
    with files.parsing(index):
        return parse(files.text(index))


def _number_functions(
    indexed: Sequence[tuple[str, Scenario]], notes: dict[str, None]
) -> list[tuple[str, Scenario]]:
    """Give numbers to functions that have a name instead of a number; add to ``notes``."""
    numbers = {scenario.function for _, scenario in indexed} - {None}
    names = sorted({scenario.name for _, scenario in indexed if scenario.function is None})
    free_numbers = (number for number in range(1, 2**32) if number not in numbers)
    number_of_name = dict(zip(names, free_numbers, strict=False))
    if number_of_name:
        pairs = ", ".join(f"f{number} is {name}" for name, number in number_of_name.items())
        notes[f"functions without a number are numbered by their names: {pairs}."] = None
    return [
        (index, replace(scenario, function=number_of_name[scenario.name]))
        if scenario.function is None
        else (index, scenario)
        for index, scenario in indexed
    ]


def _read_runs(
    files: DataFiles, index: str, scenario: Scenario, notes: dict[str, None]
) -> list[ImportedRun]:
    """Read the runs of a scenario, and add to ``notes``."""
    name = files.neighbour_file(index, scenario.path)
    data = files[name].replace(b" None", b" nan")
    if not data.strip() and not scenario.runs:
        notes[f"{index} lists no runs of {name}, which is empty."] = None
        return []
    titles = _read_column_titles(data)
    column, values = _find_values(files, name, titles)
    _check_names(files, index, name, scenario, titles, notes)
    objectives = [title for title in titles if _FURTHER_OBJECTIVE.fullmatch(title)]
    if objectives and not scenario.is_ours:
        raise files.error(
            name, f"its column {objectives[0]!r} has the values of a further objective, but data "
            "of IOHprofiler are read only with one objective; if the column is a parameter of the "
            "algorithm, give it another name", 1,
        )  # fmt: skip
    parameters = [i for i, title in enumerate(titles) if not _NO_PARAMETER.fullmatch(title)]
    width = _find_common_width(data)
    if width is not None and column < width < len(titles) and not scenario.is_ours:
        notes["the heads of some data files name more columns than their lines have: only "
              "evaluations and values are read."] = None  # fmt: skip
        parameters = []
    is_timed = SECONDS in titles and scenario.is_ours
    if is_timed:  # seconds are read as the last parameter
        parameters = [i for i in parameters if titles[i] != SECONDS]
        parameters.append(titles.index(SECONDS))
    constraints = titles.index(CONSTRAINTS) if CONSTRAINTS in titles and scenario.is_ours else 0
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
    if scenario.maximization is None:
        scenario = replace(
            scenario, maximization=_infer_direction(files, index, scenario, blocks, notes)
        )
    matches = _match_blocks(files, index, name, scenario, blocks, notes)
    if scenario.is_ours:
        _check_own_blocks(files, name, scenario, matches)
    with files.parsing(name):
        has_best_points = width != len(titles) or _has_best_points(
            data, titles, scenario, blocks, matches
        )
    if not has_best_points:
        notes["some runs have another best point in the index than in their data file: the point "
              "of the index counts."] = None  # fmt: skip
    pbo = _find_pbo_problem(scenario, values)
    if pbo:
        suite, reference = "pbo", pbo.reference_value
    else:
        suite, reference = _determine_suite(scenario, values, notes)
    if is_timed:
        parameters.pop()
        if not all(
            is_clock(np.append(block.rows[:, -1], run.seconds))
            for run, block in zip(scenario.runs, matches, strict=True)
        ):
            raise files.error(name, "its seconds are not finite, or decrease")
    undo_rounding = scenario.function in _FRACTIONS and pbo is not None and not scenario.is_ours
    runs = [
        _convert_run(
            _RunSource(
                ProblemId(suite, scenario.function or 0, scenario.dimension, run.instance), run,
                block, tuple(titles[i] for i in parameters),
            ), reference, scenario.maximization is True, undo_rounding,
        )
        for run, block in zip(scenario.runs, matches, strict=True)
    ]  # fmt: skip
    if pbo:
        runs = [_to_precisions(run, pbo) for run in runs]
    if any(run.evaluations > block.rows[-1, 0] for run, block in zip(runs, matches, strict=True)):
        notes["some runs end before the number of evaluations in their index: the number of the "
              "index counts."] = None  # fmt: skip
    for run, block in zip(runs, matches, strict=True):
        _check_precisions(files, name, run, block)
    return runs


def _check_names(
    files: DataFiles,
    index: str,
    name: str,
    scenario: Scenario,
    titles: Sequence[str],
    notes: dict[str, None],
) -> None:
    """Compare facts that index, names of files and heads repeat; add to ``notes``.

    Raises:
        LogFormatError: The head of a file that firsthit wrote has other columns than its index.
    """
    in_name = _INDEX_NAME.fullmatch(index.rpartition("/")[2])
    is_other_index = in_name and (int(in_name[1]), in_name[2]) != (scenario.function, scenario.name)
    if is_other_index or has_other_problem(name, scenario.function, scenario.dimension):
        notes["some names of files contain another function or dimension than their index: the "
              "index counts."] = None  # fmt: skip
    columns = tuple(title for title in titles if not _POSITION.fullmatch(title))
    if scenario.columns not in (None, columns):
        if scenario.is_ours:
            raise files.error(name, f"its columns are not those of {index!r}", 1)
        notes["some data files have other columns than their index."] = None


def _check_own_blocks(
    files: DataFiles, name: str, scenario: Scenario, blocks: Sequence[Block]
) -> None:
    """Raise LogFormatError if a run that firsthit wrote lacks lines or is damaged.

    Such a run has the best value so far in each line, and a line for its first evaluation. If it
    has hits of targets, it also has lines at scheduled counts, which do not improve in some runs.
    """
    sign = -1.0 if scenario.maximization else 1.0
    has_targets = [run.record.startswith("targets") for run in scenario.runs]
    # Lines of hits may not improve either: rounding can hide a small difference of large values.
    scheduled = np.intersect1d(
        evaluation_schedule(scenario.dimension),
        [
            count
            for block, has_target in zip(blocks, has_targets, strict=True)
            for count in block.rows[1:-1][np.diff(block.rows[:-1, 2]) == 0, 0]
            if has_target
        ],
    )
    for run, block, has_target in zip(scenario.runs, blocks, has_targets, strict=True):
        counts, values = block.rows[:, 0], sign * block.rows[:, 2]
        has_best = np.isnan(run.best) or np.any(values[counts == run.best_at] == values.min())
        is_whole = bool(counts[0] == 1 and has_best)
        if has_target:
            is_whole &= bool(np.isin(scheduled[scheduled < counts[-1]], counts).all())
        if not is_whole or np.any(values[1:] > values[:-1]):
            raise files.error(name, "lines of this run are missing or damaged", block.line)


def _has_best_points(
    data: bytes,
    titles: Sequence[str],
    scenario: Scenario,
    blocks: Sequence[Block],
    matches: Sequence[Block],
) -> bool:
    """Return whether the lines of the best values have the points of the index."""
    positions = tuple(i for i, title in enumerate(titles) if _POSITION.fullmatch(title))
    if len(positions) != scenario.dimension:
        return True
    layout = Layout(_HEADS, lambda line: True, (0, *positions), values=len(positions))
    lines_of = {
        id(block): points.rows
        for block, points in zip(blocks, read_blocks(data, layout), strict=True)
    }
    for run, match in zip(scenario.runs, matches, strict=True):
        lines = lines_of[id(match)]
        points = lines[lines[:, 0] == run.best_at, 1:]
        if len(run.best_x) != scenario.dimension or np.isnan(points).all():
            continue
        if np.any(np.abs(points - run.best_x) > _POINT_TOLERANCE * (1 + np.abs(points))):
            return False
    return True


def _find_pbo_problem(scenario: Scenario, values: str) -> Problem | None:
    """Return the first instance of a scenario's function of PBO, or None if it has another suite.

    One instance is enough, because raw values are equal on all instances.

    Args:
        scenario: Function, dimension and suite.
        values: Kind of the values in the data; the result is None unless it is a kind of raw value.
    """
    function = scenario.function or 0
    if not (1 <= function <= len(NAMES) and scenario.maximization and values in _RAW):
        return None
    is_pbo = scenario.name == NAMES[function - 1] or (_is_pbo(scenario) and not scenario.name)
    if not is_pbo or refusal(function, scenario.dimension):
        return None
    return problem_of("pbo", function, scenario.dimension, 1)


def _is_pbo(scenario: Scenario) -> bool:
    return scenario.suite.lower() == "pbo"


def _infer_direction(
    files: DataFiles,
    index: str,
    scenario: Scenario,
    blocks: Sequence[Block],
    notes: dict[str, None],
) -> bool:
    """Return whether larger values are better, from the suite or the best values in the index."""
    if _is_pbo(scenario):
        notes["the index does not say whether larger values are better: they are on PBO."] = None
        return True
    fits = [
        direction
        for direction in (False, True)
        if all(
            any(_agrees(run, block, direction) for block in blocks) for run in scenario.runs
        )
    ]  # fmt: skip
    if len(fits) != 1:
        raise files.error(
            index, "it does not say whether larger values are better ('maximization'), and its "
            "best values do not show it, because they are "
            + ("both" if fits else "neither") + " the smallest "
            + ("and" if fits else "nor") + " the largest values of the data",
        )  # fmt: skip
    notes["the index does not say whether larger values are better: by its best values, "
          f"{'larger' if fits[0] else 'smaller'} ones are."] = None  # fmt: skip
    return fits[0]


def _check_precisions(files: DataFiles, name: str, run: ImportedRun, block: Block) -> None:
    """Raise LogFormatError if a value is better than the reference value, which is the optimum."""
    is_signed = run.number_of_objectives > 1 or np.isnan(run.reference)
    too_good = np.flatnonzero(run.entries[:, 2] < -2 * _HALF_DIGIT)
    if is_signed or not len(too_good):
        return
    row = too_good[0]
    raise files.error(
        name, f"evaluation {int(run.entries[row, 0])} of the run that begins in this line has the "
        f"value {block.rows[row, 2]:.10g}, which is better than the optimum", block.line,
    )  # fmt: skip


def _to_precisions(run: ImportedRun, problem: Problem) -> ImportedRun:
    """Convert the entries of a run of PBO from values to precisions, which are 0 at the optimum."""
    reference = problem.reference_value
    if np.isnan(reference):
        return run
    entries = run.entries - (0.0, 0.0, reference)
    # Rounding errors only: all other values of PBO differ from the optimum by far more.
    entries[np.abs(entries[:, 2]) <= 2 * _HALF_DIGIT, 2] = 0.0
    path = entries if len(run.path) else run.path
    return run._replace(entries=entries, path=path, target_unit=problem.target_unit)


def _is_rounded(data: bytes, column: int) -> bool:
    """Return whether all finite values have 10 decimals, as the package ``ioh`` prints them."""
    values = [words[column] for words in _split_lines_of_numbers(data)]
    finite = [value for value in values if value[-1:].isdigit()]
    return bool(finite) and all(re.fullmatch(r"-?\d+\.\d{10}", value) for value in finite)


def _find_common_width(data: bytes) -> int | None:
    """Return the number of columns of all lines of numbers; None if they differ."""
    widths = set(map(len, _split_lines_of_numbers(data)))
    return widths.pop() if len(widths) == 1 else None


def _split_lines_of_numbers(data: bytes) -> Iterator[list[str]]:
    """Split each line that begins with a digit into words, by the white space of `read_blocks`."""
    for line in data.decode("latin-1").split("\n"):
        if "0" <= line[:1] <= "9":
            yield line.split()


def _read_column_titles(data: bytes) -> list[str]:
    head = data[: data.find(b"\n")].decode("utf-8", "replace")
    return [quoted or bare for quoted, bare in re.findall(r'"([^"]*)"|(\S+)', head)]


def _find_values(files: DataFiles, name: str, titles: Sequence[str]) -> tuple[int, str]:
    """Return position and title of the column of values; raise LogFormatError without one."""
    if not titles or titles[0] not in ("evaluations", "function evaluation"):
        raise files.error(name, "its first line does not begin with the column 'evaluations'", 1)
    for title in _VALUES:
        if title in titles:
            return titles.index(title), title
    raise files.error(
        name,
        f"none of its columns is one of {', '.join(_VALUES)}; they are {' '.join(titles)[:80]!r}",
        1,
    )


def _match_blocks(
    files: DataFiles,
    index: str,
    name: str,
    scenario: Scenario,
    blocks: Sequence[Block],
    notes: dict[str, None],
) -> list[Block]:
    """Return the block of each run, in order, and add to ``notes``.

    A block does not name its run, and the index may lack a run. A block therefore belongs to a run
    if evaluations and best value agree. Blocks between these are skipped. Triggers such as ``At``
    and ``Each`` of ioh let the index have another best value than the data: if blocks and runs are
    equally many, they are then linked in order.

    Args:
        files: The data set.
        index: Name of the index file.
        name: Name of the data file.
        scenario: The scenario, whose direction of optimization is known.
        blocks: All blocks of the data file.
        notes: Notes on the data set.

    Returns:
        The blocks, as many as runs.

    Raises:
        LogFormatError: Index and data contradict each other.
    """
    is_maximized = scenario.maximization is True
    matches = _match_in_order(scenario, blocks)
    if matches is None and not scenario.is_ours and len(blocks) == len(scenario.runs):
        matches = _match_in_any_order(scenario, blocks)
        if matches is not None:
            notes["the runs of some data files have another order than in the index: they are "
                  "linked by evaluations and best value."] = None  # fmt: skip
            return matches
        for number, (run, block) in enumerate(zip(scenario.runs, blocks, strict=True), start=1):
            last = int(block.rows[-1, 0]) if len(block.rows) else 0
            if not last or run.evaluations not in (None, last):
                raise files.error(
                    name, f"run {number} ends at evaluation {last}, but in {index!r} at "
                    f"{run.evaluations}", block.line,
                )  # fmt: skip
            best = _find_best(block, is_maximized)
            lost = run.best - best if is_maximized else best - run.best
            if lost > _tolerance(run):
                raise files.error(
                    name, f"run {number} has the best value {best:.10g}, but in {index!r} the "
                    f"better one {run.best:.10g}", block.line,
                )  # fmt: skip
        matches = list(blocks)
    if matches is None:
        raise files.error(
            name, f"its {len(blocks)} runs are not the {len(scenario.runs)} of {index!r}: numbers "
            "of evaluations or best values differ",
        )  # fmt: skip
    if not all(
        _agrees(run, block, is_maximized)
        and (run.digits <= 6 or np.isnan(run.best) or _has_best(run, block))
        for run, block in zip(scenario.runs, matches, strict=True)
    ):
        notes["some runs have another best value in the index than in their data file: they are "
              "linked in order, and the values of the data file count."] = None  # fmt: skip
    if len(blocks) > len(matches):
        notes[f"{name} has {len(blocks)} runs, but {index} lists {len(matches)}: the others are "
              "left out."] = None  # fmt: skip
    return matches


def _match_in_order(scenario: Scenario, blocks: Sequence[Block]) -> list[Block] | None:
    """Return a block for each run, skipping blocks without a run; None if a run has no block."""
    matches = []
    remaining = iter(blocks)
    for run in scenario.runs:
        match = next(
            (
                block
                for block in remaining
                if _agrees(run, block, scenario.maximization is True)
                or (not scenario.is_ours and _has_best(run, block))
            ),
            None,
        )
        if match is None:
            return None
        matches.append(match)
    return matches


def _match_in_any_order(scenario: Scenario, blocks: Sequence[Block]) -> list[Block] | None:
    """Return the block of each run if exactly one block agrees with it; None otherwise."""
    candidates = [
        [i for i, block in enumerate(blocks) if _agrees(run, block, scenario.maximization is True)]
        for run in scenario.runs
    ]
    if any(len(indices) != 1 for indices in candidates):
        return None
    order = [index for [index] in candidates]
    return [blocks[i] for i in order] if len(set(order)) == len(blocks) else None


def _has_best(run: IndexedRun, block: Block) -> bool:
    """Return whether a block ends with a run and has its best value at the same evaluation."""
    counts, values = block.rows[:, 0], block.rows[:, 2]
    if not len(counts) or run.evaluations not in (None, counts[-1]):
        return False
    is_close = np.abs(values - run.best) <= _tolerance(run)
    return bool(np.any(is_close & (counts == run.best_at)))


def _tolerance(run: IndexedRun) -> float:
    return _HALF_DIGIT + abs(run.best) * 10.0 ** (1 - run.digits)


def _agrees(run: IndexedRun, block: Block, maximization: bool) -> bool:
    counts = block.rows[:, 0]
    if not len(counts) or (run.evaluations is not None and counts[-1] != run.evaluations):
        return False
    best = _find_best(block, maximization)
    if np.isnan(run.best) or np.isinf(best):
        return bool(np.isnan(run.best) and np.isinf(best))
    return abs(best - run.best) <= _tolerance(run)


def _find_best(block: Block, maximization: bool) -> float:
    """Return the best value of a block; if it has no finite value, the worst infinity."""
    values = block.rows[:, 2]
    finite = values[np.abs(values) < NO_VALUE]
    if maximization:
        return float(finite.max(initial=-np.inf))
    return float(finite.min(initial=np.inf))


def _determine_suite(scenario: Scenario, values: str, notes: dict[str, None]) -> tuple[str, float]:
    """Return firsthit's name of the suite, and the reference value; add to ``notes``.

    The reference value is 0 if values are precisions, NaN otherwise.
    """
    if scenario.is_ours:
        return scenario.suite, 0.0 if scenario.is_precision else float("nan")
    function = scenario.function or 0
    has_bbob_name = 1 <= function <= 24 and _BBOB[function - 1] == scenario.name
    suite = _SUITES.get(scenario.suite.lower(), scenario.suite)
    if scenario.suite == "unknown_suite" and has_bbob_name and not scenario.maximization:
        suite = "bbob"
        notes["the suite is not named: by its functions' names it is taken to be bbob. Data of "
              "SBOX that were not made by a suite look the same."] = None  # fmt: skip
    if suite != scenario.suite and suite == "bbob-boxed":
        notes["values of SBOX at points outside the box are those of the function, not infinity: "
              "points outside may hit targets."] = None  # fmt: skip
    if suite in _SUITES.values() and values in _RAW:
        return suite, 0.0
    notes[f"the values of suite {suite} are no precisions, and their optima are unknown: runs "
          "have no reference value, and targets do not apply."] = None  # fmt: skip
    if scenario.maximization:
        notes["larger values are better: their signs are changed."] = None
    return suite, float("nan")


class _RunSource(NamedTuple):
    """The data of one run: its entry in the index, and its block in the data file."""

    problem: ProblemId
    indexed: IndexedRun
    block: Block  # columns: evaluations, of constraints, value, parameters, perhaps seconds
    parameters: tuple[str, ...]  # titles of the columns of parameters


def _convert_run(
    source: _RunSource, reference: float, is_maximized: bool, undo_rounding: bool
) -> ImportedRun:
    """Convert a run, so that smaller values are better.

    Args:
        source: The run's data.
        reference: Reference value, if the index does not have it.
        is_maximized: Whether larger values are better in the data; their signs are changed.
        undo_rounding: Whether to replace rounded values by the best values that are rounded to
            them. Otherwise a target that is equal to an exact value could be missed.
    """
    problem, run, block, parameters = source
    sign = -1.0 if is_maximized else 1.0
    entries = block.rows[:, :3] * (1.0, 1.0, sign)
    entries[np.abs(entries[:, 2]) >= NO_VALUE, 2] = np.inf
    best, is_best = sign * run.best, np.zeros(len(entries), dtype=bool)
    if run.digits > 6:  # the index has all digits of the best value
        is_best = (entries[:, 0] == run.best_at) & (np.abs(entries[:, 2] - best) <= _HALF_DIGIT)
    if undo_rounding:
        entries[:, 2] -= _HALF_DIGIT
    entries[is_best, 2] = best
    seconds = block.rows[:, 3 + len(parameters) :].ravel()
    return ImportedRun(
        problem, run.record, reference if run.reference is None else run.reference,
        # Files of 2019 and before have the run's evaluations in place of those of its best value.
        max(int(block.rows[-1, 0]), run.best_at if run.evaluations is None else 0),
        run.constraints, entries=entries,
        path=entries if len(seconds) or run.record not in ("sampled", "improvements") else _NO_ROWS,
        best_solution=np.array(run.best_x if len(run.best_x) == problem.dimension else ()),
        notes=dict(zip(parameters, block.rows[:, 3 : 3 + len(parameters)].T, strict=True)),
        seconds=seconds, seconds_in_all=run.seconds, host=run.host,
    )  # fmt: skip


def _has_all_improvements(run: ImportedRun) -> bool:
    """Return whether each line but the last improves, or all evaluations have a line."""
    counts, values = run.entries[:, 0], run.entries[:, 2]
    if not len(counts) or counts[0] != 1:
        return False
    steps = np.diff(values[:-1])
    is_rounded = run.problem.suite == "pbo" and run.problem.function in _FRACTIONS
    improves = bool(np.all(steps <= 2 * _HALF_DIGIT if is_rounded else steps < 0))
    return (bool(np.isfinite(values[0])) and improves) or bool(np.all(np.diff(counts) == 1))
