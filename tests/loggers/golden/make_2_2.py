"""Make the golden logs of format 2.2: runs on a problem of each suite, and logs with points.

Run ``python tests/loggers/golden/make_2_2.py`` from a checkout that writes format 2.2. It only adds
logs that do not exist: golden logs are never changed.
"""

from pathlib import Path
from typing import Any

import firsthit
from firsthit.loggers.hdf5.schema import SCHEMA_MINOR, SCHEMA_VERSION

FOLDER = Path(__file__).parent


def make_log(suite: str, name: str, **options: Any) -> None:
    """Make the log of one suite with further options of `benchmark`, unless it exists."""
    path = FOLDER / f"2.2-{name}.h5"
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
        **options,
    )


if __name__ == "__main__":
    assert (SCHEMA_VERSION, SCHEMA_MINOR) == (2, 2)
    for name in firsthit.suites.suite_names():
        make_log(name, name)
    for name in ("bbob", "bbob-biobj"):
        make_log(name, f"{name}-points", record_points={"first": 12})
        make_log(name, f"{name}-hit-points", record_points="hits", max_point_bytes=64)
