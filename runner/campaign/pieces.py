"""Pieces of a campaign: run apart, on any machines, into logs that are merged afterwards."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ...suites import ProblemId
from ..errors import CampaignError
from .campaign import RunSpec

_MOST = 100_000
_FORM = re.compile(r"\s*(\d{1,6})\s*/\s*(\d{1,6})\s*", re.ASCII)


@dataclass(frozen=True, slots=True)
class Batch:
    """Piece ``number`` of ``pieces``, counted from 1."""

    number: int
    pieces: int

    def output(self, path: Path) -> Path:
        """The piece's own log, beside that of the campaign: ``NAME.2-of-5.h5``."""
        return path.with_name(f"{path.stem}.{self.number}-of-{self.pieces}{path.suffix}")

    def __str__(self) -> str:
        return f"{self.number}/{self.pieces}"


def parse_batch(text: str) -> Batch:
    """Read ``i/n``.

    Raises:
        CampaignError: It is something else.

    >>> parse_batch("2/5").output(Path("results/mine.h5")).name
    'mine.2-of-5.h5'
    """
    match = _FORM.fullmatch(text)
    batch = Batch(*map(int, match.groups())) if match else None
    if batch is None or not 1 <= batch.number <= batch.pieces <= _MOST:
        raise CampaignError(
            f"option --batch: {text[:40]!r} is no piece; write i/n, such as 2/5, with i from 1 to n"
        )
    return batch


def piece(runs: Sequence[RunSpec], batch: Batch) -> list[RunSpec]:
    """The runs of one piece: all runs on the problems that are its own.

    Problems are dealt out like cards, in the order of the plan, each round beginning one piece
    later: so every piece has its share of every dimension and function. It depends on nothing but
    the plan.

    Raises:
        CampaignError: There are more pieces than problems, and this one is empty.
    """
    ranks: dict[ProblemId, int] = {}
    for run in runs:
        ranks.setdefault(run.problem_id, len(ranks))
    own = {
        problem
        for problem, rank in ranks.items()
        if (rank + rank // batch.pieces) % batch.pieces == batch.number - 1
    }
    if not own:
        raise CampaignError(
            f"option --batch: piece {batch} is empty, as there are {len(ranks)} problems; "
            "use at most as many pieces"
        )
    return [run for run in runs if run.problem_id in own]
