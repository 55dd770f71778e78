"""What is recorded: observed problems, first hits of targets, and the HDF5 log with its reader.

Names are imported when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .errors import (
        LogConflictError,
        LogExistsError,
        LogFormatError,
        LogNotFoundError,
        LogWriteError,
        ObservationError,
    )
    from .exchange.coco_writer import write_coco
    from .exchange.importer import Imported, import_data
    from .exchange.ioh_writer import write_ioh
    from .exchange.reference import ReferenceEntry, read_reference
    from .files import log_files
    from .first_hits import FirstHitTimes
    from .header import LogHeader
    from .identity import RunIdentity
    from .indicators import BestFeasible, QualityIndicator
    from .log import Log, read_log
    from .merge import merge_logs
    from .observed import ObservedProblem
    from .observer import Observer
    from .record import (
        STATUSES,
        Hits,
        Recommendations,
        Restarts,
        RunRecord,
        Trajectory,
        lost_record,
    )
    from .runs import Runs
    from .stops import BudgetExhausted, FinalTargetHit, RunStop, StopConditions
    from .targets import FINAL_TARGET, NO_TARGET, grid_index, grid_value
    from .writer import LogWriter

__all__ = [
    "FINAL_TARGET",
    "NO_TARGET",
    "STATUSES",
    "BestFeasible",
    "BudgetExhausted",
    "FinalTargetHit",
    "FirstHitTimes",
    "Hits",
    "Imported",
    "Log",
    "LogConflictError",
    "LogExistsError",
    "LogFormatError",
    "LogHeader",
    "LogNotFoundError",
    "LogWriteError",
    "LogWriter",
    "ObservationError",
    "ObservedProblem",
    "Observer",
    "QualityIndicator",
    "Recommendations",
    "ReferenceEntry",
    "Restarts",
    "RunIdentity",
    "RunRecord",
    "RunStop",
    "Runs",
    "StopConditions",
    "Trajectory",
    "grid_index",
    "grid_value",
    "import_data",
    "log_files",
    "lost_record",
    "merge_logs",
    "read_log",
    "read_reference",
    "write_coco",
    "write_ioh",
]

_HOMES = {
    "errors": (
        "LogConflictError", "LogExistsError", "LogFormatError", "LogNotFoundError",
        "LogWriteError", "ObservationError",
    ),
    "exchange.coco_writer": ("write_coco",),
    "exchange.importer": ("Imported", "import_data"),
    "exchange.ioh_writer": ("write_ioh",),
    "exchange.reference": ("ReferenceEntry", "read_reference"),
    "files": ("log_files",),
    "first_hits": ("FirstHitTimes",),
    "header": ("LogHeader",),
    "identity": ("RunIdentity",),
    "indicators": ("BestFeasible", "QualityIndicator"),
    "log": ("Log", "read_log"),
    "merge": ("merge_logs",),
    "observed": ("ObservedProblem",),
    "observer": ("Observer",),
    "record": (
        "STATUSES", "Hits", "Recommendations", "Restarts", "RunRecord", "Trajectory",
        "lost_record",
    ),
    "runs": ("Runs",),
    "stops": ("BudgetExhausted", "FinalTargetHit", "RunStop", "StopConditions"),
    "targets": ("FINAL_TARGET", "NO_TARGET", "grid_index", "grid_value"),
    "writer": ("LogWriter",),
}  # fmt: skip
"""Modules, and what each gives."""
_HOME = {name: module for module, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f".{_HOME[name]}", __name__), name)
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
