"""Lines of data files: many lines at once give the same numbers as one by one, to the last bit."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from firsthit.loggers.formats.blocks import Layout, TextError, read_blocks
from firsthit.loggers.formats.coco.data_lines import read_plain_blocks

SIGN = st.sampled_from("+-")
DECIMAL = st.builds(
    "{}{}.{:09d}e{}{:02d}".format,
    SIGN, st.integers(0, 9), st.integers(0, 10**9 - 1), SIGN, st.integers(0, 99),
)  # fmt: skip
COUNT = st.integers(0, 10**15 - 1).map(str) | st.just("007")
SPOILT = st.text("0123456789+-.e \n\t/:x\0", max_size=24)
COLUMNS = st.sampled_from([(0, 1, 2), (0, 0, 2)])
HEAD = "% f evaluations | g evaluations | best noise-free fitness - Fopt (0.0)\n"


def layout(columns=(0, 1, 2)):
    return Layout(("%",), lambda line: "evaluations" in line, columns)


def bits(values):
    return np.array(values, dtype=np.float64).tobytes()


def same(found, expected):
    assert [block.head for block in found] == [block.head for block in expected]
    assert [block.line for block in found] == [block.line for block in expected]
    assert [bits(block.rows) for block in found] == [bits(block.rows) for block in expected]


@settings(deadline=None)
@given(counts=st.lists(st.tuples(COUNT, COUNT, DECIMAL), min_size=1))
def test_numbers_as_coco_prints_them_are_those_of_python(counts):
    counts.sort(key=lambda line: int(line[0]))
    data = HEAD + "".join(f"{n} {g} {value} +1.0e+00\n" for n, g, value in counts)
    (block,) = read_plain_blocks(data.encode(), layout())
    assert bits(block.rows) == bits([[int(n), int(g), float(v)] for n, g, v in counts])
    data = HEAD + "".join(f"{n} {value} {value} +1.0e+00\n" for n, _, value in counts)
    (block,) = read_plain_blocks(data.encode(), layout((0, 0, 2)))
    assert bits(block.rows) == bits([[int(n), int(n), float(v)] for n, _, v in counts])


@settings(deadline=None)
@given(text=SPOILT | DECIMAL | COUNT, cut=st.integers(0, 20), piece=SPOILT, columns=COLUMNS)
def test_a_spoilt_line_is_read_as_python_does_or_not_at_all(text, cut, piece, columns):
    spoilt = text[:cut] + piece + text[cut + len(piece) :]
    for line in (spoilt, f"1 {spoilt}", f"1 0 {spoilt}", f"1 +1.000000000e+00 {spoilt}"):
        data = f"{HEAD}{line}\n".encode()
        found = read_plain_blocks(data, layout(columns))
        if found is not None:
            same(found, read_blocks(data, layout(columns)))


LINE = st.sampled_from([
    "% f evaluations | g evaluations", "% another head", "%", "1 0 +1.000000000e+00 +2.0e+00",
    "2 0 -1.000000000e-99", "3 12345678 +5.000000000e-01 1 2 3", "2 1 +1.000000000e+99",
    "7 +1.000000000e+00 +3.000000000e-10 x", "8  0 +1.0e+00", "", " ", "3 0 nan", "4 0 +1.0e+00\r",
    "123456789012345 0 +1.000000000e+00", "9999999999999999 0 +1.000000000e+00", "1 x", "\xa0",
])  # fmt: skip


@settings(deadline=None)
@given(lines=st.lists(LINE, min_size=1, max_size=8), columns=COLUMNS)
def test_blocks_read_by_columns_are_those_of_the_careful_way(lines, columns):
    data = "".join(f"{line}\n" for line in lines).encode("latin-1")
    found = read_plain_blocks(data, layout(columns))
    try:
        expected = read_blocks(data, layout(columns))
    except TextError:
        assert found is None
        return
    if found is not None:
        same(found, expected)


def test_what_coco_writes_is_plain():
    data = HEAD + "1 0 +1.000000000e+00 +1.0e+00\n30000000 0 -2.500000000e-09 x\n"
    first, second = read_plain_blocks((data + data).encode(), layout())
    assert (first.line, second.line) == (1, 4)
    assert first.rows.tolist() == [[1.0, 0.0, 1.0], [3e7, 0.0, -2.5e-9]]
    assert second.rows.tolist() == first.rows.tolist()


def test_numbers_that_python_reads_are_read():
    wanted = Layout(("%",), lambda line: True, (0, 0, 1))
    (block,) = read_blocks(b"% head\n1 2.5\n1_000 -inf x\n", wanted)
    assert block.rows.tolist() == [[1.0, 1.0, 2.5], [1000.0, 1000.0, -np.inf]]
    with pytest.raises(TextError, match="'2 x' does not hold the numbers expected") as caught:
        read_blocks(b"% head\n1 2.5\n\n2 x\n", wanted)
    assert caught.value.line == 4


def test_a_line_of_blanks_of_any_kind_is_passed_over():
    """NumPy leaves out a line with nothing but a no-break space, and rows would move."""
    wanted = Layout(("%",), lambda line: True, (0, 0, 1))
    first, second = read_blocks(b"% head\n1 5\n\xa0\n% head\n1 7\n \x1c\n2 6\n", wanted)
    assert first.rows.tolist() == [[1.0, 1.0, 5.0]]
    assert second.rows.tolist() == [[1.0, 1.0, 7.0], [2.0, 2.0, 6.0]]
