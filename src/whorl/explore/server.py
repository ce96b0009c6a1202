"""The server of the page: on the loopback interface only, behind a random token.

A request is answered only if its address begins with the token and its Host header names this
server: a page of another site can neither guess the one nor, by making its own name point here
(DNS rebinding), have the other. Questions are JSON, which a form of another site cannot send, and
no answer allows another origin to read it.
"""

from __future__ import annotations

import json
import secrets
import sys
import traceback
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from whorl.diagnostics import WhorlError
from whorl.explore.application import Application, BadQuestion, error_data
from whorl.explore.page import ExplorePage

HOST = "127.0.0.1"
MOST_BYTES = 2_000_000  # of a question
DEFAULT_PORT = 80  # of HTTP, which browsers leave out
IDLE = 60.0  # seconds that a connection may say nothing


class Server(ThreadingHTTPServer):
    """Serves one application. `troubled` is told of errors of ours, in words for the terminal."""

    daemon_threads = True

    def __init__(
        self, application: Application, port: int, troubled: Callable[[str], None]
    ) -> None:
        super().__init__((HOST, port), Handler)
        self.application = application
        self.troubled = troubled
        self.token = secrets.token_urlsafe(24)
        self.page = ExplorePage()

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.server_port}/{self.token}/"

    @property
    def hosts(self) -> tuple[str, ...]:
        """What the Host header of a request to this server says."""
        names = (HOST, "localhost")
        with_port = tuple(f"{name}:{self.server_port}" for name in names)
        return (*names, *with_port) if self.server_port == DEFAULT_PORT else with_port

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A connection that breaks off is nothing to tell of."""
        if not isinstance(sys.exception(), OSError):
            self.troubled(traceback.format_exc())


class _Refusal(Exception):
    """A request that is not answered."""

    def __init__(self, status: HTTPStatus, text: str) -> None:
        super().__init__(text)
        self.status = status


class Handler(BaseHTTPRequestHandler):
    """One request: `GET /TOKEN/` is the page, `POST /TOKEN/QUESTION` an answer in JSON."""

    server: Server
    protocol_version = "HTTP/1.1"
    server_version = "whorl"
    sys_version = ""
    timeout = IDLE

    def do_GET(self) -> None:
        self._answer(self._page)

    def do_POST(self) -> None:
        self._answer(self._question)

    def _answer(self, make: Callable[[], tuple[str, str]]) -> None:
        status = HTTPStatus.OK
        try:
            self._admit()
            kind, text = make()
        except _Refusal as refusal:
            status = refusal.status
            kind, text = "application/json", json.dumps({"error": {"message": str(refusal)}})
        except WhorlError as error:
            status = HTTPStatus.UNPROCESSABLE_ENTITY
            kind, text = "application/json", json.dumps({"error": error_data(error)})
        except BadQuestion as error:
            status = HTTPStatus.BAD_REQUEST
            kind, text = "application/json", json.dumps({"error": {"message": str(error)}})
        except Exception:
            self.server.troubled(traceback.format_exc())
            status = HTTPStatus.INTERNAL_SERVER_ERROR
            said = {"message": "internal error of whorl: the terminal has more"}
            kind, text = "application/json", json.dumps({"error": said})
        self._send(status, kind, text)

    def _admit(self) -> None:
        """Refuses whoever is not the page."""
        if self.headers.get("Host") not in self.server.hosts:
            raise _Refusal(HTTPStatus.FORBIDDEN, "this is not the server that was asked for")
        origin = self.headers.get("Origin")
        if origin is not None and origin not in {f"http://{host}" for host in self.server.hosts}:
            raise _Refusal(HTTPStatus.FORBIDDEN, "a page of another origin")
        token = self.path[1:].partition("/")[0]
        if not secrets.compare_digest(token.encode(), self.server.token.encode()):
            raise _Refusal(HTTPStatus.NOT_FOUND, "there is nothing here")

    def _name(self) -> str:
        return self.path[1:].partition("/")[2].partition("?")[0]

    def _page(self) -> tuple[str, str]:
        if self.path == f"/{self.server.token}":  # questions are relative to the address
            raise _Refusal(HTTPStatus.PERMANENT_REDIRECT, "the address ends with a slash")
        if self._name():
            raise _Refusal(HTTPStatus.NOT_FOUND, "there is nothing here")
        begun = self.server.application.begin()
        return "text/html; charset=utf-8", self.server.page.text(begun)

    def _question(self) -> tuple[str, str]:
        answer = self.server.application.questions.get(self._name())
        body = self._body()
        if answer is None:
            raise _Refusal(HTTPStatus.NOT_FOUND, "there is no such question")
        return "application/json", json.dumps(answer(body))

    def _body(self) -> dict[str, Any]:
        if self.headers.get_content_type() != "application/json":
            raise _Refusal(HTTPStatus.UNSUPPORTED_MEDIA_TYPE, "a question is JSON")
        length = self.headers.get("Content-Length", "")
        if not length.isascii() or not length.isdecimal():
            raise _Refusal(HTTPStatus.LENGTH_REQUIRED, "a question says how long it is")
        if len(length) > 12 or int(length) > MOST_BYTES:
            raise _Refusal(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "the question is too long")
        try:
            body = self.rfile.read(int(length))
        except OSError:  # who asked has gone, or is too slow
            raise _Refusal(HTTPStatus.REQUEST_TIMEOUT, "the question did not arrive") from None
        try:
            data = json.loads(body)
        except (ValueError, RecursionError):
            raise _Refusal(HTTPStatus.BAD_REQUEST, "the question is not JSON") from None
        if not isinstance(data, dict):
            raise _Refusal(HTTPStatus.BAD_REQUEST, "a question is an object")
        return data

    def _send(self, status: HTTPStatus, kind: str, text: str) -> None:
        data = text.encode("utf-8", "backslashreplace")
        self.send_response(status)
        headers = {
            "Content-Type": kind,
            "Content-Length": str(len(data)),
            "Content-Security-Policy": self.server.page.policy,
            "Cache-Control": "no-store",
            "Referrer-Policy": "no-referrer",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cross-Origin-Opener-Policy": "same-origin",
        }
        if status is HTTPStatus.PERMANENT_REDIRECT:
            headers["Location"] = f"/{self.server.token}/"
        if status is not HTTPStatus.OK:
            headers["Connection"] = "close"  # its body may not have been read
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def send_error(self, code: int, message: str | None = None, explain: str | None = None) -> None:
        """Of requests that are no HTTP, or of a method that there is not."""
        status = HTTPStatus(code)
        self._send(status, "application/json", json.dumps({"error": {"message": status.phrase}}))

    def log_message(self, format: str, *arguments: Any) -> None:
        """Requests are not told of."""
