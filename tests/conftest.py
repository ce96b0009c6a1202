"""Settings of the whole test suite: when to skip for want of Spin, and Hypothesis's profiles."""

from __future__ import annotations

import shutil

import pytest
from hypothesis import settings

settings.register_profile("default", derandomize=False, deadline=None, print_blob=True)
settings.register_profile("slow", settings.get_profile("default"), max_examples=2000)
settings.load_profile("default")

NEEDED_FOR_SPIN = ("spin", "cc")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    missing = [tool for tool in NEEDED_FOR_SPIN if shutil.which(tool) is None]
    if not missing:
        return
    skip = pytest.mark.skip(
        reason=f"needs Spin, and this machine has no {' and no '.join(missing)}"
    )
    for item in items:
        if item.get_closest_marker("spin"):
            item.add_marker(skip)
