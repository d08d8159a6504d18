/* One way to call every algorithm: algorithm_calls.awk makes such calls of the declarations in
 * gridblas_algos.h. The twins (tests/twin/twin_algorithms.c) and the rows of bench/ops (rows_algorithms.c)
 * use them for all algorithms that they do not call themselves. The file that includes this one has included
 * GraphBLAS.h, ours or the peer's. */
#ifndef GRID_ALGORITHM_CALL_H
#define GRID_ALGORITHM_CALL_H

/* Arguments. Those that are not here have one value by their name, which algorithm_calls.awk lists. */
typedef struct {
  GrB_Matrix A;
  GrB_Vector start; /* FP64: first states, fixed values */
  GrB_Index source;
  const GrB_Index *sources;
  GrB_Index nsources;
  uint64_t iterations;
} algorithm_input;

enum { ALGORITHM_OUTPUTS = 4 };
/* Outputs, by their types in the order of the parameters. */
typedef struct {
  GrB_Vector vector[ALGORITHM_OUTPUTS];
  GrB_Matrix matrix[ALGORITHM_OUTPUTS];
  uint64_t count[ALGORITHM_OUTPUTS];
  int64_t integer[ALGORITHM_OUTPUTS];
  double number[ALGORITHM_OUTPUTS];
  bool flag[ALGORITHM_OUTPUTS];
} algorithm_output;

typedef GrB_Info algorithm_call(algorithm_output *out, const algorithm_input *in);

static inline void algorithm_output_free(algorithm_output *out) {
  for (int k = 0; k < ALGORITHM_OUTPUTS; k++) {
    GrB_Vector_free(&out->vector[k]);
    GrB_Matrix_free(&out->matrix[k]);
  }
}
#endif
