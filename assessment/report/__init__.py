"""The interactive report: one HTML file that answers, offline, what the logs say."""

from .build import report
from .page import check_report_packages
from .source import ReportSource, read_report

__all__ = ["ReportSource", "check_report_packages", "read_report", "report"]
