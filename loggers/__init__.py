"""What is recorded: observed problems, first hits of targets, and the HDF5 log with its reader.

Names are imported when they are first used.
"""

from typing import TYPE_CHECKING

from ..suites.deferred import deferred

if TYPE_CHECKING:
    from .errors import LogConflictError as LogConflictError
    from .errors import LogExistsError as LogExistsError
    from .errors import LogFormatError as LogFormatError
    from .errors import LogNotFoundError as LogNotFoundError
    from .errors import LogWriteError as LogWriteError
    from .errors import ObservationError as ObservationError
    from .exchange.coco_writer import write_coco as write_coco
    from .exchange.importer import Imported as Imported
    from .exchange.importer import import_data as import_data
    from .exchange.ioh_writer import write_ioh as write_ioh
    from .exchange.reference import ReferenceEntry as ReferenceEntry
    from .exchange.reference import read_reference as read_reference
    from .files import log_files as log_files
    from .first_hits import FirstHitTimes as FirstHitTimes
    from .header import LogHeader as LogHeader
    from .identity import RunIdentity as RunIdentity
    from .indicators import BestFeasible as BestFeasible
    from .indicators import QualityIndicator as QualityIndicator
    from .log import Log as Log
    from .log import read_log as read_log
    from .merge import merge_logs as merge_logs
    from .observed import ObservedProblem as ObservedProblem
    from .observer import Observer as Observer
    from .record import STATUSES as STATUSES
    from .record import Hits as Hits
    from .record import Recommendations as Recommendations
    from .record import Restarts as Restarts
    from .record import RunRecord as RunRecord
    from .record import Trajectory as Trajectory
    from .record import lost_record as lost_record
    from .runs import Runs as Runs
    from .stops import BudgetExhausted as BudgetExhausted
    from .stops import FinalTargetHit as FinalTargetHit
    from .stops import RunStop as RunStop
    from .stops import StopConditions as StopConditions
    from .targets import FINAL_TARGET as FINAL_TARGET
    from .targets import NO_TARGET as NO_TARGET
    from .targets import grid_index as grid_index
    from .targets import grid_value as grid_value
    from .writer import LogWriter as LogWriter

__getattr__, __dir__, __all__ = deferred(
    __name__,
    {
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
    },
)  # fmt: skip
