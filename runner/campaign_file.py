"""Reading a campaign file: every problem at once, each as ``FILE:line:column: sentence``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import resources
from pathlib import Path
from typing import Any

from ..suites import FirsthitError
from ..suites.errors import unknown_name
from . import fields
from .campaign import Campaign, RunRules, plan
from .campaign_parts import import_all, read_optimizers, read_suites
from .errors import CampaignError
from .fields import Convert, Wrong
from .processes import available_processors
from .yaml_tree import Node, Place, read_yaml

RECORDS = ("targets", "improvements")
_OPTIONAL: Mapping[str, tuple[Convert[Any], Any]] = {
    "budget": (fields.budget, None),
    "restarts": (fields.or_none(fields.whole_number(0)), None),
    "seed": (fields.whole_number(0), 1),
    "final_target": (fields.truth, True),
    "timeout": (fields.or_none(fields.positive_number), None),
    "record": (fields.one_of(RECORDS), "targets"),
    "repetitions": (fields.whole_number(1), 1),
    "workers": (fields.workers, None),
    "output": (fields.text, None),
    "tuning": (fields.anything, None),
    "imports": (fields.list_of(fields.text), ()),
}
_PARTS = ("suite", "suites", "functions", "dimensions", "instances", "optimizers")
CAMPAIGN_KEYS = (*_PARTS, *_OPTIONAL)


class Report:
    """Collects the problems of one file, with the place where each stands."""

    def __init__(self, label: str) -> None:
        self.label = label
        self._found: list[tuple[int, int, str]] = []

    def add(self, sentence: str, place: Place | None, where: str | None = None) -> None:
        """Note one problem; ``where`` stands in for a place that is not in the file."""
        if place is not None:
            text = f"{self.label}:{place.line}:{place.column}: {sentence}"
            self._found.append((place.line, place.column, text))
        else:
            self._found.append((0, 0, f"{where or self.label}: {sentence}"))

    def convert(self, convert: Convert[Any], node: Node, what: str, default: Any = None) -> Any:
        """The value of a node; where it is wrong this is noted and ``default`` returned."""
        if node.is_refused:
            return default
        try:
            return convert(node, what)
        except Wrong as wrong:
            self.add(wrong.sentence, wrong.place, f"option --{what.replace('_', '-')}")
            return default

    def unknown_keys(self, node: Node, known: Sequence[str], what: str) -> None:
        """Note each key of a mapping that is not known."""
        for key in node.value:
            if key not in known:
                sentence = unknown_name("key", key, known)
                self.add(f"{what}{sentence}", node.keys.get(key, node.place))

    def stop_if_any(self) -> None:
        """Raise CampaignError with all problems, in the order of the file."""
        if self._found:
            raise CampaignError([text for _, _, text in sorted(self._found)])


def load_campaign(source: str | Path, overrides: Mapping[str, Any] | None = None) -> Campaign:
    """Read a campaign file, or a ready campaign by its name.

    Imports the optimizers that it names: a campaign file is a program.

    Args:
        source: A path, or the name of a campaign that comes with firsthit: ``"quickstart"``.
        overrides: Values instead of the file's, by key: the options of the command line.

    Raises:
        CampaignError: The file cannot be read or has problems; the text lists all of them.
    """
    path = find_campaign(source)
    report = Report(str(source) if Path(source) == path else path.name)
    try:
        data = path.read_bytes()
    except OSError as error:
        raise CampaignError(f"cannot read campaign {str(path)!r}: {error.strerror}") from error
    root, problems = read_yaml(data)
    for place, sentence in problems:
        report.add(sentence, place)
    if root is not None and not isinstance(root.value, dict):
        report.add(f"a campaign is a mapping of keys; {fields.came(root)}", root.place)
        root = None
    if root is None:
        report.stop_if_any()
        raise CampaignError(f"{report.label}: nothing to read")
    return _Reader(report, root, path, overrides or {}).campaign()


def find_campaign(source: str | Path) -> Path:
    """The file of that path, or of that name among those that come with firsthit.

    Raises:
        CampaignError: There is neither.
    """
    path = Path(source)
    if path.is_file():
        return path
    ready = ready_campaigns()
    if str(source) in ready:
        return ready[str(source)]
    if path.is_dir():
        raise CampaignError(f"{str(source)!r} is a folder; give a campaign file")
    raise CampaignError(
        f"no file {str(source)!r}; {unknown_name('ready campaign', source, sorted(ready))}"
    )


def ready_campaigns() -> dict[str, Path]:
    """The campaigns that come with firsthit, by name."""
    package = f"{__package__.rpartition('.')[0]}.configs"
    files = [Path(str(item)) for item in resources.files(package).iterdir()]
    return {path.stem: path for path in sorted(files) if path.suffix == ".yaml"}


class _Reader:
    """From the tree of one file to a campaign."""

    def __init__(
        self, report: Report, root: Node, path: Path, overrides: Mapping[str, Any]
    ) -> None:
        self._report = report
        self._root = root
        self._path = path
        self._nodes: dict[str, Node] = {
            **root.value,
            **{key: Node(value, None) for key, value in overrides.items()},
        }

    def campaign(self) -> Campaign:
        """Read everything, then complain about everything."""
        report, folder = self._report, str(self._path.parent)
        report.unknown_keys(self._root, CAMPAIGN_KEYS, "")
        values = {key: self._value(key) for key in _OPTIONAL}
        import_all(values["imports"], folder, self._nodes.get("imports"), report)
        suites = read_suites(self._nodes, report)
        needs_end = all(self._is_absent(key) for key in ("budget", "timeout"))
        optimizers = read_optimizers(self._nodes.get("optimizers"), folder, needs_end, report)
        for key in ("suite", "optimizers"):
            if not {key, "suites" if key == "suite" else key} & set(self._nodes):
                report.add(f"key {key!r} is missing", self._root.place)
        output = self._output(values["output"])
        report.stop_if_any()
        campaign = Campaign(
            name=self._path.stem,
            suites=suites,
            optimizers=optimizers,
            rules=RunRules(
                values["budget"], values["restarts"], values["seed"], values["final_target"],
                values["timeout"], values["record"],
            ),
            repetitions=values["repetitions"],
            workers=values["workers"] or available_processors(),
            output=output,
            tuning=values["tuning"],
            imports=values["imports"],
            folder=folder,
        )  # fmt: skip
        self._check(campaign)
        return campaign

    def _is_absent(self, key: str) -> bool:
        node = self._nodes.get(key)
        return node is None or node.value is None

    def _value(self, key: str) -> Any:
        convert, default = _OPTIONAL[key]
        node = self._nodes.get(key)
        return default if node is None else self._report.convert(convert, node, key, default)

    def _output(self, given: str | None) -> Path:
        path = Path(given or f"results/{self._path.stem}.h5")
        if path.suffix != ".h5":
            node = self._nodes["output"]
            self._report.add(
                f"output must end in .h5; got {given!r}", node.place, "option --output"
            )
        return path

    def _check(self, campaign: Campaign) -> None:
        try:
            plan(campaign)
        except FirsthitError as error:
            node = self._nodes.get("budget" if "budget" in str(error) else "suites")
            self._report.add(str(error), node.place if node else self._root.place)
            self._report.stop_if_any()
