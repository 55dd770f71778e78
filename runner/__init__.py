"""The execution of experiments: campaigns, optimizers, budgets, restarts, seeds and executors.

A campaign (a YAML file, read by ``load_campaign``) or a call of ``firsthit.benchmark`` gives a
plan, which is a list of runs. ``execute`` makes the runs on an executor, and writes their records
to the log. ``run_one`` makes one run. Names are imported when they are first used;
``__init__.pyi`` lists them.
"""

import lazy_loader as _lazy

__getattr__, __dir__, __all__ = _lazy.attach_stub(__name__, __file__)
