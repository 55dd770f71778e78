from . import assessment as assessment
from . import bridges as bridges
from . import loggers as loggers
from . import runner as runner
from . import suites as suites
from .assessment import load as load
from .benchmarking import Score as Score
from .benchmarking import benchmark as benchmark
from .benchmarking import score as score
from .loggers import BudgetExhausted as BudgetExhausted
from .loggers import FinalTargetHit as FinalTargetHit
from .loggers import Observer as Observer
from .runner import Parallel as Parallel
from .suites import FirsthitError as FirsthitError
from .suites import Suite as Suite
from .suites import check_suite as check_suite
from .suites import problem_from as problem_from
from .suites import register_suite as register_suite

__version__: str
