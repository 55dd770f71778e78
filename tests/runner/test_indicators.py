"""An indicator that does not fit is told in one sentence before the first run, each way."""

import pytest

import firsthit
from firsthit.loggers import read_log
from firsthit.loggers.errors import ObservationError
from firsthit.runner import CampaignError, load_campaign
from firsthit.suites import problem_from
from firsthit.suites.errors import UnknownNameError

UNFIT = [
    ("bbob", "hypervolume",
     "indicator 'hypervolume' takes two objectives without constraints; bbob_f001_i01_d02 has one "
     "objective"),
    ("bbob-constrained", "noise-free",
     "indicator 'noise-free' takes one objective without constraints; "
     "bbob-constrained_f001_i01_d02 has one objective and 1 constraint"),
    ("bbob-constrained", "noisy-quantile",
     "indicator 'noisy-quantile' takes one objective without constraints; "
     "bbob-constrained_f001_i01_d02 has one objective and 1 constraint"),
    ("bbob-biobj", "noise-free",
     "indicator 'noise-free' takes one objective without constraints; bbob-biobj_f01_i01_d02 has "
     "two objectives"),
    ("bbob-biobj", "best-feasible",
     "indicator 'best-feasible' takes one objective; bbob-biobj_f01_i01_d02 has two objectives"),
]  # fmt: skip
CAMPAIGN = """\
suite: {suite}
functions: 1
dimensions: 2
instances: 1
optimizers: [random-search]
budget: 10
workers: 0
"""


def asked(problem):
    """Evaluates, which it must never come to."""
    raise AssertionError("an optimizer was called")


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize(("suite", "indicator", "sentence"), UNFIT)
def test_benchmark_refuses_it(suite, indicator, sentence, here):
    chosen = firsthit.Suite(suite, 1, 2, 1)
    for on in (chosen, list(chosen)):
        with pytest.raises(ObservationError) as caught:
            firsthit.benchmark(asked, on, budget=10, indicator=indicator, output="log.h5")
        assert str(caught.value) == sentence
    assert list(here.iterdir()) == []


@pytest.mark.parametrize(("suite", "indicator", "sentence"), UNFIT)
def test_a_campaign_refuses_it_at_its_place(suite, indicator, sentence, cli, here):
    (here / "file.yaml").write_text(CAMPAIGN.format(suite=suite))
    code, _, told = cli("run", "file.yaml", "--indicator", indicator)
    assert code == 2
    assert f"option --indicator: {sentence}\n" in told
    with (here / "file.yaml").open("a") as file:
        file.write(f"indicator: {indicator}\n")
    with pytest.raises(CampaignError) as caught:
        load_campaign("file.yaml")
    assert str(caught.value) == f"file.yaml:8:12: {sentence}"
    assert not (here / "results").exists()


@pytest.mark.parametrize(("suite", "indicator", "sentence"), UNFIT)
def test_an_observer_refuses_it_before_the_first_evaluation(suite, indicator, sentence, here):
    def loop():
        with firsthit.Observer("log.h5", "mine", indicator=indicator) as observer:
            for problem in observer(firsthit.Suite(suite, 1, 2, 1)):
                asked(problem)

    with pytest.raises(ObservationError) as caught:
        loop()
    assert str(caught.value) == sentence
    assert list(here.iterdir()) == [], "a log without runs stands in the way of the next try"


def test_an_observer_knows_its_indicator_when_it_is_made(here):
    with pytest.raises(UnknownNameError, match=r"'hypervolum'\. Did you mean 'hypervolume'"):
        firsthit.Observer("log.h5", "mine", indicator="hypervolum")
    assert list(here.iterdir()) == []


@pytest.fixture(scope="module")
def unmeasured():
    """A suite of two objectives that forgot to say by what they are measured."""

    @firsthit.register_suite("forgetful", functions=1, dimensions=[2], objectives=2)
    def forgetful(function, dimension, instance):
        return problem_from(lambda x: [x @ x, (x - 1) @ (x - 1)], dimension, objectives=2)

    return "forgetful"


SENTENCE = "indicator 'best-feasible' takes one objective; {} has two objectives"


def test_an_indicator_of_a_users_suite_is_looked_at_too(unmeasured, here):
    sentence = SENTENCE.format("forgetful_f001_i01_d02")
    for ask in (
        lambda: firsthit.benchmark(asked, unmeasured, budget=10, instances=1),
        lambda: firsthit.score(asked, unmeasured, budget=10, instances=1),
    ):
        with pytest.raises(ObservationError) as caught:
            ask()
        assert str(caught.value) == sentence
    (here / "file.yaml").write_text(CAMPAIGN.format(suite=unmeasured))
    with pytest.raises(CampaignError) as caught:
        load_campaign("file.yaml")
    assert str(caught.value) == f"file.yaml:1:8: {sentence}"


def test_what_fits_is_run(cli, here):
    (here / "file.yaml").write_text(CAMPAIGN.format(suite="bbob-biobj"))
    code, _, told = cli("run", "file.yaml", "--indicator", "hypervolume", "--archive", "final")
    assert code == 0, told
    log = read_log("results/file.h5")
    assert log.runs.status.tolist() == ["budget"]
    assert 0 < len(log.archive(0)) < 10


@pytest.mark.parametrize("kept", ["all", "final", "none"])
def test_what_is_kept_of_archives_is_an_option(kept, here):
    (here / "file.yaml").write_text(CAMPAIGN.format(suite="bbob-biobj") + "archive: none\n")
    assert load_campaign("file.yaml", {"archive": kept}).rules.archive == kept


def test_another_way_to_keep_archives_is_refused(cli, here):
    (here / "file.yaml").write_text(CAMPAIGN.format(suite="bbob-biobj"))
    for command in ("run", "check"):
        code, _, told = cli(command, "file.yaml", "--archive", "finale")
        assert code == 2
        assert "option --archive: " in told
        assert "'finale'" in told
