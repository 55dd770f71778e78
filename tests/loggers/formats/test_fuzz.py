"""Mutated files of all formats: read as they are, or refused in one sentence; nothing else."""

import random
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.loggers import read_log, read_reference
from firsthit.suites import FirsthitError

SPICE = [
    b"", b"\n", b"%", b"% f evaluations\n", b",", b"'", b"|", b":", b"=", b"0", b"-1", b"1e999",
    b"nan", b"inf", b"None", b"\x00", b"\xff\xfe", b"9" * 400, b"1" + b"0" * 30, b"{", b"[]",
    b'"', b"null", b"true", b"../", b"/", b" ", b"\t", b"funcId = 1", b"DIM = 2", b"suite = ''",
    b"instance = 1", b"algorithm type = best", b"1_0", b"\xe2\x80\xae", b"1 0 +1.0e+00\n",
]  # fmt: skip


def mutate(data, rng):
    """A few cuts, swaps of lines and foreign pieces."""
    for _ in range(rng.randint(1, 3)):
        kind, at = rng.randrange(5), rng.randrange(len(data) + 1)
        lines = data.split(b"\n")
        if kind == 0:
            data = data[:at] + rng.choice(SPICE) + data[at:]
        elif kind == 1:
            data = data[:at] + rng.choice(SPICE) + data[at + rng.randrange(20) :]
        elif kind == 2:
            del lines[rng.randrange(len(lines))]
            data = b"\n".join(lines)
        elif kind == 3:
            lines.insert(rng.randrange(len(lines)), rng.choice(lines))
            data = b"\n".join(lines)
        else:
            data = data[:at]
    return data


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


@pytest.mark.parametrize("kind", ["coco", "constrained", "biobj", "ioh", "old", "reference"])
@given(seed=st.integers(0, 2**32))
def test_only_our_errors(samples, check_tables, kind, seed):
    rng = random.Random(seed)
    files = dict(samples[kind])
    for name in rng.sample(sorted(files), k=min(2, len(files))):
        files[name] = mutate(files[name], rng)
    with tempfile.TemporaryDirectory() as place:
        for name, content in files.items():
            path = Path(place) / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(content)
        message = ""
        try:
            if kind == "reference":
                read_reference(place)
            else:
                check_tables(read_log(place)._table)
        except FirsthitError as error:
            message = str(error)
    assert message.isprintable()
    assert len(message) < 700
