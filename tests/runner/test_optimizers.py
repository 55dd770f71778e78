"""Optimizers from texts, callables and classes: what is accepted, called and refused.

Private names: a run is made that no plan has checked, and references are resolved without a run.
"""

import importlib

import numpy as np
import pytest

from firsthit.loggers.records.log_header import self_provenance
from firsthit.runner import OptimizerError
from firsthit.runner.campaign.budget import parse_budget
from firsthit.runner.campaign.campaign import RunRules, RunSpec
from firsthit.runner.execution.run import run_one
from firsthit.runner.optimizers.resolve import (
    BUILT_IN,
    OptimizerRef,
    optimizer_ref,
    resolve_optimizer,
)
from firsthit.suites import Suite, problem_from


@pytest.mark.parametrize(
    "name",
    ["scipy:Nelder-Mead", "scipy:Powell", "scipy:CG", "scipy:BFGS", "scipy:L-BFGS-B", "scipy:TNC",
     "scipy:SLSQP", "scipy:COBYLA", "scipy:COBYQA", "scipy:differential_evolution",
     "scipy:dual_annealing", "cma:fmin2", "cma:CMA-ES", "cmaes:CMA", "nlopt:LN_SBPLX",
     "nlopt:LN_BOBYQA", "pygmo:sade", "pymoo:DE"],
)  # fmt: skip
def test_without_budget_a_built_in_ends_by_itself(name, go):
    """At the optimum of a sphere: tolerances are as fine as the final target needs."""
    record = go(name, None, final_target=False)
    assert record.status == "terminated", record.error
    assert record.best_precision < 1e-6


@pytest.mark.parametrize(
    "name", ["random-search", "optuna:TPE", "nevergrad:PSO", "nlopt:GN_ESCH", "pygmo:gwo"]
)
def test_what_never_ends_is_marked_as_such(name, go):
    """``needs_budget`` is what campaigns refuse to run without a budget."""
    assert BUILT_IN[name].needs_budget
    assert go(name, 40, final_target=False).status == "budget"


def test_random_search_evaluates_batches_and_keeps_the_budget(go):
    record = go("random-search", 777, parameters={"batch_size": 100})
    assert (record.status, record.evaluations) == ("budget", 777)
    assert go("random-search", 777, parameters={"batch_size": 0}).status == "failed"


def test_ask_and_tell_with_single_points(go):
    class OneByOne:
        def __init__(self, x0, rng):
            self.x, self.y, self.rng, self.asked = x0, np.inf, rng, None

        def ask(self):
            self.asked = self.x + self.rng.standard_normal(len(self.x))
            return self.asked

        def tell(self, x, value):
            assert x is self.asked
            assert isinstance(value, float)
            if value < self.y:
                self.x, self.y = x, value

    assert go(OneByOne, 200).status == "budget"
    record = go(OneByOne, None)
    assert record.status == "failed"
    assert "OneByOne has ask() and tell() but no stop(): give the run a budget" in record.error


def test_ask_and_tell_with_populations_and_stop(go):
    class Population:
        def __init__(self, problem, seed):
            self.rng, self.problem, self.left = np.random.default_rng(seed), problem, 3

        def ask(self):
            return [self.rng.uniform(-5, 5, self.problem.dimension) for _ in range(7)]

        def tell(self, points, values):
            assert values.shape == (7,)
            self.left -= 1

        def stop(self):
            return {"left": 0} if self.left == 0 else {}

    record = go(Population, None, restarts=2)
    assert (record.status, record.evaluations) == ("terminated", 63)
    assert record.restarts["reason"].tolist() == [b"left", b"left"]


def test_ask_that_returns_nothing_fails(go):
    class Empty:
        def ask(self):
            return []

        def tell(self, points, values):
            pass

    record = go(lambda problem: Empty(), 100)
    assert record.status == "failed"
    assert "Empty.ask() returned no points" in record.error


def test_pycma_as_ask_and_tell(go):
    cma = importlib.import_module("cma")
    parameters = {"sigma0": 1.0, "inopts": {"verbose": -9}}
    assert go(cma.CMAEvolutionStrategy, 2000, parameters=parameters).status == "target"


@pytest.mark.parametrize(
    ("name", "suite", "sentence"),
    [
        ("bits:RLS", "bbob", "it takes bits, but the variables of this problem are not bits"),
        ("scipy:Powell", "bbob-constrained", "it does not know constraints; give its parameter"),
    ],
)
def test_a_run_that_no_plan_has_checked_fails_with_a_sentence(name, suite, sentence):
    problem = Suite(suite, 1, 2, 1)[0]
    record = run_one(RunSpec(problem, optimizer_ref(name), RunRules(parse_budget(10))))
    assert record.status == "failed"
    assert sentence in record.error


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ("random-serch", r"unknown optimizer 'random-serch'. Did you mean 'random-search'\?"),
        ("scipy:nelder-mead", r"Did you mean 'scipy:Nelder-Mead'\? Known: scipy:Nelder"),
        ("scipy:Newton", r"unknown optimizer 'scipy:Newton'.*Others are written 'module:function'"),
        ("", "unknown optimizer ''"),
        ("no_such_module:solve", "no module 'no_such_module' is installed"),
        ("toy:walk", r"no module 'toy' is installed.*Did you mean 'toy.py:walk'\?"),
        (
            "cma:CMAEvolutionStrategy",
            r"requires the argument 'sigma0'.* Built in are cma:fmin2, cma:",
        ),
        ("toy.py:wlak", r"unknown name 'wlak'. Did you mean 'walk'\?"),
        ("toy.py:number", r"'toy.py:number' is int, not callable"),
        ("tyo.py:walk", r"there is no file '.*tyo.py'. Did you mean 'toy.py'\?"),
        ("toy.py:", r"unknown optimizer|'toy.py:' is not a reference"),
        ("toy.py:a b", "is not a reference; write 'module:function' or 'path/file.py:function'"),
        ("os.system('x'):y", "is not a reference"),
        ("broken.py:solve", "importing '.*broken.py' failed: ZeroDivisionError: division by zero"),
        ("quits.py:solve", "importing '.*quits.py' failed: SystemExit: 3"),
        ("syntax.py:solve", "importing '.*syntax.py' failed: SyntaxError"),
    ],
)
def test_a_reference_that_leads_nowhere_says_why(given, sentence, folder):
    (folder / "broken.py").write_text("1 / 0\n")
    (folder / "quits.py").write_text("import sys\nsys.exit(3)\n")
    (folder / "syntax.py").write_text("def\n")
    with pytest.raises(OptimizerError, match=sentence):
        resolve_optimizer(OptimizerRef("x", given, folder=str(folder)))


def test_what_asks_for_no_problem_fails_in_its_run(folder, go):
    record = go(OptimizerRef("x", "toy.py:asks", folder=str(folder)), 10)
    assert record.status == "failed"
    assert "the optimizer returned without evaluating the problem" in record.error


@pytest.mark.parametrize("given", [3, None, [1], {"a": 1}, object()])
def test_what_is_no_optimizer(given):
    with pytest.raises(OptimizerError, match=r"an optimizer is a callable.*got .* of type"):
        optimizer_ref(given)


def test_an_ask_tell_object_cannot_be_restarted():
    class Solver:
        ask = tell = lambda self: None

    with pytest.raises(OptimizerError, match=r"one Solver object .* give what makes it: the class"):
        optimizer_ref(Solver())


def test_a_missing_package_says_what_to_install(monkeypatch):
    monkeypatch.setattr(
        "firsthit.runner.optimizers.adapters.built_in.importlib.util.find_spec", lambda name: None
    )
    with pytest.raises(
        OptimizerError, match=r"needs the package 'cma': pip install 'firsthit\[solvers\]'"
    ):
        resolve_optimizer(optimizer_ref("cma:fmin2"))


def test_the_description_tells_parameters_and_the_files_content(folder):
    ref = OptimizerRef("x", "toy.py:walk", {"step": 0.1}, folder=str(folder))
    facts = ref.description()
    assert facts["parameters"] == {"step": 0.1}
    assert len(facts["file_sha256"]) == 64
    assert OptimizerRef("y", lambda f: f, {"p": object}).description()["use"].endswith("<lambda>")


def test_files_find_their_neighbours(folder, go):
    (folder / "helper_of_neighbour.py").write_text("STEP = 0.25\n")
    (folder / "other_helper.py").write_text("")
    (folder / "neighbour.py").write_text(
        "from helper_of_neighbour import STEP\n\n"
        "def solve(f):\n    import other_helper\n    f(f.initial_solution + STEP)\n"
    )
    ref = OptimizerRef("n", "neighbour.py:solve", folder=str(folder))
    assert go(ref, 10).evaluations == 10


def test_first_steps_are_scaled_to_the_box(go):
    """Nelder-Mead, COBYLA and COBYQA in a box of width 1000, from its middle, where x is 0."""

    wide = problem_from(lambda x: float(((x - 300) ** 2).sum()), 4, lower_bounds=-500.0,
                        upper_bounds=500.0, optimal_value=0.0)  # fmt: skip
    spent = {
        (name, step): go(name, 5000, problem=wide, parameters=dict(step)).evaluations
        for name in ("scipy:Nelder-Mead", "scipy:COBYLA")
        for step in ((), (("first_step", None),))
    }
    assert 2 * spent["scipy:Nelder-Mead", ()] < spent["scipy:Nelder-Mead", (("first_step", None),)]
    assert spent["scipy:COBYLA", ()] != spent["scipy:COBYLA", (("first_step", None),)]
    failed = go("scipy:COBYQA", 50, problem=wide, parameters={"first_step": 7})
    assert "first_step is a share of the bounds' width, in (0, 1]; got 7" in failed.error


def test_the_first_simplex_goes_inwards_at_a_bound_and_reaches_other_integers():
    from firsthit.runner.optimizers.adapters.built_in import first_steps
    from firsthit.runner.optimizers.adapters.scipy import simplex

    problem = problem_from(lambda x: 0.0, 3, integer_variables=1, lower_bounds=[0, -5, -5],
                           upper_bounds=[3, 5, 5])  # fmt: skip
    steps = first_steps(problem, 0.1)
    assert steps.tolist() == [1.0, 1.0, 1.0]
    edges = simplex(problem, np.array([3.0, 0.0, 4.5]), steps)
    assert edges.tolist() == [[3, 0, 4.5], [2, 0, 4.5], [3, 1, 4.5], [3, 0, 3.5]]


def test_logs_name_the_versions_of_all_packages_of_optimizers():
    packages = {package for one in BUILT_IN.values() for package in one.packages}
    solvers = {package for package in packages if package.install == "'firsthit[solvers]'"}
    versions = self_provenance()["versions"]
    for package in solvers:
        assert versions.get(package.distribution, "") == package.version, package.distribution
    assert len(solvers) > 8
