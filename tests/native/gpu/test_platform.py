"""What kernels are written in, on its own."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from whorl.native.compiler import RUNTIME

PROGRAM = r"""
#define WHORL_DEVICE 1
#include "gpu/platform.h"
#include <stdio.h>

static int sign(int n) { return (n > 0) - (n < 0); }

int main(void) {
  uint64_t seed = 1;
  for (int round = 0; round < 100000; round++) {
    uint64_t a[3], b[3];
    for (int i = 0; i < 3; i++) {
      seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      a[i] = b[i] = seed;
    }
    b[seed >> 33 & 1] ^= (seed >> 40) << (seed >> 35 & 31);
    if (sign(memcmp(a, b, sizeof a)) != whorl_compare_bytes(a, b, 3)) return 1;
  }
  puts("as memcmp");
  return 0;
}
"""


@pytest.mark.skipif(shutil.which("gcc") is None, reason="this machine has no gcc")
def test_states_are_ordered_as_on_the_processor(tmp_path: Path) -> None:
    (tmp_path / "order.c").write_text(PROGRAM, encoding="utf-8")
    made = tmp_path / "order"
    words = ["gcc", "-std=c11", "-I", str(RUNTIME), "-o", str(made), str(tmp_path / "order.c")]
    subprocess.run([*words, "-pthread"], check=True)
    said = subprocess.run([str(made)], capture_output=True, text=True, check=False)
    assert said.stdout == "as memcmp\n"
