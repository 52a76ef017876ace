"""A stand-in for the Hub on the loopback, with which the real huggingface_hub talks."""

import base64
import json
import re
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


class Hub:
    """One dataset repository: path → content, and what was asked for.

    refuses: the status of every answer, where it isn't 0. tokens: those that came.
    """

    def __init__(self, url: str) -> None:
        self.url = url
        self.files: dict[str, bytes] = {}
        self.stored: dict[str, bytes] = {}
        self.commits = 0
        self.refuses = 0
        self.tokens: set[str] = set()


@contextmanager
def serving() -> Iterator[Hub]:
    httpd = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    hub = Hub(f"http://127.0.0.1:{httpd.server_port}")
    httpd.state = hub  # type: ignore[attr-defined]
    thread = threading.Thread(target=httpd.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    try:
        yield hub
    finally:
        httpd.shutdown()
        thread.join()
        httpd.server_close()


class _Handler(BaseHTTPRequestHandler):
    @property
    def hub(self) -> Hub:
        return self.server.state  # type: ignore[attr-defined, no-any-return]

    def _body(self) -> bytes:
        return self.rfile.read(int(self.headers.get("Content-Length", 0)))

    def _send(self, value: Any, status: int = 200) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def _refused(self) -> bool:
        self.hub.tokens.add(self.headers.get("Authorization", ""))
        if self.hub.refuses:
            self._send({"error": "Invalid credentials"}, self.hub.refuses)
        return bool(self.hub.refuses)

    def do_GET(self) -> None:
        if self._refused():
            return
        if "/tree/" in self.path:
            rows = [
                {"type": "file", "path": path, "size": len(body), "oid": "0" * 40}
                for path, body in sorted(self.hub.files.items())
            ]
            self._send(rows)
        else:
            siblings = [{"rfilename": path} for path in sorted(self.hub.files)]
            self._send({"id": "somebody/pararecover", "sha": "1" * 40, "siblings": siblings})

    def do_PUT(self) -> None:
        self.hub.stored[self.path.rsplit("/", 1)[1]] = self._body()
        self._send({})

    def do_POST(self) -> None:
        body = self._body()
        if self._refused():
            return
        if self.path.endswith("/repos/create"):
            self._send({"url": f"{self.hub.url}/datasets/somebody/pararecover"})
        elif "/preupload/" in self.path:
            files = [
                {
                    "path": one["path"],
                    "uploadMode": "lfs" if one["path"].endswith(".parquet") else "regular",
                    "shouldIgnore": False,
                }
                for one in json.loads(body)["files"]
            ]
            self._send({"files": files})
        elif self.path.endswith("/info/lfs/objects/batch"):
            self._send({"transfer": "basic", "objects": list(map(self._slot, _objects(body)))})
        elif "/commit/" in self.path:
            self._commit(body)
        else:
            self._send({})

    def _slot(self, wanted: dict[str, Any]) -> dict[str, Any]:
        href = f"{self.hub.url}/store/{wanted['oid']}"
        return {**wanted, "actions": {"upload": {"href": href, "header": {}}}}

    def _commit(self, body: bytes) -> None:
        for line in map(json.loads, body.splitlines()):
            value = line["value"]
            if line["key"] == "deletedFile":
                self.hub.files.pop(value["path"], None)
            elif line["key"] == "lfsFile":
                self.hub.files[value["path"]] = self.hub.stored[value["oid"]]
            elif line["key"] == "file":
                self.hub.files[value["path"]] = base64.b64decode(value["content"])
        self.hub.commits += 1
        address = f"{self.hub.url}/datasets/somebody/pararecover/commit/{'2' * 40}"
        self._send({"commitUrl": address, "commitOid": "2" * 40, "success": True})

    def log_message(self, *args: Any) -> None:
        """Stay quiet."""


def _objects(body: bytes) -> list[dict[str, Any]]:
    return [
        {"oid": one["oid"], "size": one["size"]}
        for one in json.loads(body)["objects"]
        if re.fullmatch(r"[0-9a-f]{64}", one["oid"])
    ]
