"""A real server on the loopback that answers in the form of OpenAI's chat completions."""

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Stub:
    """What the server says, and what it was asked.

    answers: texts in turn, the last again and again. statuses: given in turn before any answer.
    body: given instead of an answer. wait: released before each answer is sent.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.answers: list[str | None] = ["hello"]
        self.statuses: list[int] = []
        self.finish = "stop"
        self.choices = True
        self.wait = threading.Event()
        self.wait.set()
        self.asked: list[dict[str, Any]] = []
        self.keys: list[str | None] = []


@contextmanager
def serving() -> Iterator[Stub]:
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    stub = Stub(f"http://127.0.0.1:{httpd.server_port}/v1")
    httpd.state = stub  # type: ignore[attr-defined]
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield stub
    finally:
        stub.wait.set()
        httpd.shutdown()
        thread.join()
        httpd.server_close()


class _Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        stub: Stub = self.server.state  # type: ignore[attr-defined]
        length = int(self.headers["Content-Length"])
        stub.asked.append(json.loads(self.rfile.read(length)))
        stub.keys.append(self.headers.get("Authorization"))
        stub.wait.wait(5)
        if stub.statuses:
            told = {"error": {"message": f"refused, key was {stub.keys[-1]}", "type": "x"}}
            self._send(stub.statuses.pop(0), told)
            return
        text = stub.answers.pop(0) if len(stub.answers) > 1 else stub.answers[0]
        message = {"role": "assistant", "content": text}
        choice = {"index": 0, "message": message, "finish_reason": stub.finish}
        self._send(
            200,
            {
                "id": "chatcmpl-1",
                "object": "chat.completion",
                "created": 1,
                "model": "stub",
                "choices": [choice] if stub.choices else [],
                "usage": {"prompt_tokens": 7, "completion_tokens": 3, "total_tokens": 10},
            },
        )

    def _send(self, status: int, value: dict[str, Any]) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *args: object) -> None:
        """Say nothing."""
