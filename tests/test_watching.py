"""Campaigns are watched in the browser and in the terminal, through the commands and HTTP."""

import http.client
import json
import re
import signal
import socket
import subprocess
import sys
import threading

import pytest

import firsthit
from firsthit.loggers import read_log

from .command_line import invoke

OPTIMIZERS = """
import os, signal

def fine(problem, rng):
    for _ in range(20):
        problem(rng.uniform(-5, 5, problem.dimension))

def dies(problem, rng):
    fine(problem, rng)
    if problem.id_instance == 2:
        os.kill(os.getpid(), signal.SIGKILL)

def fails(problem, rng):
    fine(problem, rng)
    if problem.id_function == 3:
        raise ValueError(f"<img src=x onerror=alert(1)> went wrong at {rng.random()}")
"""
HOSTILE = "<script>alert(1)</script>"
CAMPAIGN = """
suite: bbob
functions: 1-3
dimensions: 2
instances: 1-3
optimizers:
  - {name: "<script>alert(1)</script>", use: "opt.py:fine"}
  - {name: fails, use: "opt.py:fails"}
budget: 100*D
workers: 0
output: c.h5
"""
WITH_KILLS = CAMPAIGN.replace("workers: 0", "workers: 1").replace(
    "budget:", '  - {name: dies, use: "opt.py:dies"}\nbudget:'
)
needs_sigkill = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")


class Client:
    """A program that reads a dashboard.

    Attributes:
        process: Process of the command.
        lines: Lines that the command printed when it began.
        port: Port of the dashboard.
    """

    def __init__(self, process, n_lines):
        self.process = process
        self.lines = [process.stderr.readline() for _ in range(n_lines)]
        self.port = int(re.search(r"http://127\.0\.0\.1:(\d+)/", "".join(self.lines))[1])

    def request(self, path="/", method="GET", host=None):
        """Send a request, and return the status and the text of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        connection.request(method, path, headers={"Host": host or f"localhost:{self.port}"})
        response = connection.getresponse()
        return response.status, response.read().decode()

    def data(self, condition):
        """Read the data until they fulfil a condition, and return them."""
        paused = threading.Event()
        for _ in range(6000):
            data = json.loads(self.request("/data.json")[1])
            if condition(data):
                return data
            paused.wait(0.01)  # leaves the processor to the dashboard
        raise AssertionError(data)


def start(*words, cwd):
    return subprocess.Popen(
        [sys.executable, "-m", "firsthit", *map(str, words)],
        cwd=cwd, text=True, encoding="utf-8", stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip


def free_port():
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        return bound.getsockname()[1]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Create a folder with a campaign that has ended, with failures that differ in details."""
    path = tmp_path_factory.mktemp("watched")
    (path / "opt.py").write_text(OPTIMIZERS)
    (path / "c.yaml").write_text(CAMPAIGN)
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(path)
        done = invoke("run", "c.yaml")
    assert done.exit_code == 1, done.output
    return path


@pytest.fixture(scope="module")
def ended(folder):
    """Serve the dashboard of this campaign."""
    process = start("watch", "c.yaml", "--port", free_port(), cwd=folder)
    client = Client(process, 3)
    client.data(lambda data: data["state"] == "complete" and data["ecdf"] is not None)
    yield client
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert (process.returncode, out, err) == (0, "", "")


def test_an_ended_campaign_is_complete_and_its_failures_have_their_messages(ended, folder):
    data = ended.data(lambda data: True)
    assert data["description"] == "complete: 18 runs, 3 failed"
    assert {row["algorithm"]: (row["done"], row["failed"]) for row in data["rows"]} == {
        HOSTILE: (9, 0), "fails": (6, 3),
    }  # fmt: skip
    [failure] = data["failures"]
    assert (failure["algorithm"], failure["status"], failure["n_runs"]) == ("fails", "failed", 3)
    assert "<img src=x onerror=alert(1)> went wrong" in failure["message"]
    assert data["seconds_left"] == 0


def test_the_curves_are_those_of_assess_ecdf(ended, folder):
    data = ended.data(lambda data: True)
    assert data["ecdf"]["n_runs"] == len(read_log(folder / "c.h5")) == 18
    [panel] = data["ecdf"]["panels"]
    table = firsthit.load(folder / "c.h5").ecdf(unequal=True)
    assert (panel["suite"], panel["dimension"]) == ("bbob", 2)
    for curve, profile in zip(panel["curves"], table.profiles, strict=True):
        assert curve["algorithm"] == profile.algorithm
        for budget, share in zip(curve["budgets"], curve["shares"], strict=True):
            assert share == pytest.approx(profile.at(budget * 1.0001), abs=5e-5)


@pytest.mark.slow
def test_no_two_algorithms_of_a_dashboard_have_the_same_style(tmp_path):
    names = [f"algorithm {number}" for number in range(12)]
    firsthit.benchmark(
        dict.fromkeys(names, "random-search"), "bbob", functions=1, dimensions=2, instances=1,
        budget=20, output=tmp_path / "c.h5", progress=False,
    )  # fmt: skip
    process = start("watch", "c.h5", "--port", free_port(), cwd=tmp_path)
    styles = Client(process, 3).data(lambda data: data["ecdf"] is not None)["ecdf"]["styles"]
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert set(styles) == set(names)
    assert len({(style["colour"], *style["dashes"]) for style in styles.values()}) == 12


def test_the_address_and_the_command_of_ssh_are_printed(ended):
    address, ssh, end = ended.lines
    assert address == f"dashboard: http://127.0.0.1:{ended.port}/\n"
    assert f"ssh -L {ended.port}:127.0.0.1:{ended.port} " in ssh
    assert "Ctrl-C" in end


def test_the_page_contains_no_data_and_runs_its_own_script_only(ended):
    status, page = ended.request("/")
    assert status == 200
    assert HOSTILE not in page
    assert "script-src 'sha256-" in page
    assert "http:" not in page.replace("http://www.w3.org/2000/svg", "")
    assert "https:" not in page


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        ({"host": "evil.example"}, 403),
        ({"host": "evil.example:8420"}, 403),
        ({"host": "127.0.0.1.evil.example"}, 403),
        ({"host": "localhost:1"}, 200),  # ssh may forward another port
        ({"method": "POST"}, 405),
        ({"method": "PUT", "path": "/data.json"}, 405),
        ({"method": "OPTIONS"}, 405),
        ({"path": "/c.h5"}, 404),
        ({"path": "/../c.h5"}, 404),
        ({"path": "/data.json?x"}, 404),
    ],
    ids=str,
)
def test_other_requests_are_refused(ended, request_, status):
    answered, text = ended.request(**request_)
    assert answered == status
    assert "Traceback" not in text


@pytest.mark.slow
def test_the_next_free_port_is_used(ended, folder):
    process = start("watch", "c.h5", "--port", ended.port, cwd=folder)
    client = Client(process, 3)
    assert client.port > ended.port
    assert client.data(lambda data: data["state"] == "complete")["log"] == "c.h5"
    process.send_signal(signal.SIGINT)
    process.communicate(timeout=60)
    assert process.returncode == 0


@pytest.mark.slow
def test_runs_appear_while_a_log_is_written(tmp_path):
    suite = firsthit.Suite("bbob", functions=1, dimensions=2, instances="1-3")
    with firsthit.Observer(tmp_path / "o.h5", algorithm="mine") as observer:
        client = None
        for n_runs, problem in enumerate(observer(suite)):
            problem(problem.initial_solution)
            if n_runs == 0:
                continue  # the log has no run before the second one begins
            client = client or Client(
                start("watch", "o.h5", "--port", free_port(), cwd=tmp_path), 3
            )
            data = client.data(lambda data, n=n_runs: data["total"]["done"] == n)
            assert data["state"] == "running"
    data = client.data(lambda data: data["state"] == "ended")
    assert data["total"]["done"] == 3
    done = invoke("status", tmp_path / "o.h5", "--follow")
    assert (done.exit_code, "3 runs; no coordinator is at work" in done.stdout) == (0, True)
    client.process.send_signal(signal.SIGINT)
    client.process.communicate(timeout=60)


@pytest.mark.slow
@needs_sigkill
def test_status_follows_a_campaign_from_before_its_begin_to_its_end(tmp_path):
    (tmp_path / "opt.py").write_text(OPTIMIZERS)
    (tmp_path / "c.yaml").write_text(WITH_KILLS)
    follower = start("status", "c.yaml", "--follow", cwd=tmp_path)
    assert follower.stdout.readline().startswith("c.h5")
    assert follower.stdout.readline() == "waiting: the campaign has not begun\n"
    run = start("run", "c.yaml", cwd=tmp_path)
    run.communicate(timeout=300)
    out, err = follower.communicate(timeout=300)
    assert (follower.returncode, err) == (1, "")
    last = out[out.rindex("complete: 27 runs, 6 failed") :]
    assert "dies, 3 runs failed: worker process was killed by SIGKILL" in last
    assert "function-target pairs solved, of 27 runs so far" in last
    assert max(map(len, out.splitlines())) <= 80


def test_status_follow_ends_at_once_after_the_campaign(folder, monkeypatch):
    monkeypatch.chdir(folder)
    done = invoke("status", "c.h5", "--follow")
    assert done.exit_code == 1
    assert "complete: 18 runs, 3 failed" in done.stdout
    assert "\x1b" not in done.stdout


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["status", "quickstart", "--follow", "--format", "json"], "leave out --format json"),
        (["status", "none.h5", "--follow"], "no log at 'none.h5'"),
        (["watch", "none.h5"], "no log at 'none.h5'"),
        (["watch", "quickstrat"], "quickstrat"),
        (["watch", "quickstart", "--port", "0"], "--port"),
        (["watch", "none.h5", "--batch", "1/2"], "--batch goes with a campaign"),
    ],
    ids=str,
)
def test_wrong_use_is_one_sentence(cli, words, message):
    code, _, err = cli(*words)
    assert code == 2
    assert message in err
    assert "Traceback" not in err


@pytest.mark.slow
@needs_sigkill
def test_run_watch_saves_the_page_and_ends(tmp_path):
    (tmp_path / "opt.py").write_text(OPTIMIZERS)
    (tmp_path / "c.yaml").write_text(WITH_KILLS)
    process = start("run", "c.yaml", "--watch", cwd=tmp_path)
    client = Client(process, 2)
    client.data(lambda data: data["total"]["done"])
    _, err = process.communicate(timeout=300)
    assert process.returncode == 1
    assert "dashboard: c-watch.html" in err
    page = (tmp_path / "c-watch.html").read_text(encoding="utf-8")
    assert HOSTILE not in page
    [data] = re.findall(r'<script type="application/json" id="data">(.*?)</script>', page)
    data = json.loads(data)
    assert data["description"] == "complete: 27 runs, 6 failed"
    assert data["ecdf"]["n_runs"] == 27
    messages = {failure["algorithm"]: failure["message"] for failure in data["failures"]}
    assert set(messages) == {"dies", "fails"}
    assert "was killed by SIGKILL" in messages["dies"]
    # the same command renews the page
    again = start("run", "c.yaml", "--watch", cwd=tmp_path)
    assert "dashboard: c-watch.html" in again.communicate(timeout=300)[1]


def test_run_watch_replaces_no_other_file(cli, tmp_path):
    page = tmp_path / "mine-watch.html"
    page.write_text("my notes")
    code, _, err = cli("run", "quickstart", "--output", "mine.h5", "--watch")
    assert code == 2
    assert "'mine-watch.html' exists and is not a page that --watch saved" in err
    assert list(tmp_path.iterdir()) == [page]
    assert page.read_text() == "my notes"
