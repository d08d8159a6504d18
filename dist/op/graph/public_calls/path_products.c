/* A shortest path, in edges, from a source to a target, by breadth-first searches from both ends: forward
 * from the source, and from the target against the edges. In each step the search with fewer vertices in its
 * frontier goes one level on. As soon as it finds a vertex that the other has found a shortest path goes
 * through that vertex: all shorter ones would have been found by the levels before. Of several such vertices,
 * and of several parents, the smallest is taken, so the path is the same on every grid.
 *
 * Source: Pohl, Bi-directional search (1971). */
#include "dist/op/graph/public_calls/path_products.h"

#include "dist/op/graph/public_calls/public_calls.h"

typedef struct {
  GrB_Vector parent; /* INT64: of the vertices found, the vertex that comes before, or after */
  GrB_Vector q;      /* INT64: the frontier, each vertex its own number */
  GrB_Index width;   /* of the frontier */
  int64_t depth;     /* levels searched */
} side;

typedef struct {
  GrB_Matrix A;
  GrB_Index n;
  side from, to;   /* the source's and the target's search */
  GrB_Vector both; /* INT64: vertices where they meet */
  bool met;
  int64_t middle; /* the smallest of these */
} two_searches;

static GrB_Info begin(side *s, GrB_Index vertex, GrB_Index n) {
  GrB_Info info;
  TRY(GrB_Vector_new(&s->parent, GrB_INT64, n));
  TRY(GrB_Vector_new(&s->q, GrB_INT64, n));
  TRY(GrB_Vector_setElement_INT64(s->parent, (int64_t)vertex, vertex));
  TRY(GrB_Vector_setElement_INT64(s->q, (int64_t)vertex, vertex));
  s->width = 1;
out:
  return info;
}

/* A level of the search s; both = what the other search has found, too. */
static GrB_Info advance(two_searches *m, side *s, const side *other) {
  GrB_Info info;
  /* q<!parent> = q min.first A, or A min.second q; parent<q> = q; q(v) = v */
  TRY(s == &m->from
          ? GrB_vxm(s->q, s->parent, NULL, GrB_MIN_FIRST_SEMIRING_INT64, s->q, m->A, GrB_DESC_RSC)
          : GrB_mxv(s->q, s->parent, NULL, GrB_MIN_SECOND_SEMIRING_INT64, m->A, s->q, GrB_DESC_RSC));
  s->depth++;
  TRY(GrB_Vector_nvals(&s->width, s->q));
  TRY(GrB_Vector_assign(s->parent, s->q, NULL, s->q, GrB_ALL, m->n, GrB_DESC_S));
  TRY(GrB_Vector_apply_IndexOp_INT64(s->q, NULL, NULL, GrB_ROWINDEX_INT64, s->q, 0, NULL));
  TRY(GrB_Vector_assign(m->both, other->parent, NULL, s->q, GrB_ALL, m->n, GrB_DESC_RS));
out:
  return info;
}

/* Until they meet, or one has found all that it can. */
static GrB_Info search(two_searches *m) {
  GrB_Info info;
  GrB_Index met;
  TRY(GrB_Vector_assign(m->both, m->to.parent, NULL, m->from.q, GrB_ALL, m->n, GrB_DESC_RS));
  for (;;) {
    TRY(GrB_Vector_nvals(&met, m->both));
    m->met = met > 0;
    if (m->met || m->from.width == 0 || m->to.width == 0) break;
    TRY(m->from.width <= m->to.width ? advance(m, &m->from, &m->to) : advance(m, &m->to, &m->from));
  }
  if (m->met) TRY(GrB_Vector_reduce_INT64(&m->middle, NULL, GrB_MIN_MONOID_INT64, m->both, NULL));
out:
  return info;
}

/* Goes from `vertex` by parents to the root of the search s: path(at), path(at + step), ... */
static GrB_Info follow(GrB_Vector path, const side *s, int64_t vertex, int64_t at, int64_t step) {
  GrB_Info info;
  for (;; at += step) {
    int64_t next;
    TRY(GrB_Vector_setElement_INT64(path, vertex, (GrB_Index)at));
    TRY(GrB_Vector_extractElement_INT64(&next, s->parent, (GrB_Index)vertex));
    if (next == vertex) break;
    vertex = next;
  }
out:
  return info;
}

/* path = the vertices found, all or, after an error, none. */
static GrB_Info make_path(GrB_Vector path, const two_searches *m) {
  GrB_Info info;
  GrB_Vector found = NULL;
  TRY(GrB_Vector_new(&found, GrB_INT64, m->n));
  /* the middle was found in the last level of both */
  TRY(follow(found, &m->from, m->middle, m->from.depth, -1));
  TRY(follow(found, &m->to, m->middle, m->from.depth, 1));
  TRY(GrB_Vector_assign(path, NULL, NULL, found, GrB_ALL, m->n, NULL));
out:
  GrB_Vector_free(&found);
  return info;
}

GrB_Info grid_path_by_products(GrB_Vector path, int64_t *length, GrB_Matrix A, GrB_Index source,
                               GrB_Index target) {
  GrB_Info info;
  two_searches m = {.A = A};
  TRY(GrB_Matrix_nrows(&m.n, A));
  TRY(begin(&m.from, source, m.n));
  TRY(begin(&m.to, target, m.n));
  TRY(GrB_Vector_new(&m.both, GrB_INT64, m.n));
  TRY(search(&m));
  if (path != NULL && m.met) TRY(make_path(path, &m));
  if (length != NULL) *length = m.met ? m.from.depth + m.to.depth : -1;
out:
  GrB_Vector_free(&m.from.parent);
  GrB_Vector_free(&m.from.q);
  GrB_Vector_free(&m.to.parent);
  GrB_Vector_free(&m.to.q);
  GrB_Vector_free(&m.both);
  return info;
}
