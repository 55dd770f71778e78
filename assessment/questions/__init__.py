"""One question, one file: its table, options, help, figures, captions, and section of the report.

To add a question, copy `termination` (a table), `restarts` (with a figure) or `timing` (with a
section of the report), add a line to `_framework.catalogue`, and run
``python -m firsthit.assessment.questions._framework.codegen``. Formulas belong to ``statistics``,
what several questions read from the runs of a log to ``hits``, notes of a whole kind of samples to
``caveats``.
"""
