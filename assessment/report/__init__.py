"""The interactive report: one HTML file with the results of logs, which needs no network.

`build` collects the data of the page from the sections of all questions, and `answer` compares the
algorithms (`standings`). `page` writes the file. `source` reads the names and checksums of the logs
from a report, and `index_page` lists the reports of a folder. A section is declared by its
question, and drawn by the script of its name in ``scripts`` with the functions of ``page/core.js``.
"""

from .build import report
from .index_page import index_reports
from .page import check_report_packages
from .source import ReportSource, read_report

__all__ = ["ReportSource", "check_report_packages", "index_reports", "read_report", "report"]
