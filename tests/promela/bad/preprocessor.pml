#defin N 3
#if N ==
#endif
#include <nowhere.h>
#ifdef
#endif
#else
byte x;
#if 1
init {
    x = 1
}
