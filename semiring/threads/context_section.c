/* See context_section.h. */
#include "semiring/threads/context_section.h"

__thread uintptr_t grid_context_distance;
