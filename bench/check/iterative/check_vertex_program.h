/* Checks of heat, neurons and circuits on a graph (check_vertex_program.c). */
#ifndef GRID_CHECK_VERTEX_PROGRAM_H
#define GRID_CHECK_VERTEX_PROGRAM_H
#include "bench/check/check_graph.h"

typedef enum { CHECK_HEAT, CHECK_NEURAL, CHECK_CIRCUIT } check_vertex_kind;

typedef struct {
  check_vertex_kind kind;
  double rate;         /* 0: chosen as Grid_heat and Grid_neural choose it */
  const double *start; /* n values; NaN: 0, and for circuits not fixed */
  double tolerance;
  uint64_t limit;
  uint64_t iterations; /* as the answer tells */
  double change;
  double allowed; /* difference of a value */
} check_vertex_job;

/* NULL: value has what so many iterations over all vertices give, the last of which changed what the answer
 * says, and it was right to end there; else what is wrong, in text. */
const char *check_vertex(const check_graph *g, const check_vertex_job *is, const double *value, char *text,
                         size_t capacity);
#endif
