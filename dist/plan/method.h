/* The methods of an operation are rows of a table, from which one is chosen and run
 * (docs/how/product.md). A method stands in a file of its own, and is removed with its line of the
 * table. */
#ifndef GRID_METHOD_H
#define GRID_METHOD_H
#include "GraphBLAS.h"

typedef struct grid_method grid_method;

/* The first member of what an operation plans: its operands, and what has been counted of them. */
typedef struct {
  /* The row that GRIDBLAS_TUNE names, or NULL: it runs wherever it can, even where that does not pay. */
  const grid_method *forced;
  const grid_method *chosen; /* the row that runs, or has run; NULL: none has been chosen */
  unsigned tried;            /* bit k: row k has returned GRID_UNSUPPORTED */
} grid_plan;

struct grid_method {
  const char *name;
  bool needs_several; /* it is for several processes: one does not ask whether it applies */
  /* Can the method compute this result, and does it pay where no estimate says so? Local, without effect, the
   * same on every process. */
  bool (*applies)(const grid_plan *plan);
  /* NULL, or the expected cost, in a unit that the table's rows share. Local, the same on every process. */
  double (*cost)(const grid_plan *plan);
  /* Computes the result. GRID_UNSUPPORTED, on every process: nothing has changed, and another row has to do
   * it (no device memory, no kernel, a condition that only a pass over the operands shows). Collective,
   * agreed on. */
  GrB_Info (*run)(grid_plan *plan);
};

typedef struct {
  const char *operation; /* as GRIDBLAS_TUNE names it */
  const grid_method *const *rows;
  unsigned n;
} grid_method_table;

/* The row that GRIDBLAS_TUNE names for this operation, or NULL. */
const grid_method *grid_method_forced(const grid_method_table *t);
/* The forced row, if it applies and has not been tried. Else the first row that applies and has no estimate
 * or, if that comes first, the cheapest of those that have one. NULL: no row is left. Local, the same on
 * every process. */
const grid_method *grid_method_choose(const grid_method_table *t, const grid_plan *plan);
/* Runs plan->chosen (NULL: what is chosen now), and where that is unsupported the next choice, until one has
 * done it. plan->chosen is that one. */
GrB_Info grid_method_run(const grid_method_table *t, grid_plan *plan);
/* Names for GRIDBLAS_BURBLE plan->chosen, and the estimates of the other rows that apply. `detail`: more of
 * the method, or NULL. */
void grid_method_trace(const grid_method_table *t, const grid_plan *plan, const char *detail);
#endif
