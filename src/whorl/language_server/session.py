"""A session with an editor: the project that is served, what is published, and running checks."""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

import whorl
from whorl.diagnostics import Diagnostic, Source, Span
from whorl.language_server.checking import CheckOutcome, CheckRequest, check
from whorl.language_server.lenses import lenses
from whorl.language_server.positions import Encoding, offset, position
from whorl.language_server.project import Document, Project

PAUSE = 0.25  # seconds without a key before the text is looked at
INVALID = -32602  # the protocol's number for parameters that make no sense
REFUSED = -32803  # and for a request that is understood, but cannot be done

_SEVERITIES = {
    "error": lsp.DiagnosticSeverity.Error,
    "warning": lsp.DiagnosticSeverity.Warning,
}
_VERDICTS = {
    "holds": lsp.DiagnosticSeverity.Information,
    "violated": lsp.DiagnosticSeverity.Error,
}


class Protocol(LanguageServerProtocol):
    """As pygls has it, but a request whose parameters make no sense is answered, too."""

    def structure_message(self, data: dict[str, Any]) -> Any:
        try:
            return super().structure_message(data)
        except JsonRpcException as error:
            if "id" in data and "method" in data:
                self._send_response(data["id"], error=error.to_response_error())
            raise


class EditorSession(LanguageServer):
    """A language server, the project it serves, and the checks it has running."""

    def __init__(self) -> None:
        super().__init__(
            "whorl",
            whorl.__version__,
            text_document_sync_kind=lsp.TextDocumentSyncKind.Full,
            protocol_cls=Protocol,
        )
        self.project = Project()
        self.pages = tempfile.TemporaryDirectory(prefix="whorl-lsp-")
        self.outcomes: dict[str, dict[str | None, lsp.Diagnostic]] = {}
        self.running: dict[tuple[str, str | None], asyncio.Task[CheckOutcome]] = {}
        self.said_goodbye = False  # the editor has asked for the end
        self._waiting: asyncio.Task[None] | None = None
        self._published: set[str] = set()

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Logs what went wrong outside any request; pygls would send it, even where it cannot."""
        logging.getLogger(__name__).error("%s: %s", getattr(source, "__name__", source), error)

    # --- places ----------------------------------------------------------------------------------

    @property
    def encoding(self) -> Encoding:
        match self.workspace.position_encoding:
            case lsp.PositionEncodingKind.Utf8:
                return "utf-8"
            case lsp.PositionEncodingKind.Utf32:
                return "utf-32"
        return "utf-16"

    def range(self, span: Span) -> lsp.Range:
        start = position(span.source, span.start, self.encoding)
        end = position(span.source, span.end, self.encoding)
        return lsp.Range(lsp.Position(*start), lsp.Position(*end))

    def location(self, span: Span) -> lsp.Location:
        return lsp.Location(self.project.uri(span.source), self.range(span))

    def place(self, uri: str, where: lsp.Position) -> tuple[Document, int]:
        """The document of an address, and the offset of a position in it."""
        if uri not in self.project.addresses:
            raise JsonRpcException(f"'{uri}' is not open", code=INVALID)
        document = self.project.document(uri)
        return document, offset(document.source, where.line, where.character, self.encoding)

    # --- diagnostics -----------------------------------------------------------------------------

    def changed(self, uri: str, text: str) -> None:
        """Takes a new text, and looks at it when no other has come for a moment."""
        self.project.put(uri, text)
        self.outcomes.pop(uri, None)
        if self._waiting is not None:
            self._waiting.cancel()
        self._waiting = asyncio.create_task(self._look_soon())

    async def _look_soon(self) -> None:
        await asyncio.sleep(PAUSE)
        try:
            self.publish()
        except Exception:  # a bug of ours: it must neither end the session nor go unheard
            logging.getLogger(__name__).exception("cannot look at the text")

    def publish(self) -> None:
        """Sends what is to say of all open files, and clears what is no longer so."""
        found: dict[str, list[lsp.Diagnostic]] = {}
        for uri in self.project.addresses:
            for address, said in self.project.diagnostics(uri).items():
                here = found.setdefault(address, [])
                here += [d for d in map(self.diagnostic, said) if d not in here]
        for uri, outcomes in self.outcomes.items():
            found.setdefault(uri, []).extend(outcomes.values())
        for uri in self._published - found.keys():
            found[uri] = []
        self._published = {uri for uri, said in found.items() if said}
        for uri, diagnostics in found.items():
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(uri=uri, diagnostics=diagnostics)
            )

    def diagnostic(self, said: Diagnostic) -> lsp.Diagnostic:
        span = said.span or Span(Source("", ""), 0, 0)
        message = said.message if said.hint is None else f"{said.message}\nhint: {said.hint}"
        related = []
        use = span.via
        while use is not None:
            related.append(
                lsp.DiagnosticRelatedInformation(self.location(use), "in the inline used here")
            )
            use = use.via
        return lsp.Diagnostic(
            range=self.range(span),
            message=message,
            severity=_SEVERITIES[said.severity],
            source="whorl",
            related_information=related or None,
        )

    # --- checks ----------------------------------------------------------------------------------

    async def check(self, uri: str, claim: str | None) -> dict[str, Any]:
        """Checks a model or one claim of it; shows what was found."""
        document, _ = self.place(uri, lsp.Position(0, 0))
        reading, settings = document.reading, self.project.settings
        if reading.errors:
            raise JsonRpcException("the model has errors: nothing was checked", code=REFUSED)
        request = CheckRequest(
            reading.sources,
            claim,
            settings.timeout,
            settings.include_dirs,
            settings.defines,
            settings.options,
        )
        earlier = self.running.pop((uri, claim), None)
        if earlier is not None:
            earlier.cancel()
        task = asyncio.create_task(check(request, Path(self.pages.name)))
        self.running[(uri, claim)] = task
        try:
            with self._progress(task, claim):
                outcome = await task
        except asyncio.CancelledError:
            own = asyncio.current_task()
            if own is not None and own.cancelling():
                raise  # the request itself was cancelled
            outcome = CheckOutcome("inconclusive", "the check was cancelled", None)
        finally:
            if self.running.get((uri, claim)) is task:
                del self.running[(uri, claim)]
            task.cancel()
        if uri in self.project.addresses:
            now = self.project.document(uri)
            if now.source.text == document.source.text:
                self._show(now, uri, claim, outcome)
        page = None if outcome.page is None else outcome.page.as_uri()
        return {"verdict": outcome.verdict, "summary": outcome.summary, "page": page}

    @contextmanager
    def _progress(self, task: asyncio.Task[CheckOutcome], claim: str | None) -> Iterator[None]:
        """Shows that a check is running, with a way to end it, where the editor can show that."""
        window = self.client_capabilities.window
        if window is None or not window.work_done_progress:
            yield
            return
        token, progress = uuid4().hex, self.work_done_progress
        title = f"checking {claim or 'the model'}"

        def created(_answer: object) -> None:
            if not task.done():
                progress.begin(token, lsp.WorkDoneProgressBegin(title, cancellable=True))
                progress.tokens[token].add_done_callback(ended)

        def ended(future: Future[object]) -> None:
            if future.cancelled():
                task.cancel()

        progress.create(token, created)
        try:
            yield
        finally:
            if progress.tokens.pop(token, None) is not None:
                progress.end(token, lsp.WorkDoneProgressEnd())

    def _show(self, document: Document, uri: str, claim: str | None, outcome: CheckOutcome) -> None:
        lens = next(
            (each for each in lenses(document.reading, document.source) if each.claim == claim),
            None,
        )
        span = Span(document.source, 0, 0) if lens is None else lens.span
        severity = _VERDICTS.get(outcome.verdict, lsp.DiagnosticSeverity.Warning)
        said = lsp.Diagnostic(self.range(span), outcome.summary, severity, source="whorl check")
        self.outcomes.setdefault(uri, {})[claim] = said
        self.publish()
        kinds = {"holds": lsp.MessageType.Info, "violated": lsp.MessageType.Error}
        kind = kinds.get(outcome.verdict, lsp.MessageType.Warning)
        self.window_show_message(lsp.ShowMessageParams(kind, outcome.summary.splitlines()[0]))
        window = self.client_capabilities.window
        if outcome.page is not None and window is not None and window.show_document is not None:
            self.window_show_document(
                lsp.ShowDocumentParams(outcome.page.as_uri(), external=True, take_focus=True)
            )

    async def end_checks(self) -> None:
        """Ends what is running. Their requests are then answered: pygls cannot leave any open."""
        for task in self.running.values():
            task.cancel()
        while self.running:  # for as long as checks take to end
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.01)
