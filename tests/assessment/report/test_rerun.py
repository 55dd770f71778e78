"""``firsthit rerun``: the runs of a report are made again, and strangers' code is not run."""

import json
import os
import re
import socket
import subprocess
import sys
import time
from dataclasses import replace

import pytest

import firsthit
from firsthit.assessment import Results
from firsthit.loggers import read_log
from firsthit.runner import execute, load_campaign, open_log, plan
from firsthit.suites import Suite, problem_from

from ...command_line import invoke, succeed

CAMPAIGN = """
suite: bbob
functions: [1, 5]
dimensions: 2
instances: 1-2
optimizers:
  - random-search
  - {use: "scipy:Nelder-Mead", name: nm}
budget: 20 * dimension
seed: 3
workers: 0
output: log.h5
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """A campaign's log and the report that ``run --report`` leaves beside it."""
    folder = tmp_path_factory.mktemp("campaign")
    text = CAMPAIGN.replace("log.h5", str(folder / "log.h5"))
    (folder / "c.yaml").write_text(text)
    succeed("run", folder / "c.yaml", "--report")
    assert (folder / "log.html").stat().st_size > 1000
    return folder


def rerun(*arguments):
    return invoke("rerun", "--workers", "0", *arguments)


PROVENANCE = re.compile(
    r'(?<=<script type="application/json" id="provenance-data">).*?(?=</script>)', re.DOTALL
)


def provenance_of(page):
    """Return the logs, the headers and the first hits that the text of a page names."""
    return json.loads(PROVENANCE.search(page)[0])


def forge_report(made, tmp_path, change):
    """Write the report with other provenance, as a stranger may have written it.

    Args:
        made: Folder of the report.
        tmp_path: Folder that the file is written into.
        change: Function that changes the provenance.
    """
    page = (made / "log.html").read_text(encoding="utf-8")
    provenance = provenance_of(page)
    change(provenance)
    text = json.dumps(provenance).replace("<", "\\u003c")
    file = tmp_path / "changed.html"
    file.write_text(PROVENANCE.sub(lambda match: text, page, count=1), encoding="utf-8")
    return file


def written(made, tmp_path, change):
    """A report whose header a stranger changed."""
    return forge_report(made, tmp_path, lambda provenance: change(*provenance["headers"]))


def using(**algorithm):
    """A change of one algorithm."""
    return lambda content: content["algorithms"]["nm"].update(algorithm)


def lasting(duration):
    """A change to evaluations in parallel."""
    parallel = {"evaluators": 2, "duration": duration}
    return lambda content: content["campaign"].update(parallel=parallel)


@pytest.mark.parametrize(("source", "kind"), [("log.html", "report"), ("log.h5", "log")])
def test_the_first_hits_are_equal(made, tmp_path, source, kind):
    done = rerun(made / source, "-o", tmp_path / "again")
    assert done.exit_code == 0, done.output
    assert f"equal: the first hits of all 8 runs are those of the {kind}" in done.output
    before, after = (
        firsthit.load(path).runtimes("bbob").to_csv()
        for path in (made / "log.h5", tmp_path / "again/1.h5")
    )
    assert before == after


def test_a_report_on_a_log_that_is_merged_meanwhile(tmp_path):
    """It says what was read, and looks at no file again."""
    with firsthit.Observer(tmp_path / "a.h5", algorithm="random") as observer:
        for problem in observer([problem_from(sum, 2, optimal_value=0.0)]):
            problem([0.5, 0.25])
        unfinished = read_log(tmp_path / "a.h5")
    [log] = provenance_of(Results(unfinished).report().html)["logs"]
    assert log["file"].endswith(".journal")
    assert log["sha256"] == "being written"
    finished = read_log(tmp_path / "a.h5")
    head = (tmp_path / "a.h5").read_bytes()[:512]
    (tmp_path / "a.h5").unlink()
    [log] = provenance_of(Results(finished).report().html)["logs"]
    assert f"sha256 {log['sha256']}\n".encode() in head


def test_a_difference_is_named(made, tmp_path):
    file = forge_report(
        made, tmp_path, lambda provenance: provenance["first_hits"][0].update(digest="0" * 64)
    )
    [first, *_] = provenance_of((made / "log.html").read_text(encoding="utf-8"))["first_hits"]
    done = rerun(file, "-o", tmp_path / "again")
    assert done.exit_code == 1
    assert "different: 1 of 4 pairs of algorithm and function" in done.output
    assert f"{first['algorithm']} on bbob f{first['function']} in 2-D" in done.output


@pytest.mark.parametrize(
    ("change", "code"),
    [
        *((using(use=use), use) for use in ("os:system", "evil.py:solve", "module:function")),
        *((lasting(duration), duration) for duration in ("os:getpid", "evil.py:lasting")),
    ],
)
def test_code_of_strangers_is_named_and_not_run(made, tmp_path, change, code):
    done = rerun(written(made, tmp_path, change), "-o", tmp_path / "again")
    assert done.exit_code == 2
    assert code in done.stderr
    assert "--trust" in done.stderr
    assert not (tmp_path / "again").exists()


def test_evaluations_in_parallel_are_run_again(tmp_path):
    firsthit.benchmark(
        "random-search", "bbob", functions=1, dimensions=2, instances="1-2", budget="20*D",
        parallel=firsthit.Parallel(4, "uniform(1, 2)"), output=tmp_path / "a.h5",
    )  # fmt: skip
    page = firsthit.load(tmp_path).report().save(tmp_path / "page.html")
    done = rerun(page, "-o", tmp_path / "again")
    assert done.exit_code == 0, done.output
    one, other = read_log(tmp_path / "a.h5"), read_log(tmp_path / "again")
    assert one.hit_seconds(1).tolist() == other.hit_seconds(1).tolist() != []


def test_what_benchmark_ran_is_run_again(tmp_path):
    few = {"functions": [1, 5], "dimensions": [2], "instances": "1-2", "budget": "20*D"}
    logs = [tmp_path / "a.h5", tmp_path / "b.h5"]
    firsthit.benchmark("random-search", "bbob", output=logs[0], **few)
    firsthit.benchmark("scipy:Nelder-Mead", "bbob", output=logs[1], seed=2, **few)
    page = firsthit.load(logs).report().save(tmp_path / "page.html")
    done = rerun(page, "-o", tmp_path / "again")
    assert done.exit_code == 0, done.output
    assert "equal: the first hits of all 8 runs are those of the report" in done.output


def test_problems_given_one_by_one_cannot_be_run_again(tmp_path):
    problems = list(Suite("bbob", functions=[1, 5], dimensions=2, instances="1-2"))[:3]
    results = firsthit.benchmark("random-search", problems, output=tmp_path / "a.h5", budget=20)
    page = results.report().save(tmp_path / "page.html")
    done = rerun(page, "-o", tmp_path / "again")
    assert "the problems of suite 'bbob' were given one by one" in done.stderr


def test_a_python_object_cannot_be_run_again(made, tmp_path):
    file = written(made, tmp_path, using(use="__main__.solve"))
    done = rerun(file, "-o", tmp_path / "again", "--trust")
    assert "was a Python object" in done.stderr


def test_runs_of_a_loop_cannot_be_run_again(loaded, tmp_path):
    done = rerun(loaded.report().save(tmp_path / "loop.html"), "-o", tmp_path / "again")
    assert "observed in a loop or imported: no campaign describes them" in done.stderr


@pytest.mark.parametrize("name", ["notes.txt", "2.h5", "log.h5", "1.txt"])
def test_an_existing_folder_is_left_alone(made, tmp_path, name):
    (tmp_path / name).touch()
    done = rerun(made / "log.html", "-o", tmp_path)
    assert f"exists; name a new folder, because '{name}' in it does not" in done.stderr
    assert [path.name for path in tmp_path.iterdir()] == [name]
    done = rerun(made / "log.html", "-o", tmp_path / name)
    assert "exists; name a new folder, because it is not a folder" in done.stderr


def test_a_finished_rerun_makes_nothing_again(made, tmp_path):
    assert rerun(made / "log.h5", "-o", tmp_path / "again").exit_code == 0
    before = (tmp_path / "again/1.h5").read_bytes()
    done = rerun(made / "log.h5", "-o", tmp_path / "again")
    assert done.exit_code == 0, done.output
    assert "equal: the first hits of all 8 runs are those of the log" in done.output
    assert (tmp_path / "again/1.h5").read_bytes() == before


@pytest.mark.parametrize(
    "change",
    [
        {"functions: [1, 5]": "functions: [1, 6]"}, {"seed: 3": "seed: 4"}, {"name: nm": "name: n"},
        {"instances: 1-2": "instances: 1-3"},
    ],
    ids=str,
)  # fmt: skip
def test_the_folder_of_another_rerun_is_left_alone(made, tmp_path, change):
    text = CAMPAIGN
    for old, new in change.items():
        text = text.replace(old, new)
    (tmp_path / "other.yaml").write_text(text.replace("log.h5", str(tmp_path / "other.h5")))
    succeed("run", tmp_path / "other.yaml")
    assert rerun(tmp_path / "other.h5", "-o", tmp_path / "again").exit_code == 0
    before = (tmp_path / "again/1.h5").read_bytes()
    done = rerun(made / "log.h5", "-o", tmp_path / "again")
    assert done.exit_code == 2
    assert "because the runs in '1.h5' are of another rerun" in done.stderr
    assert (tmp_path / "again/1.h5").read_bytes() == before


GATED = """
import os, time

def gated(problem, rng):
    here = os.path.dirname(__file__)
    for _ in range(10):
        problem(rng.uniform(-5, 5, problem.dimension))
    if problem.id_instance == 2:
        open(os.path.join(here, "waiting"), "w").close()
        while not os.path.exists(os.path.join(here, "gate")):
            time.sleep(0.01)
"""


@pytest.mark.slow
@pytest.mark.parametrize("workers", [0, 1])
def test_an_interrupted_rerun_continues_with_the_same_command(tmp_path, workers):
    (tmp_path / "mine.py").write_text(GATED)
    (tmp_path / "gate").touch()
    (tmp_path / "c.yaml").write_text(
        "suite: bbob\nfunctions: 1-3\ndimensions: 2\ninstances: 1-2\nworkers: 1\n"
        "optimizers: ['mine.py:gated']\nbudget: 20\nrestarts: 0\noutput: log.h5\n"
    )

    def start(*arguments):
        return subprocess.Popen(
            [sys.executable, "-m", "firsthit", *map(str, arguments)],
            cwd=tmp_path, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    process = start("run", "c.yaml")
    output = process.communicate(timeout=300)[0]
    assert process.returncode == 0, output
    for name in ("gate", "waiting"):
        (tmp_path / name).unlink()
    again = ["rerun", "log.h5", "-o", "again", "--trust", "--workers", workers]
    process = start(*again)
    deadline = time.monotonic() + 300
    while not (tmp_path / "waiting").exists():
        assert process.poll() is None, process.stdout.read()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    process.terminate()
    output = process.communicate(timeout=300)[0]
    assert process.returncode == 130, output
    assert "interrupted; finished runs are in again/1.h5; the same command continues" in output
    (tmp_path / "gate").touch()
    process = start(*again)
    output = process.communicate(timeout=300)[0]
    assert process.returncode == 0, output
    assert "equal: the first hits of all 6 runs are those of the log" in output


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\xff\xfe binary \x00",
        b"<html><body>no report</body></html>",
        b'<script type="application/json" id="provenance-data">{</script>',
        b'<script type="application/json" id="provenance-data">[]</script>',
        b'<script type="application/json" id="provenance-data">{"headers": [1]}</script>',
        b'<script type="application/json" id="provenance-data">'
        + json.dumps({"headers": [], "first_hits": [{"algorithm": 1}]}).encode()
        + b"</script>",
        b'<script type="application/json" id="provenance-data">' + b"[" * 100000 + b"</script>",
    ],
)
def test_what_is_no_report_is_one_sentence(content, tmp_path):
    (tmp_path / "x.html").write_bytes(content)
    done = rerun(tmp_path / "x.html", "-o", tmp_path / "again")
    assert done.exit_code == 2
    assert "x.html" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize("form", ["coco", "ioh"])
def test_reports_on_data_of_other_tools(log_folder, tmp_path, form):
    sources = []
    for name in ("cma", "nelder-mead"):
        sources.append(str(tmp_path / name))
        arguments = ["export", str(log_folder / f"{name}.h5"), "--format", form, "-o", sources[-1]]
        assert invoke(*arguments).exit_code == 0
    succeed("report", *sources, "-o", tmp_path / "r.html")
    page = (tmp_path / "r.html").read_text(encoding="utf-8")
    assert len(provenance_of(page)["first_hits"]) == 2 * 3 * 2
    assert "imported" in rerun(tmp_path / "r.html", "-o", tmp_path / "again").stderr


def command(*arguments):
    """Run the command line, and return its exit code and everything it printed."""
    done = invoke(*arguments)
    return done.exit_code, done.output


def test_what_will_run_is_shown_first(made, tmp_path):
    code, text = command("rerun", made / "log.html", "-o", tmp_path / "again", "--workers", 0)
    assert code == 0
    lines = text.splitlines()
    shown = [line for line in lines if line.startswith(("campaign", "  "))]
    assert "campaign 1: 8 runs on bbob f1, 5 in 2-D, instances 1, 2; budget: 20*D" in shown
    assert "  nm: scipy:Nelder-Mead {}" in shown


def test_keys_of_the_campaign_that_are_not_asked_for_are_left_out(made, tmp_path):
    """A report that names optimizers, imports nothing, connects and writes nowhere else."""
    marker = tmp_path / "marker"
    evil = [
        {"name": "random-search", "use": "os:system", "parameters": {"command": f"touch {marker}"}}
    ]
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.0)
        address = f"tcp://127.0.0.1:{server.getsockname()[1]}"

        def change(content):
            content["campaign"].update(
                optimizers=evil, cluster=address, workers=4000, threads=4000,
                output=str(marker), folder="/", repetition=5,
            )  # fmt: skip

        file = written(made, tmp_path, change)
        code, text = command("rerun", file, "-o", tmp_path / "again", "--workers", 0)
        with pytest.raises(BlockingIOError):
            server.accept()
    assert (code, "equal: the first hits of all 8 runs" in text) == (0, True), text
    assert not marker.exists()
    assert sorted(path.name for path in (tmp_path / "again").iterdir()) == ["1.h5"]


def test_a_hostile_log_does_nothing_through_an_honest_report(made, tmp_path):
    marker = tmp_path / "marker"
    evil = [{"name": "nm", "use": "os:system", "parameters": {"command": f"touch {marker}"}}]
    campaign = load_campaign(made / "c.yaml")
    header = campaign.header()
    header = replace(header, campaign={**header.campaign, "optimizers": evil, "imports": []})
    with open_log(tmp_path / "log.h5", header, False) as writer:
        execute(plan(campaign), writer)
    assert command("report", tmp_path / "log.h5", "-o", tmp_path / "r.html")[0] == 0
    code, text = command("rerun", tmp_path / "r.html", "-o", tmp_path / "again", "--workers", 0)
    assert (code, marker.exists()) == (0, False), text


@pytest.mark.parametrize(
    ("use", "parameters"),
    [
        ("cma:fmin2", {"popsize": "__import__('os').system('touch marker')"}),
        ("cma:CMA-ES", {"tolfun": "open('marker', 'w')"}),
        ("cma:IPOP", {"CMA_stds": [1, "os.system"]}),
        ("cma:BIPOP", {"CMA_stds": {"a": "b"}}),
        ("scipy:Nelder-Mead", {"adaptive": "a.b"}),
    ],
)
def test_parameters_that_could_be_code_are_refused(made, tmp_path, use, parameters):
    """cma evaluates texts as Python expressions."""
    file = written(made, tmp_path, using(use=use, parameters=parameters))
    code, text = command("rerun", file, "-o", tmp_path / "again")
    assert code == 2
    assert f"algorithm 'nm': parameter '{next(iter(parameters))}' is " in text
    assert "--trust hands it on" in text
    assert not (tmp_path / "again").exists()


def test_words_and_numbers_are_harmless(made, tmp_path):
    parameters = {"adaptive": True, "xatol": 1e-3, "maxiter": 7}
    file = written(made, tmp_path, using(parameters=parameters))
    code, text = command("rerun", file, "-o", tmp_path / "again", "--workers", 0)
    assert code == 1  # other parameters, other hits
    assert '  nm: scipy:Nelder-Mead {"adaptive": true, "xatol": 0.001, "maxiter": 7}' in text


BROKEN = [
    ("campaign", []), ("campaign", "x"), ("algorithms", None), ("algorithms", {}),
    ("algorithms", {"nm": 3}), ("algorithms", {"nm": {"use": 3}}), ("algorithms", {"nm": {}}),
    ("algorithms", {"nm": {"use": "scipy:Nelder-Mead", "parameters": [1]}}),
    ("algorithms", {"nm": {"use": "scipy:Nelder-Mead", "parameters": {"unheard": 1}}}),
    ("algorithms", {"nm": {"use": "scipy:Nelder-Mead", "restarts": "x"}}),
    ("algorithms", {"n\x1bm": {"use": "scipy:Nelder-Mead"}}),
    ("suites", None), ("suites", "bbob"), ("suites", []), ("suites", [3]), ("suites", [{}]),
    ("suites", [{"name": "bbob"}]), ("suites", 10**30),
    ("suites", [{"name": 3, "functions": [1], "dimensions": [2], "instances": [1]}]),
    ("suites", [{"name": "tyo", "functions": [1], "dimensions": [2], "instances": [1]}]),
    ("suites", [{"name": "bbob", "functions": {"a": 1}, "dimensions": [2], "instances": [1]}]),
    ("suites", [{"name": "bbob", "functions": [99], "dimensions": [2], "instances": [1]}]),
    ("suites", [{"name": "bbob", "functions": [1], "dimensions": ["2; rm"], "instances": [1]}]),
    ("suites", [{"name": "bbob", "functions": [1], "dimensions": [2], "instances": "1-999999999"}]),
    ("budget", "os.system"), ("budget", -1), ("budget", {"a": 1}), ("budget", []),
    ("seed", "x"), ("seed", -1), ("seed", 1.5), ("restarts", "many"), ("repetitions", 0),
    ("repetitions", 10**9), ("repetitions", [1]), ("final_target", "yes"), ("timeout", "soon"),
    ("timeout", 1e999), ("record", "all"), ("indicator", "unheard of"), ("indicator", 3),
    ("imports", "os"), ("imports", [3]), ("imports", {"a": 1}), ("batch", "5/3"), ("batch", 3),
    ("batch", ["1/3"]),
]  # fmt: skip


@pytest.mark.parametrize(("key", "value"), BROKEN, ids=repr)
def test_a_malformed_report_is_one_sentence(made, tmp_path, key, value):
    def change(content):
        part = content if key in ("campaign", "algorithms") else content["campaign"]
        part[key] = value

    code, text = command("rerun", written(made, tmp_path, change), "-o", tmp_path / "again")
    assert code == 2
    assert text.startswith("firsthit: ")
    assert len(text.splitlines()) == 1
    assert text.isprintable() or text.rstrip("\n").isprintable()
    assert not (tmp_path / "again").exists()


KINDS = ["folder", "huge", "missing", "truncated", "null", *["fifo"] * hasattr(os, "mkfifo")]


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_no_file_of_a_report_is_one_sentence(made, tmp_path, kind):
    file = tmp_path / "x.html"
    if kind == "fifo":
        os.mkfifo(file)
    elif kind == "folder":
        file.mkdir()
    elif kind == "huge":
        with file.open("wb") as stream:
            stream.truncate(2**40)
    elif kind == "truncated":
        page = (made / "log.html").read_bytes()
        file.write_bytes(page[: page.index(b"provenance-data") + 200])
    elif kind == "null":
        file = "x\0.html"
    code, text = command("rerun", file, "-o", tmp_path / "again")
    assert code == 2
    assert text.startswith("firsthit: ")
    assert len(text.splitlines()) == 1


def test_a_batch_is_run_again_as_a_batch(made, tmp_path):
    log = tmp_path / "batch.h5"
    arguments = ["run", "--batch", "1/2", "--output", log, "--report", made / "c.yaml"]
    assert command(*arguments)[0] == 0
    code, text = command("rerun", tmp_path / "batch.html", "-o", tmp_path / "again", "--workers", 0)
    assert (code, "all 4 runs" in text) == (0, True), text
