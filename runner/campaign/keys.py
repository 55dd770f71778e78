"""Declare the keys of a campaign file: the kind of each value, its default and its description.

`RULES` declares the keys whose values can be read independently of each other. `FILTERS`,
`SUITE_KEYS` and `OPTIMIZER_KEYS` declare the keys of suites and optimizers, which ``sections.py``
reads. `campaign_schema` returns the JSON schema of campaign files. The other functions read single
values that do not come from a campaign file but from arguments, options or headers of logs.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

from ...loggers.records.points import MAX_POINT_BYTES
from ...loggers.records.run_record import ARCHIVES_KEPT, CLOCKS, OBSERVED_RECORDS
from ..errors import CampaignError
from ..executors.executor import ISOLATIONS
from . import fields
from .fields import InvalidValue, Kind, Schema
from .yaml_tree import node_of

Value = TypeVar("Value")

NUMBERS = ("functions", "dimensions", "instances")
"""Keys that select problems of a suite by their numbers."""
ALWAYS_STORED = object()
"""Value of `Key.before` that marks a key of which all headers since schema 2.0 contain a value."""


@dataclass(frozen=True, slots=True)
class Key:
    """Declaration of a key of a campaign file.

    Attributes:
        kind: Kind of the key's values, which reads and checks them.
        description: Meaning of the key. Editors display it.
        default: Value of the key if a campaign file does not contain it.
        before: Value of the key if the header of a log does not contain it, because the key did not
            exist when the log was written. It describes the behaviour of that version of firsthit,
            and may differ from ``default``.
    """

    kind: Kind[Any]
    description: str
    default: Any = None
    before: Any = ALWAYS_STORED


FILTERS: Mapping[str, Key] = {
    name: Key(fields.selection(), f"{name} of the suite: 3, [2, 5] or '1-5,71-80'")
    for name in NUMBERS
}
SUITE_KEYS: Mapping[str, Key] = {"name": Key(fields.text, "name of a suite"), **FILTERS}
OPTIMIZER_KEYS: Mapping[str, Key] = {
    "use": Key(fields.text, "a built-in optimizer, 'module:function' or 'path/file.py:function'"),
    "name": Key(fields.name, "name of the algorithm in logs and tables; default: 'use'"),
    "parameters": Key(fields.mapping, "passed by name; each value of a list is an algorithm"),
    "restarts": Key(fields.restarts, "restarts of this optimizer, instead of the campaign's"),
}
RULES: Mapping[str, Key] = {
    "budget": Key(
        fields.budget,
        "evaluations of one run: 20000, '1e3*D'; stages: '[1, 2, 5]*D'; "
        "null: until the optimizer ends by itself",
    ),
    "restarts": Key(
        fields.restarts,
        "maximum number of restarts of one run, or {most: 9, multiply: {popsize: 2}}; default: as "
        "many as the budget allows",
    ),
    "seed": Key(fields.whole_number(0), "number from which the seeds of all runs are derived", 1),
    "final_target": Key(fields.boolean, "whether a run ends when it hits the final target", True),
    "timeout": Key(fields.or_none(fields.positive_number), "time limit of one run, in seconds"),
    "record": Key(
        fields.one_of(OBSERVED_RECORDS),
        "what is recorded: first hits of targets, or all improvements",
        "targets",
    ),
    "indicator": Key(
        fields.or_none(fields.indicator), "indicator that measures runs; default: the suite's"
    ),
    "archive": Key(
        fields.one_of(ARCHIVES_KEPT),
        "points kept of the archive of two objectives: all that entered, or the final ones",
        "all",
    ),
    "clock": Key(
        fields.one_of(CLOCKS),
        "measured: the log contains the wall time of each hit, in seconds since the run began",
        "none",
        before="none",
    ),
    "record_points": Key(
        fields.record_points,
        "points that runs record: of the recorded hits, of all evaluations, or of the first "
        "ones, {first: 50*D}; default: none",
        before=None,
    ),
    "max_point_bytes": Key(
        fields.whole_number(1),
        "maximum size of the recorded points of one run, in bytes before compression",
        MAX_POINT_BYTES,
        before=MAX_POINT_BYTES,
    ),
    "parallel": Key(
        fields.parallel,
        "evaluations in parallel, in simulated time: "
        "{evaluators: 8, duration: 'lognormal(0, 0.5)'}",
        before=None,
    ),
    "repetitions": Key(fields.whole_number(1), "runs of each optimizer on each problem", 1),
    "workers": Key(
        fields.workers, "number of worker processes; 0: this process, all: one for each processor"
    ),
    "cluster": Key(
        fields.or_none(fields.text),
        "a Dask cluster: tcp://host:port, the path of a scheduler file, or local",
    ),
    "threads": Key(fields.whole_number(1), "threads of each worker in BLAS, OpenMP and numba", 1),
    "isolation": Key(
        fields.one_of(ISOLATIONS),
        "runs that one worker process makes: those of one algorithm, or one run",
        "algorithm",
        before="none",  # in earlier versions, runs of different algorithms shared a process
    ),
    "output": Key(fields.text, "path of the log, NAME.h5, relative to the working folder"),
    "tuning": Key(
        fields.tuning, "how the optimizers were tuned: settings_tested, budget_invested, or text"
    ),
    "setup": Key(
        fields.setup, "setup of the experiment, such as hardware, language, compiler; texts by name"
    ),
    "publication": Key(
        fields.publication,
        "for firsthit publish: title, authors ('Family, Given'), license, date; stored in the log",
    ),
    "early_table": Key(
        fields.selections(NUMBERS),
        "runs that 'firsthit run' makes first on a terminal, where it prints their table: "
        "{functions: [1, 8], dimensions: 2}",
    ),
    "imports": Key(
        fields.list_of(fields.text),
        "files or modules that are imported first, because they register suites",
        (),
        before=[],
    ),
}
"""Keys whose values are read independently of each other."""

PARTS: Mapping[str, Schema] = {
    "suite": {"type": "string", "description": "name of a suite; the filters are keys, too"},
    "suites": {"description": "instead of suite: names, or mappings with name and filters"},
    **{name: {**key.kind.schema, "description": key.description} for name, key in FILTERS.items()},
    "optimizers": {"description": "references, or mappings with 'use'"},
}
"""JSON schemas of the keys of a campaign file that are not in `RULES`."""
CAMPAIGN_KEYS = (*PARTS, *RULES)
"""All keys that a campaign file may contain at its top level."""


def checked(key: str, value: object, where: str = "") -> Any:
    """Read and check a value of a key that does not come from a campaign file.

    Args:
        key: A key in `RULES` or `FILTERS`.
        value: The value as numbers, texts, lists and mappings.
        where: Beginning of the error message, such as ``"algorithm 'mine': "``. Default: ``""``.

    Returns:
        The value that the reader of campaign files returns for ``value``.

    Raises:
        CampaignError: A campaign file could not contain the value.
    """
    return read_value({**FILTERS, **RULES}[key].kind, value, key, where)


def read_value(kind: Kind[Value], value: object, name: str, where: str = "") -> Value:
    """Read and check a value of any kind that does not come from a campaign file.

    Args:
        kind: Kind of the value.
        value: The value as numbers, texts, lists and mappings.
        name: Name of the value in the error message.
        where: Beginning of the error message. Default: ``""``.

    Raises:
        CampaignError: A campaign file could not contain the value.
    """
    try:
        return kind(node_of(value), name)
    except InvalidValue as error:
        raise CampaignError(f"{where}{error}") from None
    except RecursionError:  # a list is nested hundreds of levels deep
        raise CampaignError(f"{where}{name} is nested too deeply") from None


def complete_stored(campaign: Mapping[str, Any]) -> dict[str, Any]:
    """Add the keys that did not exist when a log was written to the campaign in its header.

    Args:
        campaign: ``header["campaign"]`` of a log of any version since schema 2.0; not changed.

    Returns:
        A copy. Each added key has the value `Key.before`. A key that every version writes is not
        added if it is missing, because the header is damaged then.
    """
    later_keys = {
        name: key.before for name, key in RULES.items() if key.before is not ALWAYS_STORED
    }
    return {**later_keys, **campaign}


def read_stored(key: str, stored: Mapping[str, Any]) -> Any:
    """Read and check the value of a key in the header of a log.

    Args:
        key: A key in `RULES` or `FILTERS`.
        stored: The campaign in the header, as `complete_stored` returns it, or one of its suites.

    Raises:
        CampaignError: The key is missing, or a campaign file could not contain its value.
    """
    if key not in stored:
        raise CampaignError(f"key {key!r} is missing")
    if key == "indicator":
        # The modules in the key ``imports`` may register the indicator. They are not imported here,
        # so that the name cannot be checked.
        return read_value(fields.or_none(fields.text), stored[key], key)
    return checked(key, stored[key])


def campaign_schema() -> dict[str, Any]:
    """Return the JSON schema (draft 2020-12) of a campaign file."""
    properties = {**PARTS, **_property_schemas(RULES)}
    properties["suites"] = {**properties["suites"], **_list_schema("name", SUITE_KEYS)}
    properties["optimizers"] = {
        **properties["optimizers"],
        **_list_schema("use", OPTIMIZER_KEYS),
    }
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "firsthit campaign",
        **_mapping_schema(properties, ["optimizers"]),
        "oneOf": [{"required": ["suite"]}, {"required": ["suites"]}],
    }


def _property_schemas(keys: Mapping[str, Key]) -> dict[str, Schema]:
    """Return the JSON schema of each key, with its description and its default."""
    return {
        name: {
            **key.kind.schema,
            "description": key.description,
            **({} if key.default in (None, ()) else {"default": key.default}),
        }
        for name, key in keys.items()
    }


def _mapping_schema(properties: Mapping[str, Schema], required: list[str]) -> dict[str, Any]:
    """Return the JSON schema of a mapping that has no other keys than these."""
    return {
        "type": "object",
        "properties": dict(properties),
        "required": required,
        "additionalProperties": False,
    }


def _list_schema(required: str, keys: Mapping[str, Key]) -> dict[str, Any]:
    """Return the JSON schema of a list of texts and mappings; mappings need the required key."""
    entry = _mapping_schema(_property_schemas(keys), [required])
    items = {"anyOf": [{"type": "string", "minLength": 1}, entry]}
    return {"type": "array", "minItems": 1, "items": items}
