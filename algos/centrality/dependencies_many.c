/* The dependencies of many sources: the steps of dependencies.c with matrices that have a column for each
 * source, so that a product reads an edge once for many of them.
 *
 * On a GPU a call costs several launches whatever it computes, and a search of one source has some fifty
 * short calls. On the CPU a product with a vector chooses its direction at each level, and one source at a
 * time is faster. On several processes vectors are distributed over all of them. */
#include "algos/centrality/dependencies_many.h"

#include <stdlib.h>

/* The fewest sources that are worth matrices, and about how many entries a matrix has. */
enum { LEAST = 16, ENTRIES = 1 << 23 };

GrB_Index grid_dependencies_batch(const dependencies *b) {
  const GrB_Index batch = ENTRIES / (b->n + 1);
  if (Grid_device() == Grid_CPU || Grid_size() > 1 || batch < LEAST) return 1;
  return batch < DEPENDENCIES_MOST ? batch : DEPENDENCIES_MOST;
}

typedef struct {
  const dependencies *b;
  GrB_Index ncols;
  GrB_Matrix *paths;         /* n x ncols, FP64: [d] of the vertices at depth d */
  GrB_Index count, capacity; /* of paths */
  GrB_Matrix seen, t;        /* as those of dependencies, n x ncols */
} columns;

static void free_columns(columns *c) {
  while (c->count > 0) GrB_Matrix_free(&c->paths[--c->count]);
  free(c->paths);
  GrB_Matrix_free(&c->seen);
  GrB_Matrix_free(&c->t);
}

/* Appends an empty level. */
static GrB_Info add_level(columns *c) {
  GrB_Info info = GrB_SUCCESS;
  if (c->count == c->capacity) {
    const GrB_Index capacity = 2 * c->capacity + 16;
    GrB_Matrix *more = realloc(c->paths, capacity * sizeof(GrB_Matrix));
    info = Grid_agree(more == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for the levels of searches");
    if (more != NULL) c->paths = more;
    if (info == GrB_SUCCESS) c->capacity = capacity;
  }
  TRY(info);
  TRY(GrB_Matrix_new(&c->paths[c->count], GrB_FP64, c->b->n, c->ncols));
  c->count++;
out:
  return info;
}

/* The forward phase: paths of all levels; the last one is empty. */
static GrB_Info count_paths(columns *c, const GrB_Index *sources) {
  GrB_Info info;
  GrB_Index found = 1;
  TRY(GrB_Matrix_new(&c->seen, GrB_BOOL, c->b->n, c->ncols));
  TRY(add_level(c));
  for (GrB_Index k = 0; k < c->ncols; k++) TRY(GrB_Matrix_setElement_FP64(c->paths[0], 1.0, sources[k], k));
  while (found > 0) {
    TRY(add_level(c));
    const GrB_Matrix q = c->paths[c->count - 2], next = c->paths[c->count - 1];
    /* seen<q> = true; next<!seen> = A^T plus.second q */
    TRY(GrB_Matrix_assign_BOOL(c->seen, q, NULL, true, GrB_ALL, c->b->n, GrB_ALL, c->ncols, GrB_DESC_S));
    TRY(GrB_mxm(next, c->seen, NULL, c->b->plus_second, c->b->A, q, GrB_DESC_RSCT0));
    TRY(GrB_Matrix_nvals(&found, next));
  }
out:
  return info;
}

/* sum += the row sums of delta = t .* paths, squares += those of its squares. */
static GrB_Info add_rows(GrB_Vector sum, GrB_Vector squares, GrB_Matrix delta, GrB_Matrix t,
                         GrB_Matrix paths) {
  GrB_Info info;
  TRY(GrB_Matrix_eWiseMult_BinaryOp(delta, NULL, NULL, GrB_TIMES_FP64, t, paths, NULL));
  TRY(GrB_Matrix_reduce_Monoid(sum, NULL, GrB_PLUS_FP64, GrB_PLUS_MONOID_FP64, delta, NULL));
  if (squares == NULL) goto out;
  TRY(GrB_Matrix_eWiseMult_BinaryOp(delta, NULL, NULL, GrB_TIMES_FP64, delta, delta, NULL));
  TRY(GrB_Matrix_reduce_Monoid(squares, NULL, GrB_PLUS_FP64, GrB_PLUS_MONOID_FP64, delta, NULL));
out:
  return info;
}

/* The backward phase. */
static GrB_Info add_up(columns *c, GrB_Vector sum, GrB_Vector squares) {
  GrB_Info info;
  GrB_Matrix delta = NULL;
  TRY(GrB_Matrix_new(&c->t, GrB_FP64, c->b->n, c->ncols));
  TRY(GrB_Matrix_new(&delta, GrB_FP64, c->b->n, c->ncols));
  for (GrB_Index d = c->count - 2; d > 1; d--) {
    const GrB_Matrix above = c->paths[d - 1];
    /* t += 1 / paths; t<above, replace> = A plus.second t */
    TRY(GrB_Matrix_apply(c->t, NULL, GrB_PLUS_FP64, GrB_MINV_FP64, c->paths[d], NULL));
    TRY(GrB_mxm(c->t, above, NULL, c->b->plus_second, c->b->A, c->t, GrB_DESC_RS));
    TRY(add_rows(sum, squares, delta, c->t, above));
  }
out:
  GrB_Matrix_free(&delta);
  return info;
}

GrB_Info grid_add_dependencies_many(dependencies *b, GrB_Vector sum, GrB_Vector squares,
                                    const GrB_Index *sources, GrB_Index nsources) {
  columns c = {.b = b, .ncols = nsources};
  GrB_Info info;
  if (nsources == 1) return grid_add_dependencies(b, sum, squares, *sources);
  TRY(count_paths(&c, sources));
  TRY(add_up(&c, sum, squares));
out:
  free_columns(&c);
  return info;
}
