"""What the explorer answers: paths, states, the graph, jumps, files to share."""

from __future__ import annotations

import json
import re
import threading
import time
from pathlib import Path
from typing import Any

import pytest

import whorl
from support.exploring import exploring, step_named, walked
from whorl.cli.explore import subject_of
from whorl.explore.application import Application
from whorl.explore.graph import MOST_SHOWN
from whorl.program.semantics import Step
from whorl.program.state import State
from whorl.trace import trail as trails

EXAMPLES = Path(__file__).parents[2] / "examples"
PETERSON = EXAMPLES / "peterson.pml"
TOGGLE = "byte x; active proctype p() { do :: x = 1 - x :: x == 1 -> x = 0 od }"
COUNT = "byte x; active proctype p() { do :: x < 40 -> x++ :: x > 30 -> assert(x != 35) od }"


def application(model: str | Path) -> Application:
    return Application(subject_of(whorl.load(model), {}))


def ask(app: Application, question: str, **asked: Any) -> Any:
    return app.questions[question](asked)


# --- paths and states ----------------------------------------------------------------------------


def test_a_path_is_a_run_as_the_viewer_shows_it() -> None:
    app = application("byte x; active proctype p() { x = 1; x = 2 }")
    first = ask(app, "state", choices=[])
    path = ask(app, "path", choices=step_named(first, "0 x = 1"))
    trace = path["trace"]
    assert (trace["kind"], trace["cycle"]) == ("run", None)
    assert [step["text"] for step in trace["steps"]] == ["x = 1"]
    assert trace["initial"]["values"] == [{"name": "x", "value": "0", "process": None}]
    assert trace["final"]["values"] == [{"name": "x", "value": "1", "process": None}]
    assert path["ends"] == [0, 1]
    assert path["nodes"] == [0, 1]


def test_an_enabled_step_says_what_it_would_change_and_read() -> None:
    app = application("byte x = 3, a[2]; active proctype p() { if :: x > 2 :: a[1] = 7 fi }")
    guard, store = ask(app, "state", choices=[])["enabled"]
    assert guard["reads"] == [{"name": "x", "value": "3", "written": "x"}]
    assert guard["changes"] == []
    assert store["changes"] == [{"name": "a[1]", "value": "7", "process": None}]


def test_steps_that_only_pass_control_on_are_taken_along() -> None:
    """The step that leaves an atomic loop has no text: nobody has to take it."""
    with exploring(
        "byte x; active proctype p() { atomic { do :: x < 2 -> x++ :: else -> break od }; x = 9 }"
    ) as served:
        path: list[list[int]] = []
        texts = []
        while (state := served.ask("state", choices=path))["enabled"]:
            (step,) = state["enabled"]
            texts.append(step["text"])
            path += step["choices"]
        assert "(goes on)" not in texts
        assert texts[-2:] == ["x = 9", "-end-"]
        found = served.ask("path", choices=path)
        assert found["choices"] == path
        assert len(found["ends"]) == len(texts) + 1
        assert found["ends"][-1] == len(path) >= len(texts)


def test_a_failed_assertion_goes_on_and_a_fault_does_not() -> None:
    app = application("byte a[2], i = 2; active proctype p() { assert(i == 0); a[i] = 1; i = 5 }")
    state = ask(app, "state", choices=[])
    (step,) = state["enabled"]
    assert step["failures"] == ["assertion violated: (i==0)"]
    path = ask(app, "path", choices=step["choices"])
    assert path["trace"]["kind"] == "assertion"
    (fault,) = ask(app, "state", choices=path["choices"])["enabled"]
    whole = path["choices"] + fault["choices"]
    assert ask(app, "path", choices=whole)["trace"]["kind"] == "array bounds"
    after = ask(app, "state", choices=whole)
    assert (after["enabled"], after["disabled"]) == ([], [])
    assert after["end"]["wrong"]
    assert "out of bounds" in after["end"]["text"]


@pytest.mark.parametrize(
    ("model", "wrong", "said"),
    [
        ("active proctype p() { false }", True, "Invalid end state"),
        ("active proctype p() { end: false }", False, "at a valid end"),
    ],
)
def test_ends(model: str, wrong: bool, said: str) -> None:
    end = ask(application(model), "state", choices=[])["end"]
    assert end["wrong"] is wrong
    assert said in end["text"]


def test_propositions_of_formulas_have_their_truth() -> None:
    app = Application(
        subject_of(whorl.load("byte x; active proctype p() { x = 1; x = 2 }", ltl="[] (x < 2)"), {})
    )
    path: list[list[int]] = []
    for _ in range(2):
        path += ask(app, "state", choices=path)["enabled"][0]["choices"]
    trace = ask(app, "path", choices=path)["trace"]
    assert trace["propositions"] == ["x < 2"]
    assert trace["truth"] == [[True], [True], [False]]


def test_a_long_path_is_taken_only_once(monkeypatch: pytest.MonkeyPatch) -> None:
    app = application(TOGGLE)
    path: list[list[int]] = []
    for _ in range(50):
        path += ask(app, "state", choices=path)["enabled"][0]["choices"]
    ask(app, "path", choices=path)
    taken = []
    steps = app.semantics.steps

    def counted(state: State) -> list[Step]:
        taken.append(state)
        return steps(state)

    monkeypatch.setattr(app.semantics, "steps", counted)
    assert len(ask(app, "path", choices=path)["ends"]) == 51
    assert len(taken) <= 2  # none for each step of the path


def test_what_the_page_has_already_is_left_out() -> None:
    app = application(EXAMPLES / "two_phase_commit.pml")
    path: list[list[int]] = []
    for n in range(30):
        enabled = ask(app, "state", choices=path)["enabled"]
        path += enabled[n % len(enabled)]["choices"]
    whole = ask(app, "path", choices=path)
    numbers = [step["number"] for step in whole["trace"]["steps"]]
    assert numbers == list(range(1, len(whole["ends"])))
    for known in (0, 1, 12, len(whole["ends"]) - 1, 999):
        rest = ask(app, "path", choices=path, known=known)
        begin = rest["known"]
        assert begin == min(known, len(whole["ends"]) - 1)
        assert rest["nodes"] == whole["nodes"][begin:]
        assert (rest["choices"], rest["ends"]) == (whole["choices"], whole["ends"])
        for old, new in zip(whole["trace"]["steps"][begin:], rest["trace"]["steps"], strict=True):
            assert moved(old, whole) == moved(new, rest)
            assert {**old, "moved": None} == {**new, "moved": None}
        assert rest["trace"]["final"] == whole["trace"]["final"]


def moved(step: dict[str, Any], path: dict[str, Any]) -> list[Any]:
    return [path["trace"]["positions"][n] for n in step.get("moved", [])]


# --- the graph -----------------------------------------------------------------------------------


def test_equal_states_are_one_node() -> None:
    with exploring(TOGGLE) as served:
        there = walked(served, "0 x = 1 - x")
        back = walked(served, "0 x = 1 - x", "0 x = 1 - x")
        found = served.ask("path", choices=back)
        assert found["nodes"] == [0, 1, 0]
        state = served.ask("state", choices=there)
        assert state["node"] == 1
        assert len(state["targets"]) == len(state["enabled"]) == 2
        assert 0 in state["targets"]
        edges = {(e["source"], e["target"]) for e in state["graph"]["edges"]}
        assert {(0, 1), (1, 0)} <= edges


def test_nodes_say_what_is_known_of_them() -> None:
    app = application("byte x; active proctype p() { if :: x = 1 -> assert(false) :: x = 2 fi }")
    state = ask(app, "state", choices=[])
    nodes = {node["id"]: node for node in state["graph"]["nodes"]}
    assert [nodes[n]["visited"] for n in (0, 1, 2)] == [True, False, False]
    assert [nodes[n]["depth"] for n in (0, 1, 2)] == [0, 1, 1]
    after = ask(app, "state", choices=step_named(state, "0 x = 1"))
    (bad,) = [node for node in after["graph"]["nodes"] if node["wrong"]]
    assert bad["id"] in after["targets"]
    assert [e["wrong"] for e in after["graph"]["edges"] if e["target"] == bad["id"]] == [True]


def test_a_state_that_can_be_reached_rightly_is_not_wrong() -> None:
    """A step into it fails, another one does not."""
    app = application("byte x; active proctype p() { do :: assert(x == 1) :: skip od }")
    state = ask(app, "state", choices=[])
    assert state["targets"] == [0, 0]
    assert [edge["wrong"] for edge in state["graph"]["edges"]] == [True, False]
    assert not state["graph"]["nodes"][0]["wrong"]


def test_a_fault_is_a_node_of_its_own() -> None:
    app = application("byte x; active proctype p() { x = 1 / x }")
    state = ask(app, "state", choices=[])
    assert state["targets"] == [1]
    path = ask(app, "path", choices=state["enabled"][0]["choices"])
    assert path["nodes"] == [0, 1]


def test_a_node_is_reached_by_the_path_that_found_it() -> None:
    with exploring(PETERSON) as served:
        path = walked(served, "0 wants[_pid] = true", "1 wants[_pid] = true")
        node = served.ask("state", choices=path)["node"]
        served.ask("state", choices=[])
        assert served.ask("node", node=node)["choices"] == path
        for bad in (-1, 10_000, None, "1", True):
            status, _ = served.status("node", {"node": bad})
            assert status == 400


def test_of_a_large_graph_the_neighbourhood_is_shown() -> None:
    app = application(
        "byte x, y; active proctype p() { do :: x = x + 1 od }"
        " active proctype q() { do :: y = y + 1 od }"
    )
    path: list[list[int]] = []
    for _ in range(220):
        path += ask(app, "state", choices=path)["enabled"][0]["choices"]
    state = ask(app, "state", choices=path)
    graph = state["graph"]
    assert len(graph["nodes"]) == MOST_SHOWN
    assert graph["left_off"] > 0
    shown = {node["id"] for node in graph["nodes"]}
    assert state["node"] in shown
    assert set(state["targets"]) <= shown
    assert 0 not in shown
    assert all({e["source"], e["target"]} <= shown for e in graph["edges"])


# --- jumps ---------------------------------------------------------------------------------------


def jump(app: Application, choices: list[list[int]], expression: str | None = None) -> Any:
    asked = {"choices": choices, "job": "j"}
    return ask(app, "jump", **asked, **({} if expression is None else {"expression": expression}))


def test_jump_to_the_nearest_violation() -> None:
    app = application(COUNT)
    found = jump(app, [])
    trace = found["path"]["trace"]
    assert (trace["kind"], trace["message"]) == ("assertion", "(x!=35)")
    assert len(trace["steps"]) == 72  # 35 times a guard and an increment, a guard, the assertion
    assert "72 more steps" in found["said"]


def test_an_invalid_end_state_is_a_violation() -> None:
    app = application("byte x; active proctype p() { x = 1; x = 2; x == 7 }")
    found = jump(app, [])
    assert found["path"]["trace"]["kind"] == "end state"
    assert len(found["path"]["ends"]) == 3
    again = jump(app, found["path"]["choices"])
    assert again == {"path": None, "said": "this is an invalid end state: a violation"}


def test_an_end_state_comes_before_a_failure_that_is_a_step_further() -> None:
    app = application(
        "byte x; active proctype p() { if :: x = 1 -> assert(false) :: x = 2 -> false fi }"
    )
    assert len(jump(app, [])["path"]["ends"]) == 2


def test_without_a_violation_it_says_how_far_it_looked() -> None:
    found = jump(application(PETERSON), [])
    assert found["path"] is None
    assert found["said"] == (
        "no violation from here on: all 38 states that can be reached were looked at"
    )


def test_jump_to_an_expression() -> None:
    app = application(COUNT)
    found = jump(app, [], "x == 3")
    steps = found["path"]["trace"]["steps"]
    assert len(steps) == 6
    assert steps[-1]["changes"] == [{"name": "x", "value": "3", "process": None}]
    following = jump(app, found["path"]["choices"], "x == 3")
    assert len(following["path"]["ends"]) == 8  # it is still true after the next step
    none = jump(app, found["path"]["choices"], "x == 2")
    assert none["path"] is None
    assert "no such state from here on" in none["said"]


def test_an_expression_that_comes_true_again_where_it_began() -> None:
    found = jump(application("byte x; active proctype p() { do :: x = 1; x = 0 od }"), [], "x == 0")
    assert len(found["path"]["ends"]) == 3


def test_expressions_look_into_processes_and_channels() -> None:
    app = application(
        "chan q = [2] of { byte }; active proctype p() { byte k; k = 4; here: q!k; q!k }"
    )
    assert len(jump(app, [], "p:k == 4")["path"]["ends"]) == 2
    assert len(jump(app, [], "p@here")["path"]["ends"]) == 2
    assert len(jump(app, [], "len(q) == 2")["path"]["ends"]) == 4


@pytest.mark.parametrize(
    ("text", "said", "column"),
    [
        ("x == ", "", None),
        ("x = = 2", "", None),
        ("y > 1", "'y'", 1),
        ("x > 1 && zz", "'zz'", 10),
        ("[] (x > 1)", "temporal", None),
        ("x > 1 && TWICE", "'yy'", 10),  # a macro of the model
        ("", "there is no expression", None),
        ("x" * 3_000, "too long", None),
    ],
)
def test_bad_expressions(text: str, said: str, column: int | None) -> None:
    with exploring(f"#define TWICE (yy == 2)\n{COUNT}") as served:
        asked = {"choices": [], "job": "j", "expression": text}
        status, answer = served.status("jump", asked)
        assert status in (400, 422)
        assert said in answer["error"]["message"]
        if column is not None:
            assert answer["error"]["column"] == column
        assert served.troubles == []


def test_a_jump_can_be_stopped() -> None:
    """It goes on for ever, and so only a stop ends it before the limit."""
    model = "int x, y; active [3] proctype p() { do :: x = x + 1 :: y = y + x od }"
    app = application(model)
    answers: list[Any] = []
    thread = threading.Thread(
        target=lambda: answers.append(ask(app, "jump", choices=[], job="mine"))
    )
    thread.start()
    while "mine" not in app.jobs.running and thread.is_alive():
        time.sleep(0.001)
    assert ask(app, "state", choices=[])["enabled"]  # others are answered meanwhile
    ask(app, "cancel", job="mine")
    thread.join(20)
    assert answers[0]["path"] is None
    assert "you stopped it" in answers[0]["said"]
    assert ask(app, "cancel", job="mine") == {}


@pytest.mark.parametrize("asked", [{}, {"job": 7}, {"job": "j", "expression": 7}])
def test_bad_jumps(asked: dict[str, Any]) -> None:
    with exploring(COUNT) as served:
        status, _ = served.status("jump", {"choices": [], **asked})
        assert status == 400


def test_check_finds_what_a_formula_is_false_of() -> None:
    app = application(EXAMPLES / "traffic_light.pml")
    found = ask(app, "check")
    assert found["path"] is not None
    assert "response" in found["said"]
    assert found["path"]["nodes"][-1] in found["path"]["nodes"][:-1]  # it goes round


def test_check_of_what_holds() -> None:
    found = ask(application(PETERSON), "check")
    assert found == {"path": None, "said": "whorl check: everything that was checked holds"}


# --- sharing -------------------------------------------------------------------------------------


def test_a_path_as_a_trail() -> None:
    with exploring(PETERSON) as served:
        path = walked(served, "0 wants[_pid] = true", "1 wants[_pid] = true")
        shared = served.ask("share", choices=path, **{"as": "trail"})
    assert shared["name"] == "peterson.path.trail"
    trail = trails.loads(shared["text"], "it")
    assert [[c.pid, c.transition] for c in trail.choices] == path
    assert (trail.model, trail.kind) == (str(PETERSON), "run")


def test_a_path_as_a_page() -> None:
    with exploring(PETERSON) as served:
        path = walked(served, "1 wants[_pid] = true")
        shared = served.ask("share", choices=path, **{"as": "page"})
    assert shared["name"] == "peterson.path.html"
    (data,) = re.findall(
        r'<script type="application/json" id="data">(.*?)</script>', shared["text"]
    )
    (trace,) = json.loads(data)["traces"]
    assert [step["text"] for step in trace["steps"]] == ["wants[_pid] = true"]


def test_nothing_else_is_shared() -> None:
    with exploring(PETERSON) as served:
        status, _ = served.status("share", {"choices": [], "as": "/etc/passwd"})
        assert status == 400
