"""A data archive on a web server of this machine, which says what it was asked for."""

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
    """COCO's data of one run of the algorithm ``name``, as an archive."""
    path.parent.mkdir(parents=True, exist_ok=True)
    files = {file: content.replace(b"'A'", f"'{name}'".encode()) for file, content in GOOD.items()}
    tar(path, files.items())


class Handler(http.server.SimpleHTTPRequestHandler):
    """Serves a folder; what stands in ``server.answers`` is answered otherwise."""

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
    """A server of this folder: its ``url``, what it was ``asked``, and other ``answers``."""
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


def redirect(to):
    def answer(handler):
        handler.send_response(302)
        handler.send_header("Location", to)
        handler.send_header("Content-Length", "0")
        handler.end_headers()

    return answer


def content(content, declared=None):
    """These bytes, under the size that is declared."""

    def answer(handler):
        handler.send_response(200)
        handler.send_header("Content-Length", str(declared or len(content)))
        handler.end_headers()
        with contextlib.suppress(OSError):  # the client may have gone
            handler.wfile.write(content)

    return answer
