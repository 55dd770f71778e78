"""What logs mean: runtimes, their averages and distributions, as functions, tables and figures.

Its floors, from the ground up: `statistics` (each formula once, on arrays), `tables` (the type of
all answers), `targets`, `data` (runs sorted for a question), `views` (one file a table), `figures`
and `report`. `load` gives `Results`, a thin door to the views; add a question as a file in `views`
and a method there.
"""

from typing import TYPE_CHECKING, Any

from .data.choice import Selectors
from .data.function_pairs import Simulation
from .data.references import BestOf
from .errors import AssessmentError, MissingPackageError
from .results import Results, load
from .statistics.anytime.aocc import PrecisionScale, area_over_curve
from .statistics.areas import capped_geometric_mean, linear_area, log_area
from .statistics.average_runtime import (
    average_runtime,
    evaluations_until,
    runtime_quantiles,
    simulated_runtimes,
    success_rate,
)
from .statistics.bands import ecdf_band
from .statistics.densities import kernel_density, probability_mass
from .statistics.ecdf import ecdf, ecdf_over_functions
from .statistics.ecdf_markers import failure_budget, marker_budget
from .statistics.intervals import Resampling, art_interval, ratio_interval
from .statistics.quantiles import quantiles
from .statistics.ratios import runtime_loss, runtime_ratios
from .statistics.restarts.distribution import RestartDistribution, restart_distribution
from .statistics.runtime_statistics import (
    balancing_copies,
    capped,
    expected_runtime,
    geometric_mean,
    iohanalyzer_statistics,
    penalized_runtime,
    successful_deviation,
    successful_mean,
    successful_quantiles,
)
from .statistics.significance import (
    Difference,
    bonferroni,
    holm,
    kolmogorov_smirnov,
    rank_sum,
    runs_needed,
)
from .tables.table import Table
from .targets.budgets import parse_budgets
from .targets.parse import bbob_targets, decade_targets, log_spaced, parse_targets
from .targets.runlength import cocopp_runlength_targets, on_coco_grid, runlength_targets
from .targets.target_sets import TargetSet, TargetTable
from .views.art import ArtTable
from .views.comparison.best import BestTable
from .views.comparison.coco_table import PerformanceTable
from .views.comparison.compare import CompareOptions, CompareTable
from .views.comparison.loss import LossTable
from .views.comparison.regression import RegressionOptions, RegressionTable
from .views.ecdf import EcdfTable, Profile, ProfileOptions
from .views.fixed_budget import precision_statistics
from .views.fixed_target import FixedTargetOptions, FixedTargetTable
from .views.merit.matrix import MatrixTable
from .views.merit.ranks import RankOptions, RanksTable
from .views.summary import SummaryTable

if TYPE_CHECKING:
    from .figures.ecdf import draw_ecdf, save_ecdf

__all__ = [
    "ArtTable",
    "AssessmentError",
    "BestOf",
    "BestTable",
    "CompareOptions",
    "CompareTable",
    "Difference",
    "EcdfTable",
    "FixedTargetOptions",
    "FixedTargetTable",
    "LossTable",
    "MatrixTable",
    "MissingPackageError",
    "PerformanceTable",
    "PrecisionScale",
    "Profile",
    "ProfileOptions",
    "RankOptions",
    "RanksTable",
    "RegressionOptions",
    "RegressionTable",
    "Resampling",
    "RestartDistribution",
    "Results",
    "Selectors",
    "Simulation",
    "SummaryTable",
    "Table",
    "TargetSet",
    "TargetTable",
    "area_over_curve",
    "art_interval",
    "average_runtime",
    "balancing_copies",
    "bbob_targets",
    "bonferroni",
    "capped",
    "capped_geometric_mean",
    "cocopp_runlength_targets",
    "decade_targets",
    "draw_ecdf",
    "ecdf",
    "ecdf_band",
    "ecdf_over_functions",
    "evaluations_until",
    "expected_runtime",
    "failure_budget",
    "geometric_mean",
    "holm",
    "iohanalyzer_statistics",
    "kernel_density",
    "kolmogorov_smirnov",
    "linear_area",
    "load",
    "log_area",
    "log_spaced",
    "marker_budget",
    "on_coco_grid",
    "parse_budgets",
    "parse_targets",
    "penalized_runtime",
    "precision_statistics",
    "probability_mass",
    "quantiles",
    "rank_sum",
    "ratio_interval",
    "restart_distribution",
    "runlength_targets",
    "runs_needed",
    "runtime_loss",
    "runtime_quantiles",
    "runtime_ratios",
    "save_ecdf",
    "simulated_runtimes",
    "success_rate",
    "successful_deviation",
    "successful_mean",
    "successful_quantiles",
]


def __getattr__(name: str) -> Any:
    if name in ("draw_ecdf", "save_ecdf"):  # figures cost time, and most uses draw none
        from .figures import ecdf as figure

        return getattr(figure, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
