"""The suite ``bbob-mixint``: bbob with four fifths of the variables integers; COCO's values.

The variables are five equal parts, so the dimension is a multiple of 5: integers 0 … 1, 0 … 3,
0 … 7, 0 … 15, and continuous ones in ``[-5, 5]``. Integers stand for the points of a grid within
``[-4, 4]``, which is shifted so that the optimum lies on it; other numbers are rounded, halves
upwards, and kept within their range. Below 50 variables the functions are those of bbob, from 50 on
those of bbob-largescale. Values are scaled, function by function, so that 1e-8 is about equally
hard everywhere.

``problem.constants()`` has the keys of the function in its own suite, with ``optimum`` in the
integer variables' numbers and ``optimal_value`` scaled, and

=================  ==========  =====================================================================
``inner_optimum``  ``(D,)``    the function's own optimum
``cardinalities``  ``(D,)``    how many values a variable has; 0 where it is continuous
``low``            ``(D,)``    what the integer 0 stands for; 0 where it is continuous
``step``           ``(D,)``    what the integer ``k`` adds, divided by ``k``; likewise
``factor``         ``()``      what values are multiplied with
=================  ==========  =====================================================================

Source: T. Tušar, D. Brockhoff, N. Hansen: Mixed-integer benchmark problems for single- and
bi-objective optimization, GECCO 2019; constants of coco-experiment 2.8.2.
"""

from __future__ import annotations

from ..bbob import GROUPS
from ..facts import ProblemId
from ..problem import Problem
from ..suite import register_suite


@register_suite(
    "bbob-mixint",
    functions="1-24",
    dimensions=[5, 10, 20, 40, 80, 160],
    instances="1-15",
    valid_dimensions=range(5, 10**6, 5),
    valid_instances=range(1, 10**5),
    groups=GROUPS,
)
def bbob_mixint(function: int, dimension: int, instance: int) -> Problem:
    """Make one problem."""
    from .grids import bounds, formula, inner_title

    lower_bounds, upper_bounds = bounds(dimension, 5.0)
    return formula(function, dimension, instance).problem(
        ProblemId("bbob-mixint", function, dimension, instance),
        title=f"mixint({inner_title(function, dimension, instance)})",
        lower_bounds=lower_bounds,
        upper_bounds=upper_bounds,
        number_of_integer_variables=4 * dimension // 5,
    )
