#include "error_in_include.h"
init {
    x = zz
}
