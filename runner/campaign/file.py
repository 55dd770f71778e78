"""Reading a campaign file: every problem at once, each as ``FILE:line:column: sentence``."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from importlib import resources
from pathlib import Path
from typing import Any

from ...suites import FirsthitError
from ...suites.errors import unknown_name
from ..errors import CampaignError
from ..executors.executor import ExecutorConfig, available_processors
from ..optimizers.import_string import import_text
from . import fields
from .budget import Budget
from .campaign import RUN_RULES, Campaign, RunRules
from .checks import check_indicator, first_problems
from .keys import CAMPAIGN_KEYS, RULES
from .plan import plan
from .sections import ErrorList, read_optimizers, read_suites
from .yaml_tree import MOST_BYTES, Node, read_yaml

_MOST_NAME_BYTES = 200
_OF_CAMPAIGN = tuple(key for key in RULES if key not in (*RUN_RULES, "output", "imports"))
"""Keys that a campaign takes as they are read."""
_IN_ERROR = {"budget": Budget(1), "timeout": 1.0}
"""Instead of wrong values: without a budget, optimizers would be refused for having no end, too."""


def load_campaign(
    source: str | Path, overrides: Mapping[str, Any] | None = None, *, imports: bool = True
) -> Campaign:
    """Read a campaign file, or a ready campaign by its name.

    Imports the optimizers that it names: a campaign file is a program.

    Args:
        source: A path, or the name of a campaign that comes with firsthit: ``"quickstart"``.
        overrides: Values instead of the file's, by key: the options of the command line.
        imports: False to import nothing that it names, to look at it only: its optimizers are not
            tried then, and suites that its ``imports`` register are unknown.

    Raises:
        CampaignError: The file cannot be read or has problems; the text lists all of them.
    """
    path = find_campaign(source)
    errors = ErrorList(str(source) if Path(source) == path else path.name)
    root = _root(path, errors)
    nodes = _overridden(root.value, overrides or {})
    folder = str(path.parent.absolute())
    errors.unknown_keys(root, CAMPAIGN_KEYS, "")

    def value(key: str) -> Any:
        in_error = _IN_ERROR.get(key, RULES[key].default)
        default = in_error if key in nodes else RULES[key].default
        return errors.value(RULES[key].kind, nodes.get(key), key, default)

    modules = value("imports")
    if imports:  # they may register suites and indicators
        for text, node in zip(modules, nodes["imports"].value if modules else (), strict=True):
            try:
                import_text(text, folder)
            except FirsthitError as error:
                errors.add(str(error), node.place)
    rules = _rules({key: value(key) for key in RUN_RULES}, folder, nodes, errors)
    values = {key: value(key) for key in _OF_CAMPAIGN}
    if values["workers"] is None:
        values["workers"] = available_processors()
    try:
        ExecutorConfig(values["workers"], values["cluster"], isolation=values["isolation"])
    except CampaignError as error:
        errors.add_at(error, nodes, "isolation")
    suites = read_suites(nodes, errors)
    if imports:
        try:
            check_indicator(rules.indicator, first_problems(suites))
        except FirsthitError as error:
            asked_for = ("indicator",) if rules.indicator else ()
            errors.add_at(error, nodes, *asked_for, "suites", "suite")
    campaign = Campaign(
        name=path.stem,
        suites=suites,
        optimizers=read_optimizers(
            nodes.get("optimizers"), folder, rules if imports else None, suites, errors
        ),
        rules=rules,
        output=_output(value("output"), path, nodes, errors),
        imports=modules,
        folder=folder,
        **values,
    )
    if "suite" not in nodes and "suites" not in nodes:
        errors.add("key 'suite' is missing", root.place)
    if "optimizers" not in nodes:
        errors.add("key 'optimizers' is missing", root.place)
    errors.raise_if_any()
    _check_plan(campaign, nodes, root, errors)
    return campaign


def _overridden(nodes: Mapping[str, Node], overrides: Mapping[str, Any]) -> dict[str, Node]:
    """The nodes of a file, with options of the command line instead of some."""
    options = {key: Node(value, None) for key, value in overrides.items()}
    evaluators = options.pop("evaluators", None)
    nodes = {**nodes, **options}
    if evaluators is not None:  # with the file's duration
        given = nodes.get("parallel", Node(None, None))
        parts = given.value if isinstance(given.value, dict) else {}
        nodes["parallel"] = replace(given, value={**parts, "evaluators": evaluators})
    return nodes


def _check_plan(
    campaign: Campaign, nodes: Mapping[str, Node], root: Node, errors: ErrorList
) -> None:
    """Raise where the runs of the campaign cannot be planned."""
    try:
        plan(campaign)
    except FirsthitError as error:
        keys = ("budget",) if "budget" in str(error) else ("suites", "suite")
        node = next((nodes[key] for key in keys if key in nodes), root)
        errors.add(str(error), node.place)
        errors.raise_if_any()


def _rules(
    values: dict[str, Any], folder: str, nodes: Mapping[str, Node], errors: ErrorList
) -> RunRules:
    """The rules of all runs; raises where two of them contradict each other."""
    if values["parallel"] is not None:
        values["parallel"] = replace(values["parallel"], folder=folder)
    try:
        return RunRules(*values.values())
    except CampaignError as error:
        errors.add_at(error, nodes, "clock" if "clock" in str(error) else "budget")
        errors.raise_if_any()
        raise


def _root(path: Path, errors: ErrorList) -> Node:
    """The file as a mapping; errors of its YAML are noted."""
    root, problems = read_yaml(_content(path))
    for place, sentence in problems:
        errors.add(sentence, place)
    if root is None or not isinstance(root.value, dict):
        if root is not None:
            errors.add(f"a campaign is a mapping of keys; {fields.came(root)}", root.place)
        errors.raise_if_any()
        raise CampaignError(f"{errors.label}: nothing to read")
    return root


def _output(given: str | None, path: Path, nodes: Mapping[str, Node], errors: ErrorList) -> Path:
    if given is None:
        return default_output(path)
    output, sentence = Path(given), ""
    if output.suffix != ".h5":
        sentence = f"output must end in .h5; got {given[:60]!r}"
    elif not given.isprintable() or any(
        len(part.encode("utf-8", "replace")) > _MOST_NAME_BYTES for part in output.parts
    ):
        sentence = f"output {given[:60]!r} must be printable, names at most 200 bytes long"
    if sentence:
        errors.add_at(sentence, nodes, "output")
    return output


def output_of(source: str | Path) -> Path:
    """The log that a campaign file names, even where the file has errors."""
    path = find_campaign(source)
    root, _ = read_yaml(_content(path))
    nodes = root.value if root is not None and isinstance(root.value, dict) else {}
    given = nodes["output"].value if "output" in nodes else None
    return Path(given) if isinstance(given, str) else default_output(path)


def _content(path: Path) -> bytes:
    """The content of a file; only the beginning of a huge one."""
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        raise CampaignError(f"cannot read campaign {str(path)!r}: {error.strerror}") from error


def default_output(campaign: Path) -> Path:
    """The log of a campaign file that names no output."""
    return Path(f"results/{campaign.stem}.h5")


def find_campaign(source: str | Path) -> Path:
    """The file of that path, or of that name among those that come with firsthit."""
    path, quoted = Path(source), repr(str(source)[:200])
    ready = ready_campaigns()
    try:
        if path.is_file():
            return path
        if path.is_dir():
            raise CampaignError(f"{quoted} is a folder; give a campaign file")
    except OSError as error:  # a name too long, a folder that must not be entered
        raise CampaignError(f"cannot read campaign {quoted}: {error.strerror}") from error
    if str(source) in ready:
        return ready[str(source)]
    raise CampaignError(
        f"no file {quoted}; {unknown_name('ready campaign', str(source)[:200], sorted(ready))}"
    )


def ready_campaigns() -> dict[str, Path]:
    """The campaigns that come with firsthit, by name."""
    package = f"{__package__.partition('.')[0]}.configs"
    files = [Path(str(item)) for item in resources.files(package).iterdir()]
    return {path.stem: path for path in sorted(files) if path.suffix == ".yaml"}
