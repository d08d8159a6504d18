/* What each process has of a vector, and from there to the whole: vectors on every process, tuples on process
 * 0. */
#include <stdlib.h>
#include <string.h>

#include "bench/tuples.h"

enum { PIECE = 1 << 19 }; /* tuples a message */

GrB_Info own_entries(uint64_t **at, void **value, size_t size, uint64_t *count, GrB_Vector v,
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

/* Every process fills its own share of the dense array and sends it to the others. */
static int gather(void *dense, size_t size, GrB_Vector v, uint64_t n) {
  GrB_Index own[2], count;
  GrB_Info info = Grid_share(n, &own[0], &own[1]);
  GrB_Index *at = malloc((own[1] + 1) * sizeof *at);
  char *value = malloc((own[1] + 1) * size), *here = (char *)dense + own[0] * size;

  count = own[1];
  if (info == GrB_SUCCESS)
    info = at == NULL || value == NULL ? GrB_OUT_OF_MEMORY : Grid_Vector_extractLocal(at, value, &count, v);
  if (info == GrB_SUCCESS) {
    memset(here, -1, own[1] * size); /* -1 in any size */
    for (uint64_t k = 0; k < count; k++) memcpy(here + (at[k] - own[0]) * size, value + k * size, size);
  }
  free(at);
  free(value);
  info = Grid_agree(info, NULL);
  for (int root = 0; info == GrB_SUCCESS && Grid_size() > 1 && root < Grid_size(); root++) {
    GrB_Index share[2] = {own[0], own[1]};
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

/* One process's tuples into rows and cols, which only process 0 has; the others let the pieces pass. */
static GrB_Info collect(uint64_t *rows, uint64_t *cols, uint64_t *done, int root, tuples *t,
                        uint64_t *piece) {
  GrB_Info info = GrB_SUCCESS;
  bool more = root == Grid_rank() && tuples_next(t);
  uint64_t at = 0; /* in the piece of tuples at hand, which may be longer than a message */
  for (;;) {
    uint64_t m = !more ? 0 : t->count - at < PIECE ? t->count - at : PIECE;
    info = Grid_bcast(&m, sizeof m, root);
    if (info != GrB_SUCCESS || m == 0) return info;
    if (root == Grid_rank()) {
      memcpy(piece, t->rows + at, m * sizeof *piece);
      memcpy(piece + m, t->cols + at, m * sizeof *piece);
      at += m;
      if (at == t->count) at = 0, more = tuples_next(t);
    }
    info = Grid_bcast(piece, 2 * m * sizeof *piece, root);
    if (info != GrB_SUCCESS) return info;
    if (rows != NULL) {
      memcpy(rows + *done, piece, m * sizeof *piece);
      memcpy(cols + *done, piece + m, m * sizeof *piece);
    }
    *done += m;
  }
}

int gather_tuples(uint64_t **rows, uint64_t **cols, uint64_t *total, const graph *g) {
  const bool mine = Grid_rank() == 0;
  uint64_t *piece = malloc(2 * PIECE * sizeof *piece), done = 0;
  tuples t;
  *total = g->edges.n;
  GrB_Info info = Grid_sum(total, 1);

  *rows = mine ? malloc((*total + 1) * sizeof **rows) : NULL;
  *cols = mine ? malloc((*total + 1) * sizeof **cols) : NULL;
  const bool room = piece != NULL && (!mine || (*rows != NULL && *cols != NULL));
  if (info == GrB_SUCCESS)
    info = Grid_agree(room ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, "no memory for the whole graph on process 0");
  int status = info == GrB_SUCCESS ? tuples_open(&t, g) : fail_library("gathering the graph");
  for (int root = 0; status == STATUS_OK && root < Grid_size(); root++)
    if (collect(*rows, *cols, &done, root, &t, piece) != GrB_SUCCESS)
      status = fail_library("gathering the graph");
  if (info == GrB_SUCCESS) tuples_close(&t);
  free(piece);
  if (status == STATUS_OK) return status;
  free(*rows);
  free(*cols);
  *rows = *cols = NULL;
  return status;
}
