"""Describe how the runs of a published log can be made again.

`campaign_text` converts the campaign in the header of a log to a campaign file. `own_code` lists
the files of the user's code that the campaigns of a log name. `lock_lines` returns the lines of a
``requirements.txt`` with the versions of the installed distributions.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict
from importlib import metadata
from pathlib import Path
from typing import Any

import yaml

from ..loggers import Log
from ..runner import CampaignError
from ..runner.campaign.campaign import Campaign
from ..runner.campaign.keys import RULES
from ..runner.optimizers.import_string import file_of, is_file_reference
from ..runner.optimizers.resolve import BUILT_IN, OptimizerRef
from ..runner.optimizers.restarts import scheme_of


def campaign_text(header: Mapping[str, Any]) -> str:
    """Return a campaign file (YAML) that makes the runs of a log's header again.

    The file contains only keys whose values differ from the default. It does not contain the batch,
    so that it makes the runs of all batches.

    Args:
        header: One of ``Log.headers``.

    Raises:
        CampaignError: The header contains no campaign or a damaged one, or a campaign file cannot
            contain a value of the campaign, such as a Python object. The message is one sentence,
            without the name of the log.
    """
    campaign = Campaign.from_header(header)
    # Earlier versions did not record the isolation. Worker processes may have made their runs, so
    # that the number of workers keeps its default.
    is_in_process = campaign.workers == 0 and "isolation" in header["campaign"]
    values = {
        **campaign.rules.description(),
        "repetitions": campaign.repetitions,
        "isolation": "none" if is_in_process else campaign.isolation,
        "tuning": campaign.tuning,
        "setup": campaign.setup,
        "publication": campaign.publication,
        "imports": list(campaign.imports),
    }
    rules = {
        name: values[name]
        for name, key in RULES.items()
        if values.get(name) not in (None, [], key.default)
    }
    if is_in_process:  # logs store "none" for workers=0, but a campaign file cannot contain it
        rules |= {"isolation": campaign.isolation, "workers": 0}
    if "parallel" in rules:  # the description also contains the checksum of the duration's file
        rules["parallel"] = {key: rules["parallel"][key] for key in ("evaluators", "duration")}
    document = {
        "suites": [dict(sorted(asdict(choice).items())) for choice in campaign.suites],
        "optimizers": [_describe_optimizer(optimizer) for optimizer in campaign.optimizers],
        **rules,
    }
    plain = json.loads(json.dumps(document))  # converts tuples to lists
    return yaml.safe_dump(plain, sort_keys=False, allow_unicode=True, width=100)


def _describe_optimizer(optimizer: OptimizerRef) -> dict[str, Any]:
    """Return the entry of an optimizer in the key ``optimizers`` of a campaign file.

    In a campaign file, a list of values is a grid of several algorithms. A parameter whose value is
    a list is therefore written as a grid with this list as its only value. The reader of the file
    appends the values of a grid to the name of the algorithm. So the name must already end with
    these values, which are removed from it here.

    Raises:
        CampaignError: The optimizer is a Python object, or it has a list as a parameter and a name
            that does not end with the list.
    """
    name, use, parameters = optimizer.name, str(optimizer.use), dict(optimizer.parameters)
    if use not in BUILT_IN and ":" not in use:
        raise CampaignError(
            f"algorithm {name!r} was a Python object ({use[:60]!r}), which no campaign can name"
        )
    lists = {key: value for key, value in parameters.items() if isinstance(value, list)}
    if lists:
        suffix = "".join(f"{key}={json.dumps(value)}" for key, value in lists.items())
        if not name.endswith(f"[{suffix}]"):
            raise CampaignError(
                f"algorithm {name!r} has lists as parameters ({', '.join(lists)}), which a "
                "campaign file reads as a grid of several algorithms"
            )
        name = name.removesuffix(f"[{suffix}]")
        parameters |= {key: [value] for key, value in lists.items()}
    entry: dict[str, Any] = {"use": use, "name": name, "parameters": parameters}
    if optimizer.restarts is not None:  # also 0, because the campaign may allow restarts
        entry["restarts"] = scheme_of(optimizer.restarts).description()
    return entry


def own_code(log: Log) -> dict[str, set[str]]:
    """Return the Python files that the campaigns of a log name.

    The files contain optimizers, durations of evaluations, and suites. The function also reads
    headers that `campaign_text` cannot convert. Parts of a header that have an unexpected type are
    ignored.

    Args:
        log: The log.

    Returns:
        Path of each file, as the campaign contains it, to the SHA-256 of all versions of the file
        that made runs. The set is empty for a file that was only imported.
    """
    versions_by_file: dict[str, set[str]] = {}
    for header in log.headers:
        references = [
            (entry.get("use"), entry.get("file_sha256"))
            for entry in (header.get("algorithms") or {}).values()
        ]
        campaign = header.get("campaign") or {}
        imports, parallel = campaign.get("imports"), campaign.get("parallel")
        if isinstance(imports, list):
            references += [(text, None) for text in imports]
        if isinstance(parallel, dict):
            references.append((parallel.get("duration"), parallel.get("file_sha256")))
        for text, sha256 in references:
            if isinstance(text, str) and is_file_reference(text):
                versions = versions_by_file.setdefault(Path(file_of(text)).as_posix(), set())
                versions.update({sha256} if sha256 else ())
    return versions_by_file


def lock_lines(versions: Mapping[str, str], writer_version: str) -> tuple[list[str], bool]:
    """Return the lines of a lock file (``requirements.txt``) for the versions in a log's header.

    Args:
        versions: Versions by the name of the distribution.
        writer_version: Version of firsthit with its commit, such as ``"0.1.0+g94f1784"``; may be
            empty. If firsthit was installed from a local folder, its line names this commit.

    Returns:
        The lines, sorted by name, and whether they are complete. If all ``versions`` are installed
        now, the lines are complete: they contain all installed distributions. Otherwise they
        contain only ``versions``, because the log does not record the other distributions.
    """
    logged = {_normalize_name(name): version for name, version in versions.items()}
    # Python imports the first of two distributions with the same name. In reversed order, the first
    # one is the last one that the mapping stores.
    distributions = reversed([*metadata.distributions()])
    installed = {_normalize_name(entry.metadata["Name"]): entry for entry in distributions}
    installed_versions = {name: entry.version for name, entry in installed.items()}
    is_complete = logged.items() <= installed_versions.items()
    listed = sorted((installed_versions if is_complete else logged).items())
    commit = re.search(r"\+g([0-9a-f]{7,40})", writer_version)
    commits = {"firsthit": commit[1]} if commit else {}
    lines = [
        _format_requirement(name, version, installed.get(name), commits.get(name))
        for name, version in listed
    ]
    return lines, is_complete


def _format_requirement(
    name: str, version: str, distribution: metadata.Distribution | None, commit: str | None
) -> str:
    """Return the line of a ``requirements.txt`` for one distribution.

    Args:
        name: Name of the distribution.
        version: Version in the log.
        distribution: The installed distribution, which may have another version. None: the
            distribution is not installed.
        commit: Commit that made the runs. It replaces the folder of a distribution that was
            installed from a local folder. None: unknown.

    Returns:
        A requirement that ``pip`` can install. If the distribution was installed from a local
        folder and the commit is unknown, a comment, because other machines do not have this folder.
    """
    if distribution is None or distribution.version != version:
        return f"{name}=={version}"
    origin = json.loads(distribution.read_text("direct_url.json") or "{}")  # PEP 610
    url, repository = origin.get("url", ""), origin.get("vcs_info")
    if url.startswith("file:"):
        links = dict(
            text.split(", ", 1) for text in distribution.metadata.get_all("Project-URL", [])
        )
        if commit is None or "Homepage" not in links:
            return f"# {name}=={version}"
        return f"{name} @ git+{links['Homepage']}@{commit}"
    if repository:
        return f"{name} @ {repository['vcs']}+{url}@{repository['commit_id']}"
    return f"{name} @ {url}" if url else f"{name}=={version}"


def _normalize_name(name: str) -> str:
    """Return the normalized name of a distribution, as PEP 503 defines it."""
    return re.sub(r"[-_.]+", "-", name).lower()
