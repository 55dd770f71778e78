"""The head of a log: campaign, parameters, tuning, setup, and the writer's own provenance."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ..errors import ObservationError

MAX_HEADER_BYTES = 16 * 2**20
_LIBRARIES = ("firsthit", "numpy", "numba", "scipy", "h5py")
_MACHINE = ("platform", "processor", "git_commit")
_RULES = ("budget", "restarts", "final_target", "timeout", "record", "isolation")


@dataclass(frozen=True, slots=True)
class LogHeader:
    """What a log says of all its runs; ``algorithms`` are names to parameters and other facts."""

    algorithms: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    campaign: Mapping[str, Any] | None = None  # resolved; None: a loop
    tuning: Any = None  # see `check_tuning`
    setup: Mapping[str, str | float] | None = None  # see `check_setup`
    publication: Mapping[str, Any] | None = None  # title, authors, licence, date

    def to_json(self, provenance: Mapping[str, Any] | None = None) -> str:
        """The header as canonical JSON; ``provenance`` is by default that of this process, now."""
        check_tuning(self.tuning)
        check_setup(self.setup)
        provenance_facts = dict(self_provenance() if provenance is None else provenance)
        parts = {
            "algorithms": self.algorithms,
            "campaign": self.campaign,
            "tuning": self.tuning,
            "setup": self.setup,
            "provenance": provenance_facts,
            **({} if self.publication is None else {"publication": self.publication}),
        }
        text = json.dumps(plain(parts, "header"), sort_keys=True, ensure_ascii=True)
        if len(text) > MAX_HEADER_BYTES:
            raise ObservationError(
                f"the log's header has {len(text)} bytes; at most {MAX_HEADER_BYTES} are kept"
            )
        return text


TUNING_NUMBERS = ("settings_tested", "budget_invested")
"""How many settings of parameters were tried, and how many evaluations that took in all."""


def check_tuning(tuning: Any) -> None:
    """Refuse a disclosure of tuning whose numbers are none.

    It is text, or a mapping: of ``TUNING_NUMBERS``, numbers from 0 on, and of whatever else there
    is to say; or of names of algorithms to such.
    """
    if not isinstance(tuning, Mapping):
        return
    for name, value in tuning.items():
        check_tuning(value)
        is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        if name in TUNING_NUMBERS and not (is_number and 0 <= value < np.inf):
            raise ObservationError(
                f"tuning: {name} is {str(value)[:80]!r}, must be a number from 0 on"
            )


def check_setup(setup: Any) -> None:
    """Refuse a setup that is no mapping of names to text or numbers.

    Such as ``{"hardware": "one core of …", "language": "C", "compiler": "gcc 14 -O3"}``.
    """
    if setup is None:
        return
    if not isinstance(setup, Mapping):
        raise ObservationError(
            f"setup is {str(setup)[:80]!r}, must be a mapping such as {{hardware: …, language: …, "
            "compiler: …}"
        )
    for name, value in setup.items():
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise ObservationError(f"setup: {name} is {str(value)[:80]!r}, must be text")


def plain(value: Any, where: str) -> Any:
    """``value`` as JSON can hold it: arrays as lists, NaN and infinities as text."""
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): plain(item, f"{where}.{key}") for key, item in value.items()}
    if isinstance(value, list | tuple | range | set | frozenset):
        items = sorted(value) if isinstance(value, set | frozenset) else value
        return [plain(item, f"{where}[{i}]") for i, item in enumerate(items)]
    raise ObservationError(
        f"{where} is a {type(value).__name__}; a log holds numbers, text, lists and mappings"
    )


def self_provenance() -> dict[str, Any]:
    """Versions, machine, git commit of the working directory, and the time."""
    return {
        **_surroundings(os.getcwd()),
        "created_utc": datetime.now(UTC).isoformat(timespec="seconds"),
    }


@lru_cache(maxsize=4)
def _surroundings(folder: str) -> dict[str, Any]:
    import platform

    import h5py

    return {
        "versions": {
            "python": platform.python_version(),
            "hdf5": h5py.version.hdf5_version,
            **{name: version for name in _libraries() if (version := version_of(name))},
        },
        "platform": platform.platform(),
        "machine": platform.machine(),
        "processor": _processor(),
        "cpus": os.cpu_count(),
        "git_commit": _git_commit(folder),
    }


def _libraries() -> list[str]:
    """What values and optimizers may depend on: firsthit's own libraries, and all its `solvers`."""
    from importlib import metadata

    try:
        required = metadata.requires("firsthit") or []
    except metadata.PackageNotFoundError:  # a bare checkout
        required = []
    solvers = (line for line in required if re.search("extra == [\"']solvers[\"']", line))
    return [*_LIBRARIES, *(re.split(r"[^\w.-]", line)[0] for line in solvers)]


@cache
def version_of(name: str) -> str | None:
    """The version of an installed distribution; None where it is not there."""
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _processor() -> str:
    import platform

    try:
        lines = Path("/proc/cpuinfo").read_text(errors="replace").splitlines()
    except OSError:
        return platform.processor()
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.processor())


def _git_commit(folder: str) -> str | None:
    import subprocess

    command = ["git", "-C", folder, "describe", "--always", "--dirty", "--abbrev=40"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=5, check=False)
    except (OSError, subprocess.SubprocessError):
        return None
    return done.stdout.strip() or None


def differing(headers: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Versions, machines and rules that are not the same for all runs, each as a sentence."""
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
