"""Declare SciPy's optimizers: the methods of ``scipy.optimize.minimize``, and global optimizers.

A method of ``minimize`` converges once from a start point. All options have SciPy's defaults except
limits and tolerances: there is no limit on iterations, and the tolerances are small enough for the
final target 1e-8. ``direct`` and ``shgo`` use neither a start point nor random numbers, so that
each restart repeats the same evaluations.
"""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from ....suites.arrays import Floats
from ...errors import OptimizerError
from .built_in import (
    UNLIMITED,
    BuiltIn,
    Method,
    Package,
    Solver,
    StartResult,
    finite_bounds,
    first_steps,
)
from .forward_differences import UNBOUNDED, has_equal_points, make_differences

SCIPY = Package("scipy", "scipy", "BSD-3-Clause", "scipy")
_MAX_CACHED_POINTS = 1000
"""Number of points whose constraint values are cached."""
_CONSTRAINED = ("COBYLA", "COBYQA", "SLSQP", "trust-constr")
"""Methods of ``minimize`` that accept constraints."""
_RADIUS = {"COBYLA": "rhobeg", "COBYQA": "initial_tr_radius"}
"""Name of the option for the first radius of the trust region, by method."""
_MAX_IDLE_GENERATIONS = 100
"""Differential evolution ends after this number of successive generations without an evaluation."""
_DIRECT_LIMIT = 100_000
"""Maximum number of evaluations and of iterations of ``direct``, whose memory and time grow with
these limits."""


def minimize(
    name: str,
    problem: Any,
    x0: Floats,
    bounds: Any,
    *,
    first_step: float | None = None,
    **options: Any,
) -> Any:
    """Call ``scipy.optimize.minimize`` once, until the method converges.

    Gradients by forward differences with default steps come from `forward_differences.py`, which is
    faster than SciPy and evaluates the same points. Other gradients come from SciPy.

    Args:
        name: Name of the method. It receives constraints only if it accepts them.
        problem: The observed problem.
        x0: Start point, shape ``(dimension,)``.
        bounds: Bounds in SciPy's form.
        first_step: Length of the edges of Nelder-Mead's first simplex, or first radius of COBYLA
            and COBYQA, as a share of the bounds' width. None: SciPy's default, which does not
            depend on the bounds.
        **options: Options of the method.

    Returns:
        SciPy's result.
    """
    from scipy.optimize import minimize as scipy_minimize

    if first_step is not None:
        steps = first_steps(problem, first_step)
        if name == "Nelder-Mead":
            options.setdefault("initial_simplex", simplex(problem, x0, steps))
        else:
            options.setdefault(_RADIUS[name], float(np.mean(steps)))
    function, gradient, differences = problem, None, None
    if _allows_differences(options) and has_equal_points(name):
        differences = make_differences(name, problem, problem.lower_bounds, problem.upper_bounds)
        function, gradient = differences.evaluate, differences.compute_gradient
    with warnings.catch_warnings():
        # trust-constr warns if a function looks linear in one step.
        warnings.filterwarnings("ignore", message="delta_grad == 0.0")
        result = scipy_minimize(
            function,
            x0,
            method=name,
            jac=gradient,
            bounds=None if name in UNBOUNDED else bounds,
            constraints=constraints_of(problem) if name in _CONSTRAINED else (),
            options=options,
        )
    if differences is not None:
        result.nfev = differences.evaluations  # SciPy does not count those of the gradient
    return result


def _allows_differences(options: Mapping[str, Any]) -> bool:
    """Return whether a method with these options can get its gradient from our own code.

    Other steps and limits need SciPy's differences: SciPy does not count the evaluations of ours.
    """
    has_default_steps = not {"eps", "finite_diff_rel_step"} & options.keys()
    return has_default_steps and options.get("maxfun", UNLIMITED) >= UNLIMITED


def simplex(problem: Any, x0: Floats, steps: Floats) -> Floats:
    """Return the first simplex of Nelder-Mead. All its points are within the bounds.

    Args:
        problem: The observed problem.
        x0: Start point, shape ``(dimension,)``.
        steps: Lengths of the edges, shape ``(dimension,)``.

    Returns:
        Points, shape ``(dimension + 1, dimension)``: the start point and, for each variable, the
        point one step away. The step is reversed if it would cross the upper bound.
    """
    start = np.clip(x0, problem.lower_bounds, problem.upper_bounds)
    inwards = np.where(start + steps > problem.upper_bounds, -steps, steps)
    return np.vstack([start, start + np.diag(inwards)])


def constraints_of(problem: Any) -> Any:
    """Return the constraints of a problem in SciPy's form.

    Args:
        problem: The observed problem.

    Returns:
        A ``NonlinearConstraint``, or ``()`` if the problem has no constraints. Its function accepts
        one point, shape ``(dimension,)``, or a batch as columns, shape ``(dimension, n)``. Values
        of single points are cached, because COBYQA requests each of them about five times.
    """
    if not problem.number_of_constraints:
        return ()
    from scipy.optimize import NonlinearConstraint

    @lru_cache(_MAX_CACHED_POINTS)
    def evaluate_point(point: bytes) -> Floats:
        values: Floats = problem.constraint(np.frombuffer(point))
        return values

    def evaluate(x: Floats) -> Floats:
        if x.ndim == 1:
            return evaluate_point(x.tobytes()).copy()
        columns: Floats = problem.constraint(x.T).T
        return columns

    return NonlinearConstraint(evaluate, -np.inf, 0.0)


def solve(
    name: str,
    problem: Any,
    x0: Floats,
    rng: np.random.Generator,
    budget: int | None = None,
    **options: Any,
) -> Any:
    """Call a global optimizer of ``scipy.optimize`` in the problem's bounds.

    Args:
        name: Name of the function.
        problem: The observed problem, with finite bounds.
        x0: Start point, shape ``(dimension,)``; only ``dual_annealing`` uses it.
        rng: Generator of this start; only ``dual_annealing`` uses it.
        budget: Remaining evaluations of the run; only ``direct`` uses it. None: no limit.
        **options: Further arguments of the function.

    Returns:
        SciPy's result.

    Raises:
        OptimizerError: A bound is infinite.
    """
    from scipy import optimize

    if name == "dual_annealing":
        options |= {"maxfun": UNLIMITED, "x0": x0, "seed": rng}
    elif name == "direct":
        # The limit is one more than the budget, so that the run ends because of its budget.
        max_evaluations = UNLIMITED if budget is None else budget + 1
        options.setdefault("maxfun", min(_DIRECT_LIMIT, max_evaluations))
    return getattr(optimize, name)(problem, _bound_pairs(name, problem), **options)


def _bound_pairs(name: str, problem: Any) -> list[tuple[float, float]]:
    return list(zip(*finite_bounds(f"scipy:{name}", problem), strict=True))


def differential_evolution(
    problem: Any,
    x0: Floats,
    rng: np.random.Generator,
    *,
    mutation: Any,
    vectorized: bool,
    workers: int,
    **options: Any,
) -> StartResult:
    """Call ``scipy.optimize.differential_evolution``.

    With constraints, SciPy evaluates only feasible points. The start ends after 100 successive
    generations without an evaluation.

    Args:
        problem: The observed problem, with finite bounds.
        x0: First point of the population, shape ``(dimension,)``.
        rng: Generator of this start.
        mutation: Mutation constant, or its limits as a list or tuple.
        vectorized: Whether each generation is evaluated as one batch. The population is then
            updated after each generation instead of after each point.
        workers: Must be 1.
        **options: Further arguments of SciPy's function.

    Returns:
        SciPy's message, and the number of evaluations; None if ``vectorized``.

    Raises:
        OptimizerError: ``workers`` is not 1, or a bound is infinite.
    """
    from scipy import optimize

    if workers != 1:
        raise OptimizerError(
            f"scipy:differential_evolution: workers={workers} would evaluate in other processes, "
            "where evaluations cannot be observed; use vectorized: true for batches, or the "
            "campaign's workers for parallel runs"
        )

    def evaluate_columns(points: Floats) -> Any:
        return problem(points.T)

    n_idle_generations, last_evaluations = 0, 0

    # SciPy calls this function after each generation, and stops if it returns True.
    def is_idle(*_: Any, **__: Any) -> bool:
        nonlocal n_idle_generations, last_evaluations
        has_evaluated = problem.evaluations != last_evaluations
        n_idle_generations = 0 if has_evaluated else n_idle_generations + 1
        last_evaluations = problem.evaluations
        return n_idle_generations >= _MAX_IDLE_GENERATIONS

    special: dict[str, Any] = {}
    if problem.number_of_integer_variables:
        special["integrality"] = np.arange(problem.dimension) < problem.number_of_integer_variables
    if problem.number_of_constraints:
        special |= {"constraints": constraints_of(problem), "callback": is_idle}
    result = optimize.differential_evolution(
        evaluate_columns if vectorized else problem,
        _bound_pairs("differential_evolution", problem),
        mutation=tuple(mutation) if isinstance(mutation, list) else mutation,
        vectorized=vectorized,
        updating="deferred" if vectorized else "immediate",
        x0=x0,
        seed=rng,
        **special,
        **options,
    )
    # With vectorized=True, SciPy counts calls of the function instead of evaluated points.
    return StartResult(str(result.message), None if vectorized else int(result.nfev))


def basinhopping(
    problem: Any,
    x0: Floats,
    bounds: Any,
    rng: np.random.Generator,
    *,
    method: str,
    **options: Any,
) -> Any:
    """Call ``scipy.optimize.basinhopping``.

    The local searches stay within the bounds. The random steps between them may leave the bounds.

    Args:
        problem: The observed problem.
        x0: Start point, shape ``(dimension,)``.
        bounds: Bounds in SciPy's form.
        rng: Generator of this start.
        method: Method of ``scipy.optimize.minimize`` for the local searches.
        **options: Further arguments of SciPy's function.

    Returns:
        SciPy's result.
    """
    from scipy import optimize

    local_search = {"method": method, "bounds": bounds}
    return optimize.basinhopping(problem, x0, minimizer_kwargs=local_search, seed=rng, **options)


def _declare_method(name: str, about: str, **options: Any) -> tuple[str, BuiltIn]:
    """Declare a method of ``minimize``, and return the optimizer's name and description.

    Args:
        name: Name of the method.
        about: The method in a few words.
        **options: Parameters that a campaign may set, and their defaults. None: SciPy's default.
    """
    method = Method(minimize, name, options)
    built_in = BuiltIn(method, about, (SCIPY,), constraints=name in _CONSTRAINED)
    return f"scipy:{name}", built_in


def _declare_function(
    name: str, about: str, function: Solver | None = None, batch: str = "no", **options: Any
) -> tuple[str, BuiltIn]:
    """Declare a global optimizer, and return its name and description.

    Args:
        name: Name of SciPy's function.
        about: The method in a few words.
        function: Adapter of the optimizer. None: `solve` is called with ``name``.
        batch: Name of the parameter with which generations are batches; ``"no"``: there is none.
        **options: Parameters that a campaign may set, and their defaults. None: SciPy's default.
    """
    method = Method(solve, name, options) if function is None else Method(function, None, options)
    is_general = function is differential_evolution  # it handles all kinds of variables
    built_in = BuiltIn(
        method, about, (SCIPY,), batch=batch, integers=is_general, constraints=is_general,
        bits="yes" if is_general else "no",
    )  # fmt: skip
    return f"scipy:{name}", built_in


OPTIMIZERS = dict((
    _declare_method(
        "Nelder-Mead", "simplex search", maxiter=UNLIMITED, maxfev=None, xatol=1e-9, fatol=1e-9,
        adaptive=None, initial_simplex=None, first_step=0.1,
    ),
    _declare_method(
        "Powell", "conjugate directions, line searches", maxiter=UNLIMITED, maxfev=UNLIMITED,
        xtol=1e-9, ftol=1e-12,
    ),
    _declare_method(
        "CG", "conjugate gradients with finite differences, without bounds", maxiter=UNLIMITED,
        gtol=1e-9, eps=None, c1=None, c2=None, finite_diff_rel_step=None,
    ),
    _declare_method(
        "BFGS", "quasi-Newton with finite differences, without bounds", maxiter=UNLIMITED,
        gtol=1e-9, eps=None, xrtol=None, c1=None, c2=None, finite_diff_rel_step=None,
    ),
    _declare_method(
        "L-BFGS-B", "quasi-Newton with finite differences", maxiter=UNLIMITED, maxfun=UNLIMITED,
        ftol=1e-14, gtol=1e-9, maxcor=None, maxls=None, eps=None, finite_diff_rel_step=None,
    ),
    _declare_method(
        "TNC", "truncated Newton with finite differences", maxfun=UNLIMITED, ftol=1e-14, gtol=1e-9,
        xtol=0.0, eps=None, eta=None, stepmx=None, rescale=None, finite_diff_rel_step=None,
    ),
    _declare_method(
        "COBYLA", "linear models in a trust region", maxiter=UNLIMITED, rhobeg=None, tol=1e-9,
        first_step=0.1,
    ),
    _declare_method(
        "COBYQA", "quadratic models in a trust region", maxfev=UNLIMITED, maxiter=UNLIMITED,
        initial_tr_radius=None, final_tr_radius=1e-9, scale=None, first_step=0.1,
    ),
    _declare_method(
        "SLSQP", "sequential quadratic programming with finite differences", maxiter=UNLIMITED,
        ftol=1e-13, eps=None, finite_diff_rel_step=None,
    ),
    _declare_method(
        "trust-constr", "trust region, interior point, finite differences", maxiter=UNLIMITED,
        gtol=1e-9, xtol=1e-9, barrier_tol=1e-9, initial_tr_radius=None,
        initial_barrier_parameter=None, finite_diff_rel_step=None,
    ),
    _declare_function(
        "differential_evolution", "differential evolution", differential_evolution, "vectorized",
        strategy="best1bin", popsize=15, mutation=(0.5, 1.0), recombination=0.7, tol=0.0, atol=1e-9,
        maxiter=UNLIMITED, init="latinhypercube", polish=False, vectorized=False, workers=1,
    ),
    _declare_function(
        "dual_annealing", "annealing with local searches", maxiter=1000, initial_temp=5230.0,
        visit=2.62, accept=-5.0, no_local_search=False,
    ),
    _declare_function(
        "direct", "dividing rectangles", eps=1e-4, maxfun=None, maxiter=_DIRECT_LIMIT,
        locally_biased=True, vol_tol=0.0, len_tol=1e-9,
    ),
    _declare_function(
        "shgo", "simplicial homology, local searches", n=100, iters=1, sampling_method="simplicial",
    ),
    _declare_function(
        "basinhopping", "hops and local searches", basinhopping, niter=100, T=1.0, stepsize=0.5,
        method="L-BFGS-B", interval=50, niter_success=None,
    ),
))  # fmt: skip
