/* What the files of algos/ share: error handling, spans, and checks of sizes. */
#ifndef GRID_ALGOS_H
#define GRID_ALGOS_H
#include <stdio.h>

#include "gridblas.h"
#include "gridblas_algos.h"

/* On failure jumps to `out`, where everything is freed, with the status in `info`. */
#define TRY(call)                      \
  do {                                 \
    info = (call);                     \
    if (info != GrB_SUCCESS) goto out; \
  } while (0)

/* Makes the function a span of its own name until it returns. The end also ends its progress. */
#define SPAN const bool in_span __attribute__((cleanup(end_span), unused)) = begin_span(__func__)
static inline bool begin_span(const char *name) {
  Grid_span_begin(name);
  Grid_progress_set(0, 0);
  return true;
}
static inline void end_span(const bool *in_span) {
  (void)in_span;
  Grid_progress_end();
  Grid_span_end();
}

/* info, with the text "call: why", on every process. */
static inline GrB_Info grid_refuse(GrB_Info info, const char *call, const char *why) {
  char text[120];
  snprintf(text, sizeof text, "%s: %s", call, why);
  return Grid_agree(info, text);
}

/* *n: the number of rows of A, which must be square; NULL is an error, too. `call`: the name for the
 * message. */
static inline GrB_Info square_size(GrB_Index *n, GrB_Matrix A, const char *call) {
  char text[100];
  GrB_Index ncols = 0;
  snprintf(text, sizeof text, "%s: A is %s", call, A == NULL ? "NULL" : "not square");
  if (A == NULL) return Grid_agree(GrB_NULL_POINTER, text);
  GrB_Info info = GrB_Matrix_nrows(n, A);
  if (info == GrB_SUCCESS) info = GrB_Matrix_ncols(&ncols, A);
  if (info == GrB_SUCCESS && *n != ncols) info = Grid_agree(GrB_DIMENSION_MISMATCH, text);
  return info;
}

/* v, the argument `name` of a call, must have the size n of A. */
static inline GrB_Info check_vector_size(GrB_Vector v, GrB_Index n, const char *name, const char *call) {
  char text[64];
  GrB_Index size = 0;
  const GrB_Info info = GrB_Vector_size(&size, v);
  snprintf(text, sizeof text, "%s is not of the size of A", name);
  return info == GrB_SUCCESS && size != n ? grid_refuse(GrB_DIMENSION_MISMATCH, call, text) : info;
}
#endif
