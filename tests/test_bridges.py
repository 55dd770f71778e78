"""A problem as another library's own: what it runs there is what a loop of one's own would."""

import importlib
import pickle

import numpy as np
import pytest

import firsthit
from firsthit.loggers import read_log
from firsthit.suites import Suite, problem_from

BBOB = Suite("bbob", [1, 8], 3, [1, 2])
BITS = Suite("pbo", [1, 2], 16, [1, 51])
MIXED = Suite("bbob-mixint", 1, 5, 1)
CONSTRAINED = Suite("bbob-constrained", 2, 2, 1)
TWO = Suite("bbob-biobj", 1, 2, 1)

pytestmark = [
    pytest.mark.filterwarnings("default:::nevergrad"),
    pytest.mark.filterwarnings("default:::pymoo"),
    pytest.mark.filterwarnings("default:::optuna"),
]


def logged(tmp_path, name, suite, run):
    with firsthit.Observer(tmp_path / f"{name}.h5", algorithm="same") as observer:
        for problem in observer(suite):
            run(problem)
    return read_log(tmp_path / f"{name}.h5")


def behind(suite, observed):
    """The problem itself, as the loop's owner has it."""
    return next(problem for problem in suite if problem.id == observed.id)


def assert_same_log(tmp_path, suite, bridged, own):
    """The runs of both have the same evaluations, hits and best solutions."""
    one, other = (logged(tmp_path, n, suite, f) for n, f in (("bridged", bridged), ("own", own)))
    assert len(one) == len(suite)
    assert one.runs.evaluations.min() > 1
    for name in ("key", "evaluations", "evaluations_constraints", "best_precision"):
        assert one.runs[name].tolist() == other.runs[name].tolist(), name
    for run in range(len(one)):
        for table in ("hits", "trajectory", "best_solution"):
            assert getattr(one, table)(run).tobytes() == getattr(other, table)(run).tobytes()


def test_scipy(tmp_path):
    from scipy.optimize import minimize

    def bridged(problem):
        f = firsthit.bridges.scipy(problem)
        minimize(f, f.x0, method="Nelder-Mead", bounds=f.bounds, constraints=f.constraints)

    def own(problem):
        bounds = list(zip(problem.lower_bounds, problem.upper_bounds, strict=True))
        minimize(
            lambda x: problem(x), problem.initial_solution, method="Nelder-Mead", bounds=bounds
        )

    assert_same_log(tmp_path, BBOB, bridged, own)


@pytest.mark.parametrize(("suite", "vectorized"), [(MIXED, False), (MIXED, True), (BITS, False)])
def test_scipy_with_integers_and_bits(tmp_path, suite, vectorized):
    from scipy.optimize import differential_evolution

    options = {"maxiter": 3, "popsize": 4, "rng": 1, "polish": False, "init": "random"}
    updating = "deferred" if vectorized else "immediate"

    def bridged(problem):
        f = firsthit.bridges.scipy(problem)
        differential_evolution(
            f, f.bounds, integrality=f.integrality, vectorized=vectorized, updating=updating,
            **options,
        )  # fmt: skip

    def own(problem):
        differential_evolution(
            lambda x: problem(x.T) if vectorized else problem(x), problem.bounds,
            integrality=np.arange(problem.dimension) < problem.number_of_integer_variables,
            vectorized=vectorized, updating=updating, **options,
        )  # fmt: skip

    assert_same_log(tmp_path, suite, bridged, own)


def test_scipy_with_constraints(tmp_path):
    from scipy.optimize import NonlinearConstraint, minimize

    def bridged(problem):
        f = firsthit.bridges.scipy(problem)
        minimize(f, f.x0, method="COBYLA", bounds=f.bounds, constraints=f.constraints)

    def own(problem):
        limits = NonlinearConstraint(problem.constraint, -np.inf, 0.0)
        minimize(
            lambda x: problem(x), problem.initial_solution, method="COBYLA",
            bounds=problem.bounds, constraints=limits,
        )  # fmt: skip

    one = logged(tmp_path, "bridged", CONSTRAINED, bridged)
    other = logged(tmp_path, "own", CONSTRAINED, own)
    for name in ("evaluations", "best_precision"):
        assert one.runs[name].tolist() == other.runs[name].tolist()
    assert 0 < one.runs.evaluations_constraints[0] <= other.runs.evaluations_constraints[0]


def test_scipy_has_one_objective():
    with pytest.raises(firsthit.FirsthitError, match="SciPy minimises one objective; there are"):
        firsthit.bridges.scipy(TWO[0])


@pytest.mark.slow
@pytest.mark.parametrize("suite", [MIXED, BITS, CONSTRAINED, TWO])
def test_optuna(tmp_path, suite):
    optuna = importlib.import_module("optuna")
    optuna.logging.set_verbosity(optuna.logging.WARNING)

    def study_of(problem):
        return optuna.create_study(
            sampler=optuna.samplers.TPESampler(seed=1),
            directions=["minimize"] * problem.number_of_objectives,
        )

    def bridged(problem):
        objective = firsthit.bridges.optuna(problem)
        assert objective.directions == ["minimize"] * problem.number_of_objectives
        study_of(problem).optimize(objective, n_trials=30)

    def own(problem):
        study, k = study_of(problem), problem.number_of_integer_variables
        low, high = problem.lower_bounds, problem.upper_bounds
        for _ in range(30):
            trial = study.ask()
            x = [
                trial.suggest_int(f"x{i}", int(low[i]), int(high[i]))
                if i < k
                else trial.suggest_float(f"x{i}", low[i], high[i])
                for i in range(problem.dimension)
            ]
            value = problem(np.array(x, dtype=float))
            if problem.number_of_constraints:
                for j, g in enumerate(problem.constraint(x)):
                    trial.set_constraint(f"g{j}", float(g))
            study.tell(trial, list(np.ravel(value)))

    assert_same_log(tmp_path, suite, bridged, own)


@pytest.mark.slow
@pytest.mark.parametrize("suite", [BBOB, MIXED, CONSTRAINED, TWO])
def test_pymoo(tmp_path, suite):
    from pymoo.algorithms.moo.nsga2 import NSGA2
    from pymoo.core.problem import Problem
    from pymoo.optimize import minimize

    class Mine(Problem):
        def __init__(self, problem):
            self.one = problem
            super().__init__(
                n_var=problem.dimension, n_obj=problem.number_of_objectives,
                n_ieq_constr=problem.number_of_constraints, xl=problem.lower_bounds,
                xu=problem.upper_bounds,
            )  # fmt: skip

        def _evaluate(self, x, out, *args, **kwargs):
            out["F"] = np.reshape(self.one(x), (len(x), -1))
            if self.n_ieq_constr:
                out["G"] = self.one.constraint(x)

    def bridged(problem):
        minimize(firsthit.bridges.pymoo(problem), NSGA2(pop_size=12), ("n_gen", 5), seed=1)

    def own(problem):
        minimize(Mine(problem), NSGA2(pop_size=12), ("n_gen", 5), seed=1)

    assert_same_log(tmp_path, suite, bridged, own)


@pytest.mark.slow
def test_pymoo_with_bits(tmp_path):
    from pymoo.algorithms.soo.nonconvex.ga import GA
    from pymoo.operators.crossover.pntx import TwoPointCrossover
    from pymoo.operators.mutation.bitflip import BitflipMutation
    from pymoo.operators.sampling.rnd import BinaryRandomSampling
    from pymoo.optimize import minimize

    def algorithm():
        return GA(
            pop_size=10, sampling=BinaryRandomSampling(), crossover=TwoPointCrossover(),
            mutation=BitflipMutation(),
        )  # fmt: skip

    def bridged(problem):
        minimize(firsthit.bridges.pymoo(problem), algorithm(), ("n_gen", 6), seed=3)

    def own(problem):
        one = algorithm()
        one.setup(firsthit.bridges.pymoo(behind(BITS, problem)), seed=3, termination=("n_gen", 6))
        while one.has_next():
            points = one.ask()
            problem(points.get("X"))
            one.evaluator.eval(one.problem, points)
            one.tell(points)

    assert firsthit.bridges.pymoo(BITS[0]).vtype is bool
    assert_same_log(tmp_path, BITS, bridged, own)


@pytest.mark.slow
@pytest.mark.parametrize("suite", [BBOB, MIXED, BITS, CONSTRAINED, TWO])
def test_nevergrad(tmp_path, suite):
    ng = importlib.import_module("nevergrad")

    def optimizer_for(space):
        space.random_state.seed(1)
        return ng.optimizers.registry["OnePlusOne"](space, budget=40)

    def bridged(problem):
        function = firsthit.bridges.nevergrad(problem)
        optimizer = optimizer_for(function.parametrization)
        optimizer.minimize(function, constraint_violation=function.constraint_violations)

    def own(problem):
        function = firsthit.bridges.nevergrad(behind(suite, problem))
        optimizer = optimizer_for(function.parametrization)
        for _ in range(40):
            candidate = optimizer.ask()
            x = np.hstack(candidate.args[0]).astype(float)
            value = problem(x)
            told = [float(value) if np.ndim(value) == 0 else value]
            if problem.number_of_constraints:
                told.append([np.maximum(problem.constraint(x), 0)])
            optimizer.tell(candidate, *told)

    assert_same_log(tmp_path, suite, bridged, own)


@pytest.mark.parametrize("bridge", ["optuna", "pymoo", "nevergrad"])
def test_infinite_bounds_are_refused_with_a_sentence(bridge):
    problem = problem_from(lambda x: 0.0, 2, lower_bounds=-np.inf, name="open")
    with pytest.raises(firsthit.FirsthitError, match="needs finite bounds; the problem has"):
        getattr(firsthit.bridges, bridge)(problem)


def test_a_budget_ends_the_library(tmp_path):
    from scipy.optimize import minimize

    def solve(problem):
        f = firsthit.bridges.scipy(problem)
        minimize(f, f.x0, method="Powell", bounds=f.bounds)

    results = firsthit.benchmark(solve, "bbob", functions=8, dimensions=3, instances=1, budget=50)
    assert results.log.runs.evaluations.tolist() == [50]
    assert results.log.runs.status.tolist() == ["budget"]


def test_pymoos_mixed_variables_are_integers_and_reals(tmp_path):
    from pymoo.core.mixed import MixedVariableGA
    from pymoo.optimize import minimize

    points = []

    def run(problem):
        bridge = firsthit.bridges.pymoo(problem)
        result = minimize(bridge, MixedVariableGA(pop_size=10), ("n_eval", 50), seed=1)
        points.extend([individual.X for individual in result.pop])

    log = logged(tmp_path, "mixed", MIXED, run)
    assert log.runs["evaluations"].tolist() == [50]
    n_integers = MIXED[0].number_of_integer_variables
    for point in points:
        values = [point[f"x{i}"] for i in range(MIXED[0].dimension)]
        assert all(float(value).is_integer() for value in values[:n_integers])


def test_workers_of_scipy_are_refused_in_one_sentence(tmp_path):
    from scipy.optimize import differential_evolution

    def run(problem):
        function = firsthit.bridges.scipy(problem)
        with pytest.raises(pickle.PicklingError, match=r"argument workers .* vectorized=True"):
            differential_evolution(function, function.bounds, workers=2, updating="deferred")
        problem(function.x0)

    assert logged(tmp_path, "workers", BBOB[:1], run).runs["evaluations"].tolist() == [1]
    unobserved = firsthit.bridges.scipy(BBOB[0])
    assert pickle.loads(pickle.dumps(unobserved))(unobserved.x0) == unobserved(unobserved.x0)
