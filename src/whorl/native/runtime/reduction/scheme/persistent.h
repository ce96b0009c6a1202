/* `persistent`, as in reduction/persistent.py: persistent sets, for safety alone. They are those of `static`
 * with sticky transitions among them; in their place there is the proviso of visited states. */
#ifndef WHORL_SCHEME_PERSISTENT_H
#define WHORL_SCHEME_PERSISTENT_H

#define WHORL_PROVISO 1
#include "reduction/scheme/static.h"

#endif
