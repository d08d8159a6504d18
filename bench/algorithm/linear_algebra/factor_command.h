/* What the commands of factors share (factor_command.c). The answer's matrices: the factors of the rows and
 * of the columns; series: the errors. */
#ifndef GRID_FACTOR_COMMAND_H
#define GRID_FACTOR_COMMAND_H
#include "bench/algorithm/algorithm.h"

/* Room for the errors in j->series. Collective. */
GrB_Info factor_errors(job *j);
int factor_report(job *j);
int factor_write(output *out, const job *j);

/* Factors as dense arrays by rows, NaN where there is no entry; NULL: out of memory. */
typedef struct {
  double *P, *Q;
} dense_factors;
dense_factors factor_arrays(const job *j, const gathered_answer *e);
#endif
