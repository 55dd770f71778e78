"""The keys of a campaign file: each with its kind of value, its default, and a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from ...loggers.records.run_record import ARCHIVES_KEPT, CLOCKS, OBSERVED_RECORDS
from ..errors import CampaignError
from ..executors.executor import ISOLATIONS
from . import fields
from .campaign import NUMBERS
from .fields import Kind, Schema, Wrong
from .yaml_tree import node_of


@dataclass(frozen=True, slots=True)
class Key:
    """One key: the kind of its value, what it means, for editors, and its default."""

    kind: Kind[Any]
    tells: str
    default: Any = None


FILTERS: Mapping[str, Key] = {
    name: Key(fields.selection(), f"{name} of the suite: 3, [2, 5] or '1-5,71-80'")
    for name in NUMBERS
}
SUITE_KEYS: Mapping[str, Key] = {"name": Key(fields.text, "a suite's name"), **FILTERS}
OPTIMIZER_KEYS: Mapping[str, Key] = {
    "use": Key(fields.text, "a built-in optimizer, 'module:function' or 'path/file.py:function'"),
    "name": Key(fields.name, "its name in logs and tables; by default 'use'"),
    "parameters": Key(fields.mapping, "passed by name; a list is a grid: one algorithm a value"),
    "restarts": Key(fields.restarts, "of this optimizer, instead of the campaign's"),
}
RULES: Mapping[str, Key] = {
    "budget": Key(
        fields.budget,
        "evaluations of one run: 20000, '1e3*D'; stages: '[1, 2, 5]*D'; "
        "null: until the optimizer ends by itself",
    ),
    "restarts": Key(
        fields.restarts,
        "most restarts of one run, or {most: 9, multiply: {popsize: 2}}; by default as many as "
        "fit the budget",
    ),
    "seed": Key(fields.whole_number(0), "every run's seed derives from it", 1),
    "final_target": Key(fields.truth, "whether a run ends when it hits the final target", True),
    "timeout": Key(fields.or_none(fields.positive_number), "seconds of wall time of one run"),
    "record": Key(
        fields.one_of(OBSERVED_RECORDS), "first hits of targets, or every improvement", "targets"
    ),
    "indicator": Key(
        fields.or_none(fields.indicator), "what runs are measured by; by default what a suite says"
    ),
    "archive": Key(
        fields.one_of(ARCHIVES_KEPT),
        "what is kept of the archive of two objectives: all points that entered, the final ones",
        "all",
    ),
    "clock": Key(
        fields.one_of(CLOCKS),
        "measured: the log keeps the wall second of its run at which each hit was made",
        "none",
    ),
    "parallel": Key(
        fields.parallel,
        "evaluations in parallel, in simulated time: "
        "{evaluators: 8, duration: 'lognormal(0, 0.5)'}",
    ),
    "repetitions": Key(fields.whole_number(1), "runs of each optimizer on each problem", 1),
    "workers": Key(
        fields.workers, "runs at the same time: a number, 0 for the caller's process, or all"
    ),
    "cluster": Key(
        fields.or_none(fields.text),
        "a Dask cluster: tcp://host:port, the path of a scheduler file, or local",
    ),
    "threads": Key(fields.whole_number(1), "threads of each worker in BLAS, OpenMP and numba", 1),
    "isolation": Key(
        fields.one_of(ISOLATIONS),
        "what a worker process is for: the runs of one algorithm, or one run",
        "algorithm",
    ),
    "output": Key(fields.text, "the log, NAME.h5, below the folder where the command is given"),
    "tuning": Key(
        fields.tuning, "how the optimizers were tuned: settings_tested, budget_invested, or text"
    ),
    "setup": Key(
        fields.setup, "with what runs are made: hardware, language, compiler; text by name"
    ),
    "publication": Key(
        fields.publication,
        "for firsthit publish: title, authors ('Family, Given'), license, date; kept in the log",
    ),
    "imports": Key(
        fields.list_of(fields.text), "files or modules that register suites, imported first", ()
    ),
}
"""Keys whose values are read independently of each other."""

PARTS: Mapping[str, Schema] = {
    "suite": {"type": "string", "description": "a suite's name; its filters stand beside it"},
    "suites": {"description": "instead of suite: names, or mappings of name and filters"},
    **{name: {**key.kind.schema, "description": key.tells} for name, key in FILTERS.items()},
    "optimizers": {"description": "references, or mappings with 'use'"},
}
CAMPAIGN_KEYS = (*PARTS, *RULES)


def checked(key: str, value: object, where: str = "") -> Any:
    """A value that stands in no file, as the key takes it; ``where`` begins a CampaignError."""
    try:
        return {**FILTERS, **RULES}[key].kind(node_of(value), key)
    except Wrong as wrong:
        raise CampaignError(f"{where}{wrong}") from None


def campaign_schema() -> dict[str, Any]:
    """The JSON schema (draft 2020-12) of a campaign file, made of what the reader goes by."""
    properties = {**PARTS, **_properties(RULES)}
    properties["suites"] = {**properties["suites"], **_entries("name", SUITE_KEYS)}
    properties["optimizers"] = {**properties["optimizers"], **_entries("use", OPTIMIZER_KEYS)}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "firsthit campaign",
        **_mapping(properties, ["optimizers"]),
        "oneOf": [{"required": ["suite"]}, {"required": ["suites"]}],
    }


def _properties(keys: Mapping[str, Key]) -> dict[str, Schema]:
    return {
        name: {
            **key.kind.schema,
            "description": key.tells,
            **({} if key.default in (None, ()) else {"default": key.default}),
        }
        for name, key in keys.items()
    }


def _mapping(properties: Mapping[str, Schema], required: list[str]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": dict(properties),
        "required": required,
        "additionalProperties": False,
    }


def _entries(required: str, keys: Mapping[str, Key]) -> dict[str, Any]:
    """A list of texts or mappings."""
    entry = _mapping(_properties(keys), [required])
    items = {"anyOf": [{"type": "string", "minLength": 1}, entry]}
    return {"type": "array", "minItems": 1, "items": items}
