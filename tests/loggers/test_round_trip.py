"""Whatever a run recorded is read back from a file as it was, whichever tables it has.

Private names: hypothesis makes records with every combination of tables.
"""

import tempfile
from dataclasses import fields
from pathlib import Path

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from firsthit.loggers import read_log
from firsthit.loggers.hdf5.writer import LogWriter
from firsthit.loggers.records.dtypes import (
    ARCHIVE,
    HITS,
    NOTES,
    OBJECTIVES,
    RECOMMENDATIONS,
    RESTARTS,
    TRAJECTORY,
    as_rows,
)
from firsthit.loggers.records.identity import RunIdentity
from firsthit.loggers.records.log_header import LogHeader
from firsthit.loggers.records.run_record import (
    ARCHIVES_KEPT,
    RECORDS,
    STATUSES,
    RunRecord,
    SuiteFacts,
)
from firsthit.loggers.targets.grid import SIGNED
from firsthit.suites.facts import ProblemId

NAME = st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=12)
NUMBER = st.floats(allow_nan=False)
COUNT = st.integers(0, 2**63 - 1)


def text(size):
    """UTF-8 that fits, without NUL at its end, which text of fixed length cannot keep."""
    return st.text(max_size=size // 4).map(lambda s: s.rstrip("\0").encode("utf-8", "replace"))


KINDS = {"<f8": st.floats(), "<i8": COUNT, "<u8": st.integers(0, 2**64 - 1)}


def rows(draw, dtype, counts):
    """Rows of this type at these evaluations, all else anything."""
    columns = []
    for name in dtype.names:
        kind = dtype[name]
        values = KINDS[kind.str] if kind.str in KINDS else text(kind.itemsize)
        columns.append(counts if name == "evaluation" else [draw(values) for _ in counts])
    return as_rows(dtype, *columns)


@st.composite
def run(draw, repetition):
    spent, dimension = draw(st.integers(0, 50)), draw(st.integers(1, 4))
    counts = st.lists(st.integers(1, spent), unique=True, max_size=9) if spent else st.just([])
    hit, told, restarted, recommended, noted = (sorted(draw(counts)) for _ in range(5))
    targets = draw(st.lists(st.sampled_from([*SIGNED.values[::90], np.inf]), max_size=9))
    hits = rows(draw, HITS, hit)
    hits["target"] = sorted([*targets, *[0.0] * len(hit)][: len(hit)], reverse=True)
    problem = ProblemId("s", draw(st.integers(1, 9)), dimension, draw(st.integers(0, 9)))
    seed = draw(st.integers(0, 2**64 - 1))
    numbers = st.lists(NUMBER, min_size=dimension, max_size=dimension)
    return RunRecord(
        identity=RunIdentity("a", problem, repetition, seed, draw(st.integers(0, 9))),
        suite=SuiteFacts("s"),
        function_name=draw(NAME),
        group=draw(NAME),
        reference_value=draw(st.floats()),
        reference_name=draw(st.one_of(st.just(""), NAME)),
        status=draw(st.sampled_from(STATUSES)),
        error=draw(NAME),
        seed=draw(st.integers(0, 2**64 - 1)),
        budget=draw(st.one_of(st.none(), COUNT)),
        record=draw(st.sampled_from(RECORDS)),
        evaluations=spent,
        evaluations_constraints=draw(st.integers(0, 2**52)),
        best_precision=draw(NUMBER),
        hits=hits,
        trajectory=rows(draw, TRAJECTORY, told),
        restarts=rows(draw, RESTARTS, restarted),
        recommendations=rows(draw, RECOMMENDATIONS, recommended),
        recommended_solutions=np.array([draw(numbers) for _ in recommended]).reshape(-1, dimension),
        notes=rows(draw, NOTES, noted),
        archive=rows(draw, ARCHIVE, told),
        archive_kept=draw(st.sampled_from(ARCHIVES_KEPT)),
        objectives=rows(draw, OBJECTIVES, draw(st.sampled_from([[], [0, 0]]))),
        best_solution=np.array(draw(st.one_of(st.just([]), numbers))),
    )


@given(st.data(), st.integers(0, 4), st.sampled_from(["close", "abandon"]))
def test_a_log_holds_what_runs_recorded(data, n_runs, end):
    records = [data.draw(run(repetition)) for repetition in range(n_runs)]
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.h5"
        writer = LogWriter(path, LogHeader({"a": {}}))
        writer.add_many(records)
        getattr(writer, end)()
        if not records:
            return
        log = read_log(path)
        assert sorted(log.runs.repetition.tolist()) == list(range(n_runs))
        for row, repetition in enumerate(log.runs.repetition.tolist()):
            record = records[repetition]
            for name in ("hits", "trajectory", "restarts", "recommendations", "archive"):
                assert getattr(log, name)(row).tobytes() == getattr(record, name).tobytes()
            assert log.objectives(row).tobytes() == record.objectives.tobytes()
            assert log.notes_of(row).tobytes() == record.notes.tobytes()
            for name in ("recommended_solutions", "best_solution"):
                np.testing.assert_array_equal(getattr(log, name)(row), getattr(record, name))
            for part in (record.identity.problem, record.identity, record):
                for field in fields(part):
                    if field.name in log.runs and not (part is record and field.name == "suite"):
                        expected = getattr(part, field.name)
                        expected = -1 if field.name == "budget" and expected is None else expected
                        np.testing.assert_equal(log.runs[field.name][row], expected)
            assert log.runs.key[row] == record.key
