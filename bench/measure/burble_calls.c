/* burble_calls: one small call many times, for bench/burble.sh, which counts instructions: burble_calls CALL
 * ROUNDS. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gridblas.h"

enum { N = 64 };
static GrB_Vector u, w;
static GrB_Matrix A;

static GrB_Info apply(void) {
  return GrB_apply(w, NULL, NULL, GrB_AINV_INT64, u, NULL);
}
static GrB_Info assign(void) {
  return GrB_assign(w, NULL, NULL, u, GrB_ALL, N, NULL);
}
static GrB_Info add(void) {
  return GrB_eWiseAdd(w, NULL, NULL, GrB_PLUS_INT64, u, u, NULL);
}
static GrB_Info reduce(void) {
  int64_t sum = 0;
  return GrB_reduce(&sum, NULL, GrB_PLUS_MONOID_INT64, u, NULL);
}
static GrB_Info product(void) {
  return GrB_vxm(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, u, A, NULL);
}
static GrB_Info span(void) {
  Grid_span_begin("span");
  Grid_span_end();
  return GrB_SUCCESS;
}

static const struct {
  const char *name;
  GrB_Info (*once)(void);
} calls[] = {{"apply", apply},   {"assign", assign}, {"eWiseAdd", add},
             {"reduce", reduce}, {"vxm", product},   {"span", span}};

static GrB_Info make(void) {
  GrB_Info info = GrB_Vector_new(&u, GrB_INT64, N);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&w, GrB_INT64, N);
  if (info == GrB_SUCCESS) info = GrB_Matrix_new(&A, GrB_INT64, N, N);
  for (GrB_Index k = 0; info == GrB_SUCCESS && k < N; k++) {
    info = GrB_Vector_setElement(u, (int64_t)k, k);
    if (info == GrB_SUCCESS) info = GrB_Matrix_setElement(A, 1, k, (k + 1) % N);
  }
  return info;
}

int main(int argc, char **argv) {
  const long rounds = argc == 3 ? strtol(argv[2], NULL, 10) : 0;
  const int n = sizeof calls / sizeof *calls;
  int which = 0;
  while (which < n && rounds > 0 && strcmp(calls[which].name, argv[1]) != 0) which++;
  if (rounds <= 0 || which == n) {
    fprintf(stderr, "usage: burble_calls apply|assign|eWiseAdd|reduce|vxm|span ROUNDS\n");
    return 2;
  }
  GrB_Info info = GrB_init(GrB_BLOCKING);
  if (info == GrB_SUCCESS) info = make();
  for (long k = 0; info == GrB_SUCCESS && k < rounds; k++) info = calls[which].once();
  if (info != GrB_SUCCESS) fprintf(stderr, "burble_calls: %s: %s\n", argv[1], Grid_last_error());
  GrB_free(&u);
  GrB_free(&w);
  GrB_free(&A);
  return GrB_finalize() != GrB_SUCCESS || info != GrB_SUCCESS;
}
