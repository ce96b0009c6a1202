"""JUnit's XML: a suite for each model, a test case for each property."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from whorl.conclude import STOPPED_AT_FIRST
from whorl.report import Detail, counterexample_lines
from whorl.reports.annotations import Annotation, annotations_of
from whorl.reports.outcome import ModelOutcome
from whorl.reports.paths import path_text
from whorl.trace.style import PLAIN
from whorl.trace.trace import Trace
from whorl.verdict import HOLDS, VIOLATED, Property, Result

# What XML 1.0 cannot have, however it is written.
_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_COUNTED = {"tests": "testcase", "failures": "failure", "errors": "error", "skipped": "skipped"}
_SAFETY = "safety"  # the search that several properties share


def junit(outcomes: Sequence[ModelOutcome], root: Path) -> str:
    """The report; names of files are relative to `root`."""
    suites = Element("testsuites", name="whorl")
    for outcome in outcomes:
        suites.append(_suite(outcome, root))
    _count(suites, sum(outcome.seconds for outcome in outcomes))
    indent(suites, " ")
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return head + tostring(suites, encoding="unicode") + "\n"


def _suite(outcome: ModelOutcome, root: Path) -> Element:
    """The suite of a model: its properties, or one test case that says why there are none."""
    suite = Element("testsuite", name=_xml(_title(outcome)))
    if outcome.defines:
        properties = SubElement(suite, "properties")
        for name, value in outcome.defines.items():
            SubElement(properties, "property", name=_xml(f"-D {name}"), value=_xml(value))
    said = list(annotations_of([outcome]))
    if outcome.result is None:
        case = _case(suite, outcome, "model", outcome.seconds, root, said)
        message = "; ".join(dict.fromkeys(each.message for each in said)) or outcome.word
        error = SubElement(case, "error", type=outcome.word, message=_xml(message))
        error.text = _xml("\n".join(error.render() for error in outcome.errors))
    else:
        times = _times(outcome.result)
        for checked, seconds in zip(outcome.result.properties, times, strict=True):
            traces = _of(checked, outcome.result)
            about = [each for each in said if each.trace in traces and each.trace is not None]
            case = _case(suite, outcome, checked.name, seconds, root, about)
            _judge(case, checked, traces)
        notes = "\n".join(outcome.result.notes)
        if notes:
            SubElement(suite, "system-out").text = _xml(notes)
    _count(suite, outcome.seconds)
    return suite


def _case(
    suite: Element,
    outcome: ModelOutcome,
    name: str,
    seconds: float,
    root: Path,
    said: Sequence[Annotation],
) -> Element:
    """A test case; it is at the place of the first of `said`, if that has one."""
    places = [each.place for each in said if each.place is not None and each.place.is_file]
    file = places[0].file if places else outcome.name
    case = SubElement(suite, "testcase", name=_xml(name), classname=_xml(_title(outcome)))
    case.set("time", f"{seconds:.3f}")
    if not file.startswith("<"):
        case.set("file", _xml(path_text(file, root)))
    if places:
        case.set("line", str(places[0].line))
    return case


def _judge(case: Element, checked: Property, traces: Sequence[Trace]) -> None:
    """What became of a property, unless it holds."""
    if checked.verdict == VIOLATED:
        failure = SubElement(case, "failure", type=checked.kind, message=_xml(checked.why))
        lines = [
            line
            for number, trace in enumerate(traces, 1)
            for line in counterexample_lines(trace, number, len(traces), PLAIN, Detail(full=True))
        ]
        failure.text = _xml("\n".join(lines))
    elif checked.verdict != HOLDS:
        # Another property is violated, and says so; what is cut off by a limit has to be noticed.
        tag = "skipped" if checked.why == STOPPED_AT_FIRST else "error"
        SubElement(case, tag, type=checked.verdict, message=_xml(checked.why))


def _of(checked: Property, result: Result) -> list[Trace]:
    """The counterexamples of a property: of safety by their kind, of a claim by its name."""
    return [
        trace
        for trace in result.traces
        if trace.kind == checked.kind and trace.claim in (None, checked.name)
    ]


def _times(result: Result) -> list[float]:
    """The time of each property; that of the search for safety stands at the first of its own."""
    left = {search.property: search.statistics.seconds for search in result.searches}
    names = [p.name if p.name in left else _SAFETY for p in result.properties]
    return [left.pop(name, 0.0) for name in names]


def _title(outcome: ModelOutcome) -> str:
    values = ", ".join(f"{name}={value}" for name, value in outcome.defines.items())
    return f"{outcome.name} ({values})" if values else outcome.name


def _count(element: Element, seconds: float) -> None:
    """How many test cases there are below, and what became of them."""
    for name, tag in _COUNTED.items():
        element.set(name, str(sum(1 for _ in element.iter(tag))))
    element.set("time", f"{seconds:.3f}")


def _xml(text: str) -> str:
    return _NO_XML.sub("\N{REPLACEMENT CHARACTER}", text)
