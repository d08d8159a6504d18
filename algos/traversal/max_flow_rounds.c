/* A maximum flow by pushes between layers, on any number of processes.
 *
 * All edges out of the source are saturated first, which leaves an excess at its neighbors. A phase finds the
 * distance of each vertex to the sink in the residual graph R, whose edges have capacity left. It retains the
 * edges that lead one step closer: the layers. In each round every vertex with an excess pushes as much as it
 * can along one of these, the one with the most capacity left. When no vertex can push, the next phase finds
 * new distances. In the end no vertex with an excess reaches the sink. What arrived there is the value of a
 * maximum flow. The vertices that do not reach the sink are the source's side of a minimum cut. Phases with
 * the source in place of the sink then return the excess that is left.
 *
 * In a phase distances do not change, and a vertex that keeps an excess is farther away in the next one. So
 * there are at most as many phases as pairs of vertices. Pushes depend on capacities and numbers of vertices
 * alone, so the flow is the same on every grid.
 *
 * Sources: Goldberg, Tarjan, A new approach to the maximum-flow problem (1988); Cherkassky, Goldberg, On
 * implementing the push-relabel method for the maximum flow problem (1997) for exact distances. */
#include "algos/support/operators.h"
#include "algos/traversal/max_flow.h"

/* The edge that a vertex pushes along; -1: there is none. */
WITH_TEXT(
    flow_edge, typedef struct {
      double residual;
      int64_t to;
    } flow_edge;)
WITH_TEXT(
    flow_look, static void flow_look(flow_edge *z, const double *x, const int64_t *y) {
      z->residual = *x;
      z->to = *y;
    })
WITH_TEXT(
    flow_widest, static void flow_widest(flow_edge *z, const flow_edge *x, const flow_edge *y) {
      const bool first = x->to >= 0 && (y->to < 0 || y->residual < x->residual ||
                                        (y->residual == x->residual && x->to < y->to));
      *z = first ? *x : *y;
    })
WITH_TEXT(
    flow_residual, static void flow_residual(double *z, const flow_edge *x) { *z = x->residual; })
WITH_TEXT(
    flow_to, static void flow_to(int64_t *z, const flow_edge *x) { *z = x->to; })

typedef struct {
  GrB_Type edge;
  GrB_BinaryOp look, widest;
  GrB_Monoid monoid;
  GrB_Semiring semiring;
  GrB_UnaryOp residual, to;
} operators;

typedef struct {
  GrB_Index n, source, sink;
  operators op;
  GrB_Matrix C;        /* FP64: capacities, without loops; the caller's */
  GrB_Matrix R;        /* FP64: capacities left, in both directions */
  GrB_Matrix L;        /* FP64: of R, the edges between layers */
  GrB_Vector distance; /* INT64: to the target, of vertices that reach it */
  GrB_Vector excess;   /* FP64 */
  GrB_Vector self;     /* INT64: each vertex's number */
  GrB_Vector active;   /* FP64: excesses above 0 */
  GrB_Vector edge;     /* of those that can push */
  GrB_Vector to, pushed, gain;
  GrB_Vector q, visited; /* BOOL: workspace of the search */
} network;

static GrB_Info make_operators(operators *o) {
  GrB_Info info;
  const flow_edge none = {0, -1};
  TRY(Grid_Type_new(&o->edge, sizeof(flow_edge), "flow_edge", flow_edge_text));
  TRY(Grid_BinaryOp_new(&o->look, (binary)flow_look, o->edge, GrB_FP64, GrB_INT64, "flow_look",
                        plain(flow_look_text)));
  TRY(Grid_BinaryOp_new(&o->widest, (binary)flow_widest, o->edge, o->edge, o->edge, "flow_widest",
                        plain(flow_widest_text)));
  TRY(GrB_Monoid_new_UDT(&o->monoid, o->widest, (void *)&none));
  TRY(GrB_Semiring_new(&o->semiring, o->monoid, o->look));
  TRY(Grid_UnaryOp_new(&o->residual, (unary)flow_residual, GrB_FP64, o->edge, "flow_residual",
                       plain(flow_residual_text)));
  TRY(Grid_UnaryOp_new(&o->to, (unary)flow_to, GrB_INT64, o->edge, "flow_to", plain(flow_to_text)));
out:
  return info;
}

static void free_operators(operators *o) {
  GrB_Semiring_free(&o->semiring);
  GrB_Monoid_free(&o->monoid);
  GrB_BinaryOp_free(&o->look);
  GrB_BinaryOp_free(&o->widest);
  GrB_UnaryOp_free(&o->residual);
  GrB_UnaryOp_free(&o->to);
  GrB_Type_free(&o->edge);
}

/* ---- start ---- */

/* R = C + 0 C'. */
static GrB_Info load_capacities(network *f) {
  GrB_Info info;
  GrB_Matrix back = NULL;
  TRY(GrB_Matrix_new(&f->R, GrB_FP64, f->n, f->n));
  TRY(GrB_Matrix_new(&f->L, GrB_FP64, f->n, f->n));
  TRY(GrB_Matrix_new(&back, GrB_FP64, f->n, f->n));
  TRY(GrB_Matrix_apply_BinaryOp2nd_FP64(back, NULL, NULL, GrB_TIMES_FP64, f->C, 0.0, GrB_DESC_T0));
  TRY(GrB_Matrix_eWiseAdd_BinaryOp(f->R, NULL, NULL, GrB_PLUS_FP64, f->C, back, NULL));
out:
  GrB_Matrix_free(&back);
  return info;
}

static GrB_Info allocate_vectors(network *f) {
  GrB_Info info;
  TRY(GrB_Vector_new(&f->distance, GrB_INT64, f->n));
  TRY(GrB_Vector_new(&f->excess, GrB_FP64, f->n));
  TRY(GrB_Vector_new(&f->self, GrB_INT64, f->n));
  TRY(GrB_Vector_new(&f->active, GrB_FP64, f->n));
  TRY(GrB_Vector_new(&f->edge, f->op.edge, f->n));
  TRY(GrB_Vector_new(&f->to, GrB_INT64, f->n));
  TRY(GrB_Vector_new(&f->pushed, GrB_FP64, f->n));
  TRY(GrB_Vector_new(&f->gain, GrB_FP64, f->n));
  TRY(GrB_Vector_new(&f->q, GrB_BOOL, f->n));
  TRY(GrB_Vector_new(&f->visited, GrB_BOOL, f->n));
  TRY(GrB_Vector_assign_INT64(f->self, NULL, NULL, 0, GrB_ALL, f->n, NULL));
  TRY(GrB_Vector_apply_IndexOp_INT64(f->self, NULL, NULL, GrB_ROWINDEX_INT64, f->self, 0, NULL));
out:
  return info;
}

/* R += N' - N: the pushes N use capacity, and return it to the other direction. N becomes -N. */
static GrB_Info add_pushes(network *f, GrB_Matrix N) {
  GrB_Info info;
  GrB_Matrix change = NULL;
  TRY(GrB_Matrix_new(&change, GrB_FP64, f->n, f->n));
  TRY(GrB_transpose(change, NULL, NULL, N, NULL));
  TRY(GrB_Matrix_apply(N, NULL, NULL, GrB_AINV_FP64, N, NULL));
  TRY(GrB_Matrix_eWiseAdd_BinaryOp(change, NULL, NULL, GrB_PLUS_FP64, change, N, NULL));
  TRY(GrB_Matrix_eWiseAdd_BinaryOp(f->R, NULL, NULL, GrB_PLUS_FP64, f->R, change, NULL));
out:
  GrB_Matrix_free(&change);
  return info;
}

/* Pushes along all edges out of the source as much as they hold. */
static GrB_Info saturate_source(network *f) {
  GrB_Info info;
  GrB_Matrix N = NULL;
  const int64_t source = (int64_t)f->source;
  TRY(GrB_Matrix_new(&N, GrB_FP64, f->n, f->n));
  TRY(GrB_Matrix_select_INT64(N, NULL, NULL, GrB_ROWLE, f->C, source, NULL));
  TRY(GrB_Matrix_select_INT64(N, NULL, NULL, GrB_ROWGT, N, source - 1, NULL));
  TRY(GrB_Matrix_reduce_Monoid(f->excess, NULL, NULL, GrB_PLUS_MONOID_FP64, N, GrB_DESC_T0));
  TRY(add_pushes(f, N));
out:
  GrB_Matrix_free(&N);
  return info;
}

/* ---- phases ---- */

/* distance = that to the target, by paths of edges of P that do not enter `closed`. */
static GrB_Info find_distances(network *f, GrB_Matrix P, GrB_Index target, GrB_Index closed) {
  GrB_Info info;
  GrB_Index found = 1;
  TRY(GrB_Vector_clear(f->distance));
  TRY(GrB_Vector_clear(f->visited));
  TRY(GrB_Vector_clear(f->q));
  TRY(GrB_Vector_setElement_BOOL(f->visited, true, closed));
  TRY(GrB_Vector_setElement_BOOL(f->q, true, target));
  for (int64_t d = 0; found > 0; d++) {
    TRY(GrB_Vector_assign_BOOL(f->visited, f->q, NULL, true, GrB_ALL, f->n, GrB_DESC_S));
    TRY(GrB_Vector_assign_INT64(f->distance, f->q, NULL, d, GrB_ALL, f->n, GrB_DESC_S));
    /* q<!visited> = P any.oneb q */
    TRY(GrB_mxv(f->q, f->visited, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, P, f->q, GrB_DESC_RSC));
    TRY(GrB_Vector_nvals(&found, f->q));
  }
out:
  return info;
}

/* L = the entries of P with distance(u) - distance(v) = 1. */
static GrB_Info find_layers(network *f, GrB_Matrix P) {
  GrB_Info info;
  GrB_Vector less = NULL;
  GrB_Matrix diagonal = NULL, D = NULL;
  TRY(GrB_Vector_new(&less, GrB_INT64, f->n));
  TRY(GrB_Matrix_new(&D, GrB_INT64, f->n, f->n));
  /* each is one product, so any monoid does */
  TRY(GrB_Matrix_diag(&diagonal, f->distance, 0));
  TRY(GrB_mxm(D, NULL, NULL, Grid_ANY_FIRST_SEMIRING_INT64, diagonal, P, NULL));
  GrB_Matrix_free(&diagonal);
  TRY(GrB_Vector_apply(less, NULL, NULL, GrB_AINV_INT64, f->distance, NULL));
  TRY(GrB_Matrix_diag(&diagonal, less, 0));
  TRY(GrB_mxm(D, NULL, NULL, GrB_MIN_PLUS_SEMIRING_INT64, D, diagonal, NULL));
  TRY(GrB_Matrix_select_INT64(D, NULL, NULL, GrB_VALUEEQ_INT64, D, 1, NULL));
  TRY(GrB_Matrix_assign(f->L, D, NULL, P, GrB_ALL, f->n, GrB_ALL, f->n, GrB_DESC_RS));
out:
  GrB_Vector_free(&less);
  GrB_Matrix_free(&diagonal);
  GrB_Matrix_free(&D);
  return info;
}

/* Subtracts what was pushed from the edges of L; full ones leave. */
static GrB_Info use_capacity(network *f) {
  GrB_Info info;
  GrB_Matrix amount = NULL, along = NULL;
  TRY(GrB_Matrix_diag(&amount, f->pushed, 0));
  TRY(GrB_Matrix_new(&along, GrB_FP64, f->n, f->n));
  TRY(Grid_Matrix_indicator(along, f->to));
  TRY(GrB_mxm(along, NULL, NULL, GrB_MIN_FIRST_SEMIRING_FP64, amount, along, NULL));
  TRY(GrB_Matrix_eWiseAdd_BinaryOp(f->L, NULL, NULL, GrB_MINUS_FP64, f->L, along, NULL));
  TRY(GrB_Matrix_select_FP64(f->L, NULL, NULL, GrB_VALUEGT_FP64, f->L, 0.0, NULL));
out:
  GrB_Matrix_free(&amount);
  GrB_Matrix_free(&along);
  return info;
}

/* One push of every vertex that can. *any: there are some. */
static GrB_Info push(bool *any, network *f) {
  GrB_Info info;
  GrB_Index pushing;
  TRY(GrB_Vector_select_FP64(f->active, NULL, NULL, GrB_VALUEGT_FP64, f->excess, 0.0, NULL));
  /* edge<active> = L widest.look self */
  TRY(GrB_mxv(f->edge, f->active, NULL, f->op.semiring, f->L, f->self, GrB_DESC_RS));
  TRY(GrB_Vector_nvals(&pushing, f->edge));
  *any = pushing > 0;
  if (!*any) goto out;
  /* pushed = min(excess, residual); excess(u) -= pushed(u), excess(to(u)) += pushed(u) */
  TRY(GrB_Vector_apply(f->to, NULL, NULL, f->op.to, f->edge, NULL));
  TRY(GrB_Vector_apply(f->pushed, NULL, NULL, f->op.residual, f->edge, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(f->pushed, NULL, NULL, GrB_MIN_FP64, f->active, f->pushed, NULL));
  TRY(Grid_Vector_scatter(f->gain, NULL, NULL, GrB_PLUS_FP64, f->pushed, f->to, NULL));
  TRY(GrB_Vector_eWiseMult_BinaryOp(f->active, NULL, NULL, GrB_MINUS_FP64, f->active, f->pushed, NULL));
  TRY(GrB_Vector_assign(f->excess, f->active, NULL, f->active, GrB_ALL, f->n, GrB_DESC_S));
  TRY(GrB_Vector_eWiseAdd_BinaryOp(f->excess, NULL, NULL, GrB_PLUS_FP64, f->excess, f->gain, NULL));
  TRY(use_capacity(f));
out:
  return info;
}

/* A phase. *any: there were pushes. */
static GrB_Info push_to(bool *any, network *f, GrB_Index target, GrB_Index closed) {
  GrB_Info info;
  bool more = true;
  GrB_Matrix P = NULL, N = NULL;
  *any = false;
  TRY(GrB_Matrix_new(&P, GrB_FP64, f->n, f->n));
  TRY(GrB_Matrix_new(&N, GrB_FP64, f->n, f->n));
  TRY(GrB_Matrix_select_FP64(P, NULL, NULL, GrB_VALUEGT_FP64, f->R, 0.0, NULL));
  TRY(find_distances(f, P, target, closed));
  TRY(find_layers(f, P));
  TRY(GrB_Matrix_assign(P, NULL, NULL, f->L, GrB_ALL, f->n, GrB_ALL, f->n, NULL));
  while (more) {
    TRY(push(&more, f));
    *any = *any || more;
  }
  /* N = P - L, where edges were used */
  TRY(GrB_Matrix_eWiseAdd_BinaryOp(N, NULL, NULL, GrB_MINUS_FP64, P, f->L, NULL));
  TRY(GrB_Matrix_select_FP64(N, NULL, NULL, GrB_VALUEGT_FP64, N, 0.0, NULL));
  TRY(add_pushes(f, N));
out:
  GrB_Matrix_free(&P);
  GrB_Matrix_free(&N);
  return info;
}

/* Phases until no vertex with an excess reaches the target. */
static GrB_Info drain(network *f, GrB_Index target, GrB_Index closed) {
  GrB_Info info = GrB_SUCCESS;
  for (bool any = true; any;) TRY(push_to(&any, f, target, closed));
out:
  return info;
}

/* ---- results ---- */

/* *side = the vertices without a distance to the sink. */
static GrB_Info cut_side(GrB_Vector *side, const network *f) {
  GrB_Info info;
  TRY(GrB_Vector_new(side, GrB_BOOL, f->n));
  TRY(GrB_Vector_assign_BOOL(*side, f->distance, NULL, true, GrB_ALL, f->n, GrB_DESC_SC));
out:
  return info;
}

/* *flow = C - R, where it is above 0. */
static GrB_Info used_capacity(GrB_Matrix *flow, const network *f) {
  GrB_Info info;
  TRY(GrB_Matrix_new(flow, GrB_FP64, f->n, f->n));
  TRY(GrB_Matrix_eWiseMult_BinaryOp(*flow, NULL, NULL, GrB_MINUS_FP64, f->C, f->R, NULL));
  TRY(GrB_Matrix_select_FP64(*flow, NULL, NULL, GrB_VALUEGT_FP64, *flow, 0.0, NULL));
out:
  return info;
}

static void free_network(network *f) {
  GrB_Vector *const vectors[] = {&f->distance, &f->excess, &f->self, &f->active, &f->edge,
                                 &f->to,       &f->pushed, &f->gain, &f->q,      &f->visited};
  for (size_t k = 0; k < sizeof vectors / sizeof *vectors; k++) GrB_Vector_free(vectors[k]);
  GrB_Matrix_free(&f->R);
  GrB_Matrix_free(&f->L);
  free_operators(&f->op);
}

GrB_Info grid_max_flow_by_rounds(grid_flow *p) {
  network f = {.n = p->n, .source = p->source, .sink = p->sink, .C = p->capacities};
  GrB_Info info;
  /* each process creates its own operators, so a single process may fail */
  TRY(Grid_agree(make_operators(&f.op), NULL));
  TRY(load_capacities(&f));
  TRY(allocate_vectors(&f));
  TRY(saturate_source(&f));
  TRY(drain(&f, f.sink, f.source));
  info = GrB_Vector_extractElement_FP64(&p->value, f.excess, f.sink);
  if (info != GrB_SUCCESS && info != GrB_NO_VALUE) goto out;
  info = GrB_SUCCESS;
  if (p->with_side) TRY(cut_side(&p->side, &f));
  if (p->with_flow) TRY(drain(&f, f.source, f.sink));
  if (p->with_flow) TRY(used_capacity(&p->flow, &f));
out:
  free_network(&f);
  return info;
}
