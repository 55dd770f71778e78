"""What ``firsthit.score`` runs where a preset says it, and instances split into two parts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from .runner import CampaignError
from .suites import SelectionError, UnknownNameError, parse_selection
from .suites.selection import Selection, ranges

Part = Literal["train", "test"]
PARTS: tuple[Part, ...] = get_args(Part)


def checked_split(split: Mapping[str, Selection]) -> dict[Part, tuple[int, ...]]:
    """Instances that an algorithm is found on, and others that it is judged on.

    Args:
        split: ``train`` and ``test``, each an int, a list, a range or ``"1-5,7"``.

    Raises:
        UnknownNameError: It has another part.
        CampaignError: A part is missing.
        SelectionError: A part is empty or malformed, or an instance is in both.

    >>> checked_split({"train": "1-3", "test": [7, 8]})
    {'train': (1, 2, 3), 'test': (7, 8)}
    """
    for name in split:
        if name not in PARTS:
            raise UnknownNameError.of("part of the split", name, PARTS)
    if len(split) < len(PARTS):
        raise CampaignError("split: two parts are needed, such as train='1-5', test='6-15'")
    parts = {n: parse_selection(split[n], None, f"{n} instances", "split") for n in PARTS}
    if both := sorted({*parts["train"]} & {*parts["test"]}):
        raise SelectionError(
            f"split: instances {ranges(both)} are in both parts; how good an algorithm is on "
            "instances that it was found on says nothing of others"
        )
    return parts


PRESETS: dict[str, dict[str, Any]] = {
    # LLaMEA and BLADE (van Stein and Bäck 2024, arXiv:2405.20132): runs are not restarted
    "blade": {
        "suite": "bbob",
        "functions": "1-24",
        "dimensions": (2, 5),
        "budget": "2000*D",
        "lower": 1e-8,
        "upper": 1e2,
        "restarts": 0,
        "split": {"train": "1-5", "test": "6-15"},
    }
}


def filled(
    preset: str | None,
    split: Mapping[str, Selection] | None,
    part: Part | None,
    given: Mapping[str, Any],
) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Arguments of ``score``, with what a preset or a split says in place of None; and notes.

    Raises:
        UnknownNameError: There is no such preset or part.
        CampaignError: Something is said twice, or not at all.
    """
    if preset is not None and preset not in PRESETS:
        raise UnknownNameError.of("preset", preset, PRESETS)
    if part is not None and part not in PARTS:
        raise UnknownNameError.of("part of the split", part, PARTS)
    usual: Mapping[str, Any] = {"lower": 1e-8, "upper": 1e2} if preset is None else PRESETS[preset]
    arguments = {name: usual.get(name) if value is None else value for name, value in given.items()}
    notes: tuple[str, ...] = ()
    if preset is not None:
        other = [name for name, value in given.items() if value is not None and name in usual]
        notes = (f"preset {preset}" + f", but another {', '.join(other)}" * bool(other) + ".",)
    split = split or usual.get("split")
    if split is None and part is not None:
        raise CampaignError(f"score: part {part!r} of which split? Name a split or a preset")
    if split is not None:
        if given["instances"] is not None:
            raise CampaignError("score: instances: the split says which; leave them or it out")
        part = part or "train"
        arguments["instances"] = instances = checked_split(split)[part]
        notes += (f"instances {ranges(instances)}, to {part}.",)
    for name in ("suite", "budget"):
        if arguments[name] is None:
            raise CampaignError(f"score: {name} is missing; give it, or preset='blade'")
    return arguments, notes
