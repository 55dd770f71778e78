# ruff: noqa: E501
"""The JSON schema that editors use agrees with what the reader takes."""

import json

import jsonschema
import pytest
import yaml

from firsthit.runner import load_campaign, ready_campaigns
from firsthit.runner.campaign.keys import CAMPAIGN_KEYS, campaign_schema
from firsthit.runner.campaign.yaml_tree import read_yaml
from firsthit.suites import FirsthitError

from .test_bad_campaigns import GOOD
from .test_campaign_fuzz import VALID

VALIDATOR = jsonschema.validators.validator_for(campaign_schema())


def fits(value):
    return VALIDATOR(campaign_schema()).is_valid(value)


def test_it_is_a_schema():
    VALIDATOR.check_schema(campaign_schema())


def shipped():
    return [pytest.param(path, id=name) for name, path in ready_campaigns().items()]


@pytest.mark.parametrize("path", shipped())
def test_shipped_campaigns_fit(path):
    assert fits(yaml.safe_load(path.read_text()))


def test_every_kind_of_value_fits():
    assert fits(read_yaml(VALID)[0].plain())


@pytest.mark.parametrize(
    "change",
    [
        {"budgets": 5}, {"optimizers": None}, {"suite": None}, {"suites": ["runner-toy"]},
        {"budget": True}, {"budget": 0}, {"budget": [0]}, {"budget": {}}, {"seed": 1.5}, {"seed": -1},
        {"seed": None}, {"seed": "3"}, {"repetitions": 0}, {"repetitions": [1]}, {"restarts": -1},
        {"restarts": {"most": 2, "mul": {}}}, {"restarts": {"multiply": {"step": 0}}},
        {"restarts": {"most": 1, "multiply": 2}}, {"final_target": "no"}, {"final_target": 1},
        {"timeout": 0}, {"timeout": 1e300}, {"workers": -1}, {"workers": "al"}, {"output": 5},
        {"record": "target"}, {"suite": ["a"]}, {"functions": {}}, {"dimensions": [2, 2.5]},
        {"instances": []}, {"optimizers": "random-search"}, {"optimizers": []}, {"optimizers": [5]},
        {"optimizers": [{"name": "x"}]}, {"optimizers": [{"use": "toy.py:walk", "param": 1}]},
        {"optimizers": [{"use": "toy.py:walk", "parameters": [1]}]}, {"imports": "toy.py"},
        {"threads": 0}, {"indicator": 3}, {"indicator": ""},
    ],
    ids=str,
)  # fmt: skip
def test_what_does_not_fit_is_refused_by_the_reader_too(change, folder):
    """A value that the editor underlines is one that the reader refuses."""
    good = {key: yaml.safe_load(value) for key, value in GOOD.items()}
    assert fits(good)
    bad = {key: value for key, value in {**good, **change}.items() if value is not None}
    if change.get("seed", 1) is None:
        bad["seed"] = None
    assert not fits(bad)
    file = folder / "unfit.yaml"
    file.write_text(json.dumps(bad))
    with pytest.raises(FirsthitError, match=r"unfit\.yaml"):
        load_campaign(file)


def test_every_key_is_explained():
    properties = campaign_schema()["properties"]
    assert tuple(properties) == CAMPAIGN_KEYS
    assert all(properties[key]["description"] for key in properties)


def test_the_command_prints_it_and_imports_no_optimizer(cli):
    code, out, _ = cli("schema")
    assert code == 0
    assert json.loads(out) == json.loads(json.dumps(campaign_schema()))
