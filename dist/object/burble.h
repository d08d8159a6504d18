/* burble.h: what GRIDBLAS_BURBLE asks for: a line of each call, a trace of all, or ranges for a profiler of
 * the device's, which the other two make as well. A public function that
 * does more than look at an object puts its work into GRID_TOLD: the one place where calls are seen. Where
 * nothing is asked for, it costs a look at one variable. */
#ifndef GRID_BURBLE_H
#define GRID_BURBLE_H
#include <stdio.h>

#include "dist/object/vector.h"

/* The same on all processes, from Grid_init to GrB_finalize. */
enum { GRID_QUIET, GRID_LINES, GRID_TRACES, GRID_MARKS };
extern int grid_burble;

/* The value of `outcome`, a GrB_Info that all processes get alike (collective): the work of a call of this
 * name on these matrices, vectors and scalars, whose names in the line are those they have here. Objects are
 * looked at afterwards, and only if all went well; they may be NULL. The work stands there twice, so that the
 * way without a word is a jump: nothing is kept for later. No other thread is inside a call meanwhile, and
 * the calling one gets the text of an error, whichever thread of the work recorded it. */
#ifdef GRID_UNTOLD /* to measure what is lost: bench/burble.sh */
#define GRID_TOLD(call, outcome, ...)                       \
  __extension__({                                           \
    GRID_NAMED_CALL_SCOPE(told_scope, true);                \
    const GrB_Info told_info = (outcome);                   \
    if (told_info != GrB_SUCCESS) grid_take_worker_error(); \
    told_info;                                              \
  })
#else
#define GRID_TOLD(call, outcome, ...)                                               \
  __extension__({                                                                   \
    GRID_NAMED_CALL_SCOPE(told_scope, true);                                        \
    GrB_Info told_info;                                                             \
    if (__builtin_expect(grid_burble == GRID_QUIET, 1)) {                           \
      told_info = (outcome);                                                        \
    } else {                                                                        \
      grid_told_begin(call);                                                        \
      told_info = (outcome);                                                        \
      if (told_info == GrB_SUCCESS)                                                 \
        grid_told_end(told_info, #__VA_ARGS__, (const void *const[]){__VA_ARGS__}); \
      else                                                                          \
        grid_told_end(told_info, #__VA_ARGS__, (void *)0);                          \
    }                                                                               \
    if (told_info != GrB_SUCCESS) grid_take_worker_error();                         \
    told_info;                                                                      \
  })
#endif
void grid_told_begin(const char *call);
void grid_told_end(GrB_Info info, const char *names, const void *const *objects);

/* Within a call: how it is done ("push"; a literal), and that a step of it took from `since`, by
 * omp_get_wtime, to now, on the device or not. */
void grid_told_way(const char *way);
void grid_told_step(const char *step, double since, bool on_device);

/* What a line says of a matrix, `what` with room for so many bytes, and its entries on this process. The room
 * above registers it when the library starts. */
extern void (*grid_tell_of_matrix)(char *what, size_t room, uint64_t *entries, GrB_Matrix A);
void grid_matrix_tell(char *what, size_t room, uint64_t *entries, GrB_Matrix A); /* matrix/matrix_tell.c */
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
typedef enum { GRID_CALL, GRID_SPAN, GRID_STEP, GRID_STEP_THERE } grid_slice;
void grid_trace_slice(const char *name, grid_slice kind, double from, double to, const char *more);
/* Text as JSON has it, quotes included, cut off to fit. */
void grid_trace_quote(char *to, size_t room, const char *text);
/* All processes' slices, one behind the other, into FILE. Collective. */
void grid_trace_close(void);
#endif
