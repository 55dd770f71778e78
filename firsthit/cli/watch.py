"""``firsthit watch``: show a campaign live in the browser."""

from __future__ import annotations

import time

import click

from .help import Command, add_option
from .run import batch_option, limit_threads
from .status import open_follower


@click.command(
    cls=Command,
    examples=[
        "firsthit watch my.yaml",
        "firsthit watch results/quickstart.h5",
        "firsthit watch my.yaml --batch 2/5 --port 8421",
    ],
)
@click.argument("campaign", metavar="CAMPAIGN|LOG")
@add_option(
    "-o", "--output", metavar="FILE.h5", help="Log of the campaign. Default: results/CAMPAIGN.h5."
)
@batch_option
@add_option(
    "--port",
    type=click.IntRange(1, 65535),
    metavar="INTEGER",
    default=8420,
    show_default=True,
    help="Port of the dashboard, 1 to 65535. If the port is in use, the next free one is taken.",
)
def command(campaign: str, output: str | None, batch: str | None, port: int) -> None:
    """Show a campaign or a log live in the browser.

    CAMPAIGN is a campaign file or the name of a built-in campaign. It may be running, have ended or
    not have begun; the command only reads it.

    The page shows the progress by algorithm and dimension, failures with their messages, the
    function-target pairs solved so far, and the remaining time. After the campaign, it shows the
    result. It is served at 127.0.0.1, so only programs on this machine can read it. The command
    prints the address, and an ssh command for a browser on another machine. Ctrl-C ends it.
    """
    limit_threads()
    from ..watching.server import Dashboard, describe_address
    from ..watching.watcher import Watcher

    watcher = Watcher(open_follower(campaign, output, batch))
    dashboard = Dashboard(port, watcher.snapshot)
    lines = [*describe_address(dashboard.port), "Ctrl-C ends the dashboard"]
    try:
        click.echo("\n".join(lines), err=True)
        while True:
            pause_seconds = watcher.update()
            dashboard.show(watcher.snapshot)
            time.sleep(pause_seconds)
    except KeyboardInterrupt:
        dashboard.close()
