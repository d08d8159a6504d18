/* Contexts: the threads of a call (gridblas_gxb_objects.h). */
#ifndef GRID_CONTEXT_H
#define GRID_CONTEXT_H
#include "gridblas_gxb_objects.h"
#include "semiring/semiring.h"

struct GxB_Context_opaque {
  grid_head head;
  _Atomic int threads; /* read by calls of other threads that have engaged it */
  double chunk;
  int32_t ngpus, gpu_ids[64];
};

/* The context that the calling thread has engaged, or NULL. */
GxB_Context grid_context_engaged(void);
#endif
