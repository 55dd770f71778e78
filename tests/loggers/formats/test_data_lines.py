"""Lines of data files: their numbers are those that Python reads, to the last bit.

Private names: the parser of lines is compared with Python's, far faster than through whole data
sets.
"""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from firsthit.loggers.formats.blocks import Layout, TextError, read_blocks

SIGN = st.sampled_from("+-")
DECIMAL = st.builds(
    "{}{}.{:09d}e{}{:02d}".format,
    SIGN, st.integers(0, 9), st.integers(0, 10**9 - 1), SIGN, st.integers(0, 99),
)  # fmt: skip
COUNT = st.integers(0, 10**15 - 1).map(str) | st.just("007")
HEAD = "% f evaluations | g evaluations | best noise-free fitness - Fopt (0.0)\n"


def layout(columns=(0, 1, 2)):
    return Layout(("%",), lambda line: "evaluations" in line, columns)


def bits(values):
    return np.array(values, dtype=np.float64).tobytes()


@given(counts=st.lists(st.tuples(COUNT, COUNT, DECIMAL), min_size=1))
def test_numbers_as_coco_prints_them_are_those_of_python(counts):
    counts.sort(key=lambda line: int(line[0]))
    data = HEAD + "".join(f"{n} {g} {value} +1.0e+00\n" for n, g, value in counts)
    (block,) = read_blocks(data.encode(), layout())
    assert bits(block.rows) == bits([[int(n), int(g), float(v)] for n, g, v in counts])
    data = HEAD + "".join(f"{n} {value} {value} +1.0e+00\n" for n, _, value in counts)
    (block,) = read_blocks(data.encode(), layout((0, 0, 2)))
    assert bits(block.rows) == bits([[int(n), int(n), float(v)] for n, _, v in counts])


def test_what_coco_writes():
    data = HEAD + "1 0 +1.000000000e+00 +1.0e+00\n30000000 0 -2.500000000e-09 x\n"
    first, second = read_blocks((data + data).encode(), layout())
    assert (first.line, second.line) == (1, 4)
    assert first.rows.tolist() == [[1.0, 0.0, 1.0], [3e7, 0.0, -2.5e-9]]
    assert second.rows.tolist() == first.rows.tolist()


@pytest.mark.parametrize("line", ["2 x", "1_000 1", "2 1_0.5", "2"])
def test_a_line_without_numbers_is_refused(line):
    wanted = Layout(("%",), lambda line: True, (0, 0, 1))
    words = f"'{line}' does not contain the expected numbers"
    with pytest.raises(TextError, match=words) as caught:
        read_blocks(f"% head\n1 2.5\n\n{line}\n".encode(), wanted)
    assert caught.value.line == 4


def test_a_line_of_blanks_of_any_kind_is_passed_over():
    """NumPy leaves out a line with nothing but a no-break space, and rows would move."""
    wanted = Layout(("%",), lambda line: True, (0, 0, 1))
    first, second = read_blocks(b"% head\n1 5\n\xa0\n% head\n1 7\n \x1c\n2 6\n", wanted)
    assert first.rows.tolist() == [[1.0, 1.0, 5.0]]
    assert second.rows.tolist() == [[1.0, 1.0, 7.0], [2.0, 2.0, 6.0]]
