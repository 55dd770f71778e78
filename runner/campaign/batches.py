"""Batches of a campaign: run apart, on any machines, into logs that are merged afterwards."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...suites.facts import ProblemId
from ..errors import CampaignError

_MOST = 100_000
_FORM = re.compile(r"\s*(\d{1,6})\s*/\s*(\d{1,6})\s*", re.ASCII)


@dataclass(frozen=True, slots=True, order=True)
class Batch:
    """Batch ``number`` of ``batches``, counted from 1."""

    number: int
    batches: int

    def output(self, path: Path) -> Path:
        """The batch's own log, beside that of the campaign: ``NAME.2-of-5.h5``."""
        return path.with_name(f"{path.stem}.{self.number}-of-{self.batches}{path.suffix}")

    def __str__(self) -> str:
        return f"{self.number}/{self.batches}"

    def problems(self, problems: Iterable[ProblemId]) -> list[ProblemId]:
        """Its share of a campaign's problems; a batch makes all runs on them.

        Problem number ``r`` of the plan, counted from 0, belongs to batch ``r + r // n`` modulo
        ``n``: the shift by one after each round gives every batch its share of every dimension
        and function.
        """
        n = self.batches
        return [p for rank, p in enumerate(problems) if (rank + rank // n) % n == self.number - 1]


def parse_batch(text: object) -> Batch:
    """Read ``i/n``.

    >>> parse_batch("2/5").output(Path("results/mine.h5")).name
    'mine.2-of-5.h5'
    """
    match = _FORM.fullmatch(text) if isinstance(text, str) else None
    batch = Batch(*map(int, match.groups())) if match else None
    if batch is None or not 1 <= batch.number <= batch.batches <= _MOST:
        raise CampaignError(
            f"batch {str(text)[:40]!r} is none; write i/n, such as 2/5, with i from 1 to n"
        )
    return batch


def batch_logs(path: Path) -> dict[Batch, Path]:
    """The logs of batches beside a campaign's log, those that are being written included."""
    form = re.compile(rf"{re.escape(path.stem)}\.(\d{{1,6}})-of-(\d{{1,6}})\.h5(?:\.parts)?")
    matches = (form.fullmatch(name.name) for name in path.parent.glob("*-of-*.h5*"))
    batches = sorted({Batch(int(match[1]), int(match[2])) for match in matches if match})
    return {batch: batch.output(path) for batch in batches}


def missing_batches(headers: Sequence[Mapping[str, Any]]) -> dict[str, list[Batch]]:
    """The batches that logs with these headers lack to be whole campaigns, by campaign.

    One with a log without a batch, or with all batches of one division, lacks nothing.
    """
    found: dict[str, dict[int, set[int]]] = {}
    for header in headers:
        campaign = header.get("campaign") or {}
        divisions = found.setdefault(str(campaign.get("name")), {})
        if campaign.get("batch") is None:
            divisions.setdefault(1, set()).add(1)
        else:
            batch = parse_batch(campaign["batch"])
            divisions.setdefault(batch.batches, set()).add(batch.number)
    return {
        name: [
            Batch(i, n) for n, have in divisions.items() for i in range(1, n + 1) if i not in have
        ]
        for name, divisions in found.items()
        if all(len(have) < n for n, have in divisions.items())
    }
