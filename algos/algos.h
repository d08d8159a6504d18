/* What the files of algos/ share: error handling, spans, and checks of sizes. */
#ifndef GRID_ALGOS_H
#define GRID_ALGOS_H
#include <inttypes.h>
#include <stdarg.h>
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

/* info, with the text "call: ...", on every process. */
static inline GrB_Info grid_refuse(GrB_Info info, const char *call, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static inline GrB_Info grid_refuse(GrB_Info info, const char *call, const char *format, ...) {
  char why[160], text[240];
  va_list args;
  va_start(args, format);
  vsnprintf(why, sizeof why, format, args);
  va_end(args);
  snprintf(text, sizeof text, "%s: %s", call, why);
  return Grid_agree(info, text);
}

/* Two outputs of one type may not be the same: the first would be lost. */
static inline GrB_Info check_distinct(const void *a, const void *b, const char *call) {
  return a == NULL || a != b ? GrB_SUCCESS
                             : grid_refuse(GrB_INVALID_VALUE, call, "two outputs are the same pointer");
}

/* The outputs of a call that needs one of two. */
static inline GrB_Info check_outputs(const void *a, const void *b, const char *call) {
  return a == NULL && b == NULL ? grid_refuse(GrB_NULL_POINTER, call, "both outputs are NULL")
                                : check_distinct(a, b, call);
}

/* Does a single process compute on a GPU? The same on all processes. */
static inline bool is_on_one_gpu(void) {
  return Grid_device() != Grid_CPU && Grid_size() == 1;
}

/* *n: the number of rows of A, which must be square; NULL is an error, too. `call`: the name for the
 * message. */
static inline GrB_Info square_size(GrB_Index *n, GrB_Matrix A, const char *call) {
  GrB_Index ncols = 0;
  if (A == NULL) return grid_refuse(GrB_NULL_POINTER, call, "A is NULL");
  GrB_Info info = GrB_Matrix_nrows(n, A);
  if (info == GrB_SUCCESS) info = GrB_Matrix_ncols(&ncols, A);
  if (info == GrB_SUCCESS && *n != ncols)
    info = grid_refuse(GrB_DIMENSION_MISMATCH, call, "A is %" PRIu64 " x %" PRIu64 ", not square", *n, ncols);
  return info;
}

/* v, the argument `name` of a call, must have the size n of A. */
static inline GrB_Info check_vector_size(GrB_Vector v, GrB_Index n, const char *name, const char *call) {
  GrB_Index size = 0;
  const GrB_Info info = GrB_Vector_size(&size, v);
  if (info != GrB_SUCCESS || size == n) return info;
  return grid_refuse(GrB_DIMENSION_MISMATCH, call, "%s has %" PRIu64 " elements, but A has %" PRIu64 " rows",
                     name, size, n);
}

/* The vertex v, the argument `name` of a call, must be one of the n of A. */
static inline GrB_Info check_vertex(GrB_Index v, GrB_Index n, const char *name, const char *call) {
  return v < n ? GrB_SUCCESS
               : grid_refuse(GrB_INVALID_INDEX, call,
                             "%s %" PRIu64 " is not a vertex of A, which has %" PRIu64 " rows", name, v, n);
}

/* The same of an array `sources`. */
static inline GrB_Info check_sources(const GrB_Index *sources, GrB_Index count, GrB_Index n,
                                     const char *call) {
  GrB_Info info = GrB_SUCCESS;
  for (GrB_Index k = 0; k < count && info == GrB_SUCCESS; k++)
    info = check_vertex(sources[k], n, "the source", call);
  return info;
}

/* x, the argument `name` of a call, must be 0 or more, and not NaN. */
static inline GrB_Info check_not_negative(double x, const char *name, const char *call) {
  return x >= 0 ? GrB_SUCCESS : grid_refuse(GrB_INVALID_VALUE, call, "%s is %g, not 0 or more", name, x);
}
#endif
