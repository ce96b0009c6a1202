"""The explorer's server in this process, and questions to it as a page asks them."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from typing import Any

import whorl
from whorl.cli.explore import subject_of
from whorl.explore.application import Application
from whorl.explore.server import HOST, Server


@dataclass
class Exploring:
    """A server that runs; `troubles` is what it would tell the terminal."""

    server: Server
    troubles: list[str]

    def request(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> tuple[HTTPResponse, str]:
        """The answer to a request just as it is."""
        connection = HTTPConnection(HOST, self.server.server_port, timeout=20)
        try:
            connection.request(method, path, body, dict(headers or {}))
            response = connection.getresponse()
            return response, response.read().decode()
        finally:
            connection.close()

    def status(self, question: str, body: Any) -> tuple[int, Any]:
        """The status of the answer to a question, and the answer."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        response, text = self.request(
            "POST", f"/{self.server.token}/{question}", data, {"Content-Type": "application/json"}
        )
        return response.status, json.loads(text)

    def ask(self, question: str, **body: Any) -> Any:
        """The answer to a question, which must have one."""
        status, answer = self.status(question, body)
        assert status == 200, answer
        return answer


@contextmanager
def exploring(model: str | Path, **loading: Any) -> Iterator[Exploring]:
    """Serves a model as long as it is used."""
    troubles: list[str] = []
    loaded = whorl.load(model, **loading)
    application = Application(subject_of(loaded, loading.get("defines", {})))
    server = Server(application, 0, troubles.append)
    thread = threading.Thread(target=lambda: server.serve_forever(0.01), daemon=True)
    thread.start()
    try:
        yield Exploring(server, troubles)
    finally:
        server.shutdown()
        server.server_close()
        thread.join(10)


def step_named(state: dict[str, Any], text: str) -> list[list[int]]:
    """The choices of the enabled step `0 x = 1`: its process and its statement."""
    (found,) = [s for s in state["enabled"] if f"{s['pid']} {s['text']}" == text]
    choices: list[list[int]] = found["choices"]
    return choices


def walked(served: Exploring, *steps: str) -> list[list[int]]:
    """The choices of a path, by its steps."""
    path: list[list[int]] = []
    for text in steps:
        path += step_named(served.ask("state", choices=path), text)
    return path
