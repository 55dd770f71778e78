"""Whatever bytes a campaign file holds, reading it gives a campaign or a sentence, and soon."""

import json
import math
import string

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from firsthit.runner import load_campaign, plan
from firsthit.suites import FirsthitError

from ..command_line import succeed
from .valid_campaign import VALID

TOKENS = [
    b"[", b"]", b"{", b"}", b":", b"- ", b",", b"\n", b"  ", b"#", b"&a ", b"*a", b"!!str ", b"|",
    b">", b"'", b'"', b"%", b"? ", b"---\n", b"...", b"\t", b"\x00", b"\x80", b"\xef\xbb\xbf",
    b"\\u202e", b"null", b"true", b"no", b"0", b"-1", b"1e5", b"1e999", b".inf", b"9" * 25, b"1-9",
    b"1-99999999999", b" * D", b"suite: ", b"suites: ", b"budget: ", b"optimizers: ", b"name: ",
    b"use: ", b"multiply: ", b"most: ", b"parameters: ", b'"\\ud800"', b'"\\0"', b"1:30", b"010",
    b"\xc3\xa9", b"=", b"<<: ",
]  # fmt: skip

where = st.integers(0, len(VALID))
mutation = st.tuples(where, st.integers(0, 12), st.sampled_from(TOKENS) | st.binary(max_size=4))
scalar = st.none() | st.booleans() | st.integers() | st.floats() | st.text(string.printable)
keys = [*json.loads(succeed("schema").stdout)["properties"], "use", "name", "most"]
words = st.sampled_from(keys) | st.text("abc", max_size=3)
tree = st.recursive(
    scalar,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(words, inner, max_size=4),
    max_leaves=12,
)


def sentence(text):
    assert text.strip()
    assert len(text) < 100_000


def count_runs(header, campaign):
    """Return the number of runs that the header of a campaign plans."""
    problems = sum(
        math.prod(len(suite[numbers]) for numbers in ("functions", "dimensions", "instances"))
        for suite in header["suites"]
    )
    stages = len(header["budget"]) if isinstance(header["budget"], list) else 1
    return problems * len(campaign.optimizers) * campaign.repetitions * stages


@pytest.fixture(scope="module")
def read(tmp_path_factory):
    """Reads a file of these bytes; counts how many were campaigns."""
    path = tmp_path_factory.mktemp("fuzz") / "fuzzed.yaml"

    def read_bytes(data):
        path.write_bytes(data)
        try:
            loaded = load_campaign(path)
        except FirsthitError as error:
            return sentence(str(error))
        campaign = loaded.header().campaign
        assert campaign["name"] == "fuzzed"
        if count_runs(campaign, loaded) <= 5000:  # a larger plan takes longer than a test may
            assert plan(loaded)
        return loaded

    return read_bytes


fuzz = settings(
    max_examples=200, deadline=None, suppress_health_check=list(HealthCheck), database=None
)


@fuzz
@given(st.binary(max_size=300))
def test_any_bytes(read, data):
    read(data)


@fuzz
@given(st.lists(mutation, min_size=1, max_size=4))
def test_mutated_campaigns(read, mutations):
    data = VALID
    for start, length, token in mutations:
        data = data[:start] + token + data[start + length :]
    read(data)


@pytest.mark.slow
@fuzz
@given(st.dictionaries(words, tree, max_size=8))
def test_any_values_under_the_keys(read, values):
    valid = yaml.safe_load(VALID)
    read(yaml.safe_dump({**valid, **values}, allow_unicode=True).encode())


def test_the_campaign_that_is_mutated_is_one(read):
    assert len(plan(read(VALID))) == 4 * 2 * 2 * 4 * 2 * 3
