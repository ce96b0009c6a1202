/* A nested search with a reduction that looks at the stack misses the cycles of this one if its
 * second search chooses anew (Holzmann, Peled and Yannakakis, "On nested depth first search",
 * section 5): T raises and lowers p for ever, and S0 and S1 close cycles on the stack.
 *
 * `<>[] !p || <>[] p` is violated: whorl check --por v1 --algorithm fig2 --keep nothing
 */

bit p;

active proctype T() { do :: p = 1 - p :: p = 0; p = 1 - p od }
active proctype S0() { bit x; do :: true; true; x = 0 od }
active proctype S1() { bit x; do :: true; true; x = 1 od }
