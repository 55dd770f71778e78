"""Errors of the runner; below ``FirsthitError``, each also a builtin."""

from __future__ import annotations

from collections.abc import Sequence

from ..loggers.observation.flight import Flight
from ..suites import FirsthitError


class OptimizerError(FirsthitError, ValueError):
    """An optimizer that cannot be found, cannot be called as given, or does not fit its parameters.

    Attributes:
        parameter: The parameter that does not fit, where one is to blame.
    """

    def __init__(self, text: str, parameter: str | None = None) -> None:
        super().__init__(text)
        self.parameter = parameter


class CampaignError(FirsthitError, ValueError):
    """A campaign that cannot run; one line per problem.

    Attributes:
        problems: The lines, each ``FILE:line:column: sentence`` where a place is known.
    """

    def __init__(self, problems: Sequence[str] | str) -> None:
        self.problems = (problems,) if isinstance(problems, str) else tuple(problems)
        count = len(self.problems)
        heading = [f"{count} problems"] if count > 1 else []
        super().__init__("\n".join([*heading, *self.problems]))

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.problems,))


class ClusterError(CampaignError):
    """A cluster that cannot be reached, or not any more."""


class WorkerDied(FirsthitError, RuntimeError):
    """The process that worked on a task ended before it answered.

    Attributes:
        is_overdue: It was ended because it took too long.
        flight: What the run at hand had reached.
    """

    def __init__(self, text: str, is_overdue: bool = False, flight: Flight | None = None) -> None:
        super().__init__(text)
        self.is_overdue = is_overdue
        self.flight = flight or Flight()

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (*self.args, self.is_overdue, self.flight))
