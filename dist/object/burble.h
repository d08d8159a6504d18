/* GRIDBLAS_BURBLE: a line per call, a trace of all calls, or ranges for a profiler of the device, which
 * the other two emit as well. A public function that does more than inspect an object wraps its work in
 * GRID_TRACE_CALL, the one place where calls are observed. When nothing is traced the cost is one test of
 * a variable. */
#ifndef GRID_BURBLE_H
#define GRID_BURBLE_H
#include <stdio.h>

#include "dist/object/call_placement.h"
#include "dist/object/objects.h"
#include "semiring/threads/context_section.h"

/* Same on all processes; changed by Grid_init, GrB_finalize and GxB_BURBLE alone. */
enum { GRID_QUIET, GRID_TEXT_LINES, GRID_TRACES, GRID_MARKS };
extern int grid_default_burble GRID_DECLARED_OF_CONTEXT;
#define grid_burble GRID_IN_CONTEXT(grid_default_burble)

/* Evaluates `outcome`, a GrB_Info that is the same on all processes (collective): the work of the public
 * call `call` on the given matrices, vectors and scalars. The line names them as written here. They are
 * described after the work, only if it succeeded; they may be NULL. The macro contains the work twice, so
 * that the untraced path is one jump. It enters the API lock, and the calling thread gets the text of an
 * error, whichever thread recorded it. With the device on the objects decide where the call is computed
 * (call_placement.h). */
#define GRID_TRACE_CALL(call, outcome, ...) GRID_TRACE_SIZED_CALL(call, 0, outcome, __VA_ARGS__)
/* The same for a call whose work, in entries, may be more than its objects have. */
#define GRID_TRACE_SIZED_CALL(call, work, outcome, ...) \
  GRID_TRACE_PLACED_CALL(call, GRID_CALL_PLACEMENT(work, __VA_ARGS__), outcome, __VA_ARGS__)
/* The same for a call that other objects place than those that are described. */
#define GRID_TRACE_PLACED_CALL(call, place, outcome, ...) \
  GRID_TRACE_OBJECTS(call, outcome, place, #__VA_ARGS__, ((const void *const[]){__VA_ARGS__}))
/* The same for a call that makes the object *made of the others (NULL: of none). */
#define GRID_TRACE_NEW_CALL(call, work, outcome, made, ...)                                          \
  GRID_TRACE_OBJECTS(call, outcome, GRID_CALL_PLACEMENT(work, __VA_ARGS__), #made ", " #__VA_ARGS__, \
                     ((const void *const[]){*(made), __VA_ARGS__}))
#ifdef GRID_UNTRACED /* measures the cost of tracing: bench/burble.sh */
#define GRID_TRACE_OBJECTS(call, outcome, place, names, objects)                                      \
  __extension__({                                                                                     \
    GRID_NAMED_CALL_SCOPE(trace_scope, true);                                                         \
    const bool trace_placement __attribute__((cleanup(grid_call_placement_leave), unused)) = (place); \
    const GrB_Info trace_info = (outcome);                                                            \
    if (trace_info != GrB_SUCCESS) grid_fetch_worker_error();                                         \
    trace_info;                                                                                       \
  })
#else
#define GRID_TRACE_OBJECTS(call, outcome, place, names, objects)                                         \
  __extension__({                                                                                        \
    GRID_NAMED_CALL_SCOPE(trace_scope, true);                                                            \
    const bool trace_placement __attribute__((cleanup(grid_call_placement_leave), unused)) = (place);    \
    GrB_Info trace_info;                                                                                 \
    if (__builtin_expect(grid_burble == GRID_QUIET, 1)) {                                                \
      trace_info = (outcome);                                                                            \
    } else {                                                                                             \
      grid_trace_begin(call);                                                                            \
      trace_info = (outcome);                                                                            \
      grid_trace_end(trace_info, names, trace_info == GrB_SUCCESS ? (objects) : (const void *const *)0); \
    }                                                                                                    \
    if (trace_info != GrB_SUCCESS) grid_fetch_worker_error();                                            \
    trace_info;                                                                                          \
  })
#endif
void grid_trace_begin(const char *call);
void grid_trace_end(GrB_Info info, const char *names, const void *const *objects);

/* Within a call: the method that computes it ("stages"), and that a step of it took from `since`, by
 * omp_get_wtime, to now, on the device or not. */
void grid_trace_method(const char *method);
void grid_trace_step(const char *step, double since, bool on_device);

/* The describe_matrix of dist/grid/hooks.h (matrix/matrix_trace.c). */
void grid_matrix_describe(char *what, size_t capacity, uint64_t *entries, GrB_Matrix A);
/* "list", "bitmap" or "full". */
const char *grid_form_of(const grid_chunk *c);

/* GxB_BURBLE: lines from now on, or none. Error: GrB_INVALID_VALUE (a trace is being written). Collective. */
GrB_Info grid_burble_set(bool on, grid_head *head, const char *call);
/* GxB_PRINTF, GxB_FLUSH: what prints the lines on process 0; NULL: to standard error. */
typedef int (*grid_printf)(const char *fmt, ...);
typedef int (*grid_flush)(void);
typedef struct {
  grid_printf print;
  grid_flush flush;
} grid_burble_printer;
extern grid_burble_printer grid_burble_output;

/* Start: reads the environment of process 0. Stop: writes the trace. Collective; start is agreed on. */
GrB_Info grid_burble_start(void);
void grid_burble_stop(void);

/* ---- burble_trace.c: the trace, in a temporary file of each process until the end ---- */

typedef struct {
  FILE *local, *out; /* out: on process 0 only */
  double start;
  bool has_failed; /* a write has failed on this process */
  bool on_device;  /* some steps ran on the device */
} grid_trace_file;

/* Opens FILE on process 0, and each process's temporary file. The caller agrees on the outcome. */
GrB_Info grid_trace_open(grid_trace_file *t, const char *path);
/* A slice from `from` to `to`, in seconds; `name` is quoted JSON; `more`: members of its args as JSON, or
 * "". Steps on the device have a row of their own. */
typedef enum { GRID_CALL, GRID_SPAN, GRID_STEP, GRID_STEP_DEVICE } grid_slice;
void grid_trace_slice(grid_trace_file *t, const char *name, grid_slice kind, double from, double to,
                      const char *more);
/* Writes text as a quoted JSON string, truncated to the capacity. */
void grid_trace_quote(char *to, size_t capacity, const char *text);
/* Concatenates all processes' slices in FILE. Collective. */
void grid_trace_close(grid_trace_file *t);
#endif
