"""What was installed when runs were made, as lines that ``pip`` installs again."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from importlib import metadata


def lock_lines(versions: Mapping[str, str]) -> tuple[list[str], bool]:
    """Lines of a lock file, and whether they are all that was installed.

    Args:
        versions: Of the distributions that a log names. Where the same ones are installed here, so
            are the others that the runs were made with; else they are not known.
    """
    named = {_normal(name): version for name, version in versions.items()}
    found = reversed([*metadata.distributions()])  # of two with one name, the first is imported
    installed = {_normal(one.metadata["Name"]): one for one in found}
    here = {name: one.version for name, one in installed.items()}
    is_whole = named.items() <= here.items()
    everything = sorted((here if is_whole else named).items())
    return [_requirement(*item, installed.get(item[0])) for item in everything], is_whole


def _requirement(name: str, version: str, found: metadata.Distribution | None) -> str:
    """What ``pip`` installs; a comment for what was installed from a folder of this machine."""
    if found is None or found.version != version:
        return f"{name}=={version}"
    origin = json.loads(found.read_text("direct_url.json") or "{}")
    url, repository = origin.get("url", ""), origin.get("vcs_info")
    if url.startswith("file:"):
        return f"# {name}=={version}"
    if repository:
        return f"{name} @ {repository['vcs']}+{url}@{repository['commit_id']}"
    return f"{name} @ {url}" if url else f"{name}=={version}"


def _normal(name: str) -> str:
    """A distribution's name as indices compare it."""
    return re.sub(r"[-_.]+", "-", name).lower()
