/* Betweenness centrality by Brandes' method, many sources at once: matrices with a row for each.
 *
 * Forward: a breadth-first search that counts shortest paths. paths[d] holds, for the vertices at depth d,
 * the number of shortest paths from the row's source; paths[d] plus.first A adds up those of a vertex's
 * neighbours one level up, and the mask leaves the vertices not seen before: paths[d + 1].
 *
 * Backward, deepest level first: the dependency of a source on v is delta(v) = paths(v) * t(v), with t(v) =
 * sum over the children w of v:  (1 + delta(w)) / paths(w) = 1 / paths(w) + t(w). So a level's t is one
 * product of the level below, masked to the vertices of the level.
 *
 * Path numbers are FP64: exact up to 2^53. Sources: Brandes (2001); in matrix form Kepner and Gilbert (2011),
 * batched Buluc and Gilbert (2011). */
#include <stdlib.h>

#include "algos/algos.h"

typedef struct {
  GrB_Matrix A, back;    /* back: A', which is A where that is symmetric */
  GrB_Matrix transposed; /* back, where it is another matrix */
  GrB_Index n;
  GrB_Semiring plus_first; /* edges count as edges, whatever their values */
  GrB_Vector sum;          /* the centrality so far */
  GrB_Matrix *paths;       /* of each level; alike on all processes */
  GrB_Index levels, room;
} brandes;

static void drop_levels(brandes *b) {
  for (GrB_Index d = 0; d < b->levels; d++) GrB_Matrix_free(&b->paths[d]);
  b->levels = 0;
}

/* A place for one level more. */
static GrB_Info add_level(brandes *b, GrB_Index rows) {
  GrB_Info info = GrB_SUCCESS;
  if (b->levels == b->room) {
    const GrB_Index room = 2 * b->room + 16;
    GrB_Matrix *more = realloc(b->paths, room * sizeof(GrB_Matrix));
    info =
        Grid_agree(more == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "Grid_betweenness: no memory for levels");
    if (more != NULL) b->paths = more;
    if (info == GrB_SUCCESS) b->room = room;
  }
  if (info == GrB_SUCCESS) info = GrB_Matrix_new(&b->paths[b->levels], GrB_FP64, rows, b->n);
  if (info == GrB_SUCCESS) b->levels++;
  return info;
}

/* paths[0 ..] from these sources; the last level is empty and dropped. */
static GrB_Info count_paths(brandes *b, const GrB_Index *sources, GrB_Index ns) {
  GrB_Info info;
  GrB_Matrix seen = NULL;
  GrB_Index found = ns;
  TRY(GrB_Matrix_new(&seen, GrB_BOOL, ns, b->n));
  TRY(add_level(b, ns));
  for (GrB_Index k = 0; k < ns; k++) TRY(GrB_Matrix_setElement_FP64(b->paths[0], 1.0, k, sources[k]));
  for (;;) {
    const GrB_Matrix q = b->paths[b->levels - 1];
    /* seen<q> = true */
    TRY(GrB_Matrix_assign_BOOL(seen, q, NULL, true, GrB_ALL, ns, GrB_ALL, b->n, GrB_DESC_S));
    TRY(add_level(b, ns));
    /* next<!seen> = q plus.first A */
    TRY(GrB_mxm(b->paths[b->levels - 1], seen, NULL, b->plus_first, q, b->A, GrB_DESC_RSC));
    TRY(GrB_Matrix_nvals(&found, b->paths[b->levels - 1]));
    if (found == 0) break;
  }
  GrB_Matrix_free(&b->paths[--b->levels]);
out:
  GrB_Matrix_free(&seen);
  return info;
}

/* sum += the dependencies of these sources. */
static GrB_Info gather_dependencies(brandes *b, GrB_Index ns) {
  GrB_Info info;
  GrB_Matrix w = NULL, t = NULL;
  TRY(GrB_Matrix_new(&w, GrB_FP64, ns, b->n));
  TRY(GrB_Matrix_new(&t, GrB_FP64, ns, b->n));
  /* a source does not lie between itself and another: level 0 is left out */
  for (GrB_Index d = b->levels - 1; d > 1; d--) {
    const GrB_Matrix above = b->paths[d - 1];
    /* w = 1 / paths + t, where t is the level's own */
    TRY(GrB_Matrix_apply(w, NULL, NULL, GrB_MINV_FP64, b->paths[d], NULL));
    TRY(GrB_Matrix_eWiseAdd_BinaryOp(w, NULL, NULL, GrB_PLUS_FP64, w, t, NULL));
    /* t<above, replace> = w plus.first A' */
    TRY(GrB_mxm(t, above, NULL, b->plus_first, w, b->back, GrB_DESC_RS));
    /* sum += column sums of delta = t .* above */
    TRY(GrB_Matrix_eWiseMult_BinaryOp(w, NULL, NULL, GrB_TIMES_FP64, t, above, NULL));
    TRY(GrB_Matrix_reduce_Monoid(b->sum, NULL, GrB_PLUS_FP64, GrB_PLUS_MONOID_FP64, w, GrB_DESC_T0));
  }
out:
  GrB_Matrix_free(&w);
  GrB_Matrix_free(&t);
  return info;
}

static GrB_Info prepare(brandes *b) {
  GrB_Info info;
  Grid_Storage storage;
  /* each process makes its own semiring, so one alone may fail */
  TRY(Grid_agree(GrB_Semiring_new(&b->plus_first, GrB_PLUS_MONOID_FP64, GrB_FIRST_FP64), NULL));
  TRY(Grid_Matrix_storage(&storage, b->A));
  b->back = b->A;
  if (!storage.symmetric) {
    TRY(GrB_Matrix_new(&b->transposed, GrB_BOOL, b->n, b->n));
    TRY(GrB_transpose(b->transposed, NULL, NULL, b->A, NULL));
    b->back = b->transposed;
  }
  TRY(GrB_Vector_new(&b->sum, GrB_FP64, b->n));
  TRY(GrB_Vector_assign_FP64(b->sum, NULL, NULL, 0.0, GrB_ALL, b->n, NULL));
out:
  return info;
}

/* So many that the rows of a batch have no more than 2^26 entries. */
static GrB_Index batch_of(GrB_Index n) {
  const GrB_Index most = (GrB_Index)1 << 26;
  return n > most / 4 ? 4 : n < most / 64 ? 64 : most / n;
}

GrB_Info Grid_betweenness(GrB_Vector *centrality, GrB_Matrix A, const GrB_Index *sources,
                          GrB_Index nsources) {
  brandes b = {.A = A};
  GrB_Info info;

  if (centrality == NULL || (sources == NULL && nsources > 0))
    return Grid_agree(GrB_NULL_POINTER, "Grid_betweenness: sources or the output is NULL");
  TRY(square_size(&b.n, A, "Grid_betweenness"));
  for (GrB_Index k = 0; k < nsources; k++)
    if (sources[k] >= b.n)
      return Grid_agree(GrB_INVALID_INDEX, "Grid_betweenness: a source is not a vertex of A");
  TRY(prepare(&b));
  for (GrB_Index k = 0, batch = batch_of(b.n); k < nsources; k += batch) {
    const GrB_Index ns = nsources - k < batch ? nsources - k : batch;
    TRY(count_paths(&b, sources + k, ns));
    TRY(gather_dependencies(&b, ns));
    drop_levels(&b);
  }
  *centrality = b.sum, b.sum = NULL;

out:
  drop_levels(&b);
  free(b.paths);
  GrB_Semiring_free(&b.plus_first);
  GrB_Matrix_free(&b.transposed);
  GrB_Vector_free(&b.sum);
  return info;
}
