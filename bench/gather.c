/* From every process's share to the whole: vectors on every process, tuples on process 0. */
#include <stdlib.h>
#include <string.h>

#include "bench/program.h"

enum { PIECE = 1 << 20 }; /* tuples a message */

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

/* One array of each process after the other into `all`, which only process 0 has; the others let the pieces
 * pass. */
static GrB_Info collect(uint64_t *all, const uint64_t *mine, uint64_t n, uint64_t *piece) {
  GrB_Info info = GrB_SUCCESS;
  for (int root = 0; info == GrB_SUCCESS && root < Grid_size(); root++) {
    uint64_t count = n;
    info = Grid_bcast(&count, sizeof count, root);
    for (uint64_t done = 0; info == GrB_SUCCESS && done < count; done += PIECE) {
      const uint64_t m = count - done < PIECE ? count - done : PIECE;
      if (root == Grid_rank()) memcpy(piece, mine + done, m * sizeof *piece);
      info = Grid_bcast(piece, m * sizeof *piece, root);
      if (all != NULL) memcpy(all + done, piece, m * sizeof *piece);
    }
    if (all != NULL) all += count;
  }
  return info;
}

int gather_tuples(uint64_t **rows, uint64_t **cols, uint64_t *total, const graph *g) {
  const Grid_Edges *e = &g->edges;
  const bool mine = Grid_rank() == 0;
  uint64_t *piece = malloc(PIECE * sizeof *piece);
  *total = e->n;
  GrB_Info info = Grid_sum(total, 1);

  *rows = mine ? malloc((*total + 1) * sizeof **rows) : NULL;
  *cols = mine ? malloc((*total + 1) * sizeof **cols) : NULL;
  const bool room = piece != NULL && (!mine || (*rows != NULL && *cols != NULL));
  if (info == GrB_SUCCESS)
    info = Grid_agree(room ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, "no memory for the whole graph on process 0");
  if (info == GrB_SUCCESS) info = collect(*rows, e->rows, e->n, piece);
  if (info == GrB_SUCCESS) info = collect(*cols, e->cols, e->n, piece);
  free(piece);
  if (info == GrB_SUCCESS) return STATUS_OK;
  free(*rows);
  free(*cols);
  *rows = *cols = NULL;
  return fail_library("gathering the graph");
}
