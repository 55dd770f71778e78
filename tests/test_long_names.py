"""Names that no file system accepts end every command with one short sentence and exit code 2."""

import pytest

from firsthit.loggers import Observer
from firsthit.suites import Suite

LONG = "long" * 75
COMMANDS = (
    "assess art {long}",
    "assess art {long}.h5",
    "assess art a.h5 --reference {long}.csv",
    "assess ecdf a.h5 --background {long} --plot a.pdf",
    "report {long}.h5 -o page.html",
    "report a.h5 -o {long}.html",
    "merge {long}.h5",
    "merge a.h5 -o {long}.h5",
    "status {long}.h5",
    "status {long}",
    "run {long}.yaml",
    "export {long}.h5 --format ioh -o data",
    "export a.h5 --format ioh -o {long}",
    "import {long} -o b.h5",
    "references {long}.h5",
    "rerun {long}.h5 -o again",
    "publish {long}.h5 -o page",
    "regressions {long}.h5 a.h5",
    "figures a.h5 -o {long}",
)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_name_of_300_letters(cli, tmp_path, command):
    with Observer(tmp_path / "a.h5", algorithm="a") as observer:
        for problem in observer(Suite("bbob", functions=1, dimensions=2, instances=1)):
            problem(problem.initial_solution)
    code, out, err = cli(*command.format(long=LONG).split())
    assert (code, out) == (2, "")
    assert "too long" in err
    assert LONG[:40] in err


@pytest.mark.parametrize(
    "command",
    [
        "assess art a.h5 --targets {long}.csv",
        "assess art a.h5 --targets {long}",
        "assess art two.h5 --hypervolume-reference {long}",
        "export a.h5 --format ioh -o {long}",
    ],
)
def test_5000_digits_are_quoted_in_part(cli, tmp_path, command):
    for name, suite in (("a.h5", "bbob"), ("two.h5", "bbob-biobj")):
        with Observer(tmp_path / name, algorithm="a") as observer:
            for problem in observer(Suite(suite, functions=1, dimensions=2, instances=1)):
                problem(problem.initial_solution)
    code, out, err = cli(*command.format(long="9" * 5000).split())
    assert (code, out) == (2, "")
    assert "9" * 100 in err
    assert len(err) < 1000
