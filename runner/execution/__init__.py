"""The execution of runs: one run, a chunk of runs in a worker process, and a plan.

``run.py`` makes one run. ``chunk.py`` makes several runs in a worker process. ``execute.py`` makes
the runs of a plan and writes them to the log; ``dispatch.py`` divides the plan into chunks and
submits them to an executor. ``seeds.py`` derives the random seeds of runs. ``repeating.py`` tests
whether runs are reproducible. To display the progress in another way, write a class with the
methods of ``progress.Progress``.
"""
