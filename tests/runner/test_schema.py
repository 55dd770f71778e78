# ruff: noqa: E501
"""The JSON schema that editors use agrees with what the reader takes."""

import json
import re

import jsonschema
import pytest
import yaml

from firsthit.runner import load_campaign, ready_campaigns
from firsthit.suites import FirsthitError

from ..command_line import succeed
from .test_bad_campaigns import GOOD
from .valid_campaign import VALID

SCHEMA = json.loads(succeed("schema").stdout)
VALIDATOR = jsonschema.validators.validator_for(SCHEMA)


def fits(value):
    return VALIDATOR(SCHEMA).is_valid(value)


def test_it_is_a_schema():
    VALIDATOR.check_schema(SCHEMA)


def shipped():
    return [pytest.param(path, id=name) for name, path in ready_campaigns().items()]


@pytest.mark.parametrize("path", shipped())
def test_shipped_campaigns_fit(path):
    assert fits(yaml.safe_load(path.read_text()))


def test_every_kind_of_value_fits():
    assert fits(yaml.safe_load(VALID))


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
    properties = SCHEMA["properties"]
    assert {*GOOD, *yaml.safe_load(VALID)} <= set(properties)
    assert all(properties[key]["description"] for key in properties)


def test_the_reader_names_the_same_keys(folder):
    file = folder / "unknown.yaml"
    file.write_text("suite: bbob\nno_such_key: 1\n")
    with pytest.raises(FirsthitError, match="unknown key 'no_such_key'") as caught:
        load_campaign(file)
    [names] = re.findall(r"Known: ([\w, ]+)", str(caught.value))
    assert names.split(", ") == list(SCHEMA["properties"])
