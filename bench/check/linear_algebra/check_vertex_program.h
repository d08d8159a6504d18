/* Checks of heat, neural networks and circuits on a graph (check_vertex_program.c). */
#ifndef GRID_CHECK_VERTEX_PROGRAM_H
#define GRID_CHECK_VERTEX_PROGRAM_H
#include "bench/check/check_graph.h"

typedef enum { CHECK_HEAT, CHECK_NEURAL, CHECK_CIRCUIT } check_vertex_kind;

typedef struct {
  check_vertex_kind kind;
  double rate;         /* 0: the default of Grid_heat and Grid_neural */
  const double *start; /* n values; NaN: 0, and not fixed in circuits */
  double tolerance;
  uint64_t limit;
  uint64_t iterations; /* of the answer */
  double change;
  double allowed; /* tolerance of a value */
} check_vertex_job;

/* NULL: value is the result of so many iterations over all vertices, with the change of the last one, and the
 * iteration ended by the rule. Else the difference in text. */
const char *check_vertex(const check_graph *g, const check_vertex_job *is, const double *value, char *text,
                         size_t capacity);
#endif
