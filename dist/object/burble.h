/* burble.h: what GRIDBLAS_BURBLE asks for: a line of each call, a trace of all, or ranges for a profiler of
 * the device's, which the other two make as well. A public function that
 * does more than look at an object puts its work into GRID_TRACE_CALL: the one place where calls are seen.
 * Where nothing is asked for, it costs a look at one variable. */
#ifndef GRID_BURBLE_H
#define GRID_BURBLE_H
#include <stdio.h>

#include "dist/object/objects.h"

/* The same on all processes, from Grid_init to GrB_finalize. */
enum { GRID_QUIET, GRID_TEXT_LINES, GRID_TRACES, GRID_MARKS };
extern int grid_burble;

/* The value of `outcome`, a GrB_Info that all processes get alike (collective): the work of a call of this
 * name on these matrices, vectors and scalars, whose names in the line are those they have here. Objects are
 * looked at afterwards, and only if all went well; they may be NULL. The work stands there twice, so that the
 * way without a word is a jump: nothing is kept for later. No other thread is inside a call meanwhile, and
 * the calling one gets the text of an error, whichever thread of the work recorded it. */
#ifdef GRID_UNTRACED /* to measure what is lost: bench/burble.sh */
#define GRID_TRACE_CALL(call, outcome, ...)                   \
  __extension__({                                             \
    GRID_NAMED_CALL_SCOPE(trace_scope, true);                 \
    const GrB_Info trace_info = (outcome);                    \
    if (trace_info != GrB_SUCCESS) grid_fetch_worker_error(); \
    trace_info;                                               \
  })
#else
#define GRID_TRACE_CALL(call, outcome, ...)                                           \
  __extension__({                                                                     \
    GRID_NAMED_CALL_SCOPE(trace_scope, true);                                         \
    GrB_Info trace_info;                                                              \
    if (__builtin_expect(grid_burble == GRID_QUIET, 1)) {                             \
      trace_info = (outcome);                                                         \
    } else {                                                                          \
      grid_trace_begin(call);                                                         \
      trace_info = (outcome);                                                         \
      if (trace_info == GrB_SUCCESS)                                                  \
        grid_trace_end(trace_info, #__VA_ARGS__, (const void *const[]){__VA_ARGS__}); \
      else                                                                            \
        grid_trace_end(trace_info, #__VA_ARGS__, (void *)0);                          \
    }                                                                                 \
    if (trace_info != GrB_SUCCESS) grid_fetch_worker_error();                         \
    trace_info;                                                                       \
  })
#endif
void grid_trace_begin(const char *call);
void grid_trace_end(GrB_Info info, const char *names, const void *const *objects);

/* Within a call: the method that computes it ("stages"), and that a step of it took from `since`, by
 * omp_get_wtime, to now, on the device or not. */
void grid_trace_method(const char *method);
void grid_trace_step(const char *step, double since, bool on_device);

/* What a line says of a matrix, `what` with room for so many bytes, and its entries on this process. The room
 * above registers it when the library starts. */
extern void (*grid_matrix_describer)(char *what, size_t capacity, uint64_t *entries, GrB_Matrix A);
void grid_matrix_describe(char *what, size_t capacity, uint64_t *entries,
                          GrB_Matrix A); /* matrix/matrix_trace.c */
/* "list", "bitmap" or "full". */
const char *grid_form_of(const grid_chunk *c);

/* Reads the environment; process 0's decides. Collective, agreed on. And the end, when the trace is written.
 * Collective. */
GrB_Info grid_burble_start(void);
void grid_burble_stop(void);

/* ---- burble_trace.c: the trace, in memory or a temporary file of each process until the end -------------
 */

/* Opens FILE on process 0, and each process's temporary file. Agreed on by the caller. */
GrB_Info grid_trace_open(const char *path);
/* A slice from and to in seconds; `name` as JSON has it; `more`: members of its args, ready to be written
 * (grid_trace_quote), or "". Steps on the device have a row of their own. */
typedef enum { GRID_CALL, GRID_SPAN, GRID_STEP, GRID_STEP_DEVICE } grid_slice;
void grid_trace_slice(const char *name, grid_slice kind, double from, double to, const char *more);
/* Text as JSON has it, quotes included, cut off to fit. */
void grid_trace_quote(char *to, size_t capacity, const char *text);
/* All processes' slices, one behind the other, into FILE. Collective. */
void grid_trace_close(void);
#endif
