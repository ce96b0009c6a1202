"""JUnit's XML: what the schema that is in common use asks for, and what a reader sees."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element, fromstring

import pytest

from support.outcomes import ASSERTION, ENDLESS, FORMULA, WRONG, outcome_of
from whorl.diagnostics import Diagnostic
from whorl.reports.junit import junit
from whorl.reports.outcome import ModelOutcome

# The elements of the schema of Jenkins' plug-in: attributes that must and may be there, children.
GRAMMAR: dict[str, tuple[set[str], set[str], list[str]]] = {
    "testsuites": ({"tests", "failures", "errors"}, {"name", "time", "skipped"}, ["testsuite"]),
    "testsuite": (
        {"name", "tests"},
        {"failures", "errors", "skipped", "time", "file"},
        ["properties", "testcase", "system-out"],
    ),
    "properties": (set(), set(), ["property"]),
    "property": ({"name", "value"}, set(), []),
    "testcase": (
        {"name", "classname", "time"},
        {"file", "line"},
        ["skipped", "error", "failure"],
    ),
    "failure": ({"message", "type"}, set(), []),
    "error": ({"message", "type"}, set(), []),
    "skipped": ({"message"}, {"type"}, []),
    "system-out": (set(), set(), []),
}


def parsed(outcomes: list[ModelOutcome], root: Path) -> Element:
    """The report, after a look at its form: names, attributes, the order of children, totals."""
    top = fromstring(junit(outcomes, root))
    for element in top.iter():
        must, may, children = GRAMMAR[element.tag]
        assert must <= set(element.keys()) <= must | may
        order = [children.index(child.tag) for child in element]
        assert order == sorted(order)
        if element.tag in ("testsuite", "testsuites"):
            for name, tag in (("tests", "testcase"), ("failures", "failure"), ("errors", "error")):
                assert int(element.get(name, "")) == len(list(element.iter(tag)))
        if element.get("time") is not None:
            assert float(element.get("time", "")) >= 0
    return top


def cases(suite: Element) -> dict[str, str]:
    """What became of each test case."""
    return {
        case.get("name", ""): next((child.tag for child in case), "passed")
        for case in suite.iter("testcase")
    }


def test_a_suite_for_each_model_and_a_case_for_each_property(tmp_path: Path) -> None:
    top = parsed(
        [
            outcome_of(tmp_path, ASSERTION, "a.pml"),
            outcome_of(tmp_path, "init { skip }", "b.pml"),
            outcome_of(tmp_path, FORMULA, "c.pml"),
        ],
        tmp_path,
    )
    first, second, third = top
    assert cases(first) == {
        "assertions": "failure",
        "end states": "skipped",
        "array bounds": "skipped",
        "division": "skipped",
        "channels": "skipped",
    }
    assert set(cases(second).values()) == {"passed"}
    assert cases(third)["always"] == cases(third)["again"] == "failure"
    assert (top.get("tests"), top.get("failures"), top.get("skipped")) == ("17", "3", "4")
    assert top.get("time") == "0.750"


def test_a_failure_has_the_run_and_its_place(tmp_path: Path) -> None:
    top = parsed([outcome_of(tmp_path, FORMULA)], tmp_path)
    (case,) = (c for c in top.iter("testcase") if c.get("name") == "again")
    (failure,) = case
    assert (case.get("file"), case.get("line")) == ("m.pml", "9")
    assert failure.get("type") == "ltl"
    assert "does not satisfy []<> ready" in failure.get("message", "")
    assert "again and again" in (failure.text or "")
    (other,) = (c for c in top.iter("testcase") if c.get("name") == "always")
    assert "again and again" not in (other[0].text or "")


def test_limits_and_errors_are_errors(tmp_path: Path) -> None:
    limited, bad, ours = parsed(
        [
            outcome_of(tmp_path, ENDLESS, "a.pml", {"N": "2"}, max_states=10),
            outcome_of(tmp_path, WRONG, "b.pml"),
            ModelOutcome("c.pml", {}, 4, errors=(Diagnostic("error", "internal error: x"),)),
        ],
        tmp_path,
    )
    assert set(cases(limited).values()) == {"error"}
    assert limited.get("name", "").endswith("a.pml (N=2)")
    assert next(limited.iter("property")).attrib == {"name": "-D N", "value": "2"}
    assert cases(bad) == {"model": "error"}
    (error,) = bad.iter("error")
    assert "unknown variable 'coumt'" in error.get("message", "")
    assert "^^^^^" in (error.text or "")
    assert next(bad.iter("testcase")).get("line") == "1"
    assert next(ours.iter("error")).get("type") == "internal error"


@pytest.mark.parametrize("bad", ["\x00", "\x1b[31m", "\x0b", "\ufffe", "\udc80", "]]>", '<&">'])
def test_every_text_can_be_written(bad: str) -> None:
    name = f"m{bad}.pml"
    text = junit([ModelOutcome(name, {}, 2, errors=(Diagnostic("error", bad),))], Path.cwd())
    top = fromstring(text.encode("utf-8"))
    assert "m" in top[0].get("name", "")
