"""The interactive report: one HTML file that answers, offline, what the logs say.

`build` gathers what the page says from the sections of all questions; `page` makes the file;
`source` reads back what a report was made of, and names the reports of a folder. A section is
declared by its question, and drawn by the script of its name in ``scripts``, with the functions of
``page/core.js``.
"""

from .build import report
from .page import check_report_packages
from .source import ReportSource, index_reports, read_report

__all__ = ["ReportSource", "check_report_packages", "index_reports", "read_report", "report"]
