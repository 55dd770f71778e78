"""Describe the runs of a session in the header of its log.

A header has the parameters of the algorithms, the campaign, tuning, setup, publication data, and
the provenance: versions, machine and time. It is stored as canonical JSON. `differing` compares the
headers of several sessions.
"""

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
from .writer_version import writer_version

MAX_HEADER_BYTES = 16 * 2**20
"""Maximum length of a header; readers refuse longer texts."""
CORE_LIBRARIES = ("firsthit", "numpy", "numba", "scipy", "h5py")
"""Distributions on which the values of firsthit's problems may depend."""
_MACHINE_KEYS = ("platform", "processor")
_EARLIER_COMMIT_KEY = "git_commit"
"""Key of ``working_directory_commit`` in logs of commit 94f17845 and earlier ones."""
_CAMPAIGN_KEYS = ("budget", "restarts", "final_target", "timeout", "record", "isolation")
"""Keys of a campaign that affect how runs are made."""
_GIT_SECONDS = 5
"""Time-out of git, whose commands are slow on network file systems."""
_MAX_SHOWN_CHARACTERS = 80
"""Maximum length of an invalid value in a message."""


@dataclass(frozen=True, slots=True)
class LogHeader:
    """Description of all runs that a session writes to a log."""

    algorithms: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    """Parameters and other facts of each algorithm, by its name."""
    campaign: Mapping[str, Any] | None = None  # resolved campaign; None: a loop
    tuning: Any = None  # see `check_tuning`
    setup: Mapping[str, str | float] | None = None  # see `check_setup`
    publication: Mapping[str, Any] | None = None  # title, authors, licence, date

    def to_json(self, provenance: Mapping[str, Any] | None = None) -> str:
        """Return the header as canonical JSON text.

        Args:
            provenance: Provenance of the runs. Default: that of this process at this time.

        Raises:
            ObservationError: A value cannot be written as JSON, tuning or setup is invalid, or the
                header is too long.
        """
        check_tuning(self.tuning)
        check_setup(self.setup)
        parts = {
            "algorithms": self.algorithms,
            "campaign": self.campaign,
            "tuning": self.tuning,
            "setup": self.setup,
            "provenance": dict(self_provenance() if provenance is None else provenance),
            **({} if self.publication is None else {"publication": self.publication}),
        }
        text = json.dumps(to_json_value(parts, "header"), sort_keys=True, ensure_ascii=True)
        if len(text) > MAX_HEADER_BYTES:
            raise ObservationError(
                f"the log's header has {len(text)} bytes; at most {MAX_HEADER_BYTES} are kept"
            )
        return text


TUNING_NUMBERS = ("settings_tested", "budget_invested")
"""Keys of a tuning: the number of tested settings, and of evaluations for all tests."""


def check_tuning(tuning: Any) -> None:
    """Check a description of the tuning of algorithms.

    Args:
        tuning: Text; or a mapping with the keys ``TUNING_NUMBERS``, whose values are numbers of at
            least 0, and any other keys; or a mapping of algorithms' names to such descriptions.

    Raises:
        ObservationError: The value of one of the keys ``TUNING_NUMBERS`` is no such number.
    """
    if not isinstance(tuning, Mapping):
        return
    for name, value in tuning.items():
        check_tuning(value)
        is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
        if name in TUNING_NUMBERS and not (is_number and 0 <= value < np.inf):
            raise ObservationError(
                f"tuning: {name} is {str(value)[:_MAX_SHOWN_CHARACTERS]!r}, must be a number "
                "from 0 on"
            )


def check_setup(setup: Any) -> None:
    """Check that a setup is a mapping of names to text or numbers.

    Args:
        setup: For example ``{"hardware": "one core of …", "language": "C"}``; None: no setup.

    Raises:
        ObservationError: The setup is something else.
    """
    if setup is None:
        return
    if not isinstance(setup, Mapping):
        raise ObservationError(
            f"setup is {str(setup)[:_MAX_SHOWN_CHARACTERS]!r}, must be a mapping such as "
            "{hardware: …, language: …, compiler: …}"
        )
    for name, value in setup.items():
        if isinstance(value, bool) or not isinstance(value, str | int | float):
            raise ObservationError(
                f"setup: {name} is {str(value)[:_MAX_SHOWN_CHARACTERS]!r}, must be text"
            )


def to_json_value(value: Any, path: str) -> Any:
    """Convert a value for JSON: arrays and sets to lists, NaN and infinities to text.

    Args:
        value: The value.
        path: Position of the value in the header, for the message, such as ``header.setup``.

    Raises:
        ObservationError: The value has another type.
    """
    if isinstance(value, np.ndarray | np.generic):
        value = value.tolist()
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    if isinstance(value, Path):
        return str(value)
    if isinstance(value, Mapping):
        return {str(key): to_json_value(item, f"{path}.{key}") for key, item in value.items()}
    if isinstance(value, list | tuple | range | set | frozenset):
        items = sorted(value) if isinstance(value, set | frozenset) else value
        return [to_json_value(item, f"{path}[{i}]") for i, item in enumerate(items)]
    raise ObservationError(
        f"{path} is a {type(value).__name__}; a log holds numbers, text, lists and mappings"
    )


def self_provenance() -> dict[str, Any]:
    """Return the provenance of this process: versions, machine, commits and the time.

    ``writer_version`` names the commit of firsthit. ``working_directory_commit`` is that of the
    repository that contains the working directory, usually the user's experiment; it ends with
    ``-dirty`` if tracked files had uncommitted changes, and is None outside of a repository.
    """
    return {
        **_describe_environment(os.getcwd()),
        "created_utc": datetime.now(UTC).isoformat(timespec="seconds"),
    }


@lru_cache(maxsize=4)
def _describe_environment(folder: str) -> dict[str, Any]:
    """Return versions, machine, and the commit of ``folder``; cached, since git takes long."""
    import platform

    import h5py

    return {
        "versions": {
            "python": platform.python_version(),
            "hdf5": h5py.version.hdf5_version,
            **{name: version for name in _list_libraries() if (version := version_of(name))},
        },
        "platform": platform.platform(),
        "machine": platform.machine(),
        "processor": _processor(),
        "cpus": os.cpu_count(),
        "writer_version": writer_version(),
        "working_directory_commit": _git_commit(folder),
    }


def _list_libraries() -> list[str]:
    """Return the distributions on which runs may depend: the core libraries and all `solvers`."""
    from importlib import metadata

    try:
        required = metadata.requires("firsthit") or []
    except metadata.PackageNotFoundError:  # a checkout that is not installed
        required = []
    solvers = (line for line in required if re.search("extra == [\"']solvers[\"']", line))
    return [*CORE_LIBRARIES, *(re.split(r"[^\w.-]", line)[0] for line in solvers)]


@cache
def version_of(name: str) -> str | None:
    """Return the version of a distribution; None if it is not installed."""
    from importlib import metadata

    try:
        return metadata.version(name)
    except metadata.PackageNotFoundError:
        return None


def _processor() -> str:
    """Return the model of the processor; ``platform.processor()`` is often empty on Linux."""
    import platform

    try:
        lines = Path("/proc/cpuinfo").read_text(errors="replace").splitlines()
    except OSError:
        return platform.processor()
    models = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(models, platform.processor())


def _git_commit(folder: str) -> str | None:
    """Return the commit of the repository that contains a folder; None: no repository, no git."""
    import subprocess

    command = ["git", "-C", folder, "describe", "--always", "--dirty", "--abbrev=40"]
    try:
        result = subprocess.run(
            command, capture_output=True, text=True, timeout=_GIT_SECONDS, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return result.stdout.strip() or None


def differing(headers: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """Return a sentence on each version, machine or rule that differs between sessions.

    Args:
        headers: Headers of the sessions.
    """
    values_by_label: dict[str, set[str]] = {}
    for header in headers:
        for label, value in _list_facts(header):
            values_by_label.setdefault(label, set()).add(value)
    return tuple(
        f"runs were made with different {label}: {', '.join(sorted(values))}"
        for label, values in values_by_label.items()
        if len(values) > 1
    )


def _list_facts(header: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """Yield the facts of a header that should be equal in all sessions, as label and value."""
    provenance = header.get("provenance") or {}
    versions = dict(provenance.get("versions") or {})
    if provenance.get("writer_version"):  # commits of one version have different ones
        versions["firsthit"] = provenance["writer_version"]
    for name, version in versions.items():
        yield f"versions of {name}", str(version)
    for name in _MACHINE_KEYS:
        if provenance.get(name):
            yield name.replace("_", " "), str(provenance[name])
    commit = provenance.get("working_directory_commit") or provenance.get(_EARLIER_COMMIT_KEY)
    if commit:
        yield "commits of the working directory", str(commit)
    campaign = header.get("campaign") or {}
    for name in _CAMPAIGN_KEYS:
        if name in campaign:
            yield name.replace("_", " "), json.dumps(campaign[name])
