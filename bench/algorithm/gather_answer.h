/* The answer of an algorithm as arrays of one process, for its check and its picture. */
#ifndef GRID_GATHER_ANSWER_H
#define GRID_GATHER_ANSWER_H
#include "bench/algorithm/algorithm.h"

/* The answer's vectors into e->value, on process 0 only. Collective. Returns a status. */
int gather_answer_vectors(gathered_answer *e, const job *j);
/* What `prepare` made, likewise. */
int gather_inputs(gathered_answer *e, const job *j);
/* The entries of one of its matrices, on every process. Collective. Returns a status. */
int gather_answer_matrix(triples *e, GrB_Matrix A);
void gathered_answer_free(gathered_answer *e);
#endif
