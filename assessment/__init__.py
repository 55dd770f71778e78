"""What logs mean: runtimes, their averages and distributions, as functions, tables and figures.

Pure functions on arrays (`average_runtime`, `simulated_runtimes`, `ecdf`, …) come first; `load`
gives `Results`, which apply them to a selection of runs and answer with tables.
"""

from typing import TYPE_CHECKING, Any

from .areas import capped_geometric_mean, linear_area, log_area
from .averages import ArtTable
from .bands import ecdf_band
from .budgets import parse_budgets
from .comparison import CompareOptions, CompareTable
from .crosses import cross_budget, failure_budget
from .densities import kernel_density, probability_mass
from .distributions import EcdfTable, Profile, ProfileOptions
from .errors import AssessmentError, MissingPackageError
from .fixed_budget import precision_statistics
from .fixed_target import FixedTargetOptions, FixedTargetTable
from .function_pairs import Simulation
from .intervals import Resampling, art_interval, ratio_interval
from .loss import LossTable, runtime_loss
from .pairwise import runtime_ratios
from .performance import PerformanceTable
from .precision_profiles import precision_ecdf
from .profiles import ecdf, ecdf_over_functions
from .quantiles import quantiles
from .references import BestOf, BestTable
from .regression import RegressionOptions, RegressionTable
from .restart_distribution import RestartDistribution, restart_distribution
from .results import Results, load
from .runlength_targets import cocopp_runlength_targets, on_coco_grid, runlength_targets
from .runtime_statistics import (
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
from .runtimes import (
    average_runtime,
    evaluations_until,
    runtime_quantiles,
    simulated_runtimes,
    success_rate,
)
from .significance import (
    Difference,
    bonferroni,
    holm,
    kolmogorov_smirnov,
    rank_sum,
    runs_needed,
    signed_rank,
)
from .summary import SummaryTable, summary
from .table import Table
from .target_sets import TargetSet, TargetTable
from .targets import bbob_targets, decade_targets, log_spaced, parse_targets

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
    "cross_budget",
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
