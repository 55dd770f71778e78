"""Mutated files of all formats: read as they are, or refused in one sentence; nothing else."""

import random
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.loggers import read_log, read_reference
from firsthit.suites import FirsthitError

from ...reader_fuzzing import mutate


def small(folder, keep):
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and keep in path.name
    }


class Samples(dict):
    """With a short text for hypothesis."""

    def __repr__(self):
        return f"<samples of {', '.join(self)}>"


@pytest.fixture(scope="session")
def samples(coco_data, ioh_data):
    old = {
        "IOHprofiler_f1_S.info": b'suite = "x", funcId = 1, funcName = "S", DIM = 2, '
        b'maximization = "T", algId = "o", algInfo = "i"\n%\nd.dat, 1:8|1.5, 2:1|2.5\n',
        "d.dat": b'"function evaluation" "current f(x)"\n1 1\n8 1.5\n9 0\n'
        b'"function evaluation" "current f(x)"\n1 2.5\n',
    }  # fmt: skip
    reference = {
        "b.info": b"funcId = 1, DIM = 2, Precision = 1e-8, algId = 'b', suite = 'bbob'\n% x\n"
        b"a.dat, 0:12|1e-8\n",
        "a.dat": b"% Artificial instance\n% algorithm type = best\n1 2 2 a 5 5\n9 1 1 b 3 5\n",
    }
    return Samples({
        "coco": small(coco_data["bbob"][0], "f1"),
        "constrained": small(coco_data["bbob-constrained"][0], "f1"),
        "biobj": small(coco_data["bbob-biobj"][0], "hyp"),
        "ioh": small(ioh_data[0], "f1"),
        "old": old,
        "reference": reference,
    })  # fmt: skip


def check_log(log, folder):
    """Check that the runs of a log can be saved, and that their rows are in order.

    Reading the saved log checks all its tables.
    """
    log.save(folder / "saved.h5")
    saved = read_log(folder / "saved.h5")
    assert len(saved) == len(log)
    for run, evaluations in enumerate(saved.runs.evaluations.tolist()):
        for rows in (saved.hits(run), saved.trajectory(run), saved.archive(run)):
            assert ((rows["evaluation"] >= 1) & (rows["evaluation"] <= evaluations)).all()
        assert (np.diff(saved.hits(run)["evaluation"]) >= 1).all()
        assert (np.diff(saved.trajectory(run)["evaluation"]) >= 1).all()
        assert (np.diff(saved.archive(run)["evaluation"]) >= 0).all()
        targets = saved.hits(run)["target"]
        assert (targets[1:] <= targets[:-1]).all()


@pytest.mark.parametrize("kind", ["coco", "constrained", "biobj", "ioh", "old", "reference"])
@given(seed=st.integers(0, 2**32))
def test_only_our_errors(samples, kind, seed):
    rng = random.Random(seed)
    files = dict(samples[kind])
    for name in rng.sample(sorted(files), k=min(2, len(files))):
        files[name] = mutate(files[name], rng)
    with tempfile.TemporaryDirectory() as place:
        for name, content in files.items():
            path = Path(place) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        message, log = "", None
        try:
            if kind == "reference":
                read_reference(place)
            else:
                log = read_log(place)
        except FirsthitError as error:
            message = str(error)
        if log is not None:
            check_log(log, Path(place))
    assert message.isprintable()
    assert len(message) < 700
