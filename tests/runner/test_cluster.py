"""A Dask cluster of separate processes: the same log, also when its parts die."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from firsthit.loggers import read_log
from firsthit.runner import execute, load_campaign, open_log, plan

from .conftest import is_begun, log_content, wait_for

pytestmark = pytest.mark.slow

CAMPAIGN = """
imports: [toy.py]
suite: runner-toy
functions: 1
dimensions: [2, 3]
instances: 1
budget: 100 * D
record: improvements
optimizers:
  - toy.py:walk
  - {use: toy.py:killed, name: killed}
"""
MORE = """
  - random-search
  - {use: scipy:L-BFGS-B, name: lbfgs}
  - toy.py:global_walk
  - {use: toy.py:raises, name: raises}
"""

GATED = '''
import os, time


def gated(problem, rng):
    """Stops on the last instance until the file ``gate`` is there."""
    here = os.path.dirname(__file__)
    if problem.id_instance == 5:
        open(os.path.join(here, f"waits-{os.getpid()}"), "w").close()
        while not os.path.exists(os.path.join(here, "gate")):
            time.sleep(0.01)
    for _ in range(50):
        problem(rng.uniform(-5, 5, problem.dimension))
'''
QUIET = {
    "DASK_DISTRIBUTED__LOGGING__DISTRIBUTED": "critical",
    "DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT": "10s",
}


class Cluster:
    """A scheduler and its workers, each a process, without dashboards and nannies."""

    def __init__(self, folder, workers, working_folder=None):
        self.working_folder = working_folder
        self.file = folder / "scheduler.json"
        self.log = (folder / "dask.log").open("w")
        self.scheduler = self._start("scheduler", "--port", "0", "--scheduler-file", self.file)
        wait_for(self.file.exists)
        self.workers = [self.add_worker() for _ in range(workers)]

    def add_worker(self):
        return self._start(
            "worker", "--scheduler-file", self.file, "--nthreads", "1", "--no-nanny",
            "--local-directory", self.file.parent, "--death-timeout", "30",
        )  # fmt: skip

    @property
    def address(self):
        return json.loads(self.file.read_text())["address"]

    def _start(self, what, *arguments):
        return subprocess.Popen(
            [sys.executable, "-m", "dask", what, "--no-dashboard", *map(str, arguments)],
            env={**os.environ, **QUIET}, stdout=self.log, stderr=self.log,
            cwd=self.working_folder,
        )  # fmt: skip

    def close(self):
        for process in (*self.workers, self.scheduler):
            process.kill()
            process.wait()
        self.log.close()


@pytest.fixture
def cluster(tmp_path):
    started = Cluster(tmp_path, 2)
    yield started
    started.close()


@pytest.fixture
def command():
    """Starts the command line in processes of its own, none of which outlives the test."""
    started = []

    def start(*arguments):
        started.append(
            subprocess.Popen(
                [sys.executable, "-m", "firsthit", *map(str, arguments)],
                env={**QUIET, **os.environ},
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
            )
        )
        return started[-1]

    yield start
    for process in started:
        process.kill()
        process.communicate()


def made(file, output, where):
    campaign = load_campaign(file, {"output": str(output)})
    with open_log(output, campaign.header(), resume=True) as writer:
        execute(plan(campaign), writer, where)
    return log_content(output)


def test_processes_and_a_cluster_give_equal_logs(folder, cluster, command, tmp_path):
    """1, 2, 4 worker processes; 2 Dask workers; one optimizer always kills its process."""
    file = folder / "cluster.yaml"
    file.write_text(CAMPAIGN + MORE)
    process = command("run", file, "--cluster", cluster.file, "--output", tmp_path / "dask.h5")
    logs = [made(file, tmp_path / f"{workers}.h5", workers) for workers in (1, 2, 4)]
    _, err = process.communicate(timeout=300)
    assert process.returncode == 1, err
    assert "killed by SIGKILL, twice" in err
    runs = read_log(tmp_path / "1.h5").runs
    assert len(runs) == 12
    assert set(runs.evaluations[runs.algorithm == "killed"]) == {1}
    assert logs[1] == logs[0]
    assert logs[2] == logs[0]
    assert log_content(tmp_path / "dask.h5") == logs[0]
    assert all(worker.poll() is None for worker in cluster.workers)


@pytest.fixture
def gated(folder, tmp_path):
    (tmp_path / "gated.py").write_text(GATED)
    file = tmp_path / "gated.yaml"
    file.write_text(
        f"imports: [{folder / 'toy.py'}]\nsuite: runner-toy\ndimensions: [2, 3]\n"
        f"output: {tmp_path / 'gated.h5'}\noptimizers: [gated.py:gated]\nbudget: 100\n"
    )
    return file


def waiting(file):
    return [int(path.name.removeprefix("waits-")) for path in file.parent.glob("waits-*")]


def undisturbed(file):
    (file.parent / "gate").touch()
    return made(file, file.parent / "undisturbed.h5", 0)


def parent_of(pid):
    """The Dask worker above a run's process."""
    return int(Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[1])


RELATIVE = """
import sys
from firsthit import benchmark

log = benchmark("opt.py:solve", "bbob", functions=1, dimensions=2, instances="1-3", budget=20,
                cluster=sys.argv[1]).log
print(set(log.runs.status.tolist()), set(log.runs.evaluations.tolist()))
"""


def test_dask_workers_that_were_started_elsewhere_find_what_a_relative_path_names(folder, tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (folder / "opt.py").write_text(
        "def solve(problem, rng):\n    while True:\n        problem(rng.uniform(-5, 5, 2))\n"
    )
    (folder / "elsewhere.yaml").write_text(CAMPAIGN)
    (tmp_path / "script.py").write_text(RELATIVE)
    output = tmp_path / "out.h5"
    cluster = Cluster(tmp_path, 2, tmp_path / "elsewhere")
    try:
        run = {"cwd": folder, "env": {**os.environ, **QUIET}, "timeout": 300}
        script = subprocess.run(
            [sys.executable, tmp_path / "script.py", cluster.file],
            capture_output=True, text=True, check=False, **run,
        )  # fmt: skip
        assert script.stdout == "{'budget'} {20}\n", script.stderr
        campaign = subprocess.run(
            [sys.executable, "-m", "firsthit", "run", "elsewhere.yaml", "--cluster",
             cluster.file, "--output", output],
            capture_output=True, text=True, check=False, **run,
        )  # fmt: skip
        assert "killed by SIGKILL, twice" in campaign.stderr
        assert "unknown file" not in campaign.stderr
    finally:
        cluster.close()
    local = made(folder / "elsewhere.yaml", tmp_path / "local.h5", 2)
    assert log_content(output) == local


@pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc: run on Linux")
def test_a_dask_worker_lost_costs_nothing(gated, cluster, command):
    process = command("run", gated, "--cluster", cluster.address)
    wait_for(lambda: len(waiting(gated)) >= 2)
    lost = parent_of(waiting(gated)[0])
    assert lost in [worker.pid for worker in cluster.workers]
    os.kill(lost, signal.SIGKILL)
    (gated.parent / "gate").touch()
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert log_content(gated.with_suffix(".h5")) == undisturbed(gated)


def test_a_campaign_continues_on_new_dask_workers_after_all_were_lost_at_once(
    gated, cluster, command
):
    process = command("run", gated, "--cluster", cluster.address)
    wait_for(lambda: len(waiting(gated)) >= 2)
    for worker in cluster.workers:
        worker.kill()
        worker.wait()
    (gated.parent / "gate").touch()
    cluster.workers = [cluster.add_worker(), cluster.add_worker()]
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert log_content(gated.with_suffix(".h5")) == undisturbed(gated)


def test_a_scheduler_lost_ends_the_campaign_which_can_be_continued(gated, cluster, command):
    process = command("run", gated, "--cluster", cluster.address)
    wait_for(lambda: is_begun(gated))
    cluster.scheduler.kill()
    _, err = process.communicate(timeout=300)
    assert process.returncode == 2, err
    assert f"the Dask scheduler at '{cluster.address}' is lost; finished runs are kept" in err
    assert "the same command continues" in err
    assert "Traceback" not in err
    kept = len(read_log(gated.with_suffix(".h5")))
    assert 0 < kept < 30
    expected = undisturbed(gated)
    process = command("run", gated, "--workers", 2)
    _, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    assert f"30 runs, {kept} of them in the log already" in err
    assert log_content(gated.with_suffix(".h5")) == expected


def test_no_scheduler_is_one_sentence(gated, command, monkeypatch):
    monkeypatch.setenv("DASK_DISTRIBUTED__COMM__TIMEOUTS__CONNECT", "1s")
    for cluster, sentence in (
        ("nowhere.json", "no scheduler file 'nowhere.json'; cluster is an address such as"),
        ("tcp://127.0.0.1:9", "no Dask scheduler answers at 'tcp://127.0.0.1:9'"),
        ("udp://there", "no scheduler address 'udp://there'; cluster is an address such as"),
    ):
        process = command("run", gated, "--cluster", cluster)
        _, err = process.communicate(timeout=300)
        assert process.returncode == 2, err
        assert sentence in err
        assert "Traceback" not in err
