/* What the commands of simulations on a graph share (simulation_command.c). count[0]: iterations; number[0]:
 * the last change. */
#ifndef GRID_SIMULATION_COMMAND_H
#define GRID_SIMULATION_COMMAND_H
#include "bench/algorithm/algorithm.h"
#include "bench/check/linear_algebra/check_vertex_program.h"

#define SIMULATE_OPTIONS \
  OPT_CHECKPOINTS | (OPT_ANSWER | OPT_WEIGHTS | OPT_SOURCES | NEEDS_SOURCES | OPT_TOLERANCE | OPT_ITERATIONS)

/* The start values of the sources as a new vector. Collective. */
GrB_Info simulate_start(GrB_Vector *start, const job *j, check_vertex_kind kind);
/* Runs Grid_heat or Grid_neural from the sources. */
typedef GrB_Info (*simulation_call)(GrB_Vector *, uint64_t *, double *, GrB_Matrix, GrB_Vector, double,
                                    double, uint64_t);
GrB_Info simulate_run(job *j, simulation_call call, check_vertex_kind kind, const char *name);
int simulate_report(job *j);
const char *simulate_check(const job *j, const gathered_answer *e, check_vertex_kind kind, char *text,
                           size_t capacity);
#endif
