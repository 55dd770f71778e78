"""Making runs: one, many one after the other in a worker, and a whole plan.

``run.py`` makes one, ``chunk.py`` makes many in a worker process, ``execute.py`` makes a plan,
whose chunks ``dispatch.py`` hands to an executor. To show the progress in another way, write a
class like those of ``progress.py``.
"""
