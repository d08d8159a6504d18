/* The level of a community search: louvain_level.h. Vertices move in classes, drawn by a hash of their
 * numbers. */
#include "algos/communities/louvain_level.h"

#include "algos/communities/equal_labels.h"
#include "algos/support/operators.h"

/* Vertices move in 2^FEWEST_BITS to 2^MOST_BITS classes, at first of about 2^CLASS_BITS or fewer each. The
 * sweeps end when one of STILL vertices or fewer move; STILL_FIRST: in the first level, which comes again. */
enum {
  FEWEST_BITS = 3,
  FIRST_BITS = 5,
  MOST_BITS = GRID_LOUVAIN_MOST_BITS,
  CLASS_BITS = 9,
  SWEEPS = 24,
  DRAWN_FOR = 2,
  STILL_FIRST = 10,
  STILL = 20
};
static const double least_gain = 1e-7; /* of the modularity by a level */
static const double tie = 1e-12;       /* a gain, in parts of what a vertex can gain, that may be rounding */

/* The class of a vertex. thunk: the key, in the low 16 bits the logarithm of the classes. */
WITH_TEXT(
    louvain_class,
    static void louvain_class(int32_t *z, const double *x, uint64_t i, uint64_t j, const uint64_t *thunk) {
      (void)x;
      (void)j;
      uint64_t h = (i ^ *thunk >> 16) + 0x9e3779b97f4a7c15u;
      h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
      h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
      *z = (int32_t)(h >> (64 - (*thunk & 15)));
    })

GrB_Info grid_louvain_start(louvain *e) {
  e->still = STILL_FIRST;
  return Grid_agree(Grid_IndexUnaryOp_new(&e->class, (indexed)louvain_class, GrB_INT32, GrB_FP64, GrB_UINT64,
                                          "louvain_class", plain(louvain_class_text)),
                    NULL);
}

void grid_louvain_end_sweeps_early(louvain *e) {
  e->still = STILL;
}

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
  GrB_Vector_free(&e->target);
  GrB_Vector_free(&e->left);
  GrB_Vector_free(&e->moved);
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
  TRY(GrB_Vector_new(&e->target, GrB_INT64, e->n));
  TRY(GrB_Vector_new(&e->left, GrB_INT64, e->n));
  TRY(GrB_Vector_new(&e->moved, GrB_FP64, e->n));
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

/* Refinement: removes from `rows` the vertices that are not alone. A community that began as one vertex has
 * its number, and loses its sum when that vertex leaves. */
static GrB_Info keep_alone(GrB_Vector rows, louvain *e) {
  GrB_Info info;
  const GrB_Vector sum = e->moved, others = e->left;
  TRY(GrB_Vector_eWiseMult_BinaryOp(sum, NULL, NULL, GrB_SECOND_FP64, rows, e->sum, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(others, NULL, NULL, GrB_NE_FP64, sum, e->k, NULL));
  TRY(GrB_Vector_assign(rows, others, NULL, rows, GrB_ALL, e->n, GrB_DESC_RC));
out:
  return info;
}

/* Refinement: removes the targets of vertices whose community moves itself. That is the one vertex in it,
 * which has its number: one that others have joined is not alone. */
static GrB_Info keep_joins(louvain *e) {
  GrB_Info info;
  const GrB_Vector target = e->target, moves = e->left;
  TRY(Grid_Vector_gather(moves, NULL, NULL, target, target, NULL));
  TRY(GrB_Vector_assign(target, moves, NULL, target, GrB_ALL, e->n, GrB_DESC_RSC));
out:
  return info;
}

/* label = target, and the sums of the communities left and joined change; *moves += the number of targets. */
static GrB_Info move_to(uint64_t *moves, louvain *e) {
  GrB_Info info;
  GrB_Index count = 0;
  const GrB_Vector target = e->target;
  TRY(GrB_Vector_nvals(&count, target));
  if (count == 0) goto out;
  *moves += count;
  TRY(GrB_Vector_eWiseMult_BinaryOp(e->left, NULL, NULL, GrB_SECOND_INT64, target, e->label, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(e->moved, NULL, NULL, GrB_SECOND_FP64, target, e->k, NULL));
  TRY(Grid_Vector_scatter(e->sum, NULL, GrB_MINUS_FP64, GrB_PLUS_FP64, e->moved, e->left, NULL));
  TRY(Grid_Vector_scatter(e->sum, NULL, GrB_PLUS_FP64, GrB_PLUS_FP64, e->moved, target, NULL));
  TRY(GrB_Vector_assign(e->label, target, NULL, target, GrB_ALL, e->n, GrB_DESC_S));
out:
  return info;
}

/* The vertices of a class move, each to its best community; *moves += their number. */
static GrB_Info move_class(uint64_t *moves, louvain *e, GrB_Vector rows) {
  GrB_Info info;
  if (e->refining) TRY(keep_alone(rows, e)); /* the others will not be alone again */
  TRY(Grid_Matrix_best_label(e->target, e->links, e->label, e->resolution > 0 ? e->sum : NULL, rows, e->bonus,
                             false));
  if (e->refining) TRY(keep_joins(e));
  TRY(move_to(moves, e));
out:
  return info;
}

static void free_classes(louvain *e) {
  while (e->classes > 0) GrB_Vector_free(&e->rows[--e->classes]);
}

/* Puts each vertex into one of 2^bits classes. */
static GrB_Info draw_classes(louvain *e) {
  GrB_Info info;
  GrB_Vector drawn = NULL, members = NULL;
  free_classes(e);
  e->now.key++;
  TRY(GrB_Vector_new(&drawn, GrB_INT32, e->n));
  TRY(GrB_Vector_new(&members, GrB_INT32, e->n));
  TRY(GrB_Vector_apply_IndexOp_UINT64(drawn, NULL, NULL, e->class, e->scale, e->now.key << 16 | e->bits,
                                      NULL));
  for (int32_t class = 0; class < 1 << e->bits; class ++) {
    GrB_Vector *const rows = &e->rows[class];
    TRY(GrB_Vector_new(rows, GrB_FP64, e->n));
    e->classes++;
    TRY(GrB_Vector_select_INT32(members, NULL, NULL, GrB_VALUEEQ_INT32, drawn, class, NULL));
    TRY(GrB_Vector_eWiseMult_BinaryOp(*rows, NULL, NULL, GrB_SECOND_FP64, members, e->scale, NULL));
  }
out:
  GrB_Vector_free(&drawn);
  GrB_Vector_free(&members);
  return info;
}

/* Sweeps until few vertices move; *moves: of all. */
static GrB_Info move_vertices(uint64_t *moves, louvain *e) {
  GrB_Info info;
  GrB_Index vertices = 0;
  *moves = 0;
  TRY(GrB_Vector_nvals(&vertices, e->k));
  for (int sweep = 0; sweep < SWEEPS; sweep++) {
    uint64_t now = 0;
    if (sweep % DRAWN_FOR == 0) TRY(draw_classes(e));
    for (uint64_t class = 0; class < e->classes; class ++) TRY(move_class(&now, e, e->rows[class]));
    *moves += now;
    if (now <= vertices / e->still) break;
  }
out:
  free_classes(e);
  return info;
}

GrB_Info grid_louvain_refine(uint64_t *joins, louvain *e) {
  GrB_Info info;
  GrB_Matrix links = e->links;
  if (e->inside == NULL) TRY(grid_louvain_find_inside(e));
  TRY(GrB_Vector_apply_IndexOp_INT64(e->label, NULL, NULL, GrB_ROWINDEX_INT64, e->k, 0, NULL));
  TRY(grid_louvain_sum_communities(e));
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
  grid_louvain_end_sweeps_early(e);
out:
  GrB_Vector_free(&before);
  return info;
}
