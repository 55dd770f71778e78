"""A data archive on a web server of this machine, which records the requested paths."""

import contextlib
import http.server
import threading
from functools import partial

from .test_archives import GOOD, tar

NAMES = (
    "bbob/2009/BIPOP-CMA-ES_hansen.tgz", "bbob/2009/BFGS_ros.tgz", "bbob/2012/CMA_brockhoff.tgz",
    "bbob/2012/CMAES_posik.tgz", "bbob-noisy/2009/BFGS_ros_noisy.tgz",
)  # fmt: skip


def data_set(path, name):
    """Write an archive with COCO's data of one run of the algorithm ``name``."""
    path.parent.mkdir(parents=True, exist_ok=True)
    files = {file: content.replace(b"'A'", f"'{name}'".encode()) for file, content in GOOD.items()}
    tar(path, files.items())


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serve a folder, except for paths in ``server.answers``, whose functions give the answer."""

    def do_GET(self):
        self.server.asked.append(self.path)
        answer = self.server.answers.get(self.path)
        if answer is None:
            super().do_GET()
        else:
            answer(self)

    def log_message(self, *_):
        pass


@contextlib.contextmanager
def served(folder):
    """Serve a folder, and yield the server.

    It has the attributes ``url``, ``asked`` (the requested paths) and ``answers`` (functions of the
    handler by path, see `redirect`).
    """
    handler = partial(Handler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        server.asked, server.answers = [], {}
        server.url = f"http://127.0.0.1:{server.server_port}"
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def redirect(url):
    """Return an answer that redirects to another URL."""

    def answer(handler):
        handler.send_response(302)
        handler.send_header("Location", url)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


def one_byte_after_another(n_bytes):
    """Return an answer that sends a byte each 20 ms, until the client closes the connection."""

    def answer(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(n_bytes))
        handler.end_headers()
        with contextlib.suppress(OSError):
            for _ in range(n_bytes):
                handler.wfile.write(b"x")
                threading.Event().wait(0.02)

    return answer


def content(content, declared=None):
    """Return an answer with these bytes; ``declared`` is another size to declare."""

    def answer(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(declared or len(content)))
        handler.end_headers()
        with contextlib.suppress(OSError):  # The client may have closed the connection.
            handler.wfile.write(content)

    return answer
