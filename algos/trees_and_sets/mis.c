/* A maximal independent set by Luby's method, with hashed scores in place of random ones.
 *
 * Every vertex has a score, a hash of its number; no two are equal. In each round the vertices whose score
 * exceeds those of all undecided neighbors join the set, and their neighbors are excluded. So the set is the
 * one that a serial pass in descending order of scores finds: it depends on the scores alone.
 *
 * Sources: Luby, A simple parallel algorithm for the maximal independent set problem (1986); with one order
 * for all rounds: Blelloch, Fineman, Shun, Greedy sequential maximal independent set and matching are
 * parallel on average (2012); the hash: Steele, Lea, Flood, Fast splittable pseudorandom number generators
 * (2014). */
#include "algos/trees_and_sets/mis.h"

#include "algos/support/operators.h"

/* A bijection for each key, so scores are distinct. INT64 in the order of the hashes, since the library has
 * compiled kernels for it. */
WITH_TEXT(
    mis_score, static void mis_score(int64_t *z, const bool *x, uint64_t i, uint64_t j, const uint64_t *key) {
      (void)x;
      (void)j;
      uint64_t h = (i ^ *key) + 0x9e3779b97f4a7c15u;
      h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
      h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
      h ^= h >> 31;
      *z = (int64_t)(h ^ (uint64_t)1 << 63);
    })

GrB_Info grid_luby_draw_scores(luby_state *c, uint64_t seed) {
  GrB_IndexUnaryOp op = NULL;
  int64_t hashed;
  const uint64_t zero = 0;
  mis_score(&hashed, NULL, seed, 0, &zero); /* decorrelates keys of seeds that are close */
  const uint64_t key = (uint64_t)hashed ^ (uint64_t)1 << 63;
  GrB_Info info = Grid_agree(Grid_IndexUnaryOp_new(&op, (indexed)mis_score, GrB_INT64, GrB_BOOL, GrB_UINT64,
                                                   "mis_score", plain(mis_score_text)),
                             NULL);
  if (info != GrB_SUCCESS) goto out;
  TRY(GrB_Vector_assign_BOOL(c->set, NULL, NULL, true, GrB_ALL, c->n, NULL));
  TRY(GrB_Vector_apply_IndexOp_UINT64(c->score, NULL, NULL, op, c->set, key, NULL));
  TRY(GrB_Vector_clear(c->set));
out:
  GrB_IndexUnaryOp_free(&op);
  return info;
}

/* joined = the undecided vertices whose score exceeds those of all undecided neighbors; a loop does not
 * count. */
static GrB_Info add_local_maxima(luby_state *c) {
  GrB_Info info;
  TRY(GrB_mxv(c->most, c->score, NULL, GrB_MAX_SECOND_SEMIRING_INT64, c->A, c->score, GrB_DESC_RS));
  if (!c->is_symmetric)
    TRY(GrB_vxm(c->most, c->score, GrB_MAX_INT64, GrB_MAX_FIRST_SEMIRING_INT64, c->score, c->A, GrB_DESC_S));
  TRY(GrB_Vector_eWiseMult_BinaryOp(c->dominated, NULL, NULL, GrB_LT_INT64, c->score, c->most, NULL));
  TRY(GrB_Vector_assign(c->added, c->dominated, NULL, c->score, GrB_ALL, c->n, GrB_DESC_RC));
out:
  return info;
}

/* Decides the vertices that joined, and their neighbors. */
static GrB_Info remove_decided(luby_state *c) {
  GrB_Info info;
  TRY(GrB_Vector_assign_BOOL(c->set, c->added, NULL, true, GrB_ALL, c->n, GrB_DESC_S));
  TRY(GrB_mxv(c->adjacent, c->score, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, c->A, c->added, GrB_DESC_RS));
  if (!c->is_symmetric)
    TRY(GrB_vxm(c->adjacent, c->score, GrB_LOR, Grid_ANY_ONEB_SEMIRING_BOOL, c->added, c->A, GrB_DESC_S));
  /* score<!joined, replace>, score<!near, replace> = score */
  TRY(GrB_Vector_assign(c->score, c->added, NULL, c->score, GrB_ALL, c->n, GrB_DESC_RSC));
  TRY(GrB_Vector_assign(c->score, c->adjacent, NULL, c->score, GrB_ALL, c->n, GrB_DESC_RSC));
out:
  return info;
}

GrB_Info grid_luby_allocate(luby_state *c) {
  GrB_Info info;
  Grid_Storage storage;
  TRY(Grid_Matrix_storage(&storage, c->A));
  c->is_symmetric = storage.symmetric;
  TRY(GrB_Vector_new(&c->set, GrB_BOOL, c->n));
  TRY(GrB_Vector_new(&c->score, GrB_INT64, c->n));
  TRY(GrB_Vector_new(&c->most, GrB_INT64, c->n));
  TRY(GrB_Vector_new(&c->added, GrB_INT64, c->n));
  TRY(GrB_Vector_new(&c->dominated, GrB_BOOL, c->n));
  TRY(GrB_Vector_new(&c->adjacent, GrB_BOOL, c->n));
out:
  return info;
}

GrB_Info grid_luby_find_set(luby_state *c) {
  GrB_Info info;
  for (GrB_Index left;;) {
    TRY(GrB_Vector_nvals(&left, c->score));
    if (left == 0) break;
    TRY(add_local_maxima(c));
    TRY(remove_decided(c));
  }
out:
  return info;
}

void grid_luby_free(luby_state *c) {
  GrB_Vector_free(&c->set);
  GrB_Vector_free(&c->score);
  GrB_Vector_free(&c->most);
  GrB_Vector_free(&c->added);
  GrB_Vector_free(&c->dominated);
  GrB_Vector_free(&c->adjacent);
}

GrB_Info Grid_mis(GrB_Vector *set, GrB_Matrix A, uint64_t seed) {
  SPAN;
  luby_state c = {.A = A};
  GrB_Info info;

  if (set == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_mis: set is NULL");
  TRY(square_size(&c.n, A, "Grid_mis"));
  TRY(grid_luby_allocate(&c));
  TRY(grid_luby_draw_scores(&c, seed));
  TRY(grid_luby_find_set(&c));
  *set = c.set, c.set = NULL;

out:
  grid_luby_free(&c);
  return info;
}
