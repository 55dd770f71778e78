"""What a table of the docs tells of the suites is what the code has."""

import re
from pathlib import Path

import firsthit
from firsthit.suites.selection import ranges

ROOT = Path(__file__).parents[1]


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
