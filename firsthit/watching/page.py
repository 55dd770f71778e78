"""Make the page of the dashboard: one HTML text with its style and its script."""

from __future__ import annotations

import base64
import hashlib
import json
from importlib.resources import files

from .terminal import describe_state
from .watcher import Snapshot

PAGE_MARK = '<meta name="generator" content="firsthit watch">'
"""Text near the beginning of each page."""


def make_page(snapshot: Snapshot | None = None) -> str:
    """Return the page of the dashboard as HTML.

    Args:
        snapshot: Data that the page shows. None: the page asks for ``data.json`` every two seconds.
    """
    script = _read_file("page.js")
    data = "" if snapshot is None else encode_snapshot(snapshot).replace("<", "\\u003c")
    # The browser runs no other script, not even if a name in the data were taken for HTML.
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    page = _read_file("page.html").replace("SCRIPT_HASH", f"sha256-{digest}")
    before, _, after = page.partition("SNAPSHOT")
    head, _, tail = after.partition("SCRIPT")
    return "".join([before, data, head, script, tail])


def encode_snapshot(snapshot: Snapshot) -> str:
    """Return a snapshot as JSON, with a sentence on the campaign's state in ``description``."""
    return json.dumps({**snapshot, "description": describe_state(snapshot)})


def _read_file(name: str) -> str:
    return (files(__package__) / name).read_text(encoding="utf-8")
