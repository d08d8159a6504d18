/* Communities by Louvain's and Leiden's methods: vertices move to the neighbouring community that raises the
 * modularity most, then each community becomes one vertex, and so on while the modularity grows.
 *
 * W is the graph of a level, k the sums of its rows, S their sum, K(c) the sum of k in community c. Moving v,
 * once it has left its own, to c raises the modularity by a multiple of
 *   S / (resolution k(v)) * (the weight from v to c, loops left out) - K(c)
 * so Grid_Matrix_best_label chooses, with the prices K and the bonus k(v) for staying. The communities are
 * numbered by their labels, and the next level's graph is P' W P with P(v, number(community(v))) = 1.
 *
 * Vertices move in classes, drawn by a hash of their numbers for every other sweep: of neighbours that move
 * at the same time each would follow the other. Where that does not raise the modularity, it is tried again
 * with ever more classes. Weights are rounded to integers so small that all sums of them are exact
 * (exact_weights.h), so the answer does not depend on the order of additions. It is the same on any number of
 * processes.
 *
 * Communities then have moved as a whole, so the first level's vertices move once more, and the levels follow
 * again. NetworKit's PLMR moves the vertices of every level once more.
 *
 * Leiden's method divides each community, this second time, before it becomes a vertex: its vertices begin
 * alone, and those that are alone join others along its edges. Their parts become vertices, which begin the
 * next level in the community and may leave it. A vertex joins only what stays, so parts are connected. The
 * first level's vertices move a last time, and communities are divided into their components. The best part
 * is taken, where the paper draws one.
 *
 * Sources: Blondel, Guillaume, Lambiotte, Lefebvre, Fast unfolding of communities in large networks (2008);
 * Staudt, Meyerhenke, Engineering parallel algorithms for community detection in massive networks (2016);
 * Traag, Waltman, van Eck, From Louvain to Leiden: guaranteeing well-connected communities (2019). */
#include <float.h>

#include "algos/communities/louvain_level.h"
#include "algos/components/components.h"
#include "algos/support/exact_weights.h"
#include "algos/support/renumber.h"

static const double least_resolution = 0x1p-900; /* less changes no gain, and S / resolution could overflow */

/* ---- from level to level ---- */

/* *P(v, label(v)) = 1, for labels below `labels` */
static GrB_Info make_indicator(GrB_Matrix *P, const louvain *e, GrB_Index labels) {
  GrB_Info info;
  TRY(GrB_Matrix_new(P, GrB_INT64, e->n, labels));
  TRY(Grid_Matrix_indicator(*P, e->label));
out:
  return info;
}

/* *W becomes P' W P: a vertex for each of so many communities. */
static GrB_Info aggregate(GrB_Matrix *W, louvain *e, GrB_Index communities) {
  GrB_Info info;
  GrB_Matrix P = NULL, by_row = NULL;
  TRY(make_indicator(&P, e, communities));
  TRY(GrB_Matrix_new(&by_row, GrB_FP64, e->n, communities));
  TRY(GrB_Matrix_new(W, GrB_FP64, communities, communities));
  TRY(GrB_mxm(by_row, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, e->W, P, NULL));
  TRY(GrB_mxm(*W, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, P, by_row, GrB_DESC_T0));
out:
  GrB_Matrix_free(&P);
  GrB_Matrix_free(&by_row);
  return info;
}

/* label(v) = name(label(v)) */
static GrB_Info rename_labels(GrB_Vector label, GrB_Vector name) {
  return Grid_Vector_gather(label, NULL, NULL, name, label, NULL);
}

/* *found(p) = the community of the parts' vertices, by the number of one of its parts: `label` has the number
 * of each vertex's part, of so many. */
static GrB_Info find_communities_of_parts(GrB_Vector *found, louvain *e, GrB_Vector community,
                                          GrB_Index parts) {
  GrB_Info info;
  GrB_Vector part = NULL, least = NULL;
  TRY(GrB_Vector_new(found, GrB_INT64, parts));
  TRY(GrB_Vector_new(&part, GrB_INT64, parts));
  TRY(GrB_Vector_new(&least, GrB_INT64, e->n));
  TRY(Grid_Vector_scatter(*found, NULL, NULL, GrB_MIN_INT64, community, e->label, NULL));
  TRY(GrB_Vector_apply_IndexOp_INT64(part, NULL, NULL, GrB_ROWINDEX_INT64, *found, 0, NULL));
  TRY(Grid_Vector_scatter(least, NULL, NULL, GrB_MIN_INT64, part, *found, NULL));
  TRY(rename_labels(*found, least));
out:
  GrB_Vector_free(&part);
  GrB_Vector_free(&least);
  return info;
}

/* label = the numbers of the communities, of which there are *count. */
static GrB_Info renumber_communities(GrB_Index *count, louvain *e) {
  GrB_Info info;
  GrB_Vector number = NULL;
  TRY(grid_louvain_sum_communities(e));
  TRY(grid_renumber(&number, e->sum));
  TRY(GrB_Vector_nvals(count, number));
  TRY(rename_labels(e->label, number));
out:
  GrB_Vector_free(&number);
  return info;
}

/* W = the next level's graph, and its vertices begin alone. */
static GrB_Info next_level(louvain *e, GrB_Index vertices) {
  GrB_Info info;
  GrB_Matrix next = NULL;
  TRY(aggregate(&next, e, vertices));
  grid_louvain_free_graph(e);
  e->W = next, next = NULL;
  TRY(rename_labels(e->flat, e->label));
  TRY(grid_louvain_begin_level(e));
out:
  GrB_Matrix_free(&next);
  return info;
}

/* The communities, or their parts, become the vertices of the next level, which begin alone, or in their
 * community. */
static GrB_Info enter_level(louvain *e) {
  GrB_Info info;
  GrB_Vector community = NULL, found = NULL;
  GrB_Index vertices = 0;
  uint64_t joins = 0;
  TRY(GrB_Vector_dup(&community, e->label));
  if (e->refines) TRY(grid_louvain_refine(&joins, e));
  if (joins == 0) TRY(GrB_Vector_assign(e->label, NULL, NULL, community, GrB_ALL, e->n, NULL));
  TRY(renumber_communities(&vertices, e));
  if (joins > 0) TRY(find_communities_of_parts(&found, e, community, vertices));
  TRY(next_level(e, vertices));
  if (joins > 0) TRY(grid_louvain_set_labels(e, found));
out:
  GrB_Vector_free(&community);
  GrB_Vector_free(&found);
  return info;
}

/* *whole: every vertex of the level is a community. */
static GrB_Info count_communities(bool *whole, louvain *e) {
  GrB_Info info;
  GrB_Index vertices = 0, communities = 0;
  TRY(GrB_Vector_nvals(&vertices, e->k));
  TRY(GrB_Vector_nvals(&communities, e->sum));
  *whole = vertices == communities;
out:
  return info;
}

/* ---- checkpoints: a level's vertex and community of each vertex of the first ---- */

enum { STATE_ITEMS = 3 };
static Grid_Checkpoint_Item *state_of(Grid_Checkpoint_Item *state, GrB_Vector flat, GrB_Vector community,
                                      progress *now) {
  state[0] = (Grid_Checkpoint_Item){.name = "vertex", .vector = flat};
  state[1] = (Grid_Checkpoint_Item){.name = "community", .vector = community};
  state[2] = (Grid_Checkpoint_Item){.name = "progress", .bytes = now, .size = sizeof *now};
  return state;
}

/* A level has been begun. */
static GrB_Info save(louvain *e) {
  Grid_Checkpoint_Item state[STATE_ITEMS];
  GrB_Info info = GrB_SUCCESS;
  GrB_Vector community = NULL;
  e->entered++;
  if (!grid_checkpoint_is_set()) goto out;
  TRY(GrB_Vector_dup(&community, e->flat));
  TRY(rename_labels(community, e->label));
  e->now.n = e->n;
  TRY(grid_checkpoint_iteration(e->entered, &e->computation, state_of(state, e->flat, community, &e->now),
                                STATE_ITEMS));
out:
  GrB_Vector_free(&community);
  return info;
}

/* Goes to the level that was saved last, if there is one. */
static GrB_Info resume(louvain *e) {
  Grid_Checkpoint_Item state[STATE_ITEMS];
  GrB_Info info;
  GrB_Vector flat = NULL, community = NULL, found = NULL;
  TRY(GrB_Vector_new(&flat, GrB_INT64, e->n));
  TRY(GrB_Vector_new(&community, GrB_INT64, e->n));
  TRY(grid_checkpoint_resume(&e->entered, &e->computation, state_of(state, flat, community, &e->now),
                             STATE_ITEMS));
  if (e->entered == 0) goto out;
  TRY(GrB_Vector_assign(e->label, NULL, NULL, flat, GrB_ALL, e->n, NULL));
  if (e->now.n < e->n) TRY(next_level(e, e->now.n));
  TRY(GrB_Vector_new(&found, GrB_INT64, e->n));
  TRY(Grid_Vector_scatter(found, NULL, NULL, GrB_MIN_INT64, community, flat, NULL));
  TRY(grid_louvain_set_labels(e, found));
  e->later = true;
out:
  GrB_Vector_free(&flat);
  GrB_Vector_free(&community);
  GrB_Vector_free(&found);
  return info;
}

/* Levels until each vertex is a community and none joins another. */
static GrB_Info run_levels(louvain *e) {
  GrB_Info info;
  bool whole = false;
  for (;;) {
    TRY(grid_louvain_improve(e));
    TRY(count_communities(&whole, e));
    if (whole) break;
    TRY(enter_level(e));
    TRY(save(e));
  }
  TRY(rename_labels(e->flat, e->label));
out:
  return info;
}

/* The first level again, in the communities found so far. */
static GrB_Info start_again(louvain *e) {
  GrB_Info info;
  GrB_Vector found = NULL;
  TRY(GrB_Vector_dup(&found, e->flat));
  grid_louvain_free_graph(e);
  e->W = e->first;
  TRY(grid_louvain_begin_level(e));
  TRY(GrB_Vector_assign(e->flat, NULL, NULL, e->label, GrB_ALL, e->n, NULL));
  TRY(grid_louvain_set_labels(e, found));
  e->now.pass++;
  e->now.once = true; /* the communities are good already */
  TRY(save(e));
out:
  GrB_Vector_free(&found);
  return info;
}

/* first = the vertices of W with edges, and `vertex`. */
static GrB_Info remove_isolated(louvain *e, GrB_Matrix W, GrB_Index n) {
  GrB_Info info;
  GrB_Vector k = NULL, number = NULL, id = NULL;
  GrB_Index vertices;
  TRY(GrB_Vector_new(&k, GrB_FP64, n));
  TRY(GrB_Vector_new(&id, GrB_INT64, n));
  TRY(GrB_Matrix_reduce_Monoid(k, NULL, NULL, GrB_PLUS_MONOID_FP64, W, NULL));
  TRY(grid_extract_present(&e->first, W, k));
  TRY(GrB_Matrix_nrows(&vertices, e->first));
  TRY(GrB_Vector_new(&e->vertex, GrB_INT64, vertices));
  TRY(grid_renumber(&number, k));
  TRY(GrB_Vector_apply_IndexOp_INT64(id, NULL, NULL, GrB_ROWINDEX_INT64, number, 0, NULL));
  TRY(Grid_Vector_scatter(e->vertex, NULL, NULL, GrB_MIN_INT64, id, number, NULL));
out:
  GrB_Vector_free(&k);
  GrB_Vector_free(&number);
  GrB_Vector_free(&id);
  return info;
}

/* Leiden: label = the components of the communities, which are better where one has several. */
static GrB_Info divide_communities(louvain *e) {
  GrB_Info info;
  GrB_Vector component = NULL;
  TRY(grid_components_step(&component, e->inside));
  TRY(GrB_Vector_assign(e->label, NULL, NULL, component, GrB_ALL, e->n, NULL));
  TRY(grid_louvain_sum_communities(e)); /* the links inside are the same */
out:
  GrB_Vector_free(&component);
  return info;
}

static GrB_Info find_communities(louvain *e, bool leiden) {
  GrB_Info info;
  e->W = e->first;
  TRY(grid_louvain_begin_level(e));
  TRY(GrB_Vector_dup(&e->flat, e->label));
  /* no link is inside a community yet */
  TRY(GrB_Matrix_new(&e->inside, GrB_FP64, e->n, e->n));
  TRY(grid_louvain_measure(&e->now.quality, e, true));
  TRY(resume(e));
  while (e->now.pass < 2) {
    e->refines = leiden && e->now.pass == 1;
    TRY(run_levels(e));
    TRY(start_again(e));
  }
  if (leiden) TRY(grid_louvain_improve(e));
  if (e->inside == NULL) TRY(grid_louvain_find_inside(e));
  if (leiden) TRY(divide_communities(e));
out:
  return info;
}

/* *community = the smallest vertex of A with the label of each vertex; v itself where it has no edges. */
static GrB_Info name_communities(GrB_Vector *community, louvain *e, GrB_Index n) {
  GrB_Info info;
  GrB_Vector least = NULL, name = NULL;
  TRY(GrB_Vector_new(community, GrB_INT64, n));
  TRY(GrB_Vector_assign_INT64(*community, NULL, NULL, 0, GrB_ALL, n, NULL));
  TRY(GrB_Vector_apply_IndexOp_INT64(*community, NULL, NULL, GrB_ROWINDEX_INT64, *community, 0, NULL));
  if (e->vertex == NULL) goto out;
  TRY(GrB_Vector_new(&least, GrB_INT64, e->n));
  TRY(GrB_Vector_new(&name, GrB_INT64, e->n));
  TRY(Grid_Vector_scatter(least, NULL, NULL, GrB_MIN_INT64, e->vertex, e->label, NULL));
  TRY(Grid_Vector_gather(name, NULL, NULL, least, e->label, NULL));
  TRY(Grid_Vector_scatter(*community, NULL, GrB_MIN_INT64, GrB_MIN_INT64, name, e->vertex, NULL));
out:
  GrB_Vector_free(&least);
  GrB_Vector_free(&name);
  return info;
}

static GrB_Info compute(GrB_Vector *community, double *modularity, GrB_Matrix A, double resolution,
                        uint64_t seed, bool leiden, const char *call) {
  louvain e = {.resolution = resolution < least_resolution ? 0 : resolution,
               .now.key = seed * 0x9e3779b97f4a7c15u};
  GrB_Matrix W = NULL;
  GrB_Vector found = NULL;
  GrB_Index n;
  GrB_Info info;
  double found_modularity = 0;
  TRY(check_outputs(community, modularity, call));
  if (!(resolution >= 0 && resolution <= DBL_MAX))
    return grid_refuse(GrB_INVALID_VALUE, call, "resolution is %g, not a finite number, 0 or more",
                       resolution);
  TRY(square_size(&n, A, call));
  TRY(grid_checkpoint_key_make(&e.computation, leiden ? "leiden" : "louvain", A, n));
  e.computation.key[3] = grid_key_of(resolution), e.computation.key[4] = seed;
  TRY(grid_exact_weights(&W, A, call));
  TRY(GrB_Matrix_reduce_FP64(&e.total, NULL, GrB_PLUS_MONOID_FP64, W, NULL));
  if (e.total > 0) TRY(remove_isolated(&e, W, n));
  TRY(GrB_Matrix_free(&W));
  if (e.total > 0) TRY(find_communities(&e, leiden));
  if (e.total > 0) TRY(grid_louvain_measure(&found_modularity, &e, false));
  TRY(name_communities(&found, &e, n));
  if (modularity != NULL) *modularity = found_modularity;
  if (community != NULL) *community = found, found = NULL;
out:
  grid_louvain_free_graph(&e);
  grid_louvain_free_vectors(&e);
  GrB_Matrix_free(&W);
  GrB_Matrix_free(&e.first);
  GrB_Vector_free(&e.flat);
  GrB_Vector_free(&e.vertex);
  GrB_Vector_free(&found);
  return info;
}

GrB_Info Grid_louvain(GrB_Vector *community, double *modularity, GrB_Matrix A, double resolution,
                      uint64_t seed) {
  SPAN;
  return compute(community, modularity, A, resolution, seed, false, "Grid_louvain");
}

GrB_Info Grid_leiden(GrB_Vector *community, double *modularity, GrB_Matrix A, double resolution,
                     uint64_t seed) {
  SPAN;
  return compute(community, modularity, A, resolution, seed, true, "Grid_leiden");
}
