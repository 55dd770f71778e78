"""Making runs: one, many one after the other in a worker, and a whole plan.

``run.py`` makes one, ``group.py`` makes many in a worker process, ``execute.py`` makes a plan, whose
groups ``dispatch.py`` hands to an executor. What ends a run from within is in ``monitor.py``, how its seeds follow from its names in
``seeds.py``; to show the progress in another way, write a class like those of ``progress.py``.
"""
