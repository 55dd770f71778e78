"""Figures have room: heat maps fit on a page, and axes have enough ticks."""

import numpy as np
import pytest
from matplotlib.image import imread

from firsthit.assessment import Results

from ...command_line import succeed


@pytest.fixture(scope="module")
def log_file(make_log, tmp_path_factory):
    """Twenty-six algorithms on 24 functions, too many for one page of a column's width."""
    runs = [
        {"algorithm": f"a{i}", "function": function, "precisions": [9.0 + i, 0.5]}
        for i in range(26)
        for function in range(1, 25)
    ]
    return make_log(runs).save(tmp_path_factory.mktemp("room") / "log.h5")


@pytest.mark.slow
def test_a_heat_map_that_is_too_high_is_divided_by_functions(log_file, tmp_path):
    words = ("--kinds", "heatmap", "--format", "png", "-o", tmp_path)
    succeed("figures", log_file, *words)
    files = sorted(tmp_path.glob("*.png"))
    assert [file.name for file in files] == [
        "heatmap_bbob_d02_f001-012.png",
        "heatmap_bbob_d02_f013-024.png",
    ]
    assert all(imread(file).shape[0] / 200 <= 9 for file in files)
    assert "on bbob f13-24 in 2-D" in files[1].with_suffix(".txt").read_text("utf-8")
    succeed("assess", "art", log_file, "--kind", "heatmap", "--plot", tmp_path / "one.png",
            "--targets", 1)  # fmt: skip
    assert (tmp_path / "one.png").is_file()


def test_pooled_budgets_have_an_axis_with_ticks(make_log):
    """Precisions span 18 decades."""
    runs = [{"precisions": [1e10, 1e-8], "instance": i} for i in (1, 2)]
    axes = Results(make_log(runs)).plot.precision("0.5*D,1*D", pooled=True)
    low, high = sorted(axes.get_xlim())
    ticks = [tick for tick in axes.get_xticks() if low <= tick <= high]
    assert np.log10(high / low) > 15
    assert len(ticks) >= 5
