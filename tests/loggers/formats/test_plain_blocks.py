"""Numbers read at many places at once are those that Python reads; the fast way is the careful."""

import re

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from firsthit.loggers import RunIdentity
from firsthit.loggers.formats.coco.digits import DigitReader
from firsthit.loggers.formats.coco.plain_blocks import read_plain_blocks
from firsthit.loggers.formats.identities import identities_of
from firsthit.loggers.formats.numbers import Layout, TextError, read_blocks
from firsthit.suites import ProblemId

DECIMAL = st.from_regex(r"[-+][0-9]\.[0-9]{9}e[-+][0-9]{2}", fullmatch=True)
COUNT = st.from_regex(r"[0-9]{1,15}", fullmatch=True)
SPOILT = st.text("0123456789+-.e \n\t/:x\0", max_size=24)


def bits(values):
    return np.array(values, dtype=np.float64).tobytes()


def places(texts):
    return np.cumsum([0, *(len(text) + 1 for text in texts)])[:-1]


@given(texts=st.lists(DECIMAL, min_size=1))
def test_decimals_are_the_floats_of_python(texts):
    reader = DigitReader([text.encode() + b" " for text in texts])
    found = reader.decimals(places(texts))
    assert found.found.all()
    assert bits(found.values) == bits([float(text) for text in texts])


@given(texts=st.lists(COUNT, min_size=1))
def test_counts_are_the_integers_of_python(texts):
    reader = DigitReader([text.encode() + b" " for text in texts])
    found = reader.counts(places(texts))
    assert found.found.all()
    assert found.values.tolist() == [int(text) for text in texts]
    assert found.ends.tolist() == [p + len(t) for p, t in zip(places(texts), texts, strict=True)]


@given(text=SPOILT | DECIMAL | COUNT, cut=st.integers(0, 20), piece=SPOILT)
def test_nothing_else_is_read(text, cut, piece):
    data = text[:cut] + piece + text[cut + len(piece) :]
    reader = DigitReader([data.encode()])
    start = np.array([0])
    plain = re.match(r"[-+][0-9]\.[0-9]{9}e[-+][0-9]{2}(?=[ \n])", data)
    found = reader.decimals(start)
    assert bool(found.found[0]) == bool(plain)
    assert not plain or found.values[0] == float(plain[0])
    plain = re.match(r"[0-9]{1,15}(?= )", data)
    found = reader.counts(start)
    assert bool(found.found[0]) == bool(plain)
    assert not plain or found.values[0] == int(plain[0])


LINE = st.sampled_from([
    "% f evaluations | g evaluations", "% another head", "%", "1 0 +1.000000000e+00 +2.0e+00",
    "2 0 -1.000000000e-99", "3 12345678 +5.000000000e-01 1 2 3", "2 1 +1.000000000e+99",
    "7 +1.000000000e+00 +3.000000000e-10 x", "8  0 +1.0e+00", "", " ", "3 0 nan", "4 0 +1.0e+00\r",
    "123456789012345 0 +1.000000000e+00", "9999999999999999 0 +1.000000000e+00", "1 x",
])  # fmt: skip
COLUMNS = st.sampled_from([(0, 1, 2), (0, 0, 2)])


@given(texts=st.lists(st.lists(LINE, max_size=8), max_size=5), columns=COLUMNS)
def test_plain_blocks_are_those_of_the_careful_way(texts, columns):
    layout = Layout((b"%",), lambda line: b"evaluations" in line, columns)
    files = ["".join(f"{line}\n" for line in lines).encode() for lines in texts]
    for data, found in zip(files, read_plain_blocks(files, layout), strict=True):
        try:
            expected = read_blocks(data, layout)
        except TextError:
            assert found is None
            continue
        if found is not None:
            assert [block.head for block in found] == [block.head for block in expected]
            assert [block.line for block in found] == [block.line for block in expected]
            assert [bits(b.rows) for b in found] == [bits(b.rows) for b in expected]


def test_what_coco_writes_is_plain():
    head = "% f evaluations | g evaluations | best noise-free fitness - Fopt (0.0)\n"
    data = (head + "1 0 +1.000000000e+00 +1.0e+00\n30000000 0 -2.500000000e-09 x\n").encode()
    layout = Layout((b"%",), lambda line: True, (0, 1, 2))
    ((block,), empty, (first, second)) = read_plain_blocks([data, b"", data + data], layout)
    assert block.rows.tolist() == [[1.0, 0.0, 1.0], [3e7, 0.0, -2.5e-9]]
    assert empty == []
    assert (first.line, second.line) == (1, 4)
    assert first.rows.tolist() == second.rows.tolist() == block.rows.tolist()


NAME = st.text('ab "\\é√', min_size=1).filter(str.strip)
PROBLEM = st.builds(
    ProblemId, NAME, st.integers(0, 3), st.integers(1, 3), st.integers(0, 2**63 - 1) | st.just(1)
)


@given(algorithm=NAME, problems=st.lists(PROBLEM, max_size=6))
def test_keys_are_those_of_identities(algorithm, problems):
    contents = ((np.array([float(i)]),) for i in range(len(problems)))
    found = identities_of(algorithm, problems, contents)
    for i, (problem, key) in enumerate(zip(problems, found.keys, strict=True)):
        assert found.repetitions[i] == problems[:i].count(problem)
        one = RunIdentity(algorithm, problem, found.repetitions[i], found.seeds[i])
        assert key == one.key.encode()
    assert len(set(found.seeds)) == len(problems)
