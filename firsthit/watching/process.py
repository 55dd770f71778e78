"""Run the dashboard of ``firsthit run --watch`` in a process of its own.

`watch_run` starts the process, which is `main` of this module. The process serves the dashboard
until its standard input ends, and then saves the page. So it also ends if the main process is
killed.
"""

from __future__ import annotations

import contextlib
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import click

from ..loggers.hdf5.storage import write_atomically
from ..runner.campaign.follower import CampaignFollower
from ..suites.errors import FirsthitError
from .page import PAGE_MARK, make_page
from .server import DEFAULT_PORT, Dashboard, describe_address
from .watcher import Watcher

_SAVE_SECONDS = 120.0
"""Longest wait for the page to be saved; the last ECDF of 1e5 runs takes some seconds."""


class PageExistsError(FirsthitError, FileExistsError):
    """A file that is not a page of the dashboard has the name of the page."""


@contextlib.contextmanager
def watch_run(log: Path, overwrite: bool = False) -> Iterator[None]:
    """Show the dashboard of a log while the block runs, and then save its page beside the log.

    The address of the dashboard and the path of the page are printed to standard error. If the
    dashboard cannot be started, a note says so, and the block runs without it.

    Args:
        log: Log of the campaign. It need not exist yet.
        overwrite: Whether the page may replace any file. False: it may replace an earlier page.

    Raises:
        PageExistsError: Another file has the name of the page.
    """
    page = log.with_name(f"{log.stem}-watch.html")
    if page.exists() and not overwrite and not _is_page(page):
        raise PageExistsError(
            f"{str(page)!r} exists and is not a page that --watch saved; "
            "move it, or replace it with --overwrite"
        )
    process = subprocess.Popen(
        [sys.executable, "-P", "-m", __name__, str(log.absolute()), str(page.absolute())],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    assert process.stdin is not None
    assert process.stdout is not None
    with process:
        port = process.stdout.readline().strip()
        if port:
            click.echo("\n".join(describe_address(int(port))), err=True)
        else:
            click.echo("note: the dashboard could not be started", err=True)
        try:
            yield
        finally:
            with contextlib.suppress(OSError):  # the process has ended
                process.stdin.close()
            try:
                process.wait(_SAVE_SECONDS)
            except subprocess.TimeoutExpired:
                process.kill()
            is_saved = bool(port) and process.wait() == 0
            click.echo(
                f"dashboard: {page}"
                if is_saved
                else "note: the page of the dashboard could not be saved",
                err=True,
            )


def _is_page(path: Path) -> bool:
    """Return whether a file is a page that the dashboard saved."""
    try:
        return PAGE_MARK in path.read_bytes()[:2000].decode(errors="replace")
    except OSError:
        return False


def main(log: str, page: str) -> None:
    """Serve the dashboard of a log until standard input ends, then save its page.

    Print the port to standard output first.
    """
    # Ctrl-C reaches all processes of a terminal; the main process closes the input when it ends.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    input_ended = threading.Event()

    def wait_for_end() -> None:
        sys.stdin.read()
        input_ended.set()

    threading.Thread(target=wait_for_end, daemon=True).start()
    watcher = Watcher(CampaignFollower(Path(log)))
    dashboard = Dashboard(DEFAULT_PORT, watcher.snapshot)
    print(dashboard.port, flush=True)
    has_ended = False
    while not has_ended:
        pause_seconds = watcher.update()
        dashboard.show(watcher.snapshot)
        has_ended = input_ended.wait(pause_seconds)
    watcher.update()
    dashboard.show(watcher.snapshot)
    write_atomically(Path(page), make_page(watcher.snapshot).encode())
    dashboard.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
