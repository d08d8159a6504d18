/* The level of a community search: louvain_level.h. */
#include "algos/communities/louvain_level.h"

#include "algos/communities/equal_labels.h"

/* Vertices move in 2^FEWEST_BITS to 2^MOST_BITS classes, at first of about 2^CLASS_BITS or fewer each. The
 * sweeps end when one of STILL vertices or fewer move; STILL_FIRST: in the first level, which comes again. */
enum {
  FEWEST_BITS = 3,
  FIRST_BITS = 5,
  MOST_BITS = 9,
  CLASS_BITS = 9,
  SWEEPS = 24,
  DRAWN_FOR = 2,
  STILL_FIRST = 10,
  STILL = 20
};
static const double least_gain = 1e-7; /* of the modularity by a level */
static const double tie = 1e-12;       /* a gain, in parts of what a vertex can gain, that may be rounding */

GrB_Info grid_louvain_sum_communities(louvain *e) {
  return Grid_Vector_scatter(e->sum, NULL, NULL, GrB_PLUS_FP64, e->k, e->label, NULL);
}

void grid_louvain_free_graph(louvain *e) {
  if (e->links != e->W) GrB_Matrix_free(&e->links);
  e->links = NULL;
  if (e->W != e->first) GrB_Matrix_free(&e->W);
  GrB_Matrix_free(&e->inside);
}

/* links = W without loops */
static GrB_Info make_links(louvain *e) {
  GrB_Info info;
  GrB_Index all = 0, apart = 0;
  TRY(GrB_Matrix_new(&e->links, GrB_FP64, e->n, e->n));
  TRY(GrB_Matrix_select_INT64(e->links, NULL, NULL, GrB_OFFDIAG, e->W, 0, NULL));
  TRY(GrB_Matrix_nvals(&all, e->W));
  TRY(GrB_Matrix_nvals(&apart, e->links));
  if (all == apart) {
    GrB_Matrix_free(&e->links);
    e->links = e->W;
  }
  TRY(GrB_Matrix_reduce_FP64(&e->linked, NULL, GrB_PLUS_MONOID_FP64, e->links, NULL));
out:
  return info;
}

void grid_louvain_free_vectors(louvain *e) {
  GrB_Vector_free(&e->k);
  GrB_Vector_free(&e->label);
  GrB_Vector_free(&e->sum);
  GrB_Vector_free(&e->scale);
  GrB_Vector_free(&e->bonus);
}

static GrB_Info new_vectors(louvain *e) {
  GrB_Info info;
  grid_louvain_free_vectors(e);
  TRY(GrB_Matrix_nrows(&e->n, e->W));
  TRY(GrB_Vector_new(&e->k, GrB_FP64, e->n));
  TRY(GrB_Vector_new(&e->label, GrB_INT64, e->n));
  TRY(GrB_Vector_new(&e->sum, GrB_FP64, e->n));
  TRY(GrB_Vector_new(&e->scale, GrB_FP64, e->n));
  TRY(GrB_Vector_new(&e->bonus, GrB_FP64, e->n));
out:
  return info;
}

GrB_Info grid_louvain_begin_level(louvain *e) {
  GrB_Info info;
  const double worth = e->total / (e->resolution > 0 ? e->resolution : 1);
  TRY(new_vectors(e));
  TRY(make_links(e));
  TRY(GrB_Matrix_reduce_Monoid(e->k, NULL, NULL, GrB_PLUS_MONOID_FP64, e->W, NULL));
  TRY(GrB_Vector_apply_BinaryOp1st_FP64(e->scale, NULL, NULL, GrB_DIV_FP64, worth, e->k, NULL));
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(e->bonus, NULL, NULL, GrB_TIMES_FP64, e->k, e->resolution > 0, NULL));
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(e->bonus, NULL, NULL, GrB_PLUS_FP64, e->bonus, worth * tie, NULL));
  TRY(GrB_Vector_apply_IndexOp_INT64(e->label, NULL, NULL, GrB_ROWINDEX_INT64, e->k, 0, NULL));
  TRY(grid_louvain_sum_communities(e));
out:
  return info;
}

GrB_Info grid_louvain_set_labels(louvain *e, GrB_Vector label) {
  GrB_Matrix_free(&e->inside);
  const GrB_Info info = GrB_Vector_assign(e->label, NULL, NULL, label, GrB_ALL, e->n, NULL);
  return info == GrB_SUCCESS ? grid_louvain_sum_communities(e) : info;
}

GrB_Info grid_louvain_find_inside(louvain *e) {
  GrB_Matrix_free(&e->inside);
  return grid_select_equal_labels(&e->inside, e->links, e->label);
}

GrB_Info grid_louvain_measure(double *modularity, louvain *e, bool rounded) {
  const double scale = rounded ? 0x1p26 : 1;
  GrB_Info info;
  GrB_Vector share = NULL;
  double internal = 0, squares = 0;
  TRY(GrB_Matrix_reduce_FP64(&internal, NULL, GrB_PLUS_MONOID_FP64, e->inside, NULL));
  TRY(GrB_Vector_new(&share, GrB_FP64, e->n));
  TRY(GrB_Vector_apply_BinaryOp2nd_FP64(share, NULL, NULL, GrB_TIMES_FP64, e->sum, scale / e->total, NULL));
  if (rounded) TRY(GrB_Vector_apply(share, NULL, NULL, GxB_ROUND_FP64, share, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(share, NULL, NULL, GrB_TIMES_FP64, share, share, NULL));
  TRY(GrB_Vector_reduce_FP64(&squares, NULL, GrB_PLUS_MONOID_FP64, share, NULL));
  internal += e->total - e->linked;
  *modularity = internal / e->total - e->resolution * (squares / scale / scale);
out:
  GrB_Vector_free(&share);
  return info;
}

/* Sweeps until few vertices move; *moves: of all. */
static GrB_Info move_vertices(uint64_t *moves, louvain *e) {
  GrB_Info info;
  GrB_Index vertices = 0, now[DRAWN_FOR];
  Grid_Label_Sweep how = {
      .bits = (int)e->bits, .sweeps = DRAWN_FOR, .priced = e->resolution > 0, .alone = e->refining};
  *moves = 0;
  TRY(GrB_Vector_nvals(&vertices, e->k));
  how.still = vertices / (e->later ? STILL : STILL_FIRST);
  for (int sweep = 0; sweep < SWEEPS; sweep += DRAWN_FOR) {
    how.key = ++e->now.key;
    TRY(Grid_Matrix_move_labels(now, e->label, e->links, e->k, e->scale, e->bonus, &how));
    for (int k = 0; k < DRAWN_FOR; k++) *moves += now[k];
    if (now[DRAWN_FOR - 1] <= how.still) break;
  }
out:
  return info;
}

GrB_Info grid_louvain_refine(uint64_t *joins, louvain *e) {
  GrB_Info info;
  GrB_Matrix links = e->links;
  if (e->inside == NULL) TRY(grid_louvain_find_inside(e));
  TRY(GrB_Vector_apply_IndexOp_INT64(e->label, NULL, NULL, GrB_ROWINDEX_INT64, e->k, 0, NULL));
  e->links = e->inside, e->refining = true;
  info = move_vertices(joins, e);
  e->links = links, e->refining = false;
out:
  return info;
}

/* The number of bits of the classes that are tried first: more for more vertices. */
static GrB_Info first_bits(uint64_t *bits, const louvain *e) {
  GrB_Index vertices = 0;
  const GrB_Info info = GrB_Vector_nvals(&vertices, e->k);
  for (*bits = FEWEST_BITS; *bits < FIRST_BITS && vertices >> (*bits + CLASS_BITS);) ++*bits;
  return info;
}

GrB_Info grid_louvain_improve(louvain *e) {
  GrB_Info info;
  GrB_Vector before = NULL;
  double quality = 0;
  uint64_t moves = 0, first = 0;
  TRY(GrB_Vector_dup(&before, e->label));
  TRY(first_bits(&first, e));
  for (e->bits = first; e->bits <= MOST_BITS; e->bits += 2) {
    TRY(move_vertices(&moves, e));
    if (moves == 0) break;
    TRY(grid_louvain_sum_communities(e));
    TRY(grid_louvain_find_inside(e));
    TRY(grid_louvain_measure(&quality, e, true));
    if (quality > e->now.quality + least_gain) {
      e->now.quality = quality;
      break;
    }
    TRY(grid_louvain_set_labels(e, before));
    if (e->now.once) break;
  }
  e->bits = first;
  e->now.once = false;
  e->later = true;
out:
  GrB_Vector_free(&before);
  return info;
}
