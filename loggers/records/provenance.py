"""What the runs of a log were made with, where that differs."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_MACHINE = ("platform", "processor", "git_commit")
_RULES = ("budget", "restarts", "final_target", "timeout", "record")


def differing(headers: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Versions, machines and rules that are not the same for all runs, each as a sentence.

    Args:
        headers: Those of a log.
    """
    facts: dict[str, dict[str, None]] = {}
    for header in headers:
        for what, value in _facts(header):
            facts.setdefault(what, {})[value] = None
    return tuple(
        f"runs were made with different {what}: {', '.join(sorted(values))}"
        for what, values in facts.items()
        if len(values) > 1
    )


def _facts(header: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    provenance = header.get("provenance") or {}
    for name, version in (provenance.get("versions") or {}).items():
        yield f"versions of {name}", str(version)
    for name in _MACHINE:
        if provenance.get(name):
            yield name.replace("_", " "), str(provenance[name])
    campaign = header.get("campaign") or {}
    for name in _RULES:
        if name in campaign:
            yield name.replace("_", " "), json.dumps(campaign[name])
