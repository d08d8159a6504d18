/* See no_value.h. Without formatting: loops over entries read many that are missing. */
#include "semiring/support/no_value.h"

#include <string.h>

#include "semiring/threads/thread_texts.h"

GrB_Info grid_no_value(void) {
  strcpy(grid_thread_texts_get()->error, "there is no value");
  return GrB_NO_VALUE;
}
