"""`firsthit status` prints the rest if the plan of a log or the note of its writer is invalid."""

import hashlib
import json

import h5py
import numpy as np
import pytest

from firsthit.loggers import Observer
from firsthit.suites import Suite

HEAD_BYTES = 512
CAMPAIGN = """
suite: bbob
functions: 1
dimensions: 2
instances: 1-3
optimizers: [random-search]
budget: 10
workers: 0
output: out.h5
"""


def test_a_plan_with_an_impossible_number(cli, tmp_path):
    (tmp_path / "c.yaml").write_text(CAMPAIGN)
    assert cli("run", "c.yaml")[0] == 0
    log = tmp_path / "out.h5"
    with h5py.File(log, "a") as file:
        header = json.loads(file["headers"][0])
        header["campaign"]["repetitions"] = 10**30
        del file["headers"]
        file["headers"] = np.array([json.dumps(header).encode()])
    content = log.read_bytes()[HEAD_BYTES:]
    head = f"firsthit log\nsha256 {hashlib.sha256(content).hexdigest()}\n".encode()
    log.write_bytes(head.ljust(HEAD_BYTES, b"\n") + content)
    code, out, err = cli("status", "out.h5")
    assert (code, err) == (0, "")
    assert "random-search          2        ?     3" in out
    assert "note: the campaign in the header of the log cannot be read" in out


@pytest.mark.parametrize("note", ['{"workers": 1e999}', "[" * 100_000])
def test_a_note_of_the_writer_that_is_damaged(cli, tmp_path, note):
    with Observer(tmp_path / "out.h5", algorithm="a") as observer:
        for problem in observer(Suite("bbob", functions=1, dimensions=2, instances="1-2")):
            problem(problem.initial_solution)
            writer = tmp_path / "out.h5.parts" / "writer"
            process_id, host = writer.read_text().split("\n")[:2]
            writer.write_text(f"{process_id}\n{host}\n{note}")
            code, out, err = cli("status", "out.h5")
            assert (code, err) == (0, "")
            assert f"coordinator: process {process_id} on {host}, runs at once: 1" in out
