"""The built-in optimizers and suites, as the command line lists them.

A process of its own makes the lists, because tests register further suites in this process.
"""

import json
import subprocess
import sys


def list_with(command: str) -> dict[str, dict[str, str]]:
    """Return the rows of ``firsthit optimizers`` or ``firsthit suites``, by their first column."""
    done = subprocess.run(
        [sys.executable, "-m", "firsthit", command, "--format", "json"],
        capture_output=True, text=True, timeout=300, check=True,
    )  # fmt: skip
    return {next(iter(row.values())): row for row in json.loads(done.stdout)}


OPTIMIZERS = list_with("optimizers")


def handles(name: str, feature: str) -> bool:
    """Return whether an optimizer handles ``"integers"`` or ``"constraints"``."""
    return feature in OPTIMIZERS[name]["knows"].split(", ")


def has_objectives(name: str, number: int) -> bool:
    """Return whether an optimizer minimizes functions with this number of objectives."""
    return str(number) in OPTIMIZERS[name]["objectives"].split(", ")
