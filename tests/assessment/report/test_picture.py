"""The picture of a report in README.md is taken here.

``FIRSTHIT_PICTURE=docs/report.png FIRSTHIT_PICTURE_LOG=results/gallery.h5 pytest`` on this file
takes it anew; without these it is taken of a small report and thrown away.
"""

import os
import struct
from pathlib import Path

from ...command_line import succeed

WIDTH, HEIGHT = 1200, 1300


def test_the_picture_of_the_readme(browser, report_file, tmp_path):
    log = os.environ.get("FIRSTHIT_PICTURE_LOG")
    picture = Path(os.environ.get("FIRSTHIT_PICTURE", tmp_path / "report.png"))
    page = report_file
    if log:
        page = tmp_path / "report.html"
        succeed("report", log, "-o", page, "--title", "Five optimizers on bbob")
    browser.emulate(WIDTH, height=HEIGHT)
    browser.open(page, "#dimension=5")
    browser.look_at("ecdf")
    browser.js("window.scrollTo({top: 0, behavior: 'instant'})")
    assert browser.driver.save_screenshot(str(picture))
    data = picture.read_bytes()
    assert data.startswith(b"\x89PNG")
    assert struct.unpack(">II", data[16:24]) == (WIDTH, HEIGHT)
    assert len(data) > 20_000
