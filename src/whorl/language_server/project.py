"""The files that an editor has open, and the models that they are parts of."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from urllib.parse import unquote, urlparse

from whorl.diagnostics import Diagnostic, Source
from whorl.files import MODEL_SUFFIXES, read_text
from whorl.language_server.index import NameIndex
from whorl.language_server.indexing import make_index
from whorl.language_server.reading import ModelReading, read
from whorl.language_server.renaming import Edit, rename

SUFFIXES = (*MODEL_SUFFIXES, ".spin", ".h", ".inc")
MOST_FILES = 20_000  # of a folder that are looked at for '#include'
_INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*"([^"\n]+)"', re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Settings:
    """What the user's editor asks for."""

    include_dirs: tuple[Path, ...] = ()
    defines: Mapping[str, str] = field(default_factory=dict)
    timeout: float = 60.0  # seconds of a check
    options: tuple[str, ...] = ()  # of `whorl check`


@dataclass(frozen=True, slots=True)
class Document:
    """An open file, as a part of a model that was read."""

    source: Source
    reading: ModelReading
    index: NameIndex


class Project:
    """The open files by their address, and what was read of them since the last change."""

    def __init__(self) -> None:
        self.settings = Settings()
        self.folders: list[Path] = []
        self._texts: dict[str, str] = {}
        self._documents: dict[str, Document] = {}
        self._roots: dict[Path, tuple[Path, ...]] = {}

    @property
    def addresses(self) -> tuple[str, ...]:
        return tuple(self._texts)

    def put(self, uri: str, text: str) -> None:
        """Takes the text of a file that is open; what was read before may be out of date."""
        if uri not in self._texts:
            self._roots.clear()
        self._texts[uri] = text
        self._documents.clear()

    def drop(self, uri: str) -> None:
        self._texts.pop(uri, None)
        self.forget()

    def forget(self) -> None:
        """Reads everything again when it is asked for: files may have changed."""
        self._documents.clear()
        self._roots.clear()

    # --- addresses -------------------------------------------------------------------------------

    def uri(self, source: Source) -> str:
        """The address of a file: the one that the editor uses, if it is open."""
        if source.name in self._texts:
            return source.name
        path = Path(source.name).resolve()
        return next((uri for uri in self._texts if path_of(uri) == path), path.as_uri())

    def _buffers(self) -> dict[Path, str]:
        named = ((path_of(uri), text) for uri, text in self._texts.items())
        return {path: text for path, text in named if path is not None}

    # --- reading ---------------------------------------------------------------------------------

    def document(self, uri: str) -> Document:
        """An open file with the model that it is a part of, or alone."""
        if uri not in self._documents:
            self._documents[uri] = self._read(uri)
        return self._documents[uri]

    def _read(self, uri: str) -> Document:
        path = path_of(uri)
        for root in () if path is None else self.roots(path):
            document = self._part(root, path)
            if document is not None:
                return document
        source = Source(uri if path is None else str(path), self._texts[uri])
        reading = self._reading(source, self._buffers())
        return Document(source, reading, make_index(reading))

    def _part(self, root: Path, path: Path | None) -> Document | None:
        """A file as a part of the model in another, if it is one."""
        reading = self._of_file(root, self._buffers())
        if reading is None:
            return None
        parts = (s for s in reading.sources if Path(s.name).resolve() == path)
        source = next(parts, None)
        return None if source is None else Document(source, reading, make_index(reading))

    def _of_file(self, path: Path, buffers: Mapping[Path, str]) -> ModelReading | None:
        text = buffers.get(path)
        if text is None:
            try:
                text = read_text(path)
            except (OSError, ValueError):
                return None
        return self._reading(Source(str(path), text), buffers)

    def _reading(self, source: Source, buffers: Mapping[Path, str]) -> ModelReading:
        return read(
            source,
            base=None if source.name in self._texts else Path(source.name).parent,
            include_dirs=self.settings.include_dirs,
            defines=self.settings.defines,
            buffers=buffers,
        )

    def diagnostics(self, uri: str) -> dict[str, list[Diagnostic]]:
        """What is to say of an open file and of those that it includes, by their addresses."""
        document = self.document(uri)
        path = path_of(uri)
        reading = document.reading
        alone = document.source is reading.source
        part = alone and path is not None and path.suffix not in MODEL_SUFFIXES
        said = reading.as_fragment() if part else reading.diagnostics
        found: dict[str, list[Diagnostic]] = {uri: []}
        for diagnostic in said:
            source = document.source if diagnostic.span is None else diagnostic.span.source
            found.setdefault(self.uri(source), []).append(diagnostic)
        return found

    # --- models that include a file --------------------------------------------------------------

    def roots(self, path: Path) -> tuple[Path, ...]:
        """The models of the workspace that include a file, and are included by none."""
        if path not in self._roots:
            self._roots[path] = tuple(self._find_roots(path))
        return self._roots[path]

    def _find_roots(self, path: Path) -> Iterator[Path]:
        includers: dict[Path, set[Path]] = {}
        buffers = self._buffers()
        for file in self._files(path):
            for name in _INCLUDE.findall(_text_of(file, buffers)):
                includers.setdefault((file.parent / name).resolve(), set()).add(file)
        seen, waiting = {path}, [path]
        while waiting:
            file = waiting.pop()
            above = includers.get(file, set()) - {file}
            if not above and file != path:
                yield file
            waiting += above - seen
            seen |= above

    def _files(self, path: Path) -> list[Path]:
        """The files that may include one: those beside it, and those of the workspace."""
        found: set[Path] = set()
        for folder in dict.fromkeys((path.parent, *self.folders)):
            walk = folder.rglob("*") if folder in self.folders else folder.glob("*")
            try:
                for file in islice(walk, MOST_FILES):
                    hidden = any(part[0] == "." for part in file.relative_to(folder).parts)
                    if file.suffix in SUFFIXES and not hidden:
                        found.add(file.resolve())
            except OSError:
                continue  # what cannot be read includes nothing
        return sorted(found)

    # --- names in several models -----------------------------------------------------------------

    def rename(self, uri: str, offset: int, name: str) -> dict[str, list[Edit]]:
        """The edits that rename what is at a place, in every model that has the file."""
        edits: dict[tuple[str, int], Edit] = {}
        for document, place in self.same_places(self.document(uri), offset):
            again = partial(self._again, document.reading.source)
            found = rename(document.reading, document.index, document.source, place, name, again)
            edits |= {(self.uri(edit.span.source), edit.span.start): edit for edit in found}
        result: dict[str, list[Edit]] = {}
        for (address, _), edit in edits.items():
            result.setdefault(address, []).append(edit)
        return result

    def same_places(self, document: Document, offset: int) -> Iterator[tuple[Document, int]]:
        """A place, and the definition of its name in every other model that has that text."""
        yield document, offset
        entities = document.index.at(document.source, offset)
        for span in [span for entity in entities for span in entity.definitions][:1]:
            path = Path(span.source.name).resolve()
            for root in self.roots(path):
                other = self._part(root, path)
                if other is None or other.reading.source.name == document.reading.source.name:
                    continue
                if other.index.at(other.source, span.start):
                    yield other, span.start

    def _again(self, source: Source, texts: Mapping[Path, str]) -> ModelReading:
        """Reads a model with some texts changed."""
        text = texts.get(Path(source.name).resolve(), source.text)
        return self._reading(Source(source.name, text), {**self._buffers(), **texts})


def path_of(uri: str) -> Path | None:
    """The file that an address names, if it names one."""
    try:
        parts = urlparse(uri)
        return Path(unquote(parts.path)).resolve() if parts.scheme == "file" else None
    except (ValueError, OSError):
        return None


def _text_of(path: Path, buffers: Mapping[Path, str]) -> str:
    try:
        return buffers[path] if path in buffers else read_text(path)
    except (OSError, ValueError):
        return ""
