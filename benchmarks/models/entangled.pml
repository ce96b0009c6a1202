/*
 * Nothing to reduce: each of N processes can at any time read or write what all others do.
 *
 * Values are below M. Every statement of the loop touches x, y or z, so no step is independent of
 * any step of another process; `a` is always live.
 */
#ifndef N
#define N 4
#endif
#ifndef M
#define M 6
#endif

byte x = 1, y = 1, z;

active [N] proctype turn() {
  byte a;
  do
  :: a = x
  :: x = (a + y) % M
  :: y = (y + x) % M
  :: z < M -> z = (z + a) % M
  od
}
