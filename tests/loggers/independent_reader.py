"""Read a log of optimizer runs (HDF5) by following the description inside the file.

Missing values: an infinite precision stays ``inf`` (no finite value yet), a missing
reference value stays ``nan``, an unknown budget or seed is ``None``, seconds that were
not measured are ``nan``, an empty text is ``None``, an unknown best point is ``None``.

This program was written by somebody who had only log files and did not know firsthit. It
shows that the texts in a log are sufficient. It uses numpy, h5py and json only. One rule was
changed later, together with its text in the log, by a developer of firsthit: average runtimes
and profiles leave out runs without a reference value.
"""

import json
import math
from dataclasses import dataclass

import h5py
import numpy

TOLERANCE = 1e-9
NUMBERS = (
    "function",
    "dimension",
    "instance",
    "repetition",
    "stage",
    "campaign_seed",
    "evaluations",
    "evaluations_constraints",
)
SECONDS = ("wall_seconds", "cpu_seconds", "problem_seconds")
SAME_RUN = (
    "algorithm",
    "suite",
    "function",
    "dimension",
    "instance",
    "repetition",
    "campaign_seed",
)


@dataclass(frozen=True, eq=False)
class Run:
    """Hold one run with decoded texts; missing values are as in the module text."""

    row: int
    key: str
    algorithm: str
    suite: str
    function: int
    function_name: str | None
    function_group: str | None
    dimension: int
    instance: int
    repetition: int
    stage: int
    campaign_seed: int
    seed: int | None
    budget: int | None
    status: str
    record: str
    archive_kept: str
    message: str | None
    evaluations: int
    evaluations_constraints: int
    reference: str | None
    reference_value: float
    best_precision: float
    best_point: numpy.ndarray | None
    hits: numpy.ndarray
    target_unit: float
    imported: bool
    wall_seconds: float
    cpu_seconds: float
    problem_seconds: float

    @property
    def identity(self):
        """Return the columns that tell runs apart, without the stage."""
        return tuple(getattr(self, name) for name in SAME_RUN)

    @property
    def cost(self):
        """Return what the run costs if it does not hit a target."""
        return self.evaluations + self.evaluations_constraints

    def runtime(self, target):
        """Return evaluations plus constraints up to the hit, or inf without a hit.

        ``target`` is an element of the list of the suite, before the unit of the run. The run
        has a reference value.
        """
        precision = target * self.target_unit
        limit = precision + TOLERANCE * abs(precision)
        rows = numpy.flatnonzero((self.hits["target"] <= limit) | (self.hits["precision"] <= limit))
        if not rows.size:
            return math.inf
        hit = self.hits[rows[0]]
        return float(hit["evaluation"] + hit["constraints"])


def decode(text):
    """Decode a fixed-length text of the file."""
    return text.decode("utf-8") if isinstance(text, bytes) else str(text)


def optional_text(text):
    """Decode a text and return None if it is empty."""
    return decode(text) or None


def owned_rows(file, name, run_count):
    """Return a function from the row of a run to its rows of the dataset ``name``.

    If the dataset is absent, the function returns None: no run owns rows of it.
    """
    if name not in file:
        return lambda row: None
    rows, offsets = file[name][:], file[name + "_offsets"][:]
    if len(offsets) != run_count + 1:
        raise ValueError(f"{name}_offsets has {len(offsets)} rows for {run_count} runs")
    return lambda row: rows[offsets[row] : offsets[row + 1]]


def enum_names(dataset, column):
    """Return the names of the codes of an enum column."""
    codes = h5py.check_enum_dtype(dataset.dtype[column])
    return {code: name for name, code in codes.items()}


def read_all_rows(path):
    """Read every row of ``runs``, with the rows of all budget stages."""
    with h5py.File(path, "r") as file:
        table = file["runs"][:]
        algorithms = [decode(name) for name in file["algorithms"][:]]
        functions = file["functions"][:]
        messages = file["messages"][:]
        references = file["references"][:]
        headers = [json.loads(decode(text)) for text in file["headers"][:]]
        imported = ["imported" in (header.get("provenance") or {}) for header in headers]
        names = {
            column: enum_names(file["runs"], column)
            for column in ("status", "record", "archive_kept")
        }
        hits_of = owned_rows(file, "hits", len(table))
        points_of = owned_rows(file, "best_solutions", len(table))
        units_of = owned_rows(file, "target_unit", len(table))
        no_hits = numpy.zeros(
            0, [("target", "f8"), ("evaluation", "i8"), ("precision", "f8"), ("constraints", "i8")]
        )
    result = []
    for row, entry in enumerate(table):
        function = functions[entry["function_row"]]
        hits, point, unit = hits_of(row), points_of(row), units_of(row)
        result.append(
            Run(
                row=row,
                key=decode(entry["key"]),
                algorithm=algorithms[entry["algorithm"]],
                suite=decode(function["suite"]),
                function_name=optional_text(function["name"]),
                function_group=optional_text(function["group"]),
                seed=int(entry["seed"]) or None,
                budget=None if entry["budget"] == -1 else int(entry["budget"]),
                message=optional_text(messages[entry["message"]]),
                reference=optional_text(references[entry["reference"]]),
                best_point=point["x"] if point is not None and len(point) else None,
                hits=no_hits if hits is None else hits,
                target_unit=float(unit["unit"][0]) if unit is not None and len(unit) else 1.0,
                imported=imported[entry["header"]],
                **{name: int(entry[name]) for name in NUMBERS},
                **{name: float(entry[name]) for name in ("reference_value", "best_precision")},
                **{name: codes[entry[name]] for name, codes in names.items()},
                **{name: float(entry[name]) or math.nan for name in SECONDS},
            )
        )
    return result


def read_runs(path):
    """Read the runs that count: of each run only the row with the largest stage."""
    last = {}
    for run in read_all_rows(path):
        other = last.get(run.identity)
        if other is None or run.stage > other.stage:
            last[run.identity] = run
    return sorted(last.values(), key=lambda run: run.row)


def read_runs_with_targets(path):
    """Read the runs that count and have a reference value: targets apply to no others."""
    return [run for run in read_runs(path) if not math.isnan(run.reference_value)]


def suite_targets(path):
    """Return the list of targets of each suite by its name, easiest first, without units."""
    with h5py.File(path, "r") as file:
        return {
            decode(suite["name"]): json.loads(decode(suite["targets"]))
            for suite in file["suites"][:]
        }


def group_runs(runs, *names):
    """Group runs by the values of the named attributes, in order of appearance."""
    groups = {}
    for run in runs:
        groups.setdefault(tuple(getattr(run, name) for name in names), []).append(run)
    return groups


def average_runtimes(path):
    """Compute aRT by (algorithm, suite, function, dimension, target), inf if no run hit.

    ``target`` is the element of suites.targets; it is not multiplied by target_unit.
    """
    targets = suite_targets(path)
    result = {}
    for group, runs in group_runs(
        read_runs_with_targets(path), "algorithm", "suite", "function", "dimension"
    ).items():
        for target in targets[group[1]]:
            runtimes = [run.runtime(target) for run in runs]
            hit_count = sum(math.isfinite(runtime) for runtime in runtimes)
            spent = sum(
                runtime if math.isfinite(runtime) else run.cost
                for run, runtime in zip(runs, runtimes, strict=True)
            )
            result[(*group, target)] = spent / hit_count if hit_count else math.inf
    return result


def runtime_profile(path, budgets_per_dimension):
    """Compute the ECDF of single runs by (algorithm, suite, dimension).

    Each value is an array with one fraction for each budget, the mean over the functions
    that this algorithm was run on in this dimension and over the targets of the suite.
    """
    targets = suite_targets(path)
    result = {}
    for group, runs in group_runs(
        read_runs_with_targets(path), "algorithm", "suite", "dimension"
    ).items():
        budgets = numpy.asarray(budgets_per_dimension, float) * group[2]
        shares = []
        for members in group_runs(runs, "function").values():
            runtimes = numpy.array(
                [[run.runtime(target) for run in members] for target in targets[group[1]]]
            )
            shares.append((runtimes[:, :, None] <= budgets).mean(axis=(0, 1)))
        result[group] = numpy.mean(shares, axis=0)
    return result


def best_precisions(path):
    """Return the best precision of each run that counts by its key; inf: no finite value."""
    return {run.key: run.best_precision for run in read_runs(path)}


def best_points(path):
    """Return the best point of each run that counts by its key; None: not known."""
    return {run.key: run.best_point for run in read_runs(path)}


def seeds(path):
    """Return the random seed of each run that counts by its key; None: not known."""
    return {run.key: run.seed for run in read_runs(path)}


def budgets(path):
    """Return the budget of each run that counts by its key; None: no limit, or not known."""
    return {run.key: run.budget for run in read_runs(path)}


def versions(path):
    """Return the versions in the file: of the writer, the format, the suites, and each header.

    An entry of ``headers`` is empty if the header names no versions, as for imported runs.
    """
    with h5py.File(path, "r") as file:
        headers = [json.loads(decode(text)) for text in file["headers"][:]]
        return {
            "writer": decode(file.attrs["writer"]),
            "writer_version": decode(file.attrs["writer_version"]),
            "schema": f"{file.attrs['schema_version']}.{file.attrs['schema_minor']}",
            "suites": {
                decode(suite["name"]): optional_text(suite["version"])
                for suite in file["suites"][:]
            },
            "headers": [
                (header.get("provenance") or {}).get("versions") or {} for header in headers
            ],
        }
