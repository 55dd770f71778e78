"""Regressions in JUnit's XML, which build servers show as tests that passed or failed."""

from __future__ import annotations

from xml.etree import ElementTree

from ...tables.table import text
from .regression import RegressionTable, sentence


def to_junit(table: RegressionTable) -> str:
    """The rows as test cases, one for each test; a regression is a failure.

    Args:
        table: What `regression_table` returned.
    """
    suite = ElementTree.Element(
        "testsuite",
        name="firsthit compare",
        tests=str(len(table)),
        failures=str(table.regressions),
        errors="0",
        skipped="0",
    )
    for values in table.rows():
        row = dict(zip(table.names, values, strict=True))
        place = f"{row['base']} -> {row['new']}.{row['suite']}.d{row['dimension']:02d}"
        case = ElementTree.SubElement(
            suite, "testcase", classname=text(place), name=f"{row['scope']} {row['what']}", time="0"
        )
        if row["regression"]:
            numbers = (
                f"new/base {text(row['ratio'])} ({text(row['low'])} … {text(row['high'])}), "
                f"p {text(row['p_holm'])}"
            )
            failure = ElementTree.SubElement(case, "failure", message=f"{sentence(row)}: {numbers}")
            failure.text = numbers
    ElementTree.indent(suite)
    body = ElementTree.tostring(suite, encoding="unicode")
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{body}\n'
