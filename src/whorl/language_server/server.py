"""The server itself: requests of the Language Server Protocol, answered by the other modules."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcException

from whorl.diagnostics import Span
from whorl.formatter.layout import format_text
from whorl.language_server.completion import completions
from whorl.language_server.describe import describe
from whorl.language_server.lenses import lenses
from whorl.language_server.outline import Item, ItemKind, folds, outline
from whorl.language_server.project import Settings, path_of
from whorl.language_server.renaming import CannotRename, renamable
from whorl.language_server.session import INVALID, REFUSED, EditorSession

CHECK = "whorl.check"

_ITEMS = {
    ItemKind.PROCESS: lsp.SymbolKind.Class,
    ItemKind.CLAIM: lsp.SymbolKind.Class,
    ItemKind.FORMULA: lsp.SymbolKind.Property,
    ItemKind.INLINE: lsp.SymbolKind.Function,
    ItemKind.TYPE: lsp.SymbolKind.Struct,
    ItemKind.VARIABLE: lsp.SymbolKind.Variable,
    ItemKind.CHANNEL: lsp.SymbolKind.Event,
    ItemKind.CONSTANT: lsp.SymbolKind.EnumMember,
    ItemKind.LABEL: lsp.SymbolKind.Key,
    ItemKind.MACRO: lsp.SymbolKind.Constant,
}
T = TypeVar("T")


def make_server() -> EditorSession:
    """A server with all its features."""
    server = EditorSession()
    _documents(server)
    _names(server)
    _whole_files(server)
    _checks(server)
    return server


def _documents(server: EditorSession) -> None:
    """Files that are opened, changed and closed."""

    @server.feature(lsp.INITIALIZED)
    def initialized(_params: lsp.InitializedParams) -> None:
        paths = (path_of(uri) for uri in server.workspace.folders)
        server.project.folders = [path for path in paths if path is not None]

    @server.feature(lsp.INITIALIZE)
    def initialize(params: lsp.InitializeParams) -> None:
        server.project.settings = settings_of(params.initialization_options)

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(params: lsp.DidOpenTextDocumentParams) -> None:
        server.changed(params.text_document.uri, params.text_document.text)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(params: lsp.DidChangeTextDocumentParams) -> None:
        uri = params.text_document.uri
        server.changed(uri, server.workspace.get_text_document(uri).source)

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(_params: lsp.DidSaveTextDocumentParams) -> None:
        server.project.forget()
        server.publish()

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(params: lsp.DidCloseTextDocumentParams) -> None:
        server.project.drop(params.text_document.uri)
        server.outcomes.pop(params.text_document.uri, None)
        server.publish()

    @server.feature(lsp.SHUTDOWN)
    async def shutdown(_params: None) -> None:
        server.said_goodbye = True
        await server.end_checks()


def _names(server: EditorSession) -> None:
    """What is asked of the name at a place."""

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(params: lsp.HoverParams) -> lsp.Hover | None:
        document, at = server.place(params.text_document.uri, params.position)
        found = describe(document.reading, document.index, document.source, at)
        if found is None:
            return None
        text = lsp.MarkupContent(lsp.MarkupKind.Markdown, found.text)
        return lsp.Hover(text, server.range(found.span))

    @server.feature(lsp.TEXT_DOCUMENT_DEFINITION)
    def definition(params: lsp.DefinitionParams) -> list[lsp.Location]:
        document, at = server.place(params.text_document.uri, params.position)
        entities = document.index.at(document.source, at)
        spans = (span for entity in entities for span in entity.definitions)
        return [server.location(span) for span in spans]

    @server.feature(lsp.TEXT_DOCUMENT_REFERENCES)
    def references(params: lsp.ReferenceParams) -> list[lsp.Location]:
        document, at = server.place(params.text_document.uri, params.position)
        declared = params.context.include_declaration
        spans = {
            (server.project.uri(span.source), span.start): span
            for part, place in server.project.same_places(document, at)
            for entity in part.index.at(part.source, place)
            for span in entity.places
            if declared or span not in entity.definitions
        }
        return [server.location(span) for span in spans.values()]

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_HIGHLIGHT)
    def highlight(params: lsp.DocumentHighlightParams) -> list[lsp.DocumentHighlight]:
        document, at = server.place(params.text_document.uri, params.position)
        entities = document.index.at(document.source, at)
        spans = (s for entity in entities for s in entity.places if s.source is document.source)
        return [lsp.DocumentHighlight(server.range(span)) for span in spans]

    @server.feature(lsp.TEXT_DOCUMENT_PREPARE_RENAME)
    def prepare_rename(params: lsp.PrepareRenameParams) -> lsp.Range:
        document, at = server.place(params.text_document.uri, params.position)
        return server.range(_refusing(lambda: renamable(document.index, document.source, at)))

    @server.feature(lsp.TEXT_DOCUMENT_RENAME, lsp.RenameOptions(prepare_provider=True))
    def rename(params: lsp.RenameParams) -> lsp.WorkspaceEdit:
        uri = params.text_document.uri
        _, at = server.place(uri, params.position)
        edits = _refusing(lambda: server.project.rename(uri, at, params.new_name))
        return lsp.WorkspaceEdit(
            changes={
                address: [lsp.TextEdit(server.range(edit.span), edit.text) for edit in found]
                for address, found in edits.items()
            }
        )

    @server.feature(
        lsp.TEXT_DOCUMENT_COMPLETION, lsp.CompletionOptions(trigger_characters=[".", "@"])
    )
    def complete(params: lsp.CompletionParams) -> list[lsp.CompletionItem]:
        document, at = server.place(params.text_document.uri, params.position)
        return [
            lsp.CompletionItem(
                label=found.label,
                kind=lsp.CompletionItemKind(found.kind),
                detail=found.detail or None,
                insert_text=found.snippet,
                insert_text_format=lsp.InsertTextFormat.Snippet if found.snippet else None,
            )
            for found in completions(document.reading, document.index, document.source, at)
        ]


def _whole_files(server: EditorSession) -> None:
    """What is asked of a file as a whole."""

    @server.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)
    def symbols(params: lsp.DocumentSymbolParams) -> list[lsp.DocumentSymbol]:
        document, _ = server.place(params.text_document.uri, lsp.Position(0, 0))
        items = outline(document.reading, document.source)
        return [_symbol(server, item) for item in items]

    @server.feature(lsp.TEXT_DOCUMENT_FOLDING_RANGE)
    def folding(params: lsp.FoldingRangeParams) -> list[lsp.FoldingRange]:
        document, _ = server.place(params.text_document.uri, lsp.Position(0, 0))
        return [lsp.FoldingRange(*lines) for lines in folds(document.index, document.source)]

    @server.feature(lsp.TEXT_DOCUMENT_FORMATTING)
    def formatting(params: lsp.DocumentFormattingParams) -> list[lsp.TextEdit]:
        document, _ = server.place(params.text_document.uri, lsp.Position(0, 0))
        text = document.source.text
        made = format_text(text)
        if made == text:
            return []
        return [lsp.TextEdit(server.range(Span(document.source, 0, len(text))), made)]


def _checks(server: EditorSession) -> None:
    """Lenses, and the command behind them."""

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def lens(params: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        uri = params.text_document.uri
        document, _ = server.place(uri, lsp.Position(0, 0))
        return [
            lsp.CodeLens(
                server.range(found.span), lsp.Command(found.title, CHECK, None, [uri, found.claim])
            )
            for found in lenses(document.reading, document.source)
        ]

    @server.command(CHECK)
    async def run_check(*given: Any) -> dict[str, Any]:
        """The address of a file, and the name of a claim or nothing."""
        match given:
            case (str() as uri,) | (str() as uri, None):
                return await server.check(uri, None)
            case (str() as uri, str() as claim):
                return await server.check(uri, claim)
        raise JsonRpcException(f"'{CHECK}' takes a file, and a claim or nothing", code=INVALID)


def _refusing(ask: Callable[[], T]) -> T:
    """An answer; a refusal to rename becomes an error that the editor shows."""
    try:
        return ask()
    except CannotRename as refusal:
        raise JsonRpcException(str(refusal), code=REFUSED) from None


def _symbol(server: EditorSession, item: Item) -> lsp.DocumentSymbol:
    return lsp.DocumentSymbol(
        name=item.name or "ltl",
        kind=_ITEMS[item.kind],
        range=server.range(item.span.until(item.name_span)),
        selection_range=server.range(item.name_span),
        detail=item.detail,
        children=[_symbol(server, child) for child in item.children],
    )


def settings_of(given: object) -> Settings:
    """The settings in what an editor gives at the start; what makes no sense is left out."""
    options = given if isinstance(given, dict) else {}
    timeout = options.get("timeout", Settings().timeout)
    folders = options.get("includeDirs", [])
    defines = options.get("defines", {})
    words = options.get("arguments", [])
    usable = isinstance(timeout, int | float) and not isinstance(timeout, bool) and timeout > 0
    return Settings(
        tuple(Path(f) for f in folders if isinstance(f, str)) if isinstance(folders, list) else (),
        {str(n): str(v) for n, v in defines.items()} if isinstance(defines, dict) else {},
        float(timeout) if usable else Settings().timeout,
        tuple(w for w in words if isinstance(w, str)) if isinstance(words, list) else (),
    )
