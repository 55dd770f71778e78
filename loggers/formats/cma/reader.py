"""Reads the files of pycma's logger: the best values of a run, and its parameters over time."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

import numpy as np

from ....suites import Problem, ProblemId, problem_of, suite_names
from ..blocks import Array, Layout, TextError, read_blocks
from ..data_files import PYCMA_INDEX, DataFiles, is_pycma
from ..imported_runs import DataSet, GivenProblem, ImportedRun

ALGORITHM = "pycma"
"""What the algorithm is called where nobody says."""
_HEAD = 'columns="iteration, evaluation, sigma, axis ratio, bestever, best, median, worst'
_FIRST = 5
"""In all files, the columns of single variables begin here."""
_OF_VARIABLES = ("xmean", "stddev", "xrecentbest", "axlen")
"""Files with a column for each variable, after the first ones."""
_FIT = ("sigma", "axis_ratio", "bestever", "best", "median", "worst")
_CORRELATIONS = ("correlation_min", "correlation_25", "correlation_75", "correlation_max")
_BELOW = 1e-9
"""Values may be so far below the optimum, relative to its size, by rounding."""


def read_cma(files: DataFiles, problem: GivenProblem | None) -> DataSet:
    """A run for each ``*fit.dat``, with its parameters over time as notes.

    The values are those of the objective. Where ``problem`` names a problem of a registered suite,
    precisions are measured from its optimum; elsewhere runs have no reference value.
    """
    if problem is None:
        raise files.error(
            "", "pycma's files do not say what was optimized; name it: firsthit import "
            f"{files.where} -o LOG.h5 --suite bbob --function 1 --instance 1",
        )  # fmt: skip
    runs = [_run(files, name, problem) for name in files if is_pycma(name)]
    notes = [
        "pycma writes the best value at the end of iterations: hits may have come earlier, and "
        "evaluations after the last iteration are not counted."
    ]
    if problem.suite not in suite_names():
        notes.append(
            f"the optima of suite {problem.suite} are unknown: runs have no reference value, and "
            "targets do not apply."
        )
    return DataSet({ALGORITHM: runs}, {"format": "pycma"}, tuple(notes))


def _run(files: DataFiles, name: str, problem: GivenProblem) -> ImportedRun:
    prefix = name.removesuffix(PYCMA_INDEX)
    if _HEAD not in files.text(name).partition("\n")[0]:
        raise files.error(name, "its first line is not that of pycma's logger", 1)
    rows = _rows(files, name, range(2, 2 + len(_FIT)))
    if not len(rows):
        raise files.error(name, "it holds no iteration")
    there = {part: f"{prefix}{part}.dat" for part in (*_OF_VARIABLES, "axlencorr")}
    there = {part: other for part, other in there.items() if other in files}
    dimension = _dimension(files, there)
    reference = _reference(files, problem, dimension)
    evaluation, iteration, values = rows[:, 0], rows[:, 1], rows[:, 2:]
    best = values[:, _FIT.index("bestever")]
    precision = best if np.isnan(reference) else best - reference
    least = float(np.nanmin(best, initial=np.inf))
    if least - reference < -_BELOW * max(1.0, abs(reference)):
        raise files.error(
            name, f"values down to {least:g} lie below the optimum {reference:g} of "
            f"{problem.suite} f{problem.function} in {dimension}-D, instance {problem.instance}",
        )  # fmt: skip
    notes = {what: column for what, column in zip(_FIT, values.T, strict=True)}
    del notes["bestever"]
    again = np.flatnonzero(np.diff(iteration) <= 0)
    return ImportedRun(
        ProblemId(problem.suite, problem.function, dimension, problem.instance),
        "sampled",
        reference,
        int(evaluation[-1]),
        entries=np.column_stack([evaluation, np.zeros(len(rows)), precision]),
        restarts=evaluation[again],
        best_solution=_best_solution(files, there, dimension, least),
        notes=notes | _parameters(files, there, dimension, evaluation),
    )


def _rows(files: DataFiles, name: str, columns: Sequence[int]) -> Array:
    """Evaluation, iteration, and these columns, of one file; later rows of an evaluation count."""
    layout = Layout(("%", "#"), lambda line: True, (1, 0, *columns), values=len(columns))
    try:
        blocks = [block for block in read_blocks(files[name], layout) if len(block.rows)]
    except TextError as error:
        raise files.text_error(name, error) from error
    for before, block in itertools.pairwise(blocks):
        if block.rows[0, 0] < before.rows[-1, 0]:
            raise files.error(
                name, "its evaluations begin again: it holds more than one run", block.line
            )
    if not blocks:
        return np.empty((0, 2 + len(columns)))
    rows = np.concatenate([block.rows for block in blocks])
    return np.asarray(rows[np.append(np.diff(rows[:, 0]) > 0, True)])


def _dimension(files: DataFiles, there: Mapping[str, str]) -> int:
    for part in _OF_VARIABLES:
        if part in there:
            lines = files.text(there[part]).splitlines()
            row = next((line for line in lines if line.strip() and line[0] not in "%#"), "")
            if len(row.split()) > _FIRST:
                return len(row.split()) - _FIRST
    missing = ", ".join(f"{part}.dat" for part in _OF_VARIABLES)
    raise files.error("", f"the number of variables stands in none of {missing}")


def _reference(files: DataFiles, problem: GivenProblem, dimension: int) -> float:
    """The optimum of a registered suite's problem; NaN elsewhere."""
    if problem.suite not in suite_names():
        return float("nan")
    made: Problem = problem_of(problem.suite, problem.function, dimension, problem.instance)
    if made.number_of_objectives > 1 or made.number_of_constraints:
        raise files.error(
            "", f"the problems of suite {problem.suite} have constraints or two objectives, and "
            "pycma's files hold one value without",
        )  # fmt: skip
    return made.reference_value


def _parameters(
    files: DataFiles, there: Mapping[str, str], dimension: int, evaluation: Array
) -> dict[str, Array]:
    """The other files' parameters at each of the evaluations; NaN where they do not tell."""
    parts = {
        part: [f"{part}_{i}" for i in range(1, dimension + 1)]
        for part in ("axlen", "axlencorr", "stddev", "xmean")
    }
    found: dict[str, Array] = {}
    for part, names in parts.items():
        if part not in there:
            continue
        first = _FIRST
        if part == "axlencorr":
            names, first = [*_CORRELATIONS, *names], 2
        rows = _rows(files, there[part], range(first, first + len(names)))
        columns = np.full((len(names), len(evaluation)), np.nan)
        place = np.searchsorted(evaluation, rows[:, 0])
        known = place < len(evaluation)
        known[known] = evaluation[place[known]] == rows[known, 0]
        columns[:, place[known]] = rows[known, 2:].T
        found |= dict(zip(names, columns, strict=True))
    return found


def _best_solution(
    files: DataFiles, there: Mapping[str, str], dimension: int, best: float
) -> Array:
    """The point of the best value, where the iteration that found it was logged; else empty."""
    if "xrecentbest" not in there:
        return np.empty(0)
    rows = _rows(files, there["xrecentbest"], range(_FIRST - 1, _FIRST + dimension))
    if not len(rows) or np.isnan(rows[:, 2]).all():
        return np.empty(0)
    _, _, value, *point = rows[np.nanargmin(rows[:, 2])]
    is_best = np.isclose(value, best, rtol=1e-12, atol=0.0)
    return np.array(point) if is_best else np.empty(0)
