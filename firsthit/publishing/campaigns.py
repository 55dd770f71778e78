"""What makes the runs of a log again: the campaign, the code that it names, what was installed."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from importlib import metadata
from pathlib import Path
from typing import Any

import yaml

from ..loggers import Log
from ..runner.campaign.keys import RULES
from ..runner.optimizers.import_string import file_of, is_file_reference
from ..runner.optimizers.resolve import BUILT_IN


def campaign_text(header: Mapping[str, Any]) -> str | None:
    """The campaign file that makes the runs under a header again; None where none can.

    Runs that were observed in a loop or imported have no campaign, and problems or optimizers that
    were objects of Python have no name.
    """
    facts, algorithms = header.get("campaign"), header.get("algorithms")
    if not facts or not algorithms or not all("functions" in s for s in facts["suites"]):
        return None
    optimizers = [_optimizer(name, entry) for name, entry in algorithms.items()]
    if None in optimizers:
        return None
    suites = [{k: v for k, v in suite.items() if k != "version"} for suite in facts["suites"]]
    rules = {**header, **facts}
    given = {
        name: rules[name]
        for name, key in RULES.items()
        if rules.get(name) not in (None, [], key.default)
    }
    if given.get("isolation") == "none":  # what the log says of runs in the caller's process
        given |= {"isolation": RULES["isolation"].default, "workers": 0}
    if isinstance(parallel := given.get("parallel"), dict):
        given["parallel"] = {key: parallel[key] for key in ("evaluators", "duration")}
    campaign = {"suites": suites, "optimizers": optimizers, **given}
    return yaml.safe_dump(campaign, sort_keys=False, allow_unicode=True, width=100)


def _optimizer(name: str, facts: Mapping[str, Any]) -> dict[str, Any] | None:
    """An entry of ``optimizers``; None of an object that has no name, or of a grid of lists.

    A list is a grid in a campaign file, so a parameter that is a list becomes a grid of one value;
    reading it appends the value to the name.
    """
    use, parameters = str(facts["use"]), dict(facts.get("parameters") or {})
    if use not in BUILT_IN and ":" not in use:
        return None
    lists = {key: value for key, value in parameters.items() if isinstance(value, list)}
    if lists:
        suffix = "".join(f"{key}={json.dumps(value)}" for key, value in lists.items())
        if not name.endswith(f"[{suffix}]"):
            return None
        name = name.removesuffix(f"[{suffix}]")
        parameters |= {key: [value] for key, value in lists.items()}
    entry = {"use": use, "name": name, "parameters": parameters}
    return {**entry, **({"restarts": facts["restarts"]} if facts.get("restarts") else {})}


def own_code(log: Log) -> dict[str, set[str]]:
    """The files that the campaigns of a log name, with SHA-256 of the versions that made runs."""
    found: dict[str, set[str]] = {}
    for header in log.headers:
        named = [
            (entry.get("use"), entry.get("file_sha256"))
            for entry in (header.get("algorithms") or {}).values()
        ]
        named += [(text, None) for text in (header.get("campaign") or {}).get("imports") or ()]
        for text, sha256 in named:
            if isinstance(text, str) and is_file_reference(text):
                versions = found.setdefault(Path(file_of(text)).as_posix(), set())
                versions.update({sha256} if sha256 else ())
    return found


def lock_lines(versions: Mapping[str, str]) -> tuple[list[str], bool]:
    """Lines of a lock file of the distributions that a log names, and whether they are all.

    Where the same ones are installed here, so are the others that the runs were made with; else
    they are not known.
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
