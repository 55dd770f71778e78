"""Serve the dashboard on this machine: the page ``/`` and its data ``/data.json``.

The server listens at 127.0.0.1 only. It answers GET requests for its two paths. A request whose
header ``Host`` names another machine is refused: such a request comes from a page in the user's
browser whose name was made to lead to 127.0.0.1 (DNS rebinding).
"""

from __future__ import annotations

import errno
import getpass
import hashlib
import os
import socket
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

from ..suites.errors import FirsthitError
from .page import encode_snapshot, make_page
from .watcher import Snapshot

DEFAULT_PORT = 8420
ADDRESS = "127.0.0.1"
_HOST_NAMES = ("127.0.0.1", "localhost")
"""Names in the header ``Host``. Any port may follow: ``ssh -L`` may forward another one."""
_REQUEST_SECONDS = 10.0
"""Time after which a connection without a complete request is closed."""
_MAX_PORT = 65535


class PortError(FirsthitError, OSError):
    """No port is free for the dashboard."""


class Dashboard:
    """HTTP server of one dashboard, in threads of this process; it serves until `close`.

    Args:
        port: Port to listen at. If it is taken, the next free one is used.
        snapshot: Snapshot to serve first.

    Attributes:
        port: Port at which the server listens.

    Raises:
        PortError: ``port`` and all ports above it are taken, or may not be used.
    """

    def __init__(self, port: int, snapshot: Snapshot) -> None:
        page = make_page().encode()
        self._server = _listen(port)
        self._server.contents = {"/": (page, "text/html; charset=utf-8")}
        self.show(snapshot)
        self.port: int = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def show(self, snapshot: Snapshot) -> None:
        """Serve another snapshot from now on."""
        data = encode_snapshot(snapshot).encode()
        self._server.contents["/data.json"] = data, "application/json"

    def close(self) -> None:
        """Stop the server, and close its port."""
        self._server.shutdown()
        self._server.server_close()


def describe_address(port: int) -> list[str]:
    """Return lines with the address of a dashboard, on this machine and through ssh."""
    login = f"{getpass.getuser()}@{socket.gethostname()}"
    return [
        f"dashboard: http://{ADDRESS}:{port}/",
        f"from another machine: ssh -L {port}:{ADDRESS}:{port} {login}",
    ]


class _Server(ThreadingHTTPServer):
    """Server of fixed contents.

    Attributes:
        contents: Body and media type of each path.
    """

    daemon_threads = True
    # On Windows this option would let two servers share a port.
    allow_reuse_address = os.name != "nt"
    contents: dict[str, tuple[bytes, str]]

    def handle_error(self, request: object, client_address: object) -> None:
        """Ignore an error of a connection, such as a browser that went away."""


def _listen(port: int) -> _Server:
    """Return a server at the first free port from ``port`` on."""
    for candidate in range(port, _MAX_PORT + 1):
        try:
            return _Server((ADDRESS, candidate), _Handler)
        except OSError as error:
            if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                raise
    raise PortError(f"no port from {port} to {_MAX_PORT} is free; choose a lower --port")


class _Handler(BaseHTTPRequestHandler):
    """Handler of one request."""

    server: _Server
    server_version = "firsthit"
    sys_version = ""
    timeout = _REQUEST_SECONDS

    def do_GET(self) -> None:
        """Answer with the page or its data; refuse other paths, and requests for other hosts."""
        host_name = self.headers.get("Host", "").rpartition(":")[0] or self.headers.get("Host", "")
        if host_name not in _HOST_NAMES:
            self._refuse(HTTPStatus.FORBIDDEN, "the header Host must be localhost or 127.0.0.1")
        elif self.path not in self.server.contents:
            self._refuse(HTTPStatus.NOT_FOUND, "the dashboard has the paths / and /data.json")
        else:
            body, media_type = self.server.contents[self.path]
            tag = f'"{hashlib.sha256(body).hexdigest()}"'
            if self.headers.get("If-None-Match") == tag:
                self._send(HTTPStatus.NOT_MODIFIED, b"", media_type, tag)
            else:
                self._send(HTTPStatus.OK, body, media_type, tag)

    def refuse_method(self) -> None:
        """Refuse a method other than GET."""
        self._refuse(HTTPStatus.METHOD_NOT_ALLOWED, "the dashboard answers GET requests only")

    do_HEAD = do_POST = do_PUT = do_DELETE = do_PATCH = do_OPTIONS = refuse_method

    def log_message(self, format: str, *args: object) -> None:
        """Print nothing: the terminal shows the progress of the campaign."""

    def _refuse(self, status: HTTPStatus, reason: str) -> None:
        self.close_connection = True
        self._send(status, f"{reason}\n".encode(), "text/plain; charset=utf-8", "")

    def _send(self, status: HTTPStatus, body: bytes, media_type: str, tag: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", media_type)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Cache-Control", "no-cache")
        self.send_header("X-Content-Type-Options", "nosniff")
        self.send_header("X-Frame-Options", "DENY")
        self.send_header("Referrer-Policy", "no-referrer")
        if tag:
            self.send_header("ETag", tag)
        self.end_headers()
        self.wfile.write(body)
