"""Counts that README and docs give in words or digits are those of the code."""

import re
from pathlib import Path

import pytest

import firsthit
from firsthit.runner import load_campaign, optimizer_names
from firsthit.suites import definition
from firsthit.suites.selection import ranges

ROOT = Path(__file__).parents[1]
WORDS = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve",
]  # fmt: skip

QUICKSTART = load_campaign("quickstart")
GALLERY = load_campaign(str(ROOT / "docs" / "gallery" / "gallery.yaml"))
PACKAGES = {name.partition(":")[0] for name in optimizer_names() if ":" in name}


def word(things):
    return WORDS[len(things)]


def functions(campaign):
    return len(campaign.suites[0].suite().functions)


def examples(pattern):
    return sorted((ROOT / "examples").glob(pattern))


ON_FIRST_PAGES = (
    f"{word(QUICKSTART.optimizers)} optimizers on the {functions(QUICKSTART)} functions"
)
SAID = [
    ("README.md", ON_FIRST_PAGES),
    ("docs/start.md", ON_FIRST_PAGES),
    ("README.md", f"(optimizers of {word(PACKAGES - {'scipy'})} packages)"),
    ("configs/README.md", f"those of {word(PACKAGES)} packages"),
    ("README.md", f"the front door: {word(firsthit.__all__)} names"),
    (
        "README.md",
        f"({len(definition('bbob').measurement.targets)} targets, precisions 1e2 … 1e-8)",
    ),
    ("docs/concepts.md", f"With {len(definition('bbob').measurement.targets)} targets from 1e2 to"),
    ("docs/data.md", f"COCO's {len(definition('bbob-biobj').measurement.targets)} targets"),
    ("docs/start.md", f"{word(examples('*.ipynb'))} notebooks and {word(examples('*.py'))} short"),
    (
        "docs/gallery/README.md",
        f"{word(GALLERY.optimizers).capitalize()} optimizers on the {functions(GALLERY)} functions",
    ),
    ("docs/gallery/README.md", f"{word(GALLERY.suites[0].suite().instances)} instances each"),
]


@pytest.mark.parametrize(("page", "sentence"), SAID)
def test_what_is_counted_is_so_many(page, sentence):
    text = (ROOT / page).read_text(encoding="utf-8")
    assert sentence in " ".join(text.split())


def test_the_table_of_suites():
    """Functions, dimensions and instances of each; "the same" is what stands a row above."""
    text = (ROOT / "docs" / "suites.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w-]+)` \| (\w+)[^|]*\| ([^|]+) \| ([^|]+) \|", text, re.MULTILINE)
    assert len(rows) > 9
    above = ""
    for name, count, dimensions, instances in rows:
        above = above if dimensions == "the same" else dimensions
        suite = firsthit.Suite(name)
        assert (name, above) == (name, ", ".join(map(str, suite.dimensions)))
        assert (name, instances.replace(" ", "")) == (
            name,
            ranges(suite.instances).replace(" ", ""),
        )
        if count != "mixtures":
            assert (name, int(count)) == (name, len(suite.functions))
