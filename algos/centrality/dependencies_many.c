/* The dependencies of many sources: the steps of dependencies.c with matrices that have a column for each
 * source, so that a product reads an edge once for many of them.
 *
 * On a GPU a call costs several launches whatever it computes, and a search of one source has some fifty
 * short calls. On the CPU a product with a vector chooses its direction at each level, and one source at a
 * time is faster. On several processes vectors are distributed over all of them. */
#include "algos/centrality/dependencies_many.h"

#include <stdlib.h>

/* About how many entries a matrix has, and the fewest columns that are worth matrices in place of vectors. On
 * an H200 16 sources of rmat:18 take 19.4 ms with matrices and 17.7 with vectors, 64 sources 50 and 70. */
enum { ENTRIES = 1 << 24, LEAST = 32 };

/* Searches from several sources, of which each has a column:
 *
 *   TRY(sources_count_paths(&s, &b, sources, nsources));
 *   for (GrB_Index d = s.count - 1; d > 0; d--) {
 *     TRY(sources_add_path_ends(&s, d));  now s.t is that of level d
 *     TRY(sources_climb(&s, d));          now s.t * s.paths[d - 1] are the dependencies on level d - 1
 *   }
 *   sources_free(&s);  also after a failure */
typedef struct {
  const dependencies *b;
  GrB_Index ncols;
  GrB_Matrix *paths;         /* n x ncols, FP64: [d] of the vertices at depth d */
  GrB_Index count, capacity; /* of paths */
  GrB_Matrix all;            /* ... of all levels */
  GrB_Matrix t;              /* as that of dependencies, n x ncols */
} source_columns;

GrB_Index grid_dependencies_batch(const dependencies *b, GrB_Index left) {
  const GrB_Index fitting = ENTRIES / (b->n + 1) + 1,
                  most = fitting < DEPENDENCIES_MOST ? fitting : DEPENDENCIES_MOST,
                  batch = left < most ? left : most;
  return is_on_one_gpu() && batch >= LEAST ? batch : 1;
}

static void sources_free(source_columns *s) {
  while (s->count > 0) GrB_Matrix_free(&s->paths[--s->count]);
  free(s->paths);
  GrB_Matrix_free(&s->all);
  GrB_Matrix_free(&s->t);
}

/* Appends an empty level. */
static GrB_Info add_level(source_columns *s) {
  GrB_Info info = GrB_SUCCESS;
  if (s->count == s->capacity) {
    const GrB_Index capacity = 2 * s->capacity + 16;
    GrB_Matrix *more = realloc(s->paths, capacity * sizeof(GrB_Matrix));
    info = Grid_agree(more == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for the levels of searches");
    if (more != NULL) s->paths = more;
    if (info == GrB_SUCCESS) s->capacity = capacity;
  }
  TRY(info);
  TRY(GrB_Matrix_new(&s->paths[s->count], GrB_FP64, s->b->n, s->ncols));
  s->count++;
out:
  return info;
}

static GrB_Info sources_count_paths(source_columns *s, const dependencies *b, const GrB_Index *sources,
                                    GrB_Index nsources) {
  GrB_Info info;
  GrB_Index found = nsources;
  *s = (source_columns){.b = b, .ncols = nsources};
  TRY(GrB_Matrix_new(&s->all, GrB_FP64, b->n, nsources));
  TRY(GrB_Matrix_new(&s->t, GrB_FP64, b->n, nsources));
  TRY(add_level(s));
  for (GrB_Index k = 0; k < nsources; k++) TRY(GrB_Matrix_setElement_FP64(s->paths[0], 1.0, sources[k], k));
  while (found > 0) {
    TRY(add_level(s));
    const GrB_Matrix q = s->paths[s->count - 2], next = s->paths[s->count - 1];
    /* all += q, of other vertices; next<!all> = A^T plus.second q */
    TRY(GrB_Matrix_eWiseAdd_BinaryOp(s->all, NULL, NULL, GrB_PLUS_FP64, s->all, q, NULL));
    TRY(GrB_mxm(next, s->all, NULL, b->plus_second, b->A, q, GrB_DESC_RSCT0));
    TRY(GrB_Matrix_nvals(&found, next));
  }
  TRY(GrB_Matrix_free(&s->paths[--s->count])); /* the empty one */
out:
  return info;
}

static GrB_Info sources_add_path_ends(source_columns *s, GrB_Index d) {
  return GrB_Matrix_apply(s->t, NULL, GrB_PLUS_FP64, GrB_MINV_FP64, s->paths[d], NULL);
}

static GrB_Info sources_climb(source_columns *s, GrB_Index d) {
  return GrB_mxm(s->t, s->paths[d - 1], NULL, s->b->plus_second, s->b->A, s->t, GrB_DESC_RS);
}

/* sum += the row sums of delta = t .* paths, squares += those of its squares; t is replaced. */
static GrB_Info add_rows(GrB_Vector sum, GrB_Vector squares, GrB_Matrix t, GrB_Matrix paths) {
  GrB_Info info;
  TRY(GrB_Matrix_eWiseMult_BinaryOp(t, NULL, NULL, GrB_TIMES_FP64, t, paths, NULL));
  TRY(GrB_Matrix_reduce_Monoid(sum, NULL, GrB_PLUS_FP64, GrB_PLUS_MONOID_FP64, t, NULL));
  if (squares == NULL) goto out;
  TRY(GrB_Matrix_eWiseMult_BinaryOp(t, NULL, NULL, GrB_TIMES_FP64, t, t, NULL));
  TRY(GrB_Matrix_reduce_Monoid(squares, NULL, GrB_PLUS_FP64, GrB_PLUS_MONOID_FP64, t, NULL));
out:
  return info;
}

GrB_Info grid_add_dependencies_many(dependencies *b, GrB_Vector sum, GrB_Vector squares,
                                    const GrB_Index *sources, GrB_Index nsources) {
  source_columns s = {.count = 0};
  GrB_Matrix t = NULL; /* of all levels but the sources' own */
  GrB_Info info;
  if (nsources == 1) return grid_add_dependencies(b, sum, squares, *sources);
  TRY(sources_count_paths(&s, b, sources, nsources));
  TRY(GrB_Matrix_new(&t, GrB_FP64, b->n, nsources));
  for (GrB_Index d = s.count - 1; d > 1; d--) {
    TRY(sources_add_path_ends(&s, d));
    TRY(sources_climb(&s, d));
    TRY(GrB_Matrix_eWiseAdd_BinaryOp(t, NULL, NULL, GrB_PLUS_FP64, t, s.t, NULL));
  }
  TRY(add_rows(sum, squares, t, s.all));
out:
  sources_free(&s);
  GrB_Matrix_free(&t);
  return info;
}

GrB_Info grid_add_edge_dependencies(GrB_Matrix sum, const dependencies *b, const GrB_Index *sources,
                                    GrB_Index nsources) {
  source_columns s;
  GrB_Info info;
  TRY(sources_count_paths(&s, b, sources, nsources));
  for (GrB_Index d = s.count - 1; d > 0; d--) {
    TRY(sources_add_path_ends(&s, d));
    /* sum<A> += paths t' */
    TRY(GrB_mxm(sum, b->A, GrB_PLUS_FP64, GrB_PLUS_TIMES_SEMIRING_FP64, s.paths[d - 1], s.t, GrB_DESC_ST1));
    if (d > 1) TRY(sources_climb(&s, d));
  }
out:
  sources_free(&s);
  return info;
}
