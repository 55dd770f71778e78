"""What is recorded: observed problems, first hits of targets, and the HDF5 log with its reader."""

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
