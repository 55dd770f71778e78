"""Make the golden logs of format 2.1: two runs or more on a problem of each suite.

Run ``python tests/loggers/golden/make_2_1.py`` from a checkout that writes format 2.1. It only adds
logs that do not exist: golden logs are never changed.
"""

from pathlib import Path

import firsthit
from firsthit.loggers.hdf5.schema import SCHEMA_MINOR, SCHEMA_VERSION

FOLDER = Path(__file__).parent


def make_log(suite: str) -> None:
    """Make the log of one suite, unless it exists."""
    path = FOLDER / f"2.1-{suite}.h5"
    if path.exists():
        return
    available = firsthit.Suite(suite)
    firsthit.benchmark(
        {"random": "random-search"},
        suite,
        functions=available.functions[0],
        dimensions=min(available.dimensions),
        instances=list(available.instances[:2]),
        budget="[5, 20]*D",
        seed=1,
        output=path,
    )


if __name__ == "__main__":
    assert (SCHEMA_VERSION, SCHEMA_MINOR) == (2, 1)
    for name in firsthit.suites.suite_names():
        make_log(name)
