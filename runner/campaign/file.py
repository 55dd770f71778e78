"""Read campaign files, and find them and their logs.

`load_campaign` reads a YAML file and returns a `Campaign`. It collects all errors of the file, so
that the user sees all of them at once, each as ``FILE:line:column: sentence``. The steps are:

1. Parse the YAML.
2. Replace values by options of the command line.
3. Import the modules and files that register suites and indicators.
4. Read all keys.
5. Check the optimizers, the indicator and the plan.

`find_campaign` returns the path of a campaign file or of a campaign that comes with firsthit.
`output_of` returns the path of its log.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
from .campaign import RUN_RULES, Campaign, RunRules, SuiteChoice
from .checks import check_indicator, first_problems
from .keys import CAMPAIGN_KEYS, RULES
from .plan import BudgetError, plan, select_early_runs
from .sections import ErrorList, check_optimizers, read_optimizers, read_suites
from .yaml_tree import MOST_BYTES, Node, read_yaml

_MAX_NAME_BYTES = 200
"""Maximum length of the name of a file or folder in ``output``, in bytes.

Most file systems allow 255 bytes. The names of temporary files and of journals are longer than the
name of their log.
"""
_MAX_OUTPUT_LENGTH = 60
"""Maximum length of ``output`` in an error message, in characters."""
_MAX_SOURCE_LENGTH = 200
"""Maximum length of the path of a campaign in an error message, in characters."""
_CAMPAIGN_FIELDS = tuple(key for key in RULES if key not in (*RUN_RULES, "output", "imports"))
"""Keys whose values become attributes of `Campaign` without further processing."""
_REPLACEMENTS = {"budget": Budget(1), "timeout": 1.0}
"""Values that replace invalid values of these keys while the rest of the file is checked.

The default of both keys is None. With it, an optimizer that never ends by itself would be refused,
and the user would see a second message for the same error.
"""


def load_campaign(
    source: str | Path, overrides: Mapping[str, Any] | None = None, *, imports: bool = True
) -> Campaign:
    """Read a campaign file, or a campaign that comes with firsthit.

    The function imports the optimizers and modules of the campaign, so it executes their code.

    Args:
        source: A path, or the name of a campaign that comes with firsthit, such as
            ``"quickstart"``.
        overrides: Values that replace values of the file, by key. The options of the command line
            are passed here. None: no value is replaced.
        imports: Whether modules and optimizers are imported. With False, optimizers are not
            checked, and suites that the campaign itself registers are unknown. Default: True.

    Returns:
        The campaign. ``workers`` is the number of processors if the file does not contain it.

    Raises:
        CampaignError: The file cannot be read, or it has errors. The message lists all errors.

    Example:
        >>> from firsthit.runner import load_campaign
        >>> campaign = load_campaign("quickstart", {"budget": "100*D"})
        >>> campaign.name, [optimizer.name for optimizer in campaign.optimizers]
        ('quickstart', ['random-search', 'L-BFGS-B', 'DE'])
    """
    path = find_campaign(source)
    errors = ErrorList(str(source) if Path(source) == path else path.name)
    root = _parse_file(path, errors)
    nodes = _apply_overrides(root.value, overrides or {})
    folder = str(path.parent.absolute())

    # The modules are imported first, because they may register suites and indicators that other
    # keys name.
    values = {"imports": _parse_key("imports", nodes, errors)}
    if imports and values["imports"]:
        _import_modules(nodes["imports"], folder, errors)
    values |= {key: _parse_key(key, nodes, errors) for key in RULES if key != "imports"}
    suites = read_suites(nodes, errors)
    entries = read_optimizers(nodes.get("optimizers"), folder, errors)

    errors.add_unknown_keys(root, CAMPAIGN_KEYS, "")
    options = Node(dict.fromkeys(overrides or {}), None)
    errors.add_unknown_keys(options, (*CAMPAIGN_KEYS, "evaluators"), "in overrides: ")
    if "suite" not in nodes and "suites" not in nodes:
        errors.add("key 'suite' is missing", root.position)
    if "optimizers" not in nodes:
        errors.add("key 'optimizers' is missing", root.position)
    if values["workers"] is None:
        values["workers"] = available_processors()
    _check_executor(values, nodes, errors)
    rules = _make_rules(values, folder, nodes, errors)
    output = _choose_output(values["output"], path, nodes, errors)
    if imports and rules is not None:
        _check_indicator(rules, suites, nodes, errors)
        check_optimizers(entries, rules, suites, errors)
    errors.raise_if_any()
    assert rules is not None  # if it is None, `_make_rules` added an error

    campaign = Campaign(
        name=path.stem,
        suites=suites,
        optimizers=tuple(entry.ref for entry in entries),
        rules=rules,
        output=output,
        imports=values["imports"],
        folder=folder,
        **{key: values[key] for key in _CAMPAIGN_FIELDS},
    )
    _check_plan(campaign, nodes, root, errors)
    return campaign


def _parse_file(path: Path, errors: ErrorList) -> Node:
    """Parse the YAML of a campaign file, and add its syntax errors to ``errors``.

    Returns:
        The node of the whole file. Its value is a mapping from keys to nodes.

    Raises:
        CampaignError: The file is not a mapping of keys, or it cannot be parsed.
    """
    root, problems = read_yaml(_read_bytes(path))
    for position, message in problems:
        errors.add(message, position)
    if root is None or not isinstance(root.value, dict):
        if root is not None:
            message = f"a campaign is a mapping of keys; {fields.shown_value(root)}"
            errors.add(message, root.position)
        errors.raise_if_any()
        raise CampaignError(f"{errors.label}: nothing to read")
    return root


def _apply_overrides(nodes: Mapping[str, Node], overrides: Mapping[str, Any]) -> dict[str, Node]:
    """Return the nodes of a campaign file with some values replaced.

    Args:
        nodes: Nodes of the file, by key. They are not changed.
        overrides: New values by key. ``evaluators`` is not a key of the file: it replaces the
            number of evaluators in the key ``parallel``, and keeps the duration there.
    """
    options = {key: Node.of(value) for key, value in overrides.items()}
    evaluators = options.pop("evaluators", None)
    nodes = {**nodes, **options}
    if evaluators is not None:
        parallel = nodes.get("parallel", Node(None, None))
        parts = parallel.value if isinstance(parallel.value, dict) else {}
        nodes["parallel"] = replace(parallel, value={**parts, "evaluators": evaluators})
    return nodes


def _parse_key(key: str, nodes: Mapping[str, Node], errors: ErrorList) -> Any:
    """Read the value of a key of `RULES`, and add an error if the value is invalid.

    Returns:
        The value. If the key is missing, its default. If the value is invalid, its value in
        `_REPLACEMENTS`, or else its default.
    """
    default = RULES[key].default
    if key in nodes:
        default = _REPLACEMENTS.get(key, default)
    return errors.read_value(RULES[key].kind, nodes.get(key), key, default)


def _import_modules(modules: Node, folder: str, errors: ErrorList) -> None:
    """Import modules and files, and add an error for each that cannot be imported.

    Args:
        modules: Node of the key ``imports``, a list of texts.
        folder: Folder of relative paths.
        errors: Errors are added here.
    """
    for node in modules.value:
        try:
            import_text(node.value, folder)
        except FirsthitError as error:
            errors.add(str(error), node.position)


def _check_executor(
    values: Mapping[str, Any], nodes: Mapping[str, Node], errors: ErrorList
) -> None:
    """Add an error if each run needs its own process, but the campaign has no worker processes."""
    try:
        ExecutorConfig(values["workers"], values["cluster"], isolation=values["isolation"])
    except CampaignError as error:
        errors.add_at(error, nodes, "isolation")


def _make_rules(
    values: Mapping[str, Any], folder: str, nodes: Mapping[str, Node], errors: ErrorList
) -> RunRules | None:
    """Return the rules of all runs.

    If two values contradict each other, add an error and return None.
    """
    parallel = values["parallel"]
    if parallel is not None:
        values = {**values, "parallel": replace(parallel, folder=folder)}
    try:
        return RunRules(*(values[key] for key in RUN_RULES))
    except CampaignError as error:
        # Without simulated time, a budget in seconds is the error; with it, a measured clock.
        errors.add_at(error, nodes, "budget" if parallel is None else "clock")
        return None


def _choose_output(
    output: str | None, path: Path, nodes: Mapping[str, Node], errors: ErrorList
) -> Path:
    """Return the path of the log, and add an error if the path is invalid.

    Args:
        output: Value of the key ``output``. None: the path follows from the name of the campaign.
        path: Path of the campaign file.
        nodes: Nodes of the campaign file, by key.
        errors: Errors are added here.
    """
    if output is None:
        return default_output(path)
    log, message = Path(output), ""
    if log.suffix != ".h5":
        message = f"output must end in .h5; got {output[:_MAX_OUTPUT_LENGTH]!r}"
    elif not output.isprintable() or any(
        len(part.encode("utf-8", "replace")) > _MAX_NAME_BYTES for part in log.parts
    ):
        message = (
            f"output {output[:_MAX_OUTPUT_LENGTH]!r} must be printable, names at most "
            f"{_MAX_NAME_BYTES} bytes long"
        )
    if message:
        errors.add_at(message, nodes, "output")
    return log


def _check_indicator(
    rules: RunRules, suites: Sequence[SuiteChoice], nodes: Mapping[str, Node], errors: ErrorList
) -> None:
    """Add an error if the indicator cannot measure a problem.

    The error is reported at the key ``indicator``. Without this key the suite chose its indicator,
    and the error is reported at the suite.
    """
    try:
        check_indicator(rules.indicator, first_problems(suites))
    except FirsthitError as error:
        keys = ("indicator",) if rules.indicator else ()
        errors.add_at(error, nodes, *keys, "suites", "suite")


def _check_plan(
    campaign: Campaign, nodes: Mapping[str, Node], root: Node, errors: ErrorList
) -> None:
    """Check that the runs of the campaign can be planned.

    Raises:
        CampaignError: The runs cannot be planned. The error is reported at the key that causes it.
    """
    try:
        runs = plan(campaign)
    except FirsthitError as error:
        keys = ("budget",) if isinstance(error, BudgetError) else ("suites", "suite")
        node = next((nodes[key] for key in keys if key in nodes), root)
        errors.add(str(error), node.position)
        errors.raise_if_any()
    if campaign.early_table is not None and not select_early_runs(campaign, runs):
        errors.add_at("early_table selects no run of the campaign", nodes, "early_table")
        errors.raise_if_any()


def output_of(source: str | Path) -> Path:
    """Return the path of a campaign's log. Errors in other parts of the file are ignored.

    Args:
        source: A path, or the name of a campaign that comes with firsthit.

    Returns:
        The value of ``output``, or the default path if the file does not contain this key. The log
        need not exist.

    Raises:
        CampaignError: The file does not exist or cannot be read.
    """
    path = find_campaign(source)
    root, _ = read_yaml(_read_bytes(path))
    nodes = root.value if root is not None and isinstance(root.value, dict) else {}
    output = nodes["output"].value if "output" in nodes else None
    return Path(output) if isinstance(output, str) else default_output(path)


def _read_bytes(path: Path) -> bytes:
    """Return the content of a file, at most one byte more than `read_yaml` accepts."""
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)  # `read_yaml` reports that the file is too large
    except OSError as error:
        raise CampaignError(f"cannot read campaign {str(path)!r}: {error.strerror}") from error


def default_output(campaign: Path) -> Path:
    """Return the path of the log of a campaign file without the key ``output``."""
    return Path(f"results/{campaign.stem}.h5")


def find_campaign(source: str | Path) -> Path:
    """Return the path of a campaign file.

    Args:
        source: A path, or the name of a campaign that comes with firsthit. A file with that path is
            preferred.

    Raises:
        CampaignError: There is no such file or name, or the path is a folder.
    """
    path, quoted = Path(source), repr(str(source)[:_MAX_SOURCE_LENGTH])
    built_in = ready_campaigns()
    try:
        if path.is_file():
            return path
        if path.is_dir():
            raise CampaignError(f"{quoted} is a folder; give a campaign file")
    except OSError as error:  # the name is too long, or permission for a folder is missing
        raise CampaignError(f"cannot read campaign {quoted}: {error.strerror}") from error
    if str(source) in built_in:
        return built_in[str(source)]
    suggestion = unknown_name(
        "built-in campaign", str(source)[:_MAX_SOURCE_LENGTH], sorted(built_in)
    )
    raise CampaignError(f"no file {quoted}; {suggestion}")


def ready_campaigns() -> dict[str, Path]:
    """Return the paths of the campaigns that come with firsthit, by name, sorted.

    Example:
        >>> from firsthit.runner import ready_campaigns
        >>> ready_campaigns()["quickstart"].name
        'quickstart.yaml'
    """
    package = f"{__package__.partition('.')[0]}.configs"
    files = [Path(str(item)) for item in resources.files(package).iterdir()]
    return {path.stem: path for path in sorted(files) if path.suffix == ".yaml"}
