/* The local entries of a vector, and the gathering of whole vectors on every process and of tuples on process
 * 0. */
#include <stdlib.h>
#include <string.h>

#include "bench/program/graph/tuples.h"

enum { SEGMENT = 1 << 19 }; /* tuples a message */

GrB_Info local_entries(uint64_t **at, void **value, size_t size, uint64_t *count, GrB_Vector v,
                       const char *no_memory) {
  *count = UINT64_MAX; /* any number: they are only counted */
  GrB_Info info = Grid_Vector_extractLocal(NULL, NULL, count, v);
  if (info == GrB_SUCCESS) {
    if (at != NULL) *at = malloc((*count + 1) * sizeof **at);
    if (value != NULL) *value = malloc((*count + 1) * size);
    if ((at != NULL && *at == NULL) || (value != NULL && *value == NULL)) info = GrB_OUT_OF_MEMORY;
  }
  const char *why = info == GrB_OUT_OF_MEMORY ? no_memory : NULL;
  if (info == GrB_SUCCESS)
    info = Grid_Vector_extractLocal(at == NULL ? NULL : *at, value == NULL ? NULL : *value, count, v);
  return Grid_agree(info, why);
}

/* Every process fills its range of the dense array and sends it to the others. */
static int gather(void *dense, size_t size, GrB_Vector v, uint64_t n) {
  GrB_Index range[2], count;
  GrB_Info info = Grid_local_range(n, &range[0], &range[1]);
  GrB_Index *at = malloc((range[1] + 1) * sizeof *at);
  char *value = malloc((range[1] + 1) * size), *local_values = (char *)dense + range[0] * size;

  count = range[1];
  if (info == GrB_SUCCESS)
    info = at == NULL || value == NULL ? GrB_OUT_OF_MEMORY : Grid_Vector_extractLocal(at, value, &count, v);
  if (info == GrB_SUCCESS) {
    memset(local_values, -1, range[1] * size); /* -1 in any size */
    for (uint64_t k = 0; k < count; k++)
      memcpy(local_values + (at[k] - range[0]) * size, value + k * size, size);
  }
  free(at);
  free(value);
  info = Grid_agree(info, NULL);
  for (int root = 0; info == GrB_SUCCESS && Grid_size() > 1 && root < Grid_size(); root++) {
    GrB_Index share[2] = {range[0], range[1]};
    info = Grid_bcast(share, sizeof share, root);
    if (info == GrB_SUCCESS && share[1] > 0)
      info = Grid_bcast((char *)dense + share[0] * size, share[1] * size, root);
  }
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("gathering the answer");
}

int gather_int64(int64_t *dense, GrB_Vector v, uint64_t n) {
  return gather(dense, sizeof *dense, v, n);
}
int gather_int32(int32_t *dense, GrB_Vector v, uint64_t n) {
  return gather(dense, sizeof *dense, v, n);
}
int gather_fp64(double *dense, GrB_Vector v, uint64_t n) {
  return gather(dense, sizeof *dense, v, n); /* all bits set is a NaN */
}

/* The destination of all tuples: arrays of process 0, NULL on the others. */
typedef struct {
  uint64_t *rows, *cols, done;
  double *weights;
} gathered;

/* One process's tuples; the others only take part in the collective calls. */
static GrB_Info collect(gathered *w, int root, tuples *t, uint64_t *segment, bool weighted) {
  GrB_Info info = GrB_SUCCESS;
  bool more = root == Grid_rank() && tuples_next(t);
  uint64_t at = 0,
           number = 0; /* in the current segment of tuples, which may be longer than a message; of all */
  double *weight = (double *)(void *)(segment + 2 * SEGMENT);
  for (;;) {
    uint64_t m = !more ? 0 : t->count - at < SEGMENT ? t->count - at : SEGMENT;
    info = Grid_bcast(&m, sizeof m, root);
    if (info != GrB_SUCCESS || m == 0) return info;
    if (root == Grid_rank()) {
      memcpy(segment, t->rows + at, m * sizeof *segment);
      memcpy(segment + m, t->cols + at, m * sizeof *segment);
      for (uint64_t k = 0; weighted && k < m; k++)
        weight[k] = graph_weight(t->g, number + k, segment[k], segment[m + k]);
      number += m;
      at += m;
      if (at == t->count) at = 0, more = tuples_next(t);
    }
    info = Grid_bcast(segment, 2 * m * sizeof *segment, root);
    if (info == GrB_SUCCESS && weighted) info = Grid_bcast(weight, m * sizeof *weight, root);
    if (info != GrB_SUCCESS) return info;
    if (w->rows != NULL) {
      memcpy(w->rows + w->done, segment, m * sizeof *segment);
      memcpy(w->cols + w->done, segment + m, m * sizeof *segment);
      if (weighted) memcpy(w->weights + w->done, weight, m * sizeof *weight);
    }
    w->done += m;
  }
}

int gather_tuples(uint64_t **rows, uint64_t **cols, double **weights, uint64_t *total, const graph *g) {
  const bool is_root = Grid_rank() == 0, weighted = weights != NULL;
  uint64_t *segment = malloc(3 * SEGMENT * sizeof *segment);
  gathered w = {NULL, NULL, 0, NULL};
  tuples t;
  *total = g->edges.n;
  GrB_Info info = Grid_sum(total, 1);

  if (is_root) {
    w.rows = malloc((*total + 1) * sizeof *w.rows);
    w.cols = malloc((*total + 1) * sizeof *w.cols);
    if (weighted) w.weights = malloc((*total + 1) * sizeof *w.weights);
  }
  const bool allocated =
      segment != NULL && (!is_root || (w.rows != NULL && w.cols != NULL && (!weighted || w.weights != NULL)));
  if (info == GrB_SUCCESS)
    info =
        Grid_agree(allocated ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, "no memory for the whole graph on process 0");
  int status = info == GrB_SUCCESS ? tuples_open(&t, g) : fail_library("gathering the graph");
  for (int root = 0; status == STATUS_OK && root < Grid_size(); root++)
    if (collect(&w, root, &t, segment, weighted) != GrB_SUCCESS) status = fail_library("gathering the graph");
  if (info == GrB_SUCCESS) tuples_close(&t);
  free(segment);
  if (status != STATUS_OK) {
    free(w.rows), free(w.cols), free(w.weights);
    w = (gathered){NULL, NULL, 0, NULL};
  }
  *rows = w.rows, *cols = w.cols;
  if (weighted) *weights = w.weights;
  return status;
}
