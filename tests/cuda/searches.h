/* Grid_bfs against true levels, and without a step on the CPU. */
#ifndef GRID_CUDA_SEARCHES_H
#define GRID_CUDA_SEARCHES_H
#include "gridblas_algos.h"
#include "tests/cuda/round_objects.h"

/* Grid_bfs against itself on the other side and against true levels. */
static void search(void) {
  const char *form;
  GrB_Matrix A = draw_search_graph(&form);
  for (int k = 0; k < 3; k++) {
    const GrB_Index source = draw_one_in(2) && drawn.n ? drawn.at[draw(drawn.n)].row : draw(drawn.nrows);
    const int64_t limit = draw_one_in(2) ? -1 : (int64_t)draw(6);
    const bool want_level = !draw_one_in(3), want_parent = !want_level || draw_one_in(2);
    GrB_Vector level = NULL, parent = NULL;
    int64_t wrong = 0;
    change_device();
    set_current_call("Grid_bfs, n %llu, %s%s %s, %llu edges, source %llu, limit %d%s%s",
                     (unsigned long long)drawn.nrows, drawn.form, drawn.mirror ? " mirrored" : "", form,
                     (unsigned long long)drawn.n, (unsigned long long)source, (int)limit,
                     want_level ? ", level" : "", want_parent ? ", parent" : "");
    true_levels(true_level, &drawn, source, limit);
    const family f = {.g = &drawn, .level = true_level};
    OK(Grid_bfs(want_level ? &level : NULL, want_parent ? &parent : NULL, A, source, limit));
    if (want_level) {
      const record *l = record_entries("level", EXACT, level, GrB_INT32);
      for (uint64_t e = 0; e < l->n; e++)
        wrong += ((const int32_t *)(const void *)l->val)[e] != true_level[l->at[e]];
      record_number("levels that are not the true ones", wrong);
      if (wrong) errors++;
    }
    if (want_parent) record_parents("parent", parent, GrB_INT64, &f);
    OK(GrB_Vector_free(&level)), OK(GrB_Vector_free(&parent));
  }
  OK(GrB_Matrix_free(&A));
}

static void searches(void **state) {
  run_rounds("searches", 80, 10, search);
}

static void run_on_both_sides(void **state) {
  const char *form, *text;
  GrB_Vector level = NULL, parent = NULL;
  uint64_t count;
  if (cpu_only || Grid_size() > 1) skip(); /* several processes may do some of the work on the host */
  set_current_call("a search on the device");
  errors = 0, side = 1;
  assert_int_equal(to_device(Grid_CUDA), GrB_SUCCESS);
  rmat_graph(&drawn, 10, 16, 3);
  seed = 1;
  GrB_Matrix A = matrix_of(&drawn, GrB_BOOL, NUMBERS, &form);
  assert_int_equal(GrB_Matrix_wait(A, GrB_MATERIALIZE), GrB_SUCCESS);
  grid_fallback_reset();
  OK(Grid_bfs(&level, &parent, A, drawn.at[0].row, -1));
  assert_int_equal(GrB_Vector_wait(level, GrB_MATERIALIZE), GrB_SUCCESS);
  assert_int_equal(GrB_Vector_wait(parent, GrB_MATERIALIZE), GrB_SUCCESS);
  for (int k = 0; (text = Grid_fallback(k, &count)); k++)
    print_message("the CPU did %llu times: %s\n", (unsigned long long)count, text), errors++;
  OK(GrB_Vector_free(&level)), OK(GrB_Vector_free(&parent)), OK(GrB_Matrix_free(&A));
  free_records(1);
  assert_int_equal(errors, 0);
}
#endif
