/* Community detection by label propagation, as LDBC Graphalytics defines it. In each iteration every vertex
 * takes the most frequent label among its neighbors, the smallest of several. An entry in either direction
 * counts one. A vertex whose neighbors have all kept their labels keeps its own, so once few labels change
 * only the neighbors of these vertices are computed.
 *
 * Source: Raghavan, Albert, Kumara, Near linear time algorithm to detect community structures in large-scale
 * networks (2007); synchronous and deterministic as in LDBC Graphalytics (Iosup et al., 2016, A.4). */
#include "algos/algos.h"
#include "algos/checkpoints/resume.h"
#include "algos/support/rounds.h"

typedef struct {
  GrB_Index n;
  GrB_Matrix edges;  /* A where it is symmetric, else FP64: the numbers of entries */
  GrB_Vector label;  /* INT64, full */
  GrB_Vector next;   /* INT64: of the vertices that have neighbors */
  GrB_Vector differ; /* BOOL: workspace */
  GrB_Vector moved;  /* BOOL: the vertices whose label changed in the last iteration */
  GrB_Vector rows;   /* BOOL: the vertices to be computed, if not all */
} cdlp_state;

/* Where at most one label in SHARE changed, only the neighbors of those vertices are computed. */
enum { SHARE = 8 };

/* edges(v, w) = the number of (v, w) and (w, v) that exist. In a symmetric matrix all entries count alike. */
static GrB_Info load_edges(cdlp_state *e, GrB_Matrix A) {
  GrB_Info info;
  Grid_Storage storage;
  TRY(Grid_Matrix_storage(&storage, A));
  e->edges = A;
  if (storage.symmetric) goto out;
  e->edges = NULL;
  TRY(GrB_Matrix_new(&e->edges, GrB_FP64, e->n, e->n));
  TRY(GrB_Matrix_assign_FP64(e->edges, A, NULL, 1, GrB_ALL, e->n, GrB_ALL, e->n, GrB_DESC_S));
  TRY(GrB_Matrix_eWiseAdd_BinaryOp(e->edges, NULL, NULL, GrB_PLUS_FP64, e->edges, e->edges, GrB_DESC_T1));
out:
  return info;
}

/* label = next where it has an entry; *changes: the number of labels that differ. */
static GrB_Info update_labels(cdlp_state *e, GrB_Index *changes) {
  GrB_Info info;
  TRY(GrB_Vector_eWiseMult_BinaryOp(e->differ, NULL, NULL, GrB_NE_INT64, e->next, e->label, NULL));
  TRY(GrB_Vector_select_BOOL(e->moved, NULL, NULL, GrB_VALUEEQ_BOOL, e->differ, true, NULL));
  TRY(GrB_Vector_nvals(changes, e->moved));
  TRY(GrB_Vector_assign(e->label, e->next, NULL, e->next, GrB_ALL, e->n, GrB_DESC_S));
out:
  return info;
}

/* next = the labels of the vertices whose label may change, after an iteration with so many changes. */
static GrB_Info choose_labels(cdlp_state *e, GrB_Index changes, bool count) {
  const bool all = changes > e->n / SHARE;
  GrB_Info info;
  if (!all) TRY(GrB_mxv(e->rows, NULL, NULL, Grid_ANY_ONEB_SEMIRING_BOOL, e->edges, e->moved, NULL));
  TRY(Grid_Matrix_best_label(e->next, e->edges, e->label, NULL, all ? NULL : e->rows, NULL, count));
out:
  return info;
}

static GrB_Info allocate_workspace(cdlp_state *e) {
  GrB_Info info;
  TRY(GrB_Vector_new(&e->label, GrB_INT64, e->n));
  TRY(GrB_Vector_new(&e->next, GrB_INT64, e->n));
  TRY(GrB_Vector_new(&e->differ, GrB_BOOL, e->n));
  TRY(GrB_Vector_new(&e->moved, GrB_BOOL, e->n));
  TRY(GrB_Vector_new(&e->rows, GrB_BOOL, e->n));
  TRY(GrB_Vector_assign_INT64(e->label, NULL, NULL, 0, GrB_ALL, e->n, NULL));
  TRY(GrB_Vector_apply_IndexOp_INT64(e->label, NULL, NULL, GrB_ROWINDEX_INT64, e->label, 0, NULL));
out:
  return info;
}

static GrB_Info run(cdlp_state *e, GrB_Matrix A, uint64_t iterations) {
  GrB_Info info;
  uint64_t k = 0;
  checkpoint_key c;
  GrB_Index changes = e->n; /* of all labels, also after a restart */
  bool changed = true;      /* an iteration without a change is a fixed point */
  const Grid_Checkpoint_Item state[] = {{.name = "label", .vector = e->label},
                                        {.name = "changed", .bytes = &changed, .size = sizeof changed}};
  TRY(grid_checkpoint_key_make(&c, "cdlp", A, e->n));
  TRY(grid_checkpoint_resume(&k, &c, state, 2));
  TRY(grid_checkpoint_check_limit(&c, k, iterations));
  grid_rebalance_begin();
  while (k < iterations && changed) {
    TRY(grid_rebalance_round(e->edges, (double)(iterations - k)));
    TRY(choose_labels(e, changes, e->edges == A));
    TRY(update_labels(e, &changes));
    changed = changes > 0;
    TRY(grid_checkpoint_iteration(++k, &c, state, 2));
  }
out:
  return info;
}

GrB_Info Grid_cdlp(GrB_Vector *label, GrB_Matrix A, uint64_t iterations) {
  SPAN;
  cdlp_state e = {.n = 0};
  GrB_Info info;

  if (label == NULL) return Grid_agree(GrB_NULL_POINTER, "Grid_cdlp: label is NULL");
  TRY(square_size(&e.n, A, "Grid_cdlp"));
  TRY(allocate_workspace(&e));
  TRY(load_edges(&e, A));
  TRY(run(&e, A, iterations));
  *label = e.label, e.label = NULL;

out:
  if (e.edges != A) GrB_Matrix_free(&e.edges);
  GrB_Vector_free(&e.label);
  GrB_Vector_free(&e.next);
  GrB_Vector_free(&e.differ);
  GrB_Vector_free(&e.moved);
  GrB_Vector_free(&e.rows);
  return info;
}
