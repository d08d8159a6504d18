/* What the commands of eigenvalues, singular values and spectral embeddings share (spectrum_command.c). The
 * answer's series has the values, count[0] the iterations, count[1] the number of values, number[0] the
 * residual. */
#ifndef GRID_SPECTRUM_COMMAND_H
#define GRID_SPECTRUM_COMMAND_H
#include "bench/algorithm/algorithm.h"
#include "bench/check/linear_algebra/check_eigenpairs.h"

#define SPECTRUM_OPTIONS \
  (OPT_CHECKPOINTS | OPT_ANSWER | OPT_ONES | OPT_PAIRS | OPT_RESIDUAL | OPT_ITERATIONS | OPT_SEED)

/* The number of values: --k, at most `most`. */
int64_t spectrum_count(const job *j, uint64_t most);
/* Moves the values into j->series. Collective. */
GrB_Info spectrum_take(job *j, GrB_Vector *values, GrB_Info info);
/* name: of a value. */
int spectrum_report(job *j, const char *name);
/* V and U (or NULL): the vectors and the left ones. */
const char *spectrum_check(const job *j, const gathered_answer *e, const triples *V, const triples *U,
                           char *text, size_t capacity);
#endif
