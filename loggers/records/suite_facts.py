"""What a log says of a suite: its version, and how runs on it were measured."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...suites import Problem
from ...suites.measurement import STANDARD, Measurement


@dataclass(frozen=True, slots=True)
class SuiteFacts:
    """A suite as its runs are recorded.

    Attributes:
        name: Of the suite.
        version: Of its definition; values never change under one version.
        measurement: The indicator that was recorded, and the targets that apply to it.
    """

    name: str
    version: str = "1"
    measurement: Measurement = field(default=STANDARD)

    @classmethod
    def of(cls, problem: Problem, indicator: str | None = None) -> SuiteFacts:
        """The facts of a problem's suite.

        Args:
            problem: Any problem.
            indicator: The one recorded instead of the suite's own; None for that.
        """
        measurement = problem.measurement
        if indicator is not None and indicator != measurement.indicator:
            final = measurement.final_target if problem.number_of_objectives == 1 else None
            measurement = Measurement(indicator, measurement.targets, final)
        return cls(problem.suite, problem.suite_version, measurement)
