"""A real server on the loopback that sends one file, in pieces if asked, and can break off."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Server:
    """What the server sends, and what it was asked.

    content: the file. breaks: after how many bytes of the body each answer in turn breaks off.
    statuses: answered in turn instead of the file. ranges: whether a Range is obeyed.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.content = b""
        self.breaks: list[int] = []
        self.statuses: list[int] = []
        self.ranges = True
        self.kind = "text/plain"
        self.asked: list[str | None] = []

    @property
    def requests(self) -> int:
        return len(self.asked)


@contextmanager
def serving() -> Iterator[Server]:
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server = Server(f"http://127.0.0.1:{httpd.server_port}/file.jsonl")
    httpd.state = server  # type: ignore[attr-defined]
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield server
    finally:
        httpd.shutdown()
        thread.join()
        httpd.server_close()


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        state: Server = self.server.state  # type: ignore[attr-defined]
        wanted = self.headers.get("Range")
        state.asked.append(wanted)
        if state.statuses:
            self.send_error(state.statuses.pop(0))
            return
        size = len(state.content)
        start = int(wanted.removeprefix("bytes=").rstrip("-")) if wanted and state.ranges else 0
        if start and start >= size:
            self.send_response(416)
            self.send_header("Content-Range", f"bytes */{size}")
            self.send_header("Content-Length", "0")
            self.end_headers()
            return
        self.send_response(206 if start else 200)
        if start:
            self.send_header("Content-Range", f"bytes {start}-{size - 1}/{size}")
        self.send_header("Content-Type", state.kind)
        self.send_header("Content-Length", str(size - start))
        self.end_headers()
        body = state.content[start:]
        self.wfile.write(body[: state.breaks.pop(0)] if state.breaks else body)

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 (its own name)
        """Say nothing."""
