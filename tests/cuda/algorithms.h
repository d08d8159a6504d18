/* Algorithms of gridblas_algos.h whose steps the device runs. */
#ifndef GRID_CUDA_ALGORITHMS_H
#define GRID_CUDA_ALGORITHMS_H
#include "gridblas_algos.h"
#include "tests/cuda/round_objects.h"

static void algorithm(void) {
  const char *form;
  GrB_Index source[2];
  GrB_Vector v = NULL;
  set_current_call("a graph for the algorithms");
  const GrB_Index n = 1 + draw(small_sizes ? 80 : 1500);
  do draw_graph(&drawn, n, n);
  while (!drawn.mirror);
  GrB_Matrix A = matrix_of(&drawn, GrB_BOOL, NUMBERS, &form);
  source[0] = draw(n), source[1] = draw(n);
  change_device();
  set_current_call("Grid_components, n %llu, %s %s", (unsigned long long)n, drawn.form, form);
  OK(Grid_components(&v, A));
  record_entries("component", EXACT, v, GrB_INT64);
  OK(GrB_Vector_free(&v));
  change_device();
  set_current_call("Grid_betweenness, n %llu, %s %s", (unsigned long long)n, drawn.form, form);
  OK(Grid_betweenness(&v, A, source, 2));
  record_entries("centrality", CLOSE, v, GrB_FP64);
  OK(GrB_Vector_free(&v)), OK(GrB_Matrix_free(&A));
}

static void algorithms(void **state) {
  run_rounds("algorithms", 16, 8, algorithm);
}
#endif
