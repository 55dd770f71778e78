"""What logs mean: runtimes, their averages and distributions, as functions, tables and figures.

Pure functions on arrays (`average_runtime`, `simulated_runtimes`, `ecdf`, …) come first; `load`
gives `Results`, which apply them to a selection of runs and answer with tables.
"""

from typing import TYPE_CHECKING, Any

from .data.function_pairs import Simulation
from .data.references import BestOf, BestTable
from .errors import AssessmentError, MissingPackageError
from .results import Results, load
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
from .statistics.restart_distribution import RestartDistribution, restart_distribution
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
    signed_rank,
)
from .tables.table import Table
from .targets.budgets import parse_budgets
from .targets.parse import bbob_targets, decade_targets, log_spaced, parse_targets
from .targets.runlength import cocopp_runlength_targets, on_coco_grid, runlength_targets
from .targets.target_sets import TargetSet, TargetTable
from .views.art import ArtTable
from .views.coco_table import PerformanceTable
from .views.compare import CompareOptions, CompareTable
from .views.ecdf import EcdfTable, Profile, ProfileOptions
from .views.fixed_budget import precision_statistics
from .views.fixed_target import FixedTargetOptions, FixedTargetTable
from .views.loss import LossTable, runtime_loss
from .views.pairwise import runtime_ratios
from .views.precision_ecdf import precision_ecdf
from .views.regression import RegressionOptions, RegressionTable
from .views.summary import SummaryTable, summary

if TYPE_CHECKING:
    from .figures import draw_ecdf, save_ecdf

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
    "MissingPackageError",
    "PerformanceTable",
    "Profile",
    "ProfileOptions",
    "RegressionOptions",
    "RegressionTable",
    "Resampling",
    "RestartDistribution",
    "Results",
    "Simulation",
    "SummaryTable",
    "Table",
    "TargetSet",
    "TargetTable",
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
    "precision_ecdf",
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
    "signed_rank",
    "simulated_runtimes",
    "success_rate",
    "successful_deviation",
    "successful_mean",
    "successful_quantiles",
    "summary",
]


def __getattr__(name: str) -> Any:
    if name in ("draw_ecdf", "save_ecdf"):  # figures cost time, and most uses draw none
        from . import figures

        return getattr(figures, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
