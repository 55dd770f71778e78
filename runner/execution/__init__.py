"""Making runs: one run (``run.py``), many runs one after the other in a worker (``group.py``), and
a whole plan (``execute.py``, which hands groups to an executor by ``dispatch.py``).

What ends a run from within is in ``monitor.py``, how its seeds follow from its names in
``seeds.py``; to show the progress in another way, write a class like those of ``progress.py``.
"""
