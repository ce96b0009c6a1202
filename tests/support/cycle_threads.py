"""Searches for cycles on several threads as a Promela model: the same as `whorl.lab.cycle_threads`.

One of some graphs is chosen first, and then the threads run. An assertion fails if a cycle is
reported in a graph that has none, or if no thread reports one in a graph that has. A thread that
waits for ever is an invalid end state. To leave the first search and to begin the second one is one
step, as there: only where what is red on entry is wrong on purpose does that write two bits.
"""

from __future__ import annotations

from collections.abc import Sequence

from whorl.lab.cycle_threads import CycleRules
from whorl.lab.small_graphs import SmallGraph

_WORKER = """
#define HAS(set, node) ((set >> (node)) & 1)

byte succ[NODES], accepting, blue, red, finished;
bool cyclic, reported, started;

inline choose(set) {
  if
CHOICES
  fi;
  set = set & ~(1 << t)
}

inline report() { reported = true; assert(cyclic); break }

active [THREADS] proctype worker() {
  byte stack[NODES], left[NODES], stack2[NODES], left2[NODES];
  byte h, h2, cyan, pink, t, s;
  atomic { started; left[0] = succ[0]; h = 1; cyan = 1; BLUE_ON_ENTRY(0) }
  do
  :: reported || h == 0 -> break
  :: !reported && h > 0 && left[h - 1] -> atomic {
       s = stack[h - 1];
       choose(left[h - 1]);
       if
       :: REPORTS && HAS(cyan, t) && (HAS(accepting, s) || HAS(accepting, t)) &&
          (CYAN_FIRST || !HAS(blue, t)) -> report()
       :: else ->
          if
          :: HAS(cyan, t) || HAS(blue, t)
          :: else ->
             BLUE_ON_ENTRY(t);
             stack[h] = t; left[h] = succ[t]; h++; cyan = cyan | (1 << t)
          fi
       fi; s = 0; t = 0 }
  :: !reported && h > 0 && !left[h - 1] ->
     s = stack[h - 1];
     atomic {
       if :: BLUE_LAST && HAS(accepting, s) :: else -> blue = blue | (1 << s) fi;
       if
       :: !WEAK && HAS(accepting, s) ->
          stack2[0] = s; left2[0] = succ[s]; h2 = 1; pink = 1 << s; RED_ON_ENTRY(s)
       :: else
       fi
     };
     if
     :: !WEAK && HAS(accepting, s) ->
        do
        :: h2 == 0 -> break
        :: h2 > 0 && !left2[h2 - 1] -> h2--
        :: h2 > 0 && left2[h2 - 1] -> atomic {
             choose(left2[h2 - 1]);
             if
             :: HAS(cyan, t) -> report()
             :: else ->
                if
                :: HAS(pink, t) || HAS(red, t)
                :: else ->
                   RED_ON_ENTRY(t);
                   stack2[h2] = t; left2[h2] = succ[t]; h2++; pink = pink | (1 << t)
                fi
             fi; t = 0 }
        od;
        if
        :: reported -> break
        :: !reported
        fi;
        NO_WAITING || reported || !(pink & accepting & ~(WAITS_FOR_ITSELF -> 0 : 1 << s) & ~red);
        do
        :: pink -> atomic { choose(pink); red = red | (1 << t); t = 0 }
        :: !pink -> break
        od;
        blue = blue | (1 << s)
     :: WEAK || !HAS(accepting, s)
     fi;
     cyan = cyan & ~(1 << s); h--; s = 0
  od;
  atomic {
    finished++;
    assert(reported || !cyclic || (finished < THREADS && !ONE_WILL_DO))
  }
}
"""


def cycle_model(graphs: Sequence[SmallGraph], rules: CycleRules, threads: int) -> str:
    """The model; cyan nodes that all threads share are not in it."""
    assert not rules.shared_cyan
    nodes = len(graphs[0].successors)
    flags = {
        "NODES": nodes,
        "THREADS": threads,
        "REPORTS": int(rules.weak or rules.early),
        "CYAN_FIRST": int(rules.cyan_first),
        "BLUE_LAST": int(rules.blue_last),
        "WEAK": int(rules.weak),
        "NO_WAITING": int(rules.no_waiting),
        "WAITS_FOR_ITSELF": int(rules.waits_for_itself),
        "ONE_WILL_DO": int(rules.one_will_do),
        "BLUE_ON_ENTRY(n)": "blue = blue | (1 << (n))" if rules.blue_on_entry else "skip",
        "RED_ON_ENTRY(n)": "red = red | (1 << (n))" if rules.red_on_entry else "skip",
    }
    choices = "\n".join(f"  :: HAS(set, {node}) -> t = {node}" for node in range(nodes))
    lines = [f"#define {name} {value}" for name, value in flags.items()]
    lines += [_WORKER.replace("CHOICES", choices), "init {", "  atomic {", "    if"]
    for graph in graphs:
        edges = "; ".join(f"succ[{n}] = {out}" for n, out in enumerate(graph.successors))
        lines.append(
            f"    :: {edges}; accepting = {graph.accepting}; cyclic = {int(graph.has_cycle)}"
        )
    return "\n".join([*lines, "    fi;", "    started = true", "  }", "}", ""])
