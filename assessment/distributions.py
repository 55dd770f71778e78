"""Runtime profiles of algorithms from their trials: curves, crosses and dots, as a table."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, get_args

import numpy as np

from .errors import AssessmentError
from .profiles import (
    budget_grid,
    cross_budget,
    ecdf_over_functions,
    longest_unsuccessful,
    solved_pairs,
)
from .runtimes import Floats, simulated_runtimes
from .table import Table, Value, aligned, table_of, text
from .trials import Trials, notes_on

GroupBy = Literal["function", "group", "all"]
ECDF_COLUMNS = ("algorithm", "suite", "dimension", "group", "evaluations_per_dimension", "fraction")


@dataclass(frozen=True)
class Simulation:
    """How runtimes are simulated: the seed, and the least number of samples of each pair.

    The samples of a pair are the smallest multiple of its runs that is at least ``samples``, so
    that each run starts equally many of them.
    """

    seed: int = 1
    samples: int = 100

    def __post_init__(self) -> None:
        for name, least in (("seed", 0), ("samples", 1)):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, int) or value < least:
                raise AssessmentError(f"{name} is {value!r}, must be an integer >= {least}")


@dataclass(frozen=True, eq=False)
class Profile:
    """One curve: an algorithm in one dimension, over the function-target pairs of one group.

    Attributes:
        algorithm: Name of the algorithm.
        suite: Name of the suite.
        dimension: Number of variables.
        group: ``"all"``, a group's name, or a function such as ``"f003"``.
        functions: Numbers of the functions, ascending.
        targets: Precisions, easiest first.
        instances: Numbers of the instances that were run, ascending.
        budgets: Evaluations / dimension, shape ``(n_budgets,)``, ascending.
        fraction: Share of the simulated runtimes that are at most the budget, ``(n_budgets,)``.
        cross: (budget, fraction) at the median over functions of the longest unsuccessful runs;
            None where every run reached the hardest target.
        dot: (budget, fraction) at the last simulated runtime: the share of pairs that were solved
            at all; None where there are none.
        solved: Number of pairs that at least one run solved.
    """

    algorithm: str
    suite: str
    dimension: int
    group: str
    functions: tuple[int, ...]
    targets: tuple[float, ...]
    instances: tuple[int, ...]
    budgets: Floats
    fraction: Floats
    cross: tuple[float, float] | None
    dot: tuple[float, float] | None
    solved: int

    @property
    def pairs(self) -> int:
        """Number of function-target pairs."""
        return len(self.functions) * len(self.targets)

    def at(self, budget: float) -> float:
        """Fraction at the largest tabulated budget up to ``budget``; 0 before the first."""
        i = int(np.searchsorted(self.budgets, budget, side="right"))
        return float(self.fraction[i - 1]) if i else 0.0


@dataclass(frozen=True, eq=False)
class EcdfTable(Table):
    """Runtime profiles; as text, one line for each curve with its fractions at decades of budget.

    Columns: ``algorithm, suite, dimension, group, evaluations_per_dimension, fraction``. Budgets
    are ``10**(k/50)``, the same for all curves; each begins below its first step and ends at or
    above its last, after which the fraction stays.

    Attributes:
        profiles: The curves with their crosses, dots, functions and instances.
    """

    profiles: tuple[Profile, ...] = ()

    def __str__(self) -> str:
        last = max((p.budgets[-1] for p in self.profiles), default=1.0)
        decades = range(max(int(np.ceil(np.log10(last) - 1e-9)), 0) + 1)
        heads = [*ECDF_COLUMNS[:4], *(f"<=1e{n}" for n in decades), "solved pairs", "cross at"]
        lines = []
        for p in self.profiles:
            name = [text(p.algorithm), text(p.suite), str(p.dimension), text(p.group)]
            fractions = [f"{p.at(float(f'1e{n}')):.3f}" for n in decades]
            cross = text(p.cross[0]) if p.cross else "-"
            lines.append([*name, *fractions, f"{p.solved}/{p.pairs}", cross])
        return aligned(heads, lines)


def ecdf_table(
    trials: Iterable[Trials], targets: Sequence[float], group_by: str, simulation: Simulation
) -> EcdfTable:
    """Profiles of all trials, one for each algorithm, suite, dimension and group of functions.

    Args:
        trials: Each algorithm, function and dimension once.
        targets: Precisions, easiest first.
        group_by: What a curve spans: one ``"function"``, a ``"group"`` of the suite, or ``"all"``
            functions; never several dimensions.
        simulation: Seed and samples.

    Raises:
        AssessmentError: ``group_by`` is none of the three.
    """
    if group_by not in get_args(GroupBy):
        raise AssessmentError(f"group-by is {group_by!r}, must be one of function, group, all")
    data = list(trials)
    groups: dict[tuple[str, str, int, int], list[Trials]] = {}
    first: dict[tuple[str, str], int] = {}
    for one in sorted(data, key=lambda t: t.function):
        rank = first.setdefault((one.suite, _group(one, group_by)), one.function)
        groups.setdefault((one.algorithm, one.suite, one.dimension, rank), []).append(one)
    profiles = tuple(
        _profile(groups[key], tuple(targets), group_by, simulation) for key in sorted(groups)
    )
    rows: list[list[Value]] = []
    for p in profiles:
        for budget, fraction in zip(p.budgets.tolist(), p.fraction.tolist(), strict=True):
            rows.append([p.algorithm, p.suite, p.dimension, p.group, budget, fraction])
    return EcdfTable(table_of(ECDF_COLUMNS, rows), notes_on(data, targets), profiles)


def _group(one: Trials, group_by: str) -> str:
    return {"function": f"f{one.function:03d}", "group": one.group, "all": "all"}[group_by]


def _profile(
    data: list[Trials], targets: tuple[float, ...], group_by: str, simulation: Simulation
) -> Profile:
    one, dimension = data[0], data[0].dimension
    runtimes = [_simulated(t, simulation) / dimension for t in data]
    budgets = budget_grid(runtimes)
    cross = cross_budget([longest_unsuccessful(t.hits, t.spent) for t in data]) / dimension
    last = max(float(r[np.isfinite(r)].max(initial=0.0)) for r in runtimes)

    def point(budget: float) -> tuple[float, float]:
        return budget, float(ecdf_over_functions(runtimes, [budget])[0])

    return Profile(
        algorithm=one.algorithm,
        suite=one.suite,
        dimension=dimension,
        group=_group(one, group_by),
        functions=tuple(t.function for t in data),
        targets=targets,
        instances=tuple(sorted({i for t in data for i in t.instances.tolist()})),
        budgets=budgets,
        fraction=ecdf_over_functions(runtimes, budgets),
        cross=point(cross) if np.isfinite(cross) else None,
        dot=point(last) if last > 0 else None,
        solved=sum(int(solved_pairs(t.hits).sum()) for t in data),
    )


def _simulated(one: Trials, simulation: Simulation) -> Floats:
    n_runs = len(one.spent)
    samples = -(-simulation.samples // n_runs) * n_runs
    return simulated_runtimes(one.hits, one.spent, samples, one.rng(simulation.seed))
