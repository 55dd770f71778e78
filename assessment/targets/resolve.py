"""From what a user says to targets: numbers, text, tables, ways from data, references."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ...loggers import read_reference
from ...suites.errors import UnknownNameError
from ..data.run_sets import Choice, choose
from ..errors import AssessmentError
from .budgets import Budgets, parse_budgets
from .parse import Targets, parse_targets
from .runlength import TABLE_BUDGETS, ReferenceRuntimes
from .select import FROM_DATA, RULES, log_reference, runlength_table, targets_from_data
from .target_sets import TargetSet, TargetTable, common_set

if TYPE_CHECKING:
    from ...loggers import Log

Reference = str | Path | Sequence[str] | Iterable[ReferenceRuntimes]
WAYS = ("runlength", *FROM_DATA)
BEST = "best"


@dataclass(frozen=True)
class ChoiceOfTargets:
    """How targets of functions are chosen; see `Results.targets`."""

    way: str
    reference: Reference | None = None
    budgets: Budgets | None = None
    rule: str = "paper"

    def __post_init__(self) -> None:
        if self.way not in WAYS:
            raise UnknownNameError.of("way to choose targets", self.way, WAYS)
        if self.rule not in RULES:
            raise UnknownNameError.of("rule of run-length targets", self.rule, RULES)
        if self.way != "runlength" and (self.reference is not None or self.budgets is not None):
            raise AssessmentError(
                f"targets: {self.way} takes neither reference nor budgets; runlength does"
            )
        if self.way == "runlength" and self.reference is None:
            raise AssessmentError(
                "targets: run-length targets need a reference: an algorithm of the logs, 'best' "
                "for the best of them, or a file of COCO's reference data"
            )


def chosen_targets(log: Log, rows: NDArray[np.intp], choice: ChoiceOfTargets) -> TargetTable:
    """Targets of the functions and dimensions of ``rows``.

    Raises:
        AssessmentError: The reference has no data for a function and dimension.
    """
    for way in FROM_DATA:
        if choice.way == way:
            return targets_from_data(log, rows, way)
    assert choice.reference is not None
    budgets = TABLE_BUDGETS if choice.budgets is None else parse_budgets(choice.budgets)
    rule = RULES[RULES.index(choice.rule)]
    entries, name = reference_entries(log, rows, choice.reference)
    asked = set(zip(*(log.runs[n][rows].tolist() for n in _CELL), strict=True))
    found = [one for one in entries if (one.suite, one.function, one.dimension) in asked]
    missing = asked - {(one.suite, one.function, one.dimension) for one in found}
    if missing:
        suite, function, dimension = min(missing)
        raise AssessmentError(
            f"reference {name}: it has no data for f{function} of {suite} in {dimension}-D"
        )
    return runlength_table(found, budgets, rule, name)


def wanted_targets(
    log: Log, rows: NDArray[np.intp], value: Targets | TargetTable | None, default: Sequence[float]
) -> TargetSet:
    """What a question's ``targets`` mean: numbers, text, a table, or the name of a way from data.

    Args:
        log: Where the runs are.
        rows: The runs that the question chose.
        value: None for ``default``; else see `Results`.
        default: Precisions.

    Raises:
        AssessmentError: As `parse_targets`; or targets need a reference and come without.
    """
    if value is None:
        return common_set(default)
    if isinstance(value, TargetTable):
        return value.target_set
    if isinstance(value, str) and value in WAYS:
        return chosen_targets(log, rows, ChoiceOfTargets(value)).target_set
    return common_set(parse_targets(value))


_CELL = ("suite", "function", "dimension")


def reference_entries(
    log: Log, rows: NDArray[np.intp], reference: Reference
) -> tuple[list[ReferenceRuntimes], str]:
    """Entries of a reference, and its name."""
    if isinstance(reference, str | Path):
        return _named(log, rows, str(reference))
    given: list[Any] = list(reference)
    names = [one for one in given if isinstance(one, str)]
    if names and len(names) == len(given):
        return _of_algorithms(log, rows, names), f"the best of {', '.join(names)}"
    entries: list[ReferenceRuntimes] = [one for one in given if not isinstance(one, str)]
    return entries, "the reference given"


def _named(log: Log, rows: NDArray[np.intp], name: str) -> tuple[list[ReferenceRuntimes], str]:
    algorithms = log.runs.codes("algorithm")[0]
    if name in algorithms:
        return _of_algorithms(log, rows, [name]), name
    if name == BEST:
        return _of_algorithms(log, rows, algorithms), f"the best of {', '.join(algorithms)}"
    if Path(name).exists():
        return list(_read(Path(name))), Path(name).name.partition(".")[0]
    raise UnknownNameError.of("reference", name, [*algorithms, BEST])


def _read(path: Path) -> Sequence[ReferenceRuntimes]:
    """A file of reference data; an archive that was just read and is the same is not read again."""
    if path.is_file():
        facts = path.stat()
        return _of_archive(path, (facts.st_ino, facts.st_mtime_ns, facts.st_size))
    return read_reference(path)


@lru_cache(maxsize=2)
def _of_archive(path: Path, stamp: tuple[int, int, int]) -> Sequence[ReferenceRuntimes]:
    return read_reference(path)


def _of_algorithms(
    log: Log, rows: NDArray[np.intp], names: Sequence[str]
) -> list[ReferenceRuntimes]:
    """The best of algorithms of the log, on the functions and dimensions of ``rows``."""
    cells = {name: np.unique(log.runs[name][rows]).tolist() for name in _CELL}
    return list(log_reference(log, choose(log, Choice(names, **cells))))
