"""``--exact``: an option of commands that print attainment surfaces."""

from __future__ import annotations

import click

exact = click.option(
    "--exact",
    is_flag=True,
    help="Print every corner [default: values are rounded up, finer than figures show].",
)
