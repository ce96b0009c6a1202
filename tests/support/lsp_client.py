"""A client of the language server: starts `whorl lsp` and speaks JSON-RPC with it."""

from __future__ import annotations

import json
import queue
import subprocess
import sys
import threading
from pathlib import Path
from types import TracebackType
from typing import Any

SECONDS = 60  # for an answer; a busy machine is no hang


class AnswerError(Exception):
    """The server answered a request with an error."""

    def __init__(self, error: dict[str, Any]) -> None:
        super().__init__(error["message"])
        self.code = error["code"]


class Client:
    """A server as a process of its own. Requests wait for their answer, within bounds of time."""

    def __init__(self, *options: str, command: list[str] | None = None) -> None:
        words = command or [sys.executable, "-m", "whorl", "lsp", *options]
        self.process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        self.heard: list[dict[str, Any]] = []  # notifications and requests of the server
        self._coming: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._number = 0
        self._answers: dict[int, dict[str, Any]] = {}
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Client:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _at: TracebackType | None,
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait(SECONDS)
        self._reader.join(SECONDS)
        for pipe in (self.process.stdin, self.process.stdout, self.process.stderr):
            if pipe is not None:
                pipe.close()

    # --- messages --------------------------------------------------------------------------------

    def _read(self) -> None:
        out = self.process.stdout
        assert out is not None
        try:
            while line := out.readline():
                length = 0
                while line.strip():
                    name, _, value = line.decode("ascii").partition(":")
                    length = int(value) if name.lower() == "content-length" else length
                    line = out.readline()
                self._coming.put(json.loads(out.read(length)))
        except ValueError:
            pass  # cut off: the server was killed, or printed something else
        self._coming.put(None)

    def send_raw(self, body: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        self.process.stdin.flush()

    def send(self, message: dict[str, Any]) -> None:
        self.send_raw(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def notify(self, method: str, **params: Any) -> None:
        self.send({"method": method, "params": params})

    def start(self, method: str, params: Any = None) -> int:
        """Sends a request without waiting; its number."""
        self._number += 1
        self.send({"id": self._number, "method": method, "params": params})
        return self._number

    def answer(self, number: int) -> Any:
        """The answer to a request."""
        while number not in self._answers:
            self._hear()
        answer = self._answers.pop(number)
        if "error" in answer:
            raise AnswerError(answer["error"])
        return answer["result"]

    def request(self, method: str, **params: Any) -> Any:
        return self.answer(self.start(method, params or None))

    def _hear(self) -> None:
        message = self._coming.get(timeout=SECONDS)
        assert message is not None, self.complaint()
        if "method" not in message:
            self._answers[message.get("id") or 0] = message
            return
        self.heard.append(message)
        if "id" in message:
            self.send({"id": message["id"], "result": {"success": True}})

    def wait_for(self, method: str, **wanted: Any) -> dict[str, Any]:
        """The next notification with these parameters, which is then forgotten."""
        while True:
            for number, message in enumerate(self.heard):
                params: dict[str, Any] = message["params"]
                if message["method"] == method and wanted.items() <= params.items():
                    del self.heard[number]
                    return params
            self._hear()

    def complaint(self) -> str:
        """What the server said on standard error before it ended."""
        self.process.wait(SECONDS)
        assert self.process.stderr is not None
        return f"the server ended: {self.process.stderr.read().decode()[-2000:]}"

    # --- what editors do -------------------------------------------------------------------------

    def initialize(self, folder: Path | None = None, **options: Any) -> dict[str, Any]:
        folders = [] if folder is None else [{"uri": folder.as_uri(), "name": folder.name}]
        result: dict[str, Any] = self.request(
            "initialize",
            processId=None,
            rootUri=None if folder is None else folder.as_uri(),
            workspaceFolders=folders,
            capabilities={
                "window": {"showDocument": {"support": True}, "workDoneProgress": True},
                "textDocument": {"rename": {"prepareSupport": True}},
            },
            initializationOptions=options,
        )
        self.notify("initialized")
        return result

    def open(self, uri: str, text: str) -> list[dict[str, Any]]:
        """Opens a file; what is said of it."""
        document = {"uri": uri, "languageId": "promela", "version": 1, "text": text}
        self.notify("textDocument/didOpen", textDocument=document)
        return self.diagnostics(uri)

    def change(self, uri: str, text: str, version: int = 2) -> list[dict[str, Any]]:
        """Changes a file; what is said of it."""
        self.notify(
            "textDocument/didChange",
            textDocument={"uri": uri, "version": version},
            contentChanges=[{"text": text}],
        )
        return self.diagnostics(uri)

    def diagnostics(self, uri: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.wait_for("textDocument/publishDiagnostics", uri=uri)[
            "diagnostics"
        ]
        return found

    def at(self, method: str, uri: str, text: str, word: str, nth: int = 0, **more: Any) -> Any:
        """A request about the nth place of a word in a text."""
        offset = -1
        for _ in range(nth + 1):
            offset = text.index(word, offset + 1)
        line = text.count("\n", 0, offset)
        column = offset - (text.rfind("\n", 0, offset) + 1)
        return self.request(
            f"textDocument/{method}",
            textDocument={"uri": uri},
            position={
                "line": line,
                "character": len(text[offset - column : offset].encode("utf-16-le")) // 2,
            },
            **more,
        )

    def leave(self) -> int:
        """Shuts the server down; its exit status."""
        self.request("shutdown")
        self.notify("exit")
        return self.process.wait(SECONDS)
