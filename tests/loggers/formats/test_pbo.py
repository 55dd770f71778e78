"""IOHprofiler's data of PBO, read and written as the suite ``pbo``."""

import ioh
import iohinspector
import numpy as np
import pytest

import firsthit
from firsthit.loggers import read_log, write_coco, write_ioh
from firsthit.loggers.errors import LogWriteError

FUNCTIONS = [1, 2, 3, 8, 18, 21, 22, 23, 24, 25]
INSTANCES = [1, 2, 51, 101]
EVALUATIONS = 300


@pytest.fixture(scope="module", params=[16, 25])
def observed_by_both(request, tmp_path_factory):
    """The same points, logged by ioh's Analyzer and by our observer: two places."""
    folder = tmp_path_factory.mktemp("pbo")
    logger = ioh.logger.Analyzer(
        root=str(folder), folder_name="theirs", algorithm_name="walk",
        triggers=[ioh.logger.trigger.ON_IMPROVEMENT],
    )  # fmt: skip
    with firsthit.Observer(folder / "ours.h5", algorithm="walk") as observer:
        suite = firsthit.Suite("pbo", FUNCTIONS, request.param, INSTANCES)
        for number, problem in enumerate(observer(suite)):
            place = problem.id_function, problem.id_instance, problem.dimension
            other = ioh.get_problem(*place, ioh.ProblemClass.PBO)
            other.attach_logger(logger)
            rng = np.random.default_rng(place)
            best = suite[number].optimal_solution
            for i in range(EVALUATIONS):
                x = (rng.random(problem.dimension) < 0.5).astype(int)
                if i > 200 and best is not None:  # closes in on the optimum, and meets it
                    x = np.abs(best - (rng.random(len(x)) < 1 / len(x))).astype(int)
                assert problem(x) == -other(x.tolist())
            other.detach_logger()
    logger.close()
    return folder / "theirs", folder / "ours.h5"


def pairs(one, other):
    """Positions of the same runs in two logs."""
    names = ("function", "dimension", "instance")
    places = [
        list(zip(*(log.runs[n].tolist() for n in names), strict=True)) for log in (one, other)
    ]
    return [(row, places[1].index(place)) for row, place in enumerate(places[0])]


def raw_targets(log, row):
    """All precisions that a run reached, between them, 0, and what it missed.

    ioh prints ten decimals, which cannot tell sums of fifths apart that differ in their last bit.
    """
    reached = log.hits(row)["precision"]
    reached = reached[np.append(True, -np.diff(reached) > 1e-9)]
    return np.concatenate([reached, reached[1:] / 2 + reached[:-1] / 2, [0.0, reached.max() + 1]])


def test_hits_are_equal_at_every_raw_target(observed_by_both):
    theirs, ours = map(read_log, observed_by_both)
    assert set(theirs.runs.suite.tolist()) == {"pbo"}
    assert len(ours) == len(theirs) == len(FUNCTIONS) * len(INSTANCES)
    solved = 0
    for row, other in pairs(ours, theirs):
        targets = raw_targets(ours, row)
        hits = ours.first_hits([row], targets).evaluations
        assert np.array_equal(hits, theirs.first_hits([other], targets).evaluations, equal_nan=True)
        for name in ("reference_value", "evaluations", "status", "record"):
            assert ours.runs[name][row] == theirs.runs[name][other], name
        assert theirs.runs.best_precision[other] == pytest.approx(
            ours.runs.best_precision[row], abs=2e-10
        )
        solved += ours.runs.best_precision[row] == 0
    assert solved > 10
    assert (ours.target_units(range(len(ours))) == theirs.target_units(range(len(ours)))).all()


def test_ours_written_and_read_back_are_the_same(observed_by_both, tmp_path):
    ours = read_log(observed_by_both[1])
    write_ioh(ours, tmp_path / "again")
    again = read_log(tmp_path / "again")
    for row, other in pairs(ours, again):
        for name in ("precision", "evaluation", "target"):
            assert ours.hits(row)[name].tolist() == again.hits(other)[name].tolist()
        assert ours.runs.best_precision[row] == again.runs.best_precision[other]
        assert ours.best_solution(row).tolist() == again.best_solution(other).tolist()


def test_iohinspector_reads_ours_as_it_reads_iohs(observed_by_both, tmp_path):
    write_ioh(read_log(observed_by_both[1]), tmp_path / "ours")
    frames = []
    for folder in (tmp_path / "ours", observed_by_both[0]):
        manager = iohinspector.DataManager()
        manager.add_folder(str(folder))
        frame = manager.load(monotonic=True, include_meta_data=True)
        names = ["function_id", "dimension", "instance", "evaluations", "raw_y", "function_name"]
        rows = sorted(frame.select(names).rows())
        frames.append({row[:4]: row[4:] for row in rows})
    ours, theirs = frames
    assert len(theirs) > 100
    assert set(theirs) <= set(ours)  # ours has those that ten decimals do not tell apart, too
    assert len(ours) - len(theirs) <= 2
    for place, (value, name) in theirs.items():
        assert ours[place] == (pytest.approx(value, abs=1e-9), name)


def test_a_function_without_known_optimum_keeps_its_values(tmp_path):
    with firsthit.Observer(tmp_path / "ours.h5", algorithm="once") as observer:
        for problem in observer(firsthit.Suite("pbo", 18, 67, [1, 2])):
            problem(np.arange(67) % 2)
    log = read_log(tmp_path / "ours.h5")
    write_ioh(log, tmp_path / "again")
    again = read_log(tmp_path / "again")
    assert np.isnan(again.runs.reference_value).all()
    assert again.runs.best_precision.tolist() == log.runs.best_precision.tolist()
    assert (log.runs.best_precision < 0).all()


def test_cocos_data_have_no_place_for_bits(observed_by_both, tmp_path):
    with pytest.raises(LogWriteError, match="runs on suite 'pbo' are none of COCO's"):
        write_coco(read_log(observed_by_both[1]), tmp_path / "coco")
