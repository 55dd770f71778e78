"""The loop: what is logged of every way in which it can end."""

import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from firsthit.loggers import Observer, read_log
from firsthit.loggers.errors import LogExistsError, LogFormatError, ObservationError
from firsthit.suites import Suite

from .problems import sphere

PROBLEMS = [sphere(instance=instance) for instance in (1, 2, 3)]
ONES = np.ones(3)


def outcome(path):
    runs = read_log(path).runs
    return list(
        zip(runs.instance.tolist(), runs.repetition.tolist(), runs.status.tolist(), strict=True)
    )


def test_the_three_line_loop(tmp_path):
    path = tmp_path / "nm.h5"
    with Observer(path, "nm", {"xatol": 1e-8}, tuning="none") as observer:
        for problem in observer(PROBLEMS):
            problem(ONES)
            if problem.id_instance == 2:
                problem(np.zeros(3))
    assert outcome(path) == [(1, 0, "terminated"), (2, 0, "target"), (3, 0, "terminated")]
    assert path.is_file()
    assert list(tmp_path.iterdir()) == [path]
    header = read_log(path).headers[0]
    assert header["algorithms"] == {"nm": {"parameters": {"xatol": 1e-8}}}
    assert header["tuning"] == "none"


def test_suites_and_their_names_are_taken(tmp_path):
    with Observer(tmp_path / "a.h5", "a") as observer:
        for problem in observer(Suite("bbob", 1, 2, 1)):
            problem([0, 0])
        for problem in observer("bbob"):
            problem([0, 0])
            break
    log = read_log(tmp_path / "a.h5")
    assert log.runs.repetition.tolist() == [0, 1]
    assert set(log.runs.group) != {""}


def test_break_and_return_end_the_run_as_terminated(tmp_path):
    observer = Observer(tmp_path / "a.h5", "a")

    def first():
        for problem in observer(PROBLEMS):
            return problem(ONES)
        return None

    for problem in observer(PROBLEMS):
        problem(ONES)
        if problem.id_instance == 2:
            break
    assert first() == 3.0
    observer.close()
    expected = [(1, 0, "terminated"), (1, 1, "terminated"), (2, 0, "terminated")]
    assert outcome(tmp_path / "a.h5") == expected


def test_an_exception_passes_on_fails_its_run_and_spares_the_others(tmp_path):
    def loop():
        with Observer(tmp_path / "a.h5", "a") as observer:
            for problem in observer(PROBLEMS):
                problem(ONES)
                if problem.id_instance == 2:
                    1 / 0  # noqa: B018

    with pytest.raises(ZeroDivisionError):
        loop()
    assert outcome(tmp_path / "a.h5") == [(1, 0, "terminated"), (2, 0, "failed")]
    log = read_log(tmp_path / "a.h5")
    assert log.runs.error.tolist() == ["", "ZeroDivisionError: division by zero"]
    assert log.runs.evaluations.tolist() == [1, 1]


def test_a_keyboard_interrupt_is_no_failure_and_is_run_again_by_resume(tmp_path):
    def loop(interrupt):
        with Observer(tmp_path / "a.h5", "a", resume=True) as observer:
            for problem in observer(PROBLEMS):
                problem(ONES)
                if interrupt and problem.id_instance == 2:
                    raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        loop(True)
    assert outcome(tmp_path / "a.h5") == [(1, 0, "terminated"), (2, 0, "interrupted")]
    loop(False)
    assert outcome(tmp_path / "a.h5") == [(i, 0, "terminated") for i in (1, 2, 3)]


def test_an_exception_caught_around_a_plain_loop_is_a_failed_run(tmp_path):
    observer = Observer(tmp_path / "a.h5", "a")
    try:
        for problem in observer(PROBLEMS):
            problem(ONES)
            raise KeyError("inside")
    except KeyError:
        observer.close()
    assert outcome(tmp_path / "a.h5") == [(1, 0, "failed")]
    assert read_log(tmp_path / "a.h5").runs.error.tolist() == ["KeyError: 'inside'"]


def test_an_unclosed_script_that_dies_of_an_exception_logs_its_text(tmp_path):
    script = """
    import sys
    from firsthit.loggers import Observer
    from firsthit.suites import problem_from
    observer = Observer(sys.argv[1], "a")
    for problem in observer([problem_from(sum, 2, instance=i) for i in (1, 2)]):
        problem([0, 0])
        if problem.id_instance == 2:
            undefined
    """
    path = tmp_path / "a.h5"
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), str(path)], capture_output=True, text=True
    )
    assert done.returncode == 1
    assert done.stderr.rstrip().endswith("NameError: name 'undefined' is not defined")
    assert outcome(path) == [(1, 0, "terminated"), (2, 0, "failed")]
    assert read_log(path).runs.error[1] == "NameError: name 'undefined' is not defined"


def test_an_iterator_dropped_by_hand_is_no_failure(tmp_path):
    with Observer(tmp_path / "a.h5", "a") as observer:
        iterator = observer(PROBLEMS)
        next(iterator)(ONES)
        del iterator
        kept = observer(PROBLEMS)
        next(kept)(ONES)
    assert [status for _, _, status in outcome(tmp_path / "a.h5")] == ["terminated"] * 2


def test_two_observers_at_once_and_two_loops_of_one(tmp_path):
    with Observer(tmp_path / "a.h5", "a") as a, Observer(tmp_path / "b.h5", "b") as b:
        for one, two, three in zip(a(PROBLEMS), b(PROBLEMS), a(PROBLEMS), strict=True):
            one(ONES)
            two(ONES)
            two(ONES)
            three(ONES)
    assert read_log(tmp_path / "a.h5").runs.evaluations.tolist() == [1] * 6
    assert read_log(tmp_path / "b.h5").runs.evaluations.tolist() == [2] * 3
    assert len(read_log(tmp_path)) == 9


def test_resume_skips_what_is_logged_and_the_default_refuses(tmp_path):
    path = tmp_path / "a.h5"
    seen = []

    def loop(problems, **options):
        with Observer(path, "a", **options) as observer:
            for problem in observer(problems):
                seen.append(problem.id_instance)
                problem(ONES)

    loop(PROBLEMS[:2])
    with pytest.raises(LogExistsError, match="resume=True"):
        loop(PROBLEMS)
    loop(PROBLEMS, resume=True)
    assert seen == [1, 2, 3]
    assert len(outcome(path)) == 3


ENDS_BEFORE_MERGING = """
import os, sys
from firsthit import Observer, problem_from
for problem in Observer(sys.argv[1], "a", resume=True)([problem_from(sum, 3, name="third")]):
    problem([1, 1, 1])
os._exit(0)
"""


@pytest.mark.parametrize("is_merged", [True, False])
def test_overwriting_replaces_a_log_once_all_arguments_are_right(tmp_path, is_merged):
    path = tmp_path / "a.h5"

    def loop(problems, **options):
        with Observer(path, "a", **options) as observer:
            for problem in observer(problems):
                problem(ONES)

    loop(PROBLEMS[:2], overwrite=True)
    if not is_merged:  # more runs beside it, as a program that was killed leaves them
        subprocess.run([sys.executable, "-c", ENDS_BEFORE_MERGING, str(path)], check=True)
    runs = len(read_log(path))
    with pytest.raises(ObservationError, match=r"resume=True continues .* overwrite=True replaces"):
        loop(PROBLEMS, overwrite=True, resume=True)
    with pytest.raises(ObservationError):
        loop(PROBLEMS, overwrite=True, parameters={"made of": object()})
    assert len(read_log(path)) == runs
    loop(PROBLEMS[:1], overwrite=True)
    assert outcome(path) == [(1, 0, "terminated")]
    assert list(tmp_path.iterdir()) == [path]


def test_what_is_no_log_is_not_overwritten(tmp_path):
    path = tmp_path / "a.h5"
    path.write_bytes(b"dear diary")
    with pytest.raises(LogFormatError, match="no log of firsthit, and stays as it is"):
        Observer(path, "a", overwrite=True)
    assert path.read_bytes() == b"dear diary"


def test_problems_that_nobody_evaluates_leave_no_run(tmp_path):
    path = tmp_path / "a.h5"
    with Observer(path, "a") as observer:
        assert len(list(observer(PROBLEMS))) == 3
        for problem in observer(PROBLEMS):
            if problem.id_instance != 2:
                problem(ONES)
        for problem in observer(PROBLEMS[:2]):
            problem(ONES)
        for _ in observer(PROBLEMS):
            break
    assert outcome(path) == [
        (1, 0, "terminated"), (1, 1, "terminated"), (2, 0, "terminated"), (3, 0, "terminated"),
    ]  # fmt: skip
    assert read_log(path).runs.evaluations.tolist() == [1, 1, 1, 1]


def test_a_problem_whose_turn_raised_before_it_was_evaluated_is_a_failed_run(tmp_path):
    def loop():
        with Observer(tmp_path / "a.h5", "a") as observer:
            for _ in observer(PROBLEMS):
                raise ValueError("at once")

    with pytest.raises(ValueError, match="at once"):
        loop()
    assert outcome(tmp_path / "a.h5") == [(1, 0, "failed")]
    assert read_log(tmp_path / "a.h5").runs.evaluations.tolist() == [0]


def test_evaluations_of_constraints_alone_are_a_run(tmp_path):
    with Observer(tmp_path / "a.h5", "a") as observer:
        for problem in observer(Suite("bbob-constrained", 1, 2, 1)):
            problem.constraint(problem.initial_solution)
    assert read_log(tmp_path / "a.h5").runs.evaluations_constraints.tolist() == [1]


def test_a_pool_of_threads_over_an_observer_is_told_what_to_do_instead(tmp_path):
    with Observer(tmp_path / "a.h5", "a") as observer, ThreadPoolExecutor(1) as pool:
        taken = list(observer(PROBLEMS))
        for done in [pool.submit(problem, ONES) for problem in taken]:
            with pytest.raises(ObservationError, match=r"evaluate each problem before .*workers=2"):
                done.result()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("options", [{}, {"overwrite": True}, {"resume": True}])
def test_an_observer_made_again_without_closing_closes_the_one_before(tmp_path, options, capfd):
    path = tmp_path / "a.h5"
    cells = []

    def cell(**options):
        cells.append(Observer(path, "a", **options))
        for problem in cells[-1](PROBLEMS[len(cells) - 1 :]):
            problem(ONES)

    cell()
    assert capfd.readouterr().err == ""
    if options:
        cell(**options)
    else:
        with pytest.raises(LogExistsError):
            cell()
    assert "a.h5' was still open: it is closed now" in capfd.readouterr().err
    instances = [2, 3] if "overwrite" in options else [1, 2, 3]
    assert outcome(path) == [(instance, 0, "terminated") for instance in instances]
    with pytest.raises(ObservationError, match="is closed"):
        cells[0]([sphere(instance=9)])
    cells[-1].close()
    assert list(tmp_path.iterdir()) == [path]


def test_a_closed_observer_refuses_its_loop_and_evaluations_at_once(tmp_path):
    path = tmp_path / "a.h5"
    with Observer(path, "a") as observer:
        turns = observer(PROBLEMS)
        problem = next(turns)
        problem(ONES)
    with pytest.raises(ObservationError, match="run"):
        problem(ONES)
    with pytest.raises(ObservationError, match=r"a\.h5' is closed"):
        next(turns)
    with pytest.raises(ObservationError, match=r"a\.h5' is closed"):
        observer(PROBLEMS)
    observer.close()
    assert outcome(path) == [(1, 0, "terminated")]
    assert list(tmp_path.iterdir()) == [path]


def test_a_run_survives_the_process_when_the_loop_goes_on(tmp_path):
    """The next turn holds the interpreter's lock, so that no thread of Python runs."""
    script = """
    import os, re, signal, sys
    from firsthit import Observer, problem_from
    for problem in Observer(sys.argv[1], "a")(problem_from(sum, 2, instance=i) for i in (1, 2)):
        problem([0, 0])
        if problem.id_instance == 2:
            print(flush=True)
            re.match("(a*)*b", 40 * "a")
    """
    path = tmp_path / "a.h5"
    command = [sys.executable, "-c", textwrap.dedent(script), str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        process.kill()
    assert outcome(path) == [(1, 0, "terminated")]


def test_what_is_no_problem_is_refused(tmp_path):
    observer = Observer(tmp_path / "a.h5", "a")
    with pytest.raises(ObservationError, match=r"takes problems; got function.*problem_from"):
        for _ in observer([lambda x: 0.0]):
            pass


@pytest.mark.parametrize(
    ("arguments", "match"),
    [
        ({"algorithm": ""}, "algorithm is ''"),
        ({"algorithm": "a", "record": "all"}, "record is 'all'"),
        ({"algorithm": "a", "parameters": {"f": len}}, r"parameters\.f is a builtin"),
    ],
)
def test_bad_arguments_are_refused_and_leave_nothing(tmp_path, arguments, match):
    with pytest.raises(ObservationError, match=match):
        Observer(tmp_path / "a.h5", **arguments)
    assert list(tmp_path.iterdir()) == []
