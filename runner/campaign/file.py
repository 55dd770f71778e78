"""Reading a campaign file: every problem at once, each as ``FILE:line:column: sentence``."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

from ...suites import FirsthitError
from ...suites.errors import unknown_name
from ..errors import CampaignError
from ..executors.config import available_processors
from . import fields
from .campaign import Campaign, RunRules
from .keys import CAMPAIGN_KEYS, RULES
from .plan import plan
from .sections import Ends, ErrorList, import_all, read_optimizers, read_suites
from .yaml_tree import MOST_BYTES, Node, read_yaml

_MOST_NAME_BYTES = 200


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
    root, problems = read_yaml(_content(path))
    for place, sentence in problems:
        errors.add(sentence, place)
    if root is not None and not isinstance(root.value, dict):
        errors.add(f"a campaign is a mapping of keys; {fields.came(root)}", root.place)
        root = None
    if root is None:
        errors.raise_if_any()
        raise CampaignError(f"{errors.label}: nothing to read")
    return _Reader(errors, root, path, overrides or {}, imports).campaign()


def output_of(source: str | Path) -> Path:
    """The log of a campaign, even of one that has other problems.

    Raises:
        CampaignError: There is no such campaign.
    """
    path = find_campaign(source)
    root, _ = read_yaml(_content(path))
    nodes = root.value if root is not None and isinstance(root.value, dict) else {}
    given = nodes["output"].value if "output" in nodes else None
    return Path(given) if isinstance(given, str) else default_output(path)


def _content(path: Path) -> bytes:
    """The file's content, of a huge file only the beginning."""
    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        raise CampaignError(f"cannot read campaign {str(path)!r}: {error.strerror}") from error


def default_output(campaign: Path) -> Path:
    """Where the log of a campaign file goes that names none."""
    return Path(f"results/{campaign.stem}.h5")


def find_campaign(source: str | Path) -> Path:
    """The file of that path, or of that name among those that come with firsthit.

    Raises:
        CampaignError: There is neither.
    """
    path, shown = Path(source), repr(str(source)[:200])
    ready = ready_campaigns()
    try:
        if path.is_file():
            return path
        if path.is_dir():
            raise CampaignError(f"{shown} is a folder; give a campaign file")
    except OSError as error:  # a name too long, a folder that must not be entered
        raise CampaignError(f"cannot read campaign {shown}: {error.strerror}") from error
    if str(source) in ready:
        return ready[str(source)]
    raise CampaignError(
        f"no file {shown}; {unknown_name('ready campaign', str(source)[:200], sorted(ready))}"
    )


def ready_campaigns() -> dict[str, Path]:
    """The campaigns that come with firsthit, by name."""
    package = f"{__package__.partition('.')[0]}.configs"
    files = [Path(str(item)) for item in resources.files(package).iterdir()]
    return {path.stem: path for path in sorted(files) if path.suffix == ".yaml"}


class _Reader:
    """From the tree of one file to a campaign."""

    def __init__(
        self,
        errors: ErrorList,
        root: Node,
        path: Path,
        overrides: Mapping[str, Any],
        imports: bool,
    ) -> None:
        self._errors = errors
        self._imports = imports
        self._root = root
        self._path = path
        self._nodes: dict[str, Node] = {
            **root.value,
            **{key: Node(value, None) for key, value in overrides.items()},
        }

    def campaign(self) -> Campaign:
        """Read everything, then complain about everything."""
        errors, folder = self._errors, str(self._path.parent.absolute())
        errors.unknown_keys(self._root, CAMPAIGN_KEYS, "")
        imports = self._value("imports")
        if self._imports:  # they may register suites and indicators
            import_all(imports, folder, self._nodes.get("imports"), errors)
        values = {key: self._value(key) for key in RULES if key != "imports"}
        suites = read_suites(self._nodes, errors)
        ends = Ends(self._is_given("budget"), self._is_given("timeout"), values["restarts"])
        optimizers = read_optimizers(
            self._nodes.get("optimizers"), folder, ends if self._imports else None, errors
        )
        for key in ("suite", "optimizers"):
            if not {key, "suites" if key == "suite" else key} & set(self._nodes):
                errors.add(f"key {key!r} is missing", self._root.place)
        output = self._output(values["output"])
        errors.raise_if_any()
        campaign = Campaign(
            name=self._path.stem,
            suites=suites,
            optimizers=optimizers,
            rules=RunRules(
                values["budget"], values["restarts"], values["seed"], values["final_target"],
                values["timeout"], values["record"], values["indicator"],
            ),
            repetitions=values["repetitions"],
            workers=available_processors() if values["workers"] is None else values["workers"],
            cluster=values["cluster"],
            threads=values["threads"],
            output=output,
            tuning=values["tuning"],
            imports=imports,
            folder=folder,
        )  # fmt: skip
        self._check(campaign)
        return campaign

    def _is_given(self, key: str) -> bool:
        node = self._nodes.get(key)
        return node is not None and node.value is not None

    def _value(self, key: str) -> Any:
        default = RULES[key].default
        node = self._nodes.get(key)
        return (
            default if node is None else self._errors.convert(RULES[key].kind, node, key, default)
        )

    def _output(self, given: str | None) -> Path:
        if given is None:
            return default_output(self._path)
        path, sentence = Path(given), ""
        if path.suffix != ".h5":
            sentence = f"output must end in .h5; got {given[:60]!r}"
        elif not given.isprintable() or any(
            len(part.encode("utf-8", "replace")) > _MOST_NAME_BYTES for part in path.parts
        ):
            sentence = f"output {given[:60]!r} must be printable, names at most 200 bytes long"
        if sentence:
            self._errors.add(sentence, self._nodes["output"].place, "option --output")
        return path

    def _check(self, campaign: Campaign) -> None:
        try:
            plan(campaign)
        except FirsthitError as error:
            keys = ("budget",) if "budget" in str(error) else ("suites", "suite")
            node = next((self._nodes[key] for key in keys if key in self._nodes), None)
            self._errors.add(str(error), node.place if node else self._root.place)
            self._errors.raise_if_any()
