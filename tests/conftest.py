"""Settings of the whole test suite: what to skip for want of a tool, and Hypothesis's profiles."""

from __future__ import annotations

import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings

from support.browser import NAMES, find_browser
from support.compilers import GIVEN, QUICK, SYSTEM, as_text

# The fast tests draw the same examples every time: what fails then is the change at hand. The slow
# ones (`make test-slow`) look for what is new.
settings.register_profile("default", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("slow", derandomize=False, deadline=None, max_examples=300)
settings.load_profile("default")

# A shell that runs the tests in the background makes them ignore Ctrl-C, and all that they start.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) == signal.SIG_IGN:  # under nohup
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

NEEDED_FOR_SPIN = ("spin", "cc")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    missing = [tool for tool in NEEDED_FOR_SPIN if shutil.which(tool) is None]
    reasons = {}
    if missing:
        reasons["spin"] = f"needs Spin, and this machine has no {' and no '.join(missing)}"
    if find_browser() is None:
        reasons["browser"] = f"needs a browser, and this machine has no {NAMES[0]}"
    for marker, reason in reasons.items():
        for item in items:
            if item.get_closest_marker(marker):
                item.add_marker(pytest.mark.skip(reason=reason))


@pytest.fixture(autouse=True, scope="session")
def quick_compiler(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Verifiers of tests are compiled without optimisation, and kept apart from the user's."""
    cache = tmp_path_factory.mktemp("verifiers")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("WHORL_CACHE", str(cache))
        if GIVEN is None and shutil.which(QUICK.command[0]) is not None:
            patch.setenv("WHORL_CC", as_text(QUICK))
        yield cache


@pytest.fixture
def system_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    """For models with C of their own, which tcc does not take."""
    if shutil.which("cc") is not None:
        monkeypatch.setenv("WHORL_CC", as_text(SYSTEM))
