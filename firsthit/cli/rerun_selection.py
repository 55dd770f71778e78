"""Select the runs of a log or report that ``firsthit rerun`` makes again and compares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ..suites.errors import FirsthitError, UnknownNameError
from ..suites.selection import parse_selection

if TYPE_CHECKING:
    from ..assessment.report.source import Fingerprint
    from ..loggers import Log
    from ..runner.campaign.campaign import Campaign

_NUMBERS = ("function", "dimension")


class RerunError(FirsthitError, ValueError):
    """The runs of a report or a log cannot be made again."""


@dataclass(frozen=True)
class SelectedRuns:
    """The runs that are made again.

    Attributes:
        first_hits: Fingerprints of the runs.
        keys: Keys of the runs. None: all runs of the campaigns.
        instances: Selected instances by suite. None: all instances of the campaigns.
        is_part: Whether selectors left out runs, so that campaigns must be narrowed.
    """

    first_hits: Sequence[Fingerprint]
    keys: NDArray[np.str_] | None = None
    instances: Mapping[str, set[int]] | None = None
    is_part: bool = False

    def narrow(self, campaign: Campaign) -> Campaign | None:
        """Return a campaign without the suites, numbers and optimizers that are not selected.

        Args:
            campaign: The campaign of a header. Its suites have numbers.

        Returns:
            The campaign, with at least the selected runs. None: it has no selected runs.

        Raises:
            RerunError: The campaign is a batch and the source is a report, which does not tell the
                instances.
        """
        if not self.is_part:
            return campaign
        if campaign.batch is not None and self.keys is None:
            raise RerunError(
                "the report is of a batch of a campaign; select runs with the log instead"
            )
        names = {cell.algorithm for cell in self.first_hits}
        optimizers = tuple(ref for ref in campaign.optimizers if ref.name in names)
        suites = []
        for choice in campaign.suites:
            cells = [cell for cell in self.first_hits if cell.suite == choice.name]
            functions = _intersect(choice.functions, {cell.function for cell in cells})
            dimensions = _intersect(choice.dimensions, {cell.dimension for cell in cells})
            instances = choice.instances
            if self.instances is not None:
                instances = _intersect(instances, self.instances.get(choice.name, set()))
            if functions and dimensions and instances:
                suites.append(replace(choice, functions=functions, dimensions=dimensions,
                                      instances=instances))  # fmt: skip
        if not suites or not optimizers:
            return None
        # A batch depends on the other problems of the campaign. Without it, runs of other batches
        # may be made, too; `compared_runs` leaves them out.
        return replace(campaign, suites=tuple(suites), optimizers=optimizers, batch=None)

    def compared_runs(self, log: Log) -> Log:
        """Return the runs of a new log that are compared."""
        return log if self.keys is None else log.take(np.isin(log.runs["key"], self.keys))


def select_from_log(log: Log, selectors: Mapping[str, Any]) -> SelectedRuns:
    """Select runs of a log; see `select_runs`. Without selectors all runs are selected."""
    from ..assessment.report.source import fingerprints
    from ..assessment.selection import select_runs, split_names

    if not any(selectors.values()):
        return SelectedRuns(fingerprints(log))
    names = {
        key: split_names(selectors[key], log.runs.codes(key.removesuffix("s"))[0])
        for key in ("algorithms", "suites")
    }
    selected = log.take(select_runs(log, **{**selectors, **names}))
    suites, instances = selected.runs["suite"], selected.runs["instance"]
    by_suite = {str(name): set(instances[suites == name].tolist()) for name in np.unique(suites)}
    return SelectedRuns(fingerprints(selected), np.array(selected.runs["key"]), by_suite, True)


def select_from_report(
    first_hits: Sequence[Fingerprint], selectors: Mapping[str, Any]
) -> SelectedRuns:
    """Select runs of a report by algorithm, suite, function and dimension.

    Raises:
        RerunError: Instances are selected, or no run fits all selectors.
        UnknownNameError: The report has no such algorithm or suite.
        SelectionError: The report has no such function or dimension.
    """
    from ..assessment.selection import split_names

    if not any(selectors.values()):
        return SelectedRuns(first_hits)
    if selectors["instances"] is not None:
        raise RerunError(
            "a report has no first hits of single instances; select instances with the log instead"
        )
    cells = list(first_hits)
    for column in ("algorithm", "suite"):
        existing_names = sorted({getattr(cell, column) for cell in first_hits})
        names = split_names(selectors[f"{column}s"], existing_names)
        for name in names or ():
            if name not in existing_names:
                raise UnknownNameError.of(column, name, existing_names)
        cells = [cell for cell in cells if names is None or getattr(cell, column) in names]
    for column in _NUMBERS:
        if (requested := selectors[f"{column}s"]) is not None:
            available = sorted({getattr(cell, column) for cell in first_hits})
            numbers = parse_selection(requested, available, f"{column}s", "the report")
            cells = [cell for cell in cells if getattr(cell, column) in numbers]
    if not cells:
        raise RerunError("no run of the report fits all selectors at once")
    return SelectedRuns(cells, is_part=True)


def _intersect(numbers: Iterable[int] | None, selected: set[int]) -> tuple[int, ...]:
    """Return the selected ones of a suite's numbers; None stands for all numbers."""
    return tuple(sorted(selected if numbers is None else selected.intersection(numbers)))
