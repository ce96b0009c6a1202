"""A browser as an object: Chromium without a window, driven through a pipe (the DevTools protocol).

Keys and clicks are those of a user: they go where the focus or the mouse is.
"""

from __future__ import annotations

import base64
import fcntl
import json
import os
import shutil
import subprocess
import tempfile
from pathlib import Path
from select import select
from types import TracebackType
from typing import Any

NAMES = ("chromium", "chromium-browser", "google-chrome")
FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",  # there is no network
)
PATIENCE = 60  # seconds for an answer
TRIES = 3
# The code of each key that is not a letter, and the number that Windows has for it.
CODES = {
    "ArrowDown": 40,
    "ArrowUp": 38,
    "ArrowLeft": 37,
    "ArrowRight": 39,
    "PageDown": 34,
    "PageUp": 33,
    "Home": 36,
    "End": 35,
    "Enter": 13,
    "Escape": 27,
    "Tab": 9,
    "Backspace": 8,
}


# What a page starts, as workers and frames, waits until its requests can be seen.
WORKERS = {"autoAttach": True, "waitForDebuggerOnStart": True, "flatten": True}


def find_browser() -> str | None:
    return next((found for name in NAMES if (found := shutil.which(name))), None)


def _pipe() -> tuple[int, int]:
    """A pipe whose ends are neither 3 nor 4, which the browser takes."""
    low = os.pipe()
    high = [fcntl.fcntl(end, fcntl.F_DUPFD_CLOEXEC, 10) for end in low]
    for end in low:
        os.close(end)
    return high[0], high[1]


class BrowserError(Exception):
    """What the browser refused, or an error of a script."""


class Browser:
    """One page of a browser of its own, with a profile that is empty at first."""

    def __init__(self, *more_flags: str) -> None:
        command = find_browser()
        assert command is not None
        self.profile = tempfile.mkdtemp(prefix="whorl-browser-")
        (to_browser, self.writing), (self.reading, from_browser) = _pipe(), _pipe()
        flags = [*FLAGS, *more_flags, f"--user-data-dir={self.profile}", "about:blank"]
        # The browser reads from 3 and writes to 4.
        shell = f'exec "$0" "$@" 3<&{to_browser} 4>&{from_browser}'
        self.process = subprocess.Popen(
            ["bash", "-c", shell, command, *flags],
            pass_fds=(to_browser, from_browser),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        os.close(to_browser)
        os.close(from_browser)
        self.number = 0
        self.rest = b""
        self.problems: list[str] = []  # errors of scripts, and what the policy has refused
        self.requests: list[str] = []  # what was fetched
        self.session: str | None = None
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        self.session = attached["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")
        self.call("Target.setAutoAttach", **WORKERS)

    def __enter__(self) -> Browser:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(10)
        os.close(self.writing)
        os.close(self.reading)
        shutil.rmtree(self.profile, ignore_errors=True)

    # --- the protocol ----------------------------------------------------------------------------

    def call(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Calls a method of the protocol, and gives its result."""
        number = self._send(self.session, method, parameters)
        asked = 1
        while True:
            if not self._is_answered():
                # What is evaluated while a page goes away may have no answer.
                if method != "Runtime.evaluate" or asked == TRIES:
                    raise BrowserError(f"{method}: no answer for {PATIENCE} seconds")
                number, asked = self._send(self.session, method, parameters), asked + 1
                continue
            found = self._read()
            if found.get("id") == number:
                if "error" in found:
                    raise BrowserError(f"{method}: {found['error']['message']}")
                result: dict[str, Any] = found["result"]
                return result

    def _send(self, session: str | None, method: str, parameters: dict[str, Any]) -> int:
        """Sends a call; the number that its result will have."""
        self.number += 1
        message: dict[str, Any] = {"id": self.number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        os.write(self.writing, json.dumps(message).encode() + b"\0")
        return self.number

    def _is_answered(self) -> bool:
        """Whether there is something to read, after a while at most."""
        return b"\0" in self.rest or bool(select([self.reading], [], [], PATIENCE)[0])

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self.rest:
            more = os.read(self.reading, 1 << 16)
            if not more:
                raise BrowserError("the browser is gone")
            self.rest += more
        line, _, self.rest = self.rest.partition(b"\0")
        found: dict[str, Any] = json.loads(line)
        self._note(found)
        return found

    def _note(self, event: dict[str, Any]) -> None:
        parameters = event.get("params", {})
        match event.get("method"):
            case "Runtime.exceptionThrown":
                details = parameters["exceptionDetails"]
                said = details.get("exception", {}).get("description", details["text"])
                self.problems.append(said)
            case "Log.entryAdded" if parameters["entry"]["level"] == "error":
                self.problems.append(parameters["entry"]["text"])
            case "Network.requestWillBeSent":
                self.requests.append(parameters["request"]["url"])
            case "Target.attachedToTarget" if self.session is not None:
                child = parameters["sessionId"]
                self._send(child, "Network.enable", {})
                self._send(child, "Target.setAutoAttach", WORKERS)
                self._send(child, "Runtime.runIfWaitingForDebugger", {})

    # --- the page --------------------------------------------------------------------------------

    def open(
        self,
        path: Path,
        width: int = 1400,
        height: int = 900,
        dark: bool = False,
        ready: str = "window.viewer",
    ) -> None:
        """Opens a file, and waits until its scripts have run: then it is `ready`."""
        self.go(path.absolute().as_uri(), ready, width, height, dark)

    def go(
        self,
        address: str,
        ready: str = "true",
        width: int = 1400,
        height: int = 900,
        dark: bool = False,
    ) -> None:
        """Opens a page, and waits until it is loaded and `ready` is true there."""
        self.problems, self.requests = [], []
        self.resize(width, height)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.call("Emulation.setEmulatedMedia", features=[scheme])
        self.call("Page.navigate", url=address)
        self.wait(f"document.readyState === 'complete' && Boolean({ready})")

    def resize(self, width: int, height: int) -> None:
        size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
        self.call("Emulation.setDeviceMetricsOverride", **size)

    def script(self, text: str) -> Any:
        """The value of an expression of JavaScript."""
        found = self.call(
            "Runtime.evaluate", expression=text, returnByValue=True, awaitPromise=True
        )
        if "exceptionDetails" in found:
            details = found["exceptionDetails"]
            raise BrowserError(details.get("exception", {}).get("description", details["text"]))
        return found["result"].get("value")

    def wait(self, condition: str, seconds: int = 20) -> None:
        """Waits for a condition; the page is asked at each of its frames."""
        said = json.dumps(f"never: {condition}")
        looked = f"""new Promise((done, fail) => {{
          const until = performance.now() + {seconds * 1000};
          const look = () => {{
            if ({condition}) done(true);
            else if (performance.now() > until) fail(new Error({said}));
            else setTimeout(look, 10);
          }};
          look();
        }})"""
        self.script(looked)

    def settle(self) -> None:
        """Waits until what was asked for has been drawn."""
        self.script("new Promise((done) => requestAnimationFrame(() => setTimeout(done)))")

    def press(self, *keys: str, shift: bool = False, control: bool = False) -> None:
        """Presses keys one after the other: names as `ArrowDown`, or characters."""
        held = 8 * shift + 2 * control
        for key in keys:
            text = {"Enter": "\r"}.get(key, key if len(key) == 1 else "")
            code = CODES.get(key) or (ord(key.upper()) if key.isalnum() else 0)
            event = {"key": key, "windowsVirtualKeyCode": code, "modifiers": held}
            kind = "keyDown" if text else "rawKeyDown"
            self.call("Input.dispatchKeyEvent", type=kind, text=text, **event)
            self.call("Input.dispatchKeyEvent", type="keyUp", **event)
        self.settle()

    def write(self, text: str) -> None:
        """Types a text where the focus is, all at once."""
        self.call("Input.insertText", text=text)
        self.settle()

    def click(self, selector: str, number: int = 0) -> None:
        """Clicks into the middle of the element, the first of those that match or another."""
        self.settle()
        place = self.script(
            f"""(() => {{
              const found = document.querySelectorAll({json.dumps(selector)})[{number}];
              if (!found) return null;
              found.scrollIntoView({{ block: "nearest", inline: "nearest", behavior: "instant" }});
              const box = found.getBoundingClientRect();
              return [box.left + box.width / 2, box.top + box.height / 2];
            }})()"""
        )
        if place is None:
            raise BrowserError(f"there is no {selector}")
        mouse = {"x": place[0], "y": place[1], "button": "left", "clickCount": 1}
        self.call("Input.dispatchMouseEvent", type="mousePressed", **mouse)
        self.call("Input.dispatchMouseEvent", type="mouseReleased", **mouse)
        self.settle()

    def text(self, selector: str) -> str:
        """The visible text of an element."""
        found = self.script(f"document.querySelector({json.dumps(selector)})?.innerText ?? null")
        if found is None:
            raise BrowserError(f"there is no {selector}")
        return str(found)

    def texts(self, selector: str) -> list[str]:
        """The visible texts of all that match."""
        quoted = json.dumps(selector)
        found: list[str] = self.script(
            f"[...document.querySelectorAll({quoted})].map((each) => each.innerText)"
        )
        return found

    def screenshot(self, path: Path) -> None:
        data = self.call("Page.captureScreenshot", format="png")["data"]
        path.write_bytes(base64.b64decode(data))
