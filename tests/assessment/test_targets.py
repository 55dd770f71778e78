"""Target precisions: COCO's, decades, and what a user types."""

import numpy as np
import pytest

from firsthit.assessment import AssessmentError
from firsthit.assessment.targets.parse import (
    bbob_targets,
    decade_targets,
    parse_targets,
)


def test_bbob_targets_are_cocos():
    targets = bbob_targets()
    assert len(targets) == 51
    np.testing.assert_allclose(targets, 10 ** np.arange(2, -8.2, -0.2), rtol=1e-12)
    assert [float(f"1e{n}") for n in range(2, -9, -1)] == [t for t in targets[::5]]


@pytest.mark.parametrize(
    ("value", "targets"),
    [
        ("1e1,1e-8", (10.0, 1e-8)),
        (" 1e-8 , 10, 1e1", (10.0, 1e-8)),
        (0.5, (0.5,)),
        (1, (1.0,)),
        ([1e-3, "1e2"], (100.0, 1e-3)),
        (np.array([0.1]), (0.1,)),
        ("1e-5,0,-1e-5", (1e-5, 0.0, -1e-5)),
        ([-1, 0.0, 1e-8], (1e-8, 0.0, -1.0)),
    ],
)
def test_targets_are_sorted_easiest_first_and_each_once(value, targets):
    assert parse_targets(value) == targets


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("", "'' is no number"),
        ("1e1,,1e-8", "'' is no number"),
        ("ten", "'ten' is no number"),
        ("1e1;1e-8", "'1e1;1e-8' is no number"),
        ([None], "'None' is no number"),
        ([], "none given"),
        ("1e-9", "1e-9 is not available"),
        ("nan", "nan is not available"),
        ("inf", "inf is not available"),
        (True, "True is not available"),
    ],
)
def test_bad_targets_are_one_sentence(value, message):
    with pytest.raises(AssessmentError, match=message) as error:
        parse_targets(value)
    assert "\n" not in str(error.value)


def test_ranges_are_even_on_the_log_scale():
    assert parse_targets("1e2..1e-8/5") == bbob_targets()
    assert parse_targets("1e1..1e-8/1") == decade_targets() == parse_targets("decades")
    assert parse_targets("bbob") == bbob_targets()
    np.testing.assert_allclose(
        parse_targets("1..1e-3/2, 5"), [5, 1, 10**-0.5, 0.1, 10**-1.5, 0.01, 10**-2.5, 1e-3]
    )
    assert parse_targets("1e2..2e1/2") == pytest.approx((100.0, 10**1.5))


@pytest.mark.parametrize(
    "text", ["1e-8..1e2/5", "1..1/5", "1..0/5", "1e-5..-1e-5/5", "1e2..1e-8/0", "1e2..1e-8/9999"]
)
def test_ranges_that_lead_nowhere_are_refused(text):
    with pytest.raises(AssessmentError, match="must go from easiest to hardest"):
        parse_targets(text)


@pytest.mark.parametrize("text", ["1e2..1e-8", "1e2..1e-8/x", "..", "1e2..zero/5", "1e2..1e-9/5"])
def test_what_is_no_range_is_refused(text):
    with pytest.raises(AssessmentError, match=r"is no number|at least 1e-8"):
        parse_targets(text)
