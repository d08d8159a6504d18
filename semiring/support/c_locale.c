/* See c_locale.h. */
#include "semiring/support/c_locale.h"

#include <locale.h>
#include <stdlib.h>

double grid_strtod(const char *text, char **end) {
  static _Thread_local locale_t c; /* once per thread, since newlocale takes a lock */
  if (!c) c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
  return c ? strtod_l(text, end, c) : strtod(text, end);
}
