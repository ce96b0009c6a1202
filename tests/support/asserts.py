"""Takes the sting out of a model's assertions, so that a check of a claim is about the claim.

pan calls a formula of its own that fails, too, an "assertion violated".
"""

from __future__ import annotations

import re


def without_assertions(text: str) -> str:
    """The model with assertions that are executed, and never fail."""
    return re.sub(r"\bassert\s*\(", "assert(1 || ", text)
