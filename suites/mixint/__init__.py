"""The suite ``bbob-mixint``: bbob with integers in four fifths of the variables; COCO's values.

The dimension is a multiple of 5. The variables are five equal parts: integers 0 … 1, 0 … 3, 0 … 7
and 0 … 15, and continuous variables in ``[-5, 5]``. The integers stand for the points of a grid in
``[-4, 4]``, which is shifted so that the optimum is one of its points. Other numbers are rounded,
halves upwards, and clipped to the range of the integers. Below 50 variables the functions are those
of bbob, from 50 variables on those of bbob-largescale. Values are multiplied by a factor of each
function, so that the precision 1e-8 is about equally difficult everywhere.

``problem.constants()`` has the keys of the function in its own suite, where ``optimum`` is stated
in integers and ``optimal_value`` is multiplied by the factor, and

=================  ==========  =====================================================================
``inner_optimum``  ``(D,)``    the optimum of the function in its own suite
``cardinalities``  ``(D,)``    number of values of each variable; 0 for continuous variables
``low``            ``(D,)``    the coordinate for which the integer 0 stands; 0 if continuous
``step``           ``(D,)``    the distance of the points of the grid; 0 if continuous
``factor``         ``()``      the factor of the values
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
    """Build a problem of bbob-mixint; its first evaluation compiles the kernel."""
    from .grids import draw_formula, format_inner_title, get_bounds

    lower_bounds, upper_bounds = get_bounds(dimension, 5.0)
    return draw_formula(function, dimension, instance).build_problem(
        ProblemId("bbob-mixint", function, dimension, instance),
        title=f"mixint({format_inner_title(function, dimension, instance)})",
        lower_bounds=lower_bounds,
        upper_bounds=upper_bounds,
        number_of_integer_variables=4 * dimension // 5,
    )
