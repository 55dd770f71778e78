"""Texts that describe a log inside its file: attributes of the root, the datasets and the columns.

`merge.encode` writes these texts, and the documentation page "Log format 2.2" is generated from
them. A reader with h5py, R or h5dump must be able to use a log with these texts alone. They are not
part of the schema: they may be reworded without a new version of the format. All texts are ASCII,
because some programs cannot show UTF-8 attributes.

The words are those of ``docs/glossary.md``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..records.run_record import ARCHIVES_KEPT, RECORDS, STATUSES

TITLE = "Runs of black-box optimizers on benchmark problems"

TOOLS = (
    "Python: pandas.DataFrame(h5py.File(name)['runs'][:]); R: rhdf5::h5read(name, 'runs', "
    "bit64conversion = 'double') (rounds seeds above 2^53); "
    "shell: h5dump -m %.17g -d runs name"
)

DESCRIPTION = """\
RUNS. One row of 'runs' is one run: one algorithm on one problem (suite, function, dimension,
instance), in one repetition and one budget stage. The name alone tells algorithms apart. Row
numbers, repetitions and stages are counted from 0, evaluations from 1. The columns header,
algorithm, function_row, message and reference are row numbers in the datasets headers, algorithms,
functions, messages and references. status, record and archive_kept are codes; the HDF5 enum types
of these columns give their names. Texts are UTF-8.

ROWS OF A RUN. Each dataset T that has a dataset T_offsets holds the rows of all runs, in the order
of 'runs'. Run i owns the rows T_offsets[i] to T_offsets[i+1]-1 of T. A run may own no rows. If no
run owns rows of T, then T and T_offsets are absent.

BUDGET STAGES. A campaign with several budgets makes each run once per budget, from the start and
with the same seed, even if an earlier stage was successful. Each of these is a row. Use only the
row with the largest 'stage' among the rows with the same algorithm, suite, function, dimension,
instance, repetition and campaign_seed, whatever its status. It has the largest budget. Ignore the
other rows: they are the beginning of the same run, and would count as further runs.

PRECISION. All indicators are minimized. precision = lowest indicator value so far -
reference_value, except for hypervolume. suites.indicator names the indicator (the suite of a run:
functions.suite of its function_row):
best-feasible: objective value f of points that satisfy all constraints (each value <= 0), else inf;
without constraints, f of all points. The logger's own check of the constraints is not counted.
noise-free: f without noise.
noisy-quantile: at evaluation k, let n = ceil((ln(k+3))^2 / 2); the ceil(n/100)-th smallest of the
last n noisy values.
unscaled (suite pbo): minus the original value of the maximization problem, without the scaling and
shift of the instance. reference_value has the same sign: -16 is a maximum of 16.
hypervolume (two objectives): here precision = reference_value - hypervolume + distance. The ideal
point is scaled to (0, 0) and the nadir point to (1, 1) (dataset objectives). The hypervolume is the
area of the part of this square that at least one point so far dominates. While it is 0 (below
1e-13), distance is the smallest Euclidean distance of a point so far to the square; afterwards it
is 0.
Any other name: lowest value so far of that indicator.
A precision is negative if the run is better than the reference value. This is possible if the
reference value is not the optimum (hypervolume), or by noise (noisy-quantile).
If reference_value is NaN, there is none: then precisions are indicator values (hypervolume:
-hypervolume + distance). Leave these runs out of average runtimes and ECDFs.

TARGETS AND HITS. The targets of a suite are the JSON list suites.targets. They are precisions; for
a run that owns a row of target_unit, multiply them by its unit first (suite pbo). A run hits the
target t at its first row of 'hits' with target <= t or precision <= t. Compare with a tolerance,
value <= t + 1e-9*|t|, because targets are rounded. 'evaluation' of this row is the number of
evaluations of the objective up to the hit, 'constraints' that of the constraints. Use 'hits' only,
not 'trajectory'. For the targets of firsthit's own suites the hit is exact, unless runs.record is
sampled (runs of pbo record every improvement). For other targets it may be later than the true hit
(see runs.record).

AVERAGE RUNTIME. The runtime of a run to t is evaluation + constraints of its hit. The cost of a run
without a hit is evaluations + evaluations_constraints in 'runs', whatever its status. For all runs
of one algorithm, suite, function and dimension (all instances, repetitions and campaign seeds):
aRT(t) = (sum of the runtimes of the runs that hit t + sum of the costs of the other runs) / (number
of runs that hit t); infinite if no run hit t.

ECDF. The runtime profile of one algorithm, suite and dimension at budget b is the mean, over the
functions on which the algorithm has runs in this dimension and over all targets of the suite, of
the share of the function's runs with a runtime <= b. b counts what the runtime counts. Plots show b
/ dimension. Compare algorithms only on problems on which all of them have runs. This is the ECDF of
single runs. With one objective, firsthit by default shows that of the algorithm restarted until it
hits t: its runtime is the sum of the costs of failed runs and the runtime of one successful run,
all drawn with replacement from the function's runs until one is successful.

POINTS. A run may own points that it evaluated: in 'evaluations' and 'evaluated_solutions' those of
all or of its first evaluations, in 'hit_solutions' those of its hits. Most runs own none. If a row
of 'notes' is named max_point_bytes, the recording of points ended early, after this evaluation,
because the points had reached the size 'value' in bytes.

TIME. All times are seconds. A run that owns rows of trajectory_seconds has times: its runtime in
seconds is the row of hit_seconds of its hit. Without a hit it costs the last of its rows of
trajectory_seconds (measured time: wall_seconds if that is larger). Do not mix clocks: see origin.

MISSING VALUES. precision or best_precision inf: no finite value yet. target inf: the row hits no
target. budget -1: no limit, a limit in seconds, or not known. seed 0: not known. wall_seconds,
cpu_seconds or problem_seconds 0: not measured. Runs whose header has provenance.imported come from
data of another program: there, reference_value 0 may mean that only precisions are known (use it as
it is), and most runs are 'terminated', whatever ended them.

VERSIONS. A higher schema_minor adds datasets, columns, attributes or codes, which readers may
ignore. A higher schema_version may change the meaning. writer_version (version and commit) is that
of the program that wrote this file; headers tell how and with which versions the runs were made.
created_utc is the latest created_utc of the headers; it is absent if no header has one."""


@dataclass(frozen=True, slots=True)
class Column:
    """Text on one column of a dataset.

    Attributes:
        meaning: Meaning of a value.
        unit: Unit of the numbers; "none" for names, row numbers and codes.
        missing: Values that stand for a missing one, and what they mean; empty if there is none.
    """

    meaning: str
    unit: str = "none"
    missing: str = ""

    def __str__(self) -> str:
        missing = f"; missing: {self.missing}" if self.missing else ""
        return f"{self.meaning}; unit: {self.unit}{missing}"


@dataclass(frozen=True, slots=True)
class Dataset:
    """Texts on one dataset.

    Attributes:
        description: Meaning of a row, as a sentence.
        columns: Text on each column, in the order of the columns; empty for a dataset of texts.
    """

    description: str
    columns: Mapping[str, Column] = field(default_factory=dict)


_EVALUATIONS = "evaluations of the objective"
_CONSTRAINTS = Column(
    "evaluations of the constraints made by then, those of the row's own point only if the "
    "algorithm evaluated them before the objective; so the last row may have fewer than "
    "runs.evaluations_constraints",
    "evaluations of the constraints",
)
_NO_VALUE = "inf: no finite value yet"
_SECONDS_IN_RUN = (
    "seconds since the start of the run, of the wall clock of the machine in origin; "
    "without a row of origin: simulated seconds"
)

DATASETS: Mapping[str, Dataset] = {
    "headers": Dataset(
        "One row is a JSON object on how runs were made; runs.header is its row number. Keys: "
        "algorithms: object, name of the algorithm to its parameters and origin. campaign: "
        "object of settings such as budget, seed, repetitions, timeout (seconds), final_target "
        "(whether runs end at it); null for a loop of the user and imported data. "
        "campaign.budget: '2000', '100*D' (times the dimension), '100*D f+g' (with evaluations "
        "of the constraints), '60 seconds' (simulated time); a list of these if there are "
        "budget stages; null without a limit. provenance: object; created_utc (when these runs "
        "were begun), versions (object, package to version), writer_version (version and commit"
        " of firsthit that made the runs), working_directory_commit (git commit of the user's "
        "folder, or null), platform, machine; of imported data only imported (object). tuning: "
        "text, object or null. setup: object or null. publication: object, optional.",
    ),
    "algorithms": Dataset("One row is the name of an algorithm; runs.algorithm is its row number."),
    "messages": Dataset(
        "One row is a text: the error of a run that failed, or the reason why an optimizer ended; "
        "cut at 2000 bytes. runs.message is its row number. An empty text means that there is no "
        "message.",
    ),
    "references": Dataset(
        "One row is the name of the source of reference values; runs.reference is its row number. "
        "An empty text means that the source is not named.",
    ),
    "suites": Dataset(
        "One row is a suite: how its runs are measured.",
        {
            "name": Column("name of the suite"),
            "version": Column(
                "version of the definition of the suite, such as '1'; objective values do not "
                "change under one version",
                missing="empty text: not known",
            ),
            "indicator": Column("name of the indicator; see PRECISION in the root's description"),
            "targets": Column(
                "JSON list of the target precisions, easiest first; multiply them by "
                "target_unit.unit if the run owns a row there. The last one may be easier than "
                "final_target",
                "precision; with target_unit: shares of the unit",
            ),
            "final_target": Column(
                "precision at which a problem counts as solved; never multiplied. A run ends there "
                "if campaign.final_target is true; a loop of the user goes on",
                "precision",
                "NaN: the suite has no final target",
            ),
        },
    ),
    "functions": Dataset(
        "One row is a function of a suite; runs.function_row is its row number.",
        {
            "suite": Column("name of the suite; equal to suites.name"),
            "name": Column("name of the function", missing="empty text: not known"),
            "group": Column("group of similar functions of the suite", missing="empty text: none"),
            "function": Column("number of the function in the suite; equal to runs.function"),
        },
    ),
    "runs": Dataset(
        "One row is a run: one algorithm on one problem, in one repetition and budget stage. If "
        "'stage' differs between rows, apply the rule BUDGET STAGES of the root's description "
        "first.",
        {
            "key": Column(
                "identity of the run: first 32 hexadecimal characters of the SHA-256 of the JSON "
                "text [algorithm name, suite name, function, dimension, instance, repetition, "
                "campaign_seed, stage], written as by Python's json.dumps: a space after each "
                "comma, non-ASCII characters as \\uXXXX"
            ),
            "header": Column("row number in headers"),
            "algorithm": Column("row number in algorithms"),
            "function_row": Column("row number in functions"),
            "message": Column(
                "row number in messages", missing="a row with an empty text: no message"
            ),
            "reference": Column(
                "row number in references", missing="a row with an empty text: not named"
            ),
            "function": Column("number of the function in the suite"),
            "dimension": Column("number of variables of the problem", "variables"),
            "instance": Column("number of the instance of the function"),
            "repetition": Column("number of the repetition on the same problem, from 0"),
            "stage": Column(
                "number k of the budget stage, from 0: its budget is element k of campaign.budget "
                "in the header; only the row with the largest stage of the same run counts"
            ),
            "campaign_seed": Column(
                "seed of the campaign, from which the run's own seed is derived; 0 for a loop of "
                "the user; of imported data: a checksum of the data of the run"
            ),
            "seed": Column("random seed of the run", missing="0: not known"),
            "budget": Column(
                "evaluations that the run was allowed to make: of the objective, or, if "
                "campaign.budget in the header ends with f+g, of objective and constraints",
                "evaluations",
                "-1: no limit, a limit in seconds, or not known",
            ),
            "evaluations": Column("evaluations of the objective that the run made", _EVALUATIONS),
            "evaluations_constraints": Column(
                "evaluations of the constraints that the algorithm asked for; one point counts "
                "once, however many constraints there are; 0 without constraints or if it asked "
                "for none",
                "evaluations of the constraints",
            ),
            "reference_value": Column(
                "value that precisions are relative to; its sign and meaning depend on the "
                "indicator, see PRECISION in the root's description",
                "indicator value (hypervolume: hypervolume)",
                "NaN: none, precisions are indicator values; 0 in imported data: may be not known",
            ),
            "best_precision": Column(
                "lowest precision of the run", "precision", "inf: no finite value"
            ),
            "status": Column(
                "code: how the run ended. target: it hit the final target; budget: it used its "
                "budget; terminated: the optimizer ended by itself; failed: an error occurred, see "
                "message; timeout: it reached its time limit; interrupted: it was stopped from "
                "outside. Every status counts as a run"
            ),
            "record": Column(
                "code: which evaluations are rows of hits. targets: first hits of the targets of "
                "hits.target; improvements: every improvement, so first hits of all targets are "
                "exact; targets_5 (imported): some improvements, among them first hits of the "
                "targets 10^(k/5) >= 1e-8; targets_10 (imported): some improvements, among them "
                "first hits of 10^(k/10) >= 1e-8, 0 and -10^(k/10); sampled (imported): some "
                "improvements"
            ),
            "archive_kept": Column(
                "code: which points the dataset archive has of this run. all: every point that "
                "entered; final: the points that are nondominated at the end; none: no points. "
                "Without meaning if the problem has one objective"
            ),
            "wall_seconds": Column(
                "wall-clock time from the start to the end of the run", "seconds", "0: not measured"
            ),
            "cpu_seconds": Column(
                "CPU time of the process during the run", "seconds", "0: not measured"
            ),
            "problem_seconds": Column(
                "wall-clock time inside the evaluations of the problem; estimated from a sample if "
                "evaluations are fast",
                "seconds",
                "0: not measured",
            ),
        },
    ),
    "hits": Dataset(
        "One row is an evaluation that improved the best precision so far. runs.record tells which "
        "improvements are rows: those that hit a target for the first time, all, or (imported "
        "data) those that the data have. Rows of a run ascend in evaluation; a target may occur "
        "twice.",
        {
            "target": Column(
                "hardest target of this list that the precision reaches, whatever runs.record is: "
                "10^(k/20) for integers k >= -160 (down to 1e-8) and, with the indicators "
                "hypervolume and unscaled, 0 and -10^(k/20) for k from -160 to 160 (down to -1e8). "
                "It is an absolute precision: compare it with suites.targets times target_unit",
                "precision",
                "inf: the row hits no target",
            ),
            "evaluation": Column("number of the evaluation, from 1", _EVALUATIONS),
            "precision": Column("precision at this evaluation, the best so far", "precision"),
            "constraints": _CONSTRAINTS,
        },
    ),
    "trajectory": Dataset(
        "One row is the best precision so far at a scheduled number of evaluations: 1, 2 and 5 "
        "times powers of ten times the dimension, and floor(10^(k/20)) (20 per decade) without the "
        "dimension; or at the last evaluation. Imported data: at the numbers that the data have.",
        {
            "evaluation": Column("number of evaluations made, from 1", _EVALUATIONS),
            "precision": Column("best precision so far", "precision", _NO_VALUE),
            "constraints": _CONSTRAINTS,
        },
    ),
    "restarts": Dataset(
        "One row is a restart of the optimizer within a run; the first start is not a row.",
        {
            "evaluation": Column("evaluations made before the restart", _EVALUATIONS),
            "seed": Column("random seed from the restart on", missing="0: not known"),
            "start_hash": Column(
                "first 16 hexadecimal characters of the SHA-256 of the new start point (as "
                "little-endian 64-bit floats)",
                missing="empty text: not known",
            ),
            "reason": Column(
                "reason of the restart, cut at 200 bytes", missing="empty text: not told"
            ),
        },
    ),
    "recommendations": Dataset(
        "One row is a solution that the algorithm recommended. Its numbers are rows of "
        "recommended_solutions.",
        {
            "evaluation": Column("evaluations made before the recommendation", _EVALUATIONS),
            "precision": Column(
                "precision of the recommended solution alone, not the best so far: its objective "
                "value (suite pbo: as the indicator unscaled) without noise and without regard to "
                "constraints, minus reference_value. Negative values are possible",
                "precision",
                "NaN with two objectives",
            ),
        },
    ),
    "recommended_solutions": Dataset(
        "One row is one number of a recommended solution: 'dimension' rows for each row of "
        "recommendations, in the same order.",
        {"x": Column("value of a variable", missing="NaN: not known (imported data)")},
    ),
    "notes": Dataset(
        "One row is the value of a parameter that the optimizer logged, such as its step size.",
        {
            "evaluation": Column("number of evaluations made", _EVALUATIONS),
            "name": Column("name of the parameter, at most 64 bytes"),
            "value": Column("value of the parameter at this evaluation", "that of the parameter"),
        },
    ),
    "best_solutions": Dataset(
        "One row is one number of the best solution of a run, the one that gave best_precision: "
        "'dimension' rows, or none if it is not known or no value was finite. With two objectives "
        "it is the last point that improved the precision.",
        {"x": Column("value of a variable")},
    ),
    "archive": Dataset(
        "One row is a point that entered the archive of nondominated points of a run with two "
        "objectives; see archive_kept.",
        {
            "evaluation": Column("number of the evaluation, from 1", _EVALUATIONS),
            "y1": Column("value of the first objective", "first objective"),
            "y2": Column("value of the second objective", "second objective"),
        },
    ),
    "objectives": Dataset(
        "One row is one coordinate of the ideal and the nadir point of the problem of a run, the "
        "first objective first: 2 rows, or none if the points are not known.",
        {
            "ideal": Column("smallest value of this objective", "this objective"),
            "nadir": Column(
                "largest value of this objective over the Pareto front", "this objective"
            ),
        },
    ),
    "hit_seconds": Dataset(
        "If a run has times, it owns as many rows as of hits: its k-th row is the time of its k-th "
        "row of hits. Otherwise it owns no rows.",
        {"seconds": Column(_SECONDS_IN_RUN, "seconds")},
    ),
    "origin": Dataset(
        "One row is the machine whose clock gave hit_seconds and trajectory_seconds of a run; at "
        "most one row per run. A run with such seconds but without a row here has simulated time.",
        {"host": Column("name of the machine, cut at 64 bytes")},
    ),
    "target_unit": Dataset(
        "One row is the factor of the targets of a run; at most one row per run, without a row it "
        "is 1. It is equal for all runs of a function and dimension. Suite pbo: the distance from "
        "the mean value of random points to the optimum, so targets are shares of this distance. "
        "Tables of firsthit show the products, rounded to nine digits.",
        {"unit": Column("factor of the elements of suites.targets", "precision")},
    ),
    "trajectory_seconds": Dataset(
        "If a run has times, it owns as many rows as of trajectory: its k-th row is the time of "
        "its k-th row of trajectory; the last one may be the time of the end of the run. Otherwise "
        "it owns no rows.",
        {"seconds": Column(_SECONDS_IN_RUN, "seconds")},
    ),
    "dropped": Dataset(
        "One row is an event at which pending parallel evaluations were dropped: a restart, or the "
        "end of the run. These evaluations are counted, but their values are not known.",
        {
            "evaluation": Column("number of the last dropped evaluation, from 1", _EVALUATIONS),
            "count": Column("number of dropped evaluations", _EVALUATIONS),
        },
    ),
    "hit_solutions": Dataset(
        "One row is one number of the point of a hit: a run owns 'dimension' rows for each of its "
        "first rows of hits, in the same order, or none if no points were recorded. It has points "
        "of all its rows of hits, unless it has a note max_point_bytes.",
        {"x": Column("value of a variable")},
    ),
    "evaluations": Dataset(
        "One row is an evaluation whose point was recorded. Its numbers are rows of "
        "evaluated_solutions. Evaluations whose function raised an error have no row.",
        {
            "evaluation": Column(
                "number of the evaluation, from 1. Evaluations that overlapped, such as those of "
                "threads, may have equal numbers",
                _EVALUATIONS,
            ),
            "value": Column(
                "value that the algorithm received: of the objective, or of the first of two; with "
                "noise the noisy value",
                "objective",
            ),
            "second_value": Column(
                "value of the second objective", "second objective", "NaN: there is one objective"
            ),
        },
    ),
    "evaluated_solutions": Dataset(
        "One row is one number of an evaluated point: 'dimension' rows for each row of "
        "evaluations, in the same order.",
        {"x": Column("value of a variable, as the algorithm gave it")},
    ),
}
"""Texts on each dataset of a log, without the datasets of offsets."""

OFFSETS_DESCRIPTION = "One row per run, and one more; see the attribute rows_of."
"""Description of each dataset of offsets."""

CODES: Mapping[str, tuple[str, ...]] = {
    "status": STATUSES,
    "record": RECORDS,
    "archive_kept": ARCHIVES_KEPT,
}
"""Names of the codes of a column of ``runs``, in the order of the codes, from 0."""


def describe_rows_of(table: str) -> str:
    """Return the text of the attribute ``rows_of`` of the dataset ``TABLE_offsets``."""
    return f"{table}; with o = this dataset, run i owns the rows [o[i], o[i+1]) of {table}"
