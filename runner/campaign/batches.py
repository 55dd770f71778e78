"""Divide a campaign into batches, which can be run on different machines.

A `Batch` is one of ``n`` parts of a campaign, chosen with the option ``batch``. It contains a share
of the campaign's problems, and all runs on these problems. Each batch writes its own log next to
the log of the campaign. The user merges the logs afterwards.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from ...suites.facts import ProblemId
from ..errors import CampaignError

_MAX_BATCHES = 100_000
_MAX_LENGTH = 40
"""Maximum length of an invalid batch in an error message, in characters."""
_PATTERN = re.compile(r"\s*(\d{1,6})\s*/\s*(\d{1,6})\s*", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Batch:
    """One of the parts of a campaign.

    Attributes:
        number: Number of this batch, counted from 1.
        batches: Total number of batches.
    """

    number: int
    batches: int

    def output(self, path: Path) -> Path:
        """Return the path of the batch's log, such as ``NAME.2-of-5.h5`` for batch 2/5.

        Args:
            path: Path of the campaign's log, ``NAME.h5``.
        """
        return path.with_name(f"{path.stem}.{self.number}-of-{self.batches}{path.suffix}")

    def __str__(self) -> str:
        return f"{self.number}/{self.batches}"

    def problems(self, problems: Iterable[ProblemId]) -> list[ProblemId]:
        """Return the problems of this batch.

        With ``n`` batches, the problem with index ``i``, counted from 0, belongs to batch
        ``(i + i // n) % n + 1``. The term ``i // n`` shifts the assignment by one batch after every
        ``n`` problems. Without it, a batch would get the same few functions in every dimension if
        ``n`` divides the number of functions, because functions change fastest in the plan.

        Args:
            problems: All problems of the campaign, in the order of the plan.
        """
        n = self.batches
        return [
            problem
            for index, problem in enumerate(problems)
            if (index + index // n) % n == self.number - 1
        ]


def parse_batch(text: object) -> Batch:
    """Read a batch from a text ``i/n``, which is batch ``i`` of ``n``.

    >>> parse_batch("2/5").output(Path("results/mine.h5")).name
    'mine.2-of-5.h5'

    Raises:
        CampaignError: The value is not a text of this form, or ``i`` is not between 1 and ``n``.
    """
    match = _PATTERN.fullmatch(text) if isinstance(text, str) else None
    batch = Batch(*map(int, match.groups())) if match else None
    if batch is None or not 1 <= batch.number <= batch.batches <= _MAX_BATCHES:
        raise CampaignError(
            f"batch {str(text)[:_MAX_LENGTH]!r} is none; write i/n, such as 2/5, with i from 1 to n"
        )
    return batch


def batch_logs(path: Path) -> dict[Batch, Path]:
    """Find the logs of batches next to the log of their campaign.

    Args:
        path: Path of the campaign's log, ``NAME.h5``. The file need not exist.

    Returns:
        Path of the log of each batch, sorted by batch. A batch that has only begun has journals in
        a folder ``….h5.parts``, but no file at this path yet.
    """
    pattern = re.compile(rf"{re.escape(path.stem)}\.(\d{{1,6}})-of-(\d{{1,6}})\.h5(?:\.parts)?")
    matches = (pattern.fullmatch(log.name) for log in path.parent.glob("*-of-*.h5*"))
    batches = sorted({Batch(int(match[1]), int(match[2])) for match in matches if match})
    return {batch: batch.output(path) for batch in batches}
