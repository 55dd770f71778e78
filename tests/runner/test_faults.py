"""Whatever an optimizer does to its process costs its own run; what the run had reached is kept."""

from pathlib import Path

import pytest

from firsthit.loggers import read_log
from firsthit.runner import ExecutorConfig, execute, load_campaign, open_log, plan

FAULTY = '''
import ctypes, os, signal, sys, time
import numpy as np
import firsthit


def sphere(x):
    return float((x**2).sum())


@firsthit.register_suite("faults", functions=[1, 2], dimensions=[3], instances=[1])
def suite(function, dimension, instance):
    return firsthit.problem_from(sphere, dimension, instance=function, transformation="shift",
                                 optimal_value=0.0, optimal_solution=np.zeros(dimension))


def ten(problem):
    """Evaluates ten points, singly and in a batch, with a restart between them."""
    rng = np.random.default_rng(problem.dimension)
    for _ in range(6):
        problem(rng.uniform(-5, 5, problem.dimension))
    problem.restart("again", seed=5, start=np.ones(problem.dimension))
    problem.recommend(np.zeros(problem.dimension))
    problem(rng.uniform(-5, 5, (4, problem.dimension)))


def well(problem):
    ten(problem)


def raises(problem):
    ten(problem)
    raise ValueError("not today")


def spins(problem):
    ten(problem)
    while True:
        pass


def sleeps(problem):
    ten(problem)
    time.sleep(3600)


def holds(problem):
    ten(problem)
    ctypes.PyDLL(None).sleep(3600)


def segfaults(problem):
    ten(problem)
    ctypes.string_at(0)


def greedy(problem):
    ten(problem)
    np.ones(10**14)


def out_of_memory(problem):
    ten(problem)
    os.kill(os.getpid(), signal.SIGKILL)


def leaves(problem):
    ten(problem)
    os._exit(3)


def exits(problem):
    ten(problem)
    sys.exit(4)


def forks(problem):
    """The child comes back into the runner's code."""
    ten(problem)
    os.fork()


def forks_for_long(problem):
    """The child stays, with all that it has inherited, while the process dies."""
    ten(problem)
    child = os.fork()
    if child:
        open(os.path.join(os.path.dirname(__file__), f"child-{child}"), "w").close()
        os._exit(5)
    time.sleep(3600)


def babbles(problem):
    ten(problem)
    os.write(1, bytes(range(256)) * 100)
    sys.stdout.buffer.write(bytes(range(256)) * 100)
    sys.stderr.buffer.write(bytes(range(256)) * 100)
    print("done", flush=True)
'''

TIMEOUT = 2
TWICE = "worker process was killed by {}, twice"
OUTCOMES = {
    "well": ("terminated", ""),
    "raises": ("failed", "ValueError: not today"),
    "spins": ("timeout", "no end within 2 s"),
    "sleeps": ("timeout", "no end within 2 s"),
    "holds": ("timeout", "no end within 2 s; its process was ended"),
    "segfaults": ("failed", TWICE.format("SIGSEGV")),
    "greedy": ("failed", "Unable to allocate"),
    "out_of_memory": ("failed", TWICE.format("SIGKILL")),
    "leaves": ("failed", "worker process ended with exit code 3, twice"),
    "exits": ("failed", "SystemExit: 4"),
    "forks": ("terminated", ""),
    "forks_for_long": ("failed", "worker process ended with exit code 5, twice"),
    "babbles": ("terminated", ""),
}


def campaign_with(folder, optimizers, name="faults", timeout=TIMEOUT):
    file = folder / f"{name}.yaml"
    uses = "".join(f"  - {{use: 'faulty.py:{one}', name: {one}}}\n" for one in optimizers)
    file.write_text(
        f"imports: [faulty.py]\nsuite: faults\nworkers: 2\nbudget: 50\n"
        f"restarts: 0\ntimeout: {timeout or 'null'}\nrecord: improvements\n"
        f"optimizers:\n{uses}output: {folder / name}.h5\n"
    )
    return load_campaign(file)


def made(campaign, where=None):
    with open_log(campaign.output, campaign.header(), resume=True) as writer:
        execute(plan(campaign), writer, where or campaign.executor_config)
    return read_log(campaign.output)


def reached(log, row):
    """All of a run that an optimizer's evaluations, restarts and recommendations determine."""
    parts = (log.hits(row), log.trajectory(row), log.restarts(row), log.recommendations(row),
             log.recommended_solutions(row))  # fmt: skip
    counts = (int(log.runs.evaluations[row]), float(log.runs.best_precision[row]))
    return (*counts, log.best_solution(row).tobytes(), *(part.tobytes() for part in parts))


def check(log, outcomes):
    runs = log.runs
    assert len(log) == 2 * len(outcomes)
    good = {int(runs.function[i]): reached(log, i) for i in range(len(log))
            if runs.algorithm[i] == "well"}  # fmt: skip
    for i in range(len(log)):
        name = str(runs.algorithm[i])
        status, text = outcomes[name]
        assert runs.status[i] == status, (name, runs.error[i])
        assert str(runs.error[i]) == text or (text and text in runs.error[i]), name
        assert reached(log, i)[0] == 10, name
        assert reached(log, i) == good[int(runs.function[i])], name


def is_alive(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except (FileNotFoundError, ProcessLookupError):
        return False


@pytest.fixture(scope="module")
def folder_of_faults(tmp_path_factory):
    folder = tmp_path_factory.mktemp("faults")
    (folder / "faulty.py").write_text(FAULTY)
    return folder


@pytest.fixture(scope="module")
def log(folder_of_faults):
    return made(campaign_with(folder_of_faults, OUTCOMES))


@pytest.mark.slow
def test_every_fault_costs_its_own_run_and_nothing_of_what_it_had_reached(log):
    check(log, OUTCOMES)


@pytest.mark.slow
@pytest.mark.parametrize("timeout", [TIMEOUT, None])
def test_one_worker_isolates_too(folder_of_faults, timeout):
    """Also where no run has a time limit, and the campaign ends."""
    names = ["well", "segfaults", "leaves"] + (["holds"] if timeout else [])
    campaign = campaign_with(folder_of_faults, names, f"one-{timeout}", timeout)
    log = made(campaign, ExecutorConfig(1))
    check(log, {name: OUTCOMES[name] for name in names})


@pytest.mark.slow
def test_what_a_forked_child_leaves_behind_is_ended(log, folder_of_faults):
    """The children of ``forks_for_long`` would sleep for an hour."""
    children = [int(file.name.removeprefix("child-")) for file in folder_of_faults.glob("child-*")]
    assert len(children) == 4
    assert not any(map(is_alive, children))
