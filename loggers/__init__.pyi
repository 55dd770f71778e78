from .errors import (
    LogConflictError as LogConflictError,
)
from .errors import (
    LogExistsError as LogExistsError,
)
from .errors import (
    LogFormatError as LogFormatError,
)
from .errors import (
    LogNotFoundError as LogNotFoundError,
)
from .errors import (
    LogReadError as LogReadError,
)
from .errors import (
    LogWriteError as LogWriteError,
)
from .errors import (
    ObservationError as ObservationError,
)
from .formats.coco.reference_data import (
    ReferenceEntry as ReferenceEntry,
)
from .formats.coco.reference_data import (
    read_reference as read_reference,
)
from .formats.coco.writer import write_coco as write_coco
from .formats.importer import Imported as Imported
from .formats.importer import import_data as import_data
from .formats.ioh.writer import write_ioh as write_ioh
from .formats.parquet.writer import write_parquet as write_parquet
from .hdf5.merge import merge_logs as merge_logs
from .hdf5.merge import remove_log as remove_log
from .hdf5.writer import LogWriter as LogWriter
from .indicators.best_feasible import BestFeasible as BestFeasible
from .indicators.indicator import Indicator as Indicator
from .indicators.registry import (
    indicator_names as indicator_names,
)
from .indicators.registry import (
    make_indicator as make_indicator,
)
from .indicators.registry import (
    register_indicator as register_indicator,
)
from .log.first_hits import FirstHitTimes as FirstHitTimes
from .log.log import Log as Log
from .log.runs import Runs as Runs
from .observation.memory import RunMemory as RunMemory
from .observation.observed_problem import Monitor as Monitor
from .observation.observed_problem import ObservedProblem as ObservedProblem
from .observation.observer import Observer as Observer
from .observation.run_result import lost_run_record as lost_run_record
from .observation.stops import (
    BudgetExhausted as BudgetExhausted,
)
from .observation.stops import (
    FinalTargetHit as FinalTargetHit,
)
from .observation.stops import (
    MemoryExhausted as MemoryExhausted,
)
from .observation.stops import (
    RunStop as RunStop,
)
from .observation.stops import (
    StopConditions as StopConditions,
)
from .observation.stops import (
    TimeExhausted as TimeExhausted,
)
from .reading import read_log as read_log
from .records.dtypes import (
    HITS as HITS,
)
from .records.dtypes import (
    RECOMMENDATIONS as RECOMMENDATIONS,
)
from .records.dtypes import (
    RESTARTS as RESTARTS,
)
from .records.dtypes import (
    TRAJECTORY as TRAJECTORY,
)
from .records.dtypes import (
    as_rows as as_rows,
)
from .records.identity import RunIdentity as RunIdentity
from .records.log_header import LogHeader as LogHeader
from .records.run_record import STATUSES as STATUSES
from .records.run_record import RunRecord as RunRecord
from .records.suite_facts import SuiteFacts as SuiteFacts
from .targets.grid import (
    FINAL_TARGET as FINAL_TARGET,
)
from .targets.grid import (
    NO_TARGET as NO_TARGET,
)
from .targets.grid import (
    TargetGrid as TargetGrid,
)
from .targets.grid import (
    grid_index as grid_index,
)
from .targets.grid import (
    grid_value as grid_value,
)
