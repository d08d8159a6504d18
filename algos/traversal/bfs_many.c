/* Breadth-first search from many vertices at once: matrices with a column for each. A level is one masked
 * product of the graph with the frontiers, which reads an edge once for many of them. Sources: Buluc and
 * Gilbert, The Combinatorial BLAS (2011); Then et al., The more the merrier (2014). */
#include "algos/traversal/bfs_many.h"

#include "algos/checkpoints/resume_matrix.h"

/* The smallest type that holds this depth. */
static GrB_Type level_type(int64_t depth) {
  return depth <= INT8_MAX ? GrB_INT8 : depth <= INT16_MAX ? GrB_INT16 : GrB_INT32;
}

/* Before the level that does not fit their type, *found is converted to a wider one. */
static GrB_Info widen(GrB_Matrix *found, int64_t depth) {
  GrB_Matrix wider = NULL;
  GrB_Index n, count;
  GrB_Info info = GrB_SUCCESS;
  const GrB_Type type = level_type(depth);
  if (type == level_type(depth - 1)) return info;
  TRY(GrB_Matrix_nrows(&n, *found));
  TRY(GrB_Matrix_ncols(&count, *found));
  TRY(GrB_Matrix_new(&wider, type, n, count));
  TRY(GrB_Matrix_apply(wider, NULL, NULL, type == GrB_INT16 ? GrB_IDENTITY_INT16 : GrB_IDENTITY_INT32, *found,
                       NULL));
  TRY(GrB_Matrix_free(found));
  *found = wider, wider = NULL;
out:
  GrB_Matrix_free(&wider);
  return info;
}

/* The levels found, and the frontiers: those of the last level. */
typedef struct {
  GrB_Matrix found, q;
  GrB_Index n, nsources;
} searches;

static void list_matrices(checkpoint_matrix m[2], const searches *s, int64_t depth) {
  m[0] = (checkpoint_matrix){.name = "level", .M = s->found, .type = level_type(depth)};
  m[1] = (checkpoint_matrix){.name = "frontier", .M = s->q};
}

/* The state after *depth levels: 0, or those of a checkpoint. */
static GrB_Info start(searches *s, uint64_t *depth, const checkpoint_key *c, const GrB_Index *sources) {
  GrB_Info info;
  checkpoint_matrix m[2];
  *depth = 0;
  TRY(grid_checkpoint_resume(depth, c, NULL, 0)); /* by which the levels have their type */
  TRY(GrB_Matrix_new(&s->q, GrB_BOOL, s->n, s->nsources));
  TRY(GrB_Matrix_new(&s->found, level_type((int64_t)*depth), s->n, s->nsources));
  if (*depth > 0) {
    list_matrices(m, s, (int64_t)*depth);
    return grid_checkpoint_resume_matrices(depth, c, NULL, 0, m, 2);
  }
  /* q(source k, k) = true, level(source k, k) = 0 */
  for (GrB_Index k = 0; k < s->nsources; k++) {
    TRY(GrB_Matrix_setElement_BOOL(s->q, true, sources[k], k));
    TRY(GrB_Matrix_setElement_INT32(s->found, 0, sources[k], k));
  }
out:
  return info;
}

/* The next level, `depth`; *nq: how many vertices it has, in all searches. */
static GrB_Info search_level(searches *s, GrB_Index *nq, GrB_Matrix A, int64_t depth) {
  GrB_Info info;
  /* q<!level, replace> = A^T any.oneb q */
  TRY(GrB_mxm(s->q, s->found, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, A, s->q, GrB_DESC_RSCT0));
  TRY(GrB_Matrix_nvals(nq, s->q));
  if (*nq == 0) goto out;
  TRY(widen(&s->found, depth));
  /* level<q> = depth */
  TRY(GrB_Matrix_assign_INT32(s->found, s->q, NULL, (int32_t)depth, GrB_ALL, s->n, GrB_ALL, s->nsources,
                              GrB_DESC_S));
out:
  return info;
}

GrB_Info Grid_bfs_many(GrB_Matrix *level, GrB_Matrix A, const GrB_Index *sources, GrB_Index nsources,
                       int64_t limit) {
  SPAN;
  searches s = {.nsources = nsources};
  checkpoint_key c;
  checkpoint_matrix m[2];
  GrB_Index nq;
  uint64_t depth;
  GrB_Info info;

  if (level == NULL || sources == NULL)
    return Grid_agree(GrB_NULL_POINTER, "Grid_bfs_many: sources or the output is NULL");
  TRY(square_size(&s.n, A, "Grid_bfs_many"));
  if (nsources == 0) return Grid_agree(GrB_INVALID_VALUE, "Grid_bfs_many: nsources is 0, not 1 or more");
  TRY(check_sources(sources, nsources, s.n, "Grid_bfs_many"));

  TRY(grid_checkpoint_key_make(&c, "bfs_many", A, s.n));
  c.key[3] = nsources, c.key[4] = grid_key_of_indices(sources, nsources), c.key[5] = (uint64_t)limit;
  TRY(start(&s, &depth, &c, sources));
  while (limit < 0 || (int64_t)depth < limit) {
    TRY(search_level(&s, &nq, A, (int64_t)depth + 1));
    if (nq == 0) break;
    list_matrices(m, &s, (int64_t)++depth);
    TRY(grid_checkpoint_iteration_matrices(depth, &c, NULL, 0, m, 2));
  }
  *level = s.found, s.found = NULL;

out:
  GrB_Matrix_free(&s.q);
  GrB_Matrix_free(&s.found);
  return info;
}

GrB_Info grid_bfs_many_step(GrB_Matrix *level, GrB_Matrix A, const GrB_Index *sources, GrB_Index nsources) {
  grid_checkpoint_suspend(true);
  const GrB_Info info = Grid_bfs_many(level, A, sources, nsources, -1);
  grid_checkpoint_suspend(false);
  return info;
}
