"""The file of the explorer's page: its modules are one with the viewer's."""

from __future__ import annotations

import re
from pathlib import Path

import whorl
from whorl.explore.page import MODULES, ExplorePage
from whorl.trace.page import PANELS

SOURCE = Path(whorl.__file__).parent
OWN = SOURCE / "explore" / "page"
VIEWER = SOURCE / "trace" / "page"
FILES = [*(VIEWER / name for name in PANELS), *(OWN / name for name in MODULES)]


def test_modules_are_all_there_and_import_what_comes_before() -> None:
    assert sorted(MODULES) == sorted(path.name for path in OWN.glob("*.js"))
    for number, path in enumerate(FILES):
        text = path.read_text(encoding="utf-8")
        imported = re.findall(r'^import \{ ([^}]*) \} from "(\.[\w./]+)";$', text, re.MULTILINE)
        assert len(imported) == len(re.findall(r"^import", text, re.MULTILINE))
        for names, module in imported:
            exporting = (path.parent / module).resolve()
            assert exporting in FILES[:number], (path.name, module)
            for each in names.split(", "):
                declared = rf"^export (?:async )?(?:class|const|function) {each}\b"
                assert re.search(declared, exporting.read_text(encoding="utf-8"), re.MULTILINE)


def test_no_name_is_declared_twice() -> None:
    """Together they are one module."""
    declared: dict[str, Path] = {}
    declaration = re.compile(r"^(?:export )?(?:async )?(?:class|const|let|function) (\w+)", re.M)
    for path in FILES:
        for each in declaration.findall(path.read_text(encoding="utf-8")):
            assert declared.setdefault(each, path) == path, each


def test_the_page_has_the_panels_of_both() -> None:
    begun = {"whorl": "1", "model": "<b>", "start": "</script>"}
    page = ExplorePage()
    text = page.text(begun)
    panels = re.findall(r'<section id="([\w-]+)"', text)
    assert panels[:2] == ["next-panel", "graph-panel"]
    assert {"steps-panel", "source-panel", "state-panel", "property-panel"} < set(panels)
    assert len(set(panels)) == len(panels)
    identities = re.findall(r' id="([\w-]+)"', text)
    assert len(set(identities)) == len(identities)
    assert "{{" not in text.partition("<script")[0]
    assert "<title>&lt;b&gt;: explore</title>" in text
    assert text.count("</script>") == 2
    assert page.policy.replace("; frame-ancestors 'none'", "") in text
