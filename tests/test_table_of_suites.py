"""What a table of the docs tells of the suites is what the code has."""

import json
import re
from pathlib import Path

import firsthit

ROOT = Path(__file__).parents[1]


def test_the_table_of_suites(cli):
    """Functions, dimensions and instances of each; "the same" is what stands a row above."""
    text = (ROOT / "docs" / "suites.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| `([\w-]+)` \| (\w+)[^|]*\| ([^|]+) \| ([^|]+) \|", text, re.MULTILINE)
    assert len(rows) > 9
    above = ""
    listed = {row["suite"]: row for row in json.loads(cli("suites", "--format", "json")[1])}
    for name, count, dimensions, instances in rows:
        above = above if dimensions == "the same" else dimensions
        suite = firsthit.Suite(name)
        assert (name, above) == (name, ", ".join(map(str, suite.dimensions)))
        assert (name, instances.replace(" ", "")) == (
            name,
            listed[name]["instances"].replace(" ", ""),
        )
        if count != "mixtures":
            assert (name, int(count)) == (name, len(suite.functions))
