"""Random Promela programs: small, valid, free of undefined behaviour, odd in many ways at once.

`programs(profile)` is a Hypothesis strategy for the text of a program that Spin accepts and whose
full state space is finite and small. The tests search such a program with several engines and
compare what they find. How validity and finiteness are kept, whatever is drawn:

- *No undefined C.* Every expression carries the interval of its values; an operator that could
  leave the range of a 31 bit integer, divide by zero, shift too far or index out of bounds is
  masked (`& 3`, `% 2`) or replaced by its left operand.
- *Few values.* What is stored in a wide variable (byte, short, int, mtype) is a constant, a copy,
  a truth value or something taken modulo a small number (`Values.stored`). Wrapping is reached
  by constants at the edges of a type. Only narrow variables (bit, bool, unsigned) take anything.
- *Few processes.* `run` stands in `init`, outside loops, or behind a global counter.
- *No endless atomic chain.* pan does not store the states inside an atomic sequence, so a loop
  there would run to the depth limit. Inside atomic and d_step a loop counts a variable of its own
  that nothing else writes, or leaves at the end of each option; a backward jump goes to a plain
  statement outside every atomic sequence. All other jumps go forward.

What is left out, because Spin refuses it or pan misbehaves:

- a local that hides a global or an outer local, two equal names in options of one selection
  (6.5.2: "redeclaration"); an array list initialiser after the first statement (refused);
- `c?[..]` and `c?<..>` on a rendezvous channel (a run-time error), enabled() or priorities in a
  model that has a rendezvous channel (pan.c does not compile);
- enabled(_pid) (pan stops), enabled() used by two processes about each other (pan recurses for
  ever and crashes): only the last proctype, if it is a single instance, uses enabled();
- a remote reference to a pid that may belong to another proctype (pan reads that process's memory
  as if it were of the named type): targets are single active processes that were declared, hence
  created, before the observer, so that they cannot be removed, nor their pid reused, before it;
- a local channel used after its process was removed (its number may be used again): a process
  that hands out a local channel never ends;
- unless, atomic, run, remote references and rendezvous sends inside d_step (refused or an error),
  jumps and breaks that cross the border of a d_step, or that lead to its beginning (also refused:
  a loop followed by a d_step counts as such a jump), a d_step that ends in a selection (sometimes
  refused: "goto S_027_0 breaks from d_step seq");
- a d_step that begins with an assertion, a print, a jump, or a selection with an option that is
  always executable: pan forgets to test that no rendezvous is under way, and runs it in the middle
  of another process's handshake; and `d_step { if :: y == 1 :: x = 1 fi }` blocks until y is 1;
- a copying receive at the beginning of a d_step (with a rendezvous channel in the model, pan.m may
  lack a parenthesis);
- receives that pan cannot undo. It puts the *values of the variables* back into the channel, not
  the message, and evaluates every index and eval() again before it restores them. So these leave
  a wrong message or memory behind, and the search goes on from there with wrong verdicts: a
  variable that is narrower than the field (`byte` into `bit`), an index of the channel or of the
  variable that the receive changes (`c[x]?x`, `c?a[x],x`), an eval of such a variable or of the
  channel's length (`c?x,eval(x)`);
- a poll as the operand of an operator, in a model with a rendezvous channel: pan.m lacks the
  parentheses around it (`x <= not_RV(c) && q_len(c) > 0`), so a poll stands in a condition of its
  own, `((c?[..]) -> 1 : 0)`;
- an initial value out of the range of its type ("truncated in assignment", exit status 1), a
  variable as the argument for a parameter of type mtype (refused);
- pc_value(), whose values are Spin's own numbering of states.
"""

from __future__ import annotations

from support.generator.profiles import PROFILES, Profile
from support.generator.program import programs

__all__ = ["PROFILES", "Profile", "programs"]
