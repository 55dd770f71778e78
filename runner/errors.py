"""Errors of the runner; below ``FirsthitError``, each also a builtin."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

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


class ClusterError(CampaignError):
    """A cluster that cannot be reached, or not any more."""


class WorkerDied(FirsthitError, RuntimeError):
    """The process that worked on a task ended before it answered.

    ``files`` are those that it left in its folder, by relative path; empty where nothing is known,
    because its machine is gone.
    """

    def __init__(
        self, text: str, is_overdue: bool = False, files: Mapping[str, bytes] | None = None
    ) -> None:
        super().__init__(text)
        self.is_overdue = is_overdue  # it was ended because it took too long
        self.files = files or {}


class FirsthitWarning(UserWarning):
    """Something that does not end a call, but should not be overlooked: runs that failed."""
