"""The file of a page: complete in itself, and the model in it is data."""

from __future__ import annotations

import html.parser
import json
import re
from pathlib import Path
from typing import Any

import whorl
from whorl.cli import json_output
from whorl.trace.page import MODULES, page

FOLDER = Path(whorl.__file__).parent / "trace" / "page"
BAD = "</script><script>alert(1)</script><!--<script>]]>\u2028&lt;"
MODEL = f"""/* {BAD} */
active proctype p() {{ printf("{BAD}"); assert(false) }}
"""


class Tags(html.parser.HTMLParser):
    """The elements of a page, and the text of each script."""

    def __init__(self) -> None:
        super().__init__()
        self.names: list[str] = []
        self.scripts: list[str] = []
        self.addresses: list[str] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.append(tag)
        self.inside = tag == "script"
        self.scripts += [""] if self.inside else []
        self.addresses += [value or "" for name, value in attrs if name in ("src", "href")]

    def handle_endtag(self, tag: str) -> None:
        self.inside = False

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.scripts[-1] += data


def page_of(text: str, name: str = "<text>") -> tuple[str, dict[str, Any]]:
    model = whorl.load(text, name=name)
    data = json_output.result(whorl.check(model), model, {}, ())
    return page(data), data


def test_modules_are_all_there_and_in_order() -> None:
    assert sorted(MODULES) == sorted(path.name for path in FOLDER.glob("*.js"))
    for number, name in enumerate(MODULES):
        text = (FOLDER / name).read_text(encoding="utf-8")
        imported = re.findall(r'^import \{ ([^}]*) \} from "\./([\w.]+)";$', text, re.MULTILINE)
        assert len(imported) == len(re.findall(r"^import", text, re.MULTILINE))
        for names, module in imported:
            assert module in MODULES[:number]
            exporting = (FOLDER / module).read_text(encoding="utf-8")
            for each in names.split(", "):
                declared = rf"^export (?:class|const|function) {each}\b"
                assert re.search(declared, exporting, re.MULTILINE), (name, each)


def test_no_name_is_declared_twice() -> None:
    """Together they are one module."""
    declared: dict[str, str] = {}
    for name in MODULES:
        text = (FOLDER / name).read_text(encoding="utf-8")
        for each in re.findall(r"^(?:export )?(?:class|const|let|function) (\w+)", text, re.M):
            assert declared.setdefault(each, name) == name


def test_page_is_complete_in_itself() -> None:
    text, _ = page_of("active proctype p() { assert(false) }")
    tags = Tags()
    tags.feed(text)
    assert tags.addresses == []
    assert "link" not in tags.names
    assert "{{" not in text.replace("${{", "")
    found = set(re.findall(r"https?://[^\s\"'`<>)]+", text))
    assert found <= {"http://www.w3.org/2000/svg"}  # a name, not an address
    assert "innerHTML" not in text
    assert "eval(" not in text.replace('"eval"', "").replace("eval(...)", "")


def test_model_is_data() -> None:
    text, data = page_of(MODEL, name=BAD)
    tags = Tags()
    tags.feed(text)
    assert tags.names.count("script") == 2
    shown = json.loads(tags.scripts[0])
    assert shown["sources"] == data["sources"]
    assert BAD in shown["sources"][0]["text"]
    assert "<" not in tags.scripts[0]
    assert tags.scripts[0].isascii()
    assert "alert(1)" not in tags.scripts[1]
