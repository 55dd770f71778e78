"""Killing workers and coordinators at random moments costs a campaign nothing but time."""

import json
import subprocess
import sys
from pathlib import Path

import pytest


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="finds the processes to kill in /proc")
def test_a_campaign_with_random_kills_ends_with_the_same_log():
    script = Path(__file__).with_name("chaos.py")
    done = subprocess.run(
        [sys.executable, script, "--kills", "50", "--seed", "3"], capture_output=True, text=True
    )
    assert done.returncode == 0, done.stdout + done.stderr
    counts = json.loads(done.stdout)
    assert sum(n for name, n in counts.items() if name.endswith("killed")) == 50
    assert counts["runs"] >= 240
    assert counts["readings"] >= 50
