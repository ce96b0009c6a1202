"""Who is answered by the explorer's server, and what is not."""

from __future__ import annotations

import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from support.exploring import Exploring, exploring
from whorl.explore.application import Application
from whorl.explore.server import HOST, MOST_BYTES, Handler

JSON = {"Content-Type": "application/json"}
MODEL = "byte x; active proctype p() { x = 1; x = 2 }"


@pytest.fixture(scope="module")
def served() -> Iterator[Exploring]:
    with exploring(MODEL) as found:
        yield found
        assert found.troubles == []


def question(served: Exploring, name: str = "path") -> str:
    return f"/{served.server.token}/{name}"


ASKED = json.dumps({"choices": []}).encode()


def test_page_and_questions_are_answered(served: Exploring) -> None:
    response, text = served.request("GET", f"/{served.server.token}/")
    assert response.status == 200
    assert response.headers["Content-Type"] == "text/html; charset=utf-8"
    assert "<title>&lt;text&gt;: explore</title>" in text
    response, text = served.request("POST", question(served), ASKED, JSON)
    assert response.status == 200
    assert json.loads(text)["ends"] == [0]


def test_only_this_machine_can_connect(served: Exploring) -> None:
    assert served.server.server_address[0] == "127.0.0.1"
    assert served.server.address.startswith(f"http://127.0.0.1:{served.server.server_port}/")


def test_tokens_are_long_and_differ(served: Exploring) -> None:
    with exploring(MODEL) as other:
        assert other.server.token != served.server.token
        assert min(len(other.server.token), len(served.server.token)) >= 32


@pytest.mark.parametrize("path", ["/", "//", "/path", "/favicon.ico", "/TOKE/path", "/é/path"])
@pytest.mark.parametrize("method", ["GET", "POST"])
def test_without_the_token_there_is_nothing(served: Exploring, method: str, path: str) -> None:
    wrong = path.replace("TOKE", served.server.token[:-1]).encode("utf-8").decode("latin-1")
    with socket.create_connection((HOST, served.server.server_port), timeout=10) as raw:
        head = f"{method} {wrong} HTTP/1.1\r\nHost: {HOST}:{served.server.server_port}\r\n"
        body = f"Content-Type: application/json\r\nContent-Length: {len(ASKED)}\r\n\r\n"
        raw.sendall((head + body).encode("latin-1") + ASKED)
        answer = raw.makefile("rb").readline()
    assert answer.startswith(b"HTTP/1.1 404 ")


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:PORT", "127.0.0.1", "127.0.0.1:1", "localhost", ""]
)
def test_another_host_is_refused(served: Exploring, host: str) -> None:
    """A name of another site that points here (DNS rebinding) is in the Host header."""
    named = host.replace("PORT", str(served.server.server_port))
    for method, body in (("GET", None), ("POST", ASKED)):
        response, text = served.request(method, question(served), body, {**JSON, "Host": named})
        assert response.status == 403
        assert served.server.token not in text


def test_localhost_is_this_server(served: Exploring) -> None:
    host = f"localhost:{served.server.server_port}"
    response, _ = served.request("POST", question(served), ASKED, {**JSON, "Host": host})
    assert response.status == 200


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "http://127.0.0.1:1"])
def test_another_origin_is_refused(served: Exploring, origin: str) -> None:
    response, _ = served.request("POST", question(served), ASKED, {**JSON, "Origin": origin})
    assert response.status == 403


def test_no_other_origin_may_read_answers(served: Exploring) -> None:
    own = f"http://127.0.0.1:{served.server.server_port}"
    response, _ = served.request("POST", question(served), ASKED, {**JSON, "Origin": own})
    assert response.status == 200
    assert not [name for name in response.headers if name.lower().startswith("access-control")]


def test_headers_let_nothing_else_run_or_keep_it(served: Exploring) -> None:
    response, text = served.request("GET", f"/{served.server.token}/")
    policy = response.headers["Content-Security-Policy"]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "connect-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "unsafe" not in policy
    assert response.headers["Referrer-Policy"] == "no-referrer"
    assert response.headers["Cache-Control"] == "no-store"
    assert served.server.token not in text  # what is saved or sent on does not have it


@pytest.mark.parametrize(
    ("body", "headers", "status"),
    [
        (b"{", {}, 400),
        (b"[]", {}, 400),
        (b"null", {}, 400),
        (b"\xff\xfe", {}, 400),
        (b"[" * 100_000, {}, 400),
        (ASKED, {"Content-Type": "text/plain"}, 415),
        (ASKED, {"Content-Type": "application/x-www-form-urlencoded"}, 415),
        (b"", {"Content-Length": str(MOST_BYTES + 1)}, 413),
        (b"", {"Content-Length": "9" * 5_000}, 413),
        (b"", {"Content-Length": "-1"}, 411),
        (b"", {"Content-Length": "ten"}, 411),
    ],
)
def test_bad_questions(
    served: Exploring, body: bytes, headers: dict[str, str], status: int
) -> None:
    response, text = served.request("POST", question(served), body, {**JSON, **headers})
    assert response.status == status
    assert json.loads(text)["error"]["message"]
    assert "Traceback" not in text


def test_unknown_questions_and_methods(served: Exploring) -> None:
    response, _ = served.request("POST", question(served, "nothing"), ASKED, JSON)
    assert response.status == 404
    response, _ = served.request("GET", question(served))
    assert response.status == 404
    for method in ("PUT", "DELETE", "OPTIONS", "HEAD"):
        response, text = served.request(method, question(served), ASKED, JSON)
        assert response.status == 501
        assert "Traceback" not in text


@pytest.mark.parametrize(
    "choices",
    [None, 7, "x", {}, [7], [[0]], [[0, 1, 2]], [["0", "1"]], [[0, 1.5]], [[True, False]], [None]],
)
def test_bad_paths(served: Exploring, choices: Any) -> None:
    for name in ("path", "state", "share"):
        status, answer = served.status(name, {"choices": choices, "as": "trail"})
        assert status == 400
        assert answer["error"]["message"]


def test_a_path_that_the_model_does_not_have(served: Exploring) -> None:
    for choices in ([[0, 999]], [[5, 1]], [[-1, -1]], [[0, 1, 0, 1]], [[10**30, 10**30]]):
        status, answer = served.status("path", {"choices": choices})
        assert status == 422
        assert "its step 1 cannot be taken" in answer["error"]["message"]


def test_an_error_of_ours_is_told_to_the_terminal_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    with exploring(MODEL) as broken:

        def fail(_asked: dict[str, Any]) -> dict[str, Any]:
            raise RuntimeError("secret")

        monkeypatch.setitem(broken.server.application.questions, "path", fail)
        status, answer = broken.status("path", {"choices": []})
        assert status == 500
        assert "secret" not in json.dumps(answer)
        (told,) = broken.troubles
        assert "RuntimeError: secret" in told


def test_what_is_no_http_gets_an_error(served: Exploring) -> None:
    with socket.create_connection((HOST, served.server.server_port), timeout=10) as raw:
        raw.sendall(b"GET / HTTP/9.9 what\r\n\r\n")
        assert b"Bad Request" in raw.makefile("rb").read()


def test_a_question_that_does_not_arrive_is_no_error_of_ours(
    monkeypatch: pytest.MonkeyPatch, served: Exploring
) -> None:
    monkeypatch.setattr(Handler, "timeout", 0.1)
    response, _ = served.request("POST", question(served), b"{", {**JSON, "Content-Length": "9"})
    assert response.status == 408  # and the fixture asserts that the terminal was not told


def test_an_address_without_its_slash_leads_to_the_page(served: Exploring) -> None:
    response, _ = served.request("GET", f"/{served.server.token}")
    assert response.status == 308
    assert response.headers["Location"] == f"/{served.server.token}/"


def test_on_the_port_of_http_browsers_name_none(
    monkeypatch: pytest.MonkeyPatch, served: Exploring
) -> None:
    assert "127.0.0.1" not in served.server.hosts
    monkeypatch.setattr(served.server, "server_port", 80)
    assert {"127.0.0.1", "localhost", "127.0.0.1:80"} <= set(served.server.hosts)


def test_application_begins_with_the_model(served: Exploring) -> None:
    assert isinstance(served.server.application, Application)
    begun = served.server.application.begin()
    assert begun["sources"][0]["text"] == MODEL
