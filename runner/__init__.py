"""How experiments run: budgets, restarts, seeds, optimizers, campaigns, executors, resumption.

A campaign (a YAML file, ``load_campaign``) or a call (``benchmark``) makes a plan of runs;
``execute`` hands them to an executor and their records to the log. ``run_one`` makes one run.
Names are imported when they are first used; ``__init__.pyi`` lists them.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
