"""One question, one file: its table, options, help, figures, captions, and section of the report.

To add a question, copy `termination` (a table), `restarts` (with a figure) or `timing` (with a
section of the report), and run ``python -m firsthit.assessment.asking.generate``. Formulas belong
to ``statistics``, what several questions read from a log to ``data``.
"""
