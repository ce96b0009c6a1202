/* Two processes, each of which fills an array with any of four values, and reads it again. Where it is
 * read no longer, many states are one. */
active [2] proctype P() {
  byte a[5]; byte i; byte s;
  do
  :: i < 5 -> if :: a[i] = 0 :: a[i] = 1 :: a[i] = 2 :: a[i] = 3 fi; i++
  :: else -> break
  od;
  i = 0;
  do :: i < 5 -> s = a[i]; printf("%d\n", s); i++ :: else -> break od
}
