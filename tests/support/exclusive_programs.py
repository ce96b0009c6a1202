"""Random programs in which each end of a channel has one user, who may declare it: xr and xs."""

from __future__ import annotations

from random import Random

CHANNELS = ("a", "b", "c")


def program(seed: int) -> str:
    """A program of two or three processes that loop over sends, receives and what asks for them."""
    random = Random(seed)
    capacity = {name: random.randint(1, 2) for name in CHANNELS}
    count = random.randint(2, 3)
    ends = {
        (name, end): random.randrange(count) for name in CHANNELS for end in ("send", "receive")
    }
    channels = "\n".join(f"chan {n} = [{capacity[n]}] of {{ byte }};" for n in CHANNELS)
    processes = "\n".join(_process(random, number, ends) for number in range(count))
    return f"{channels}\nbyte g;\n{processes}\n"


def _process(random: Random, number: int, ends: dict[tuple[str, str], int]) -> str:
    sends = [name for name, end in ends if end == "send" and ends[name, end] == number]
    receives = [name for name, end in ends if end == "receive" and ends[name, end] == number]
    declared = [f"xs {name};" for name in sends if random.random() < 0.8]
    declared += [f"xr {name};" for name in receives if random.random() < 0.8]
    options = "\n".join(
        f"  :: {_option(random, sends, receives)}" for _ in range(random.randint(1, 3))
    )
    first = "; ".join(_statement(random, sends, receives) for _ in range(random.randint(1, 3)))
    return f"""active proctype P{number}() {{
  byte x; {" ".join(declared)}
  {first};
end: do
{options}
  od
}}"""


def _option(random: Random, sends: list[str], receives: list[str]) -> str:
    length = random.randint(1, 3)
    statements = [_statement(random, sends, receives) for _ in range(length)]
    if random.random() < 0.4:
        return f"atomic {{ {'; '.join([*_guard(random, sends, receives), *statements])} }}"
    return "; ".join([*_guard(random, sends, receives), *statements])


def _guard(random: Random, sends: list[str], receives: list[str]) -> list[str]:
    asked = [f"nfull({name})" for name in sends] + [f"nempty({name})" for name in receives]
    asked += [f"empty({name})" for name in sends] + [f"full({name})" for name in receives]
    asked += ["x < 2", "x == 0"]
    random.shuffle(asked)
    chosen = asked[: random.randint(0, 2)]
    return [" && ".join(chosen)] if chosen else []


def _statement(random: Random, sends: list[str], receives: list[str]) -> str:
    forms = ["x = 1", "x = 0", "x = (x + 1) % 3", "g = x"]
    forms += [f"{name}!{value}" for name in sends for value in ("1", "x")] * 2
    forms += [f"{name}?x" for name in receives] * 4
    return random.choice(forms)
