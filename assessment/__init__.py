"""What logs mean: runtimes, their averages and distributions, as functions, tables and figures.

Pure functions on arrays (`average_runtime`, `simulated_runtimes`, `ecdf`, …) come first; `load`
gives `Results`, which apply them to a selection of runs and answer with tables.
"""

from .averages import ArtTable
from .distributions import EcdfTable, Profile
from .errors import AssessmentError, MissingPackageError
from .figure import draw_ecdf, save_ecdf
from .profiles import ecdf, ecdf_over_functions
from .results import Results, load
from .runtimes import (
    average_runtime,
    evaluations_until,
    runtime_quantiles,
    simulated_runtimes,
    success_rate,
)
from .summary import SummaryTable, summary
from .table import Table
from .targets import bbob_targets, decade_targets, parse_targets

__all__ = [
    "ArtTable",
    "AssessmentError",
    "EcdfTable",
    "MissingPackageError",
    "Profile",
    "Results",
    "SummaryTable",
    "Table",
    "average_runtime",
    "bbob_targets",
    "decade_targets",
    "draw_ecdf",
    "ecdf",
    "ecdf_over_functions",
    "evaluations_until",
    "load",
    "parse_targets",
    "runtime_quantiles",
    "save_ecdf",
    "simulated_runtimes",
    "success_rate",
    "summary",
]
