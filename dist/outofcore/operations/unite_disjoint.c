/* See unite_disjoint.h. Each entry is written once for each doubling of the number of terms. */
#include "dist/outofcore/operations/unite_disjoint.h"

#include "dist/matrix/storage/matrix_outofcore.h"
#include "dist/outofcore/operations/outofcore_run.h"
#include "spmat/lmat_ops.h"
#include "spmat/matrix/axis.h"

/* ---- to pages ---- */

/* Would pages of T number all its rows and columns, not listed ones? */
static bool has_all_rows(GrB_Matrix T) {
  return grid_can_be_paged(&(grid_pages_head){.nrows = T->nrows, .ncols = T->ncols, .nvals = T->nvals});
}

/* T is stored in pages unless that leaves ample memory. */
static GrB_Info store_term(GrB_Matrix T, const char *path) {
  grid_axis axes[2] = {{.dim = T->block.row.dim}, {.dim = T->block.col.dim}};
  grid_pages *out = NULL;
  uint64_t full = 2 * grid_lmat_bytes(&T->block) > grid_paged_budget_left();
  const bool is_listed = !has_all_rows(T);
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_agree_sum(&T->head, info, &full, 1));
  if (!full || T->pages) return info;
  TRY(grid_matrix_require(T, GRID_HOST));
  for (int k = 0; k < 2 && is_listed; k++) TRY(grid_unite_axis(&axes[k], &T, 1, k == 0));
  const uint64_t rows = is_listed         ? axes[0].n
                        : grid_ctx.C == 1 ? grid_chunk_length(T->nrows, grid_ctx.k)
                                          : axes[0].dim;
  info = grid_pages_new(&out, path, T->type, rows, grid_axis_span(&axes[1]));
  if (info == GrB_SUCCESS) info = grid_slice_append(out, T, is_listed ? axes : NULL, 0, rows);
  if (info == GrB_SUCCESS) grid_pages_complete(out);
  info = grid_paged_adopt(T, out, is_listed ? axes : NULL, info);
  axes[0].ids = axes[1].ids = NULL;
done:
  for (int k = 0; k < 2; k++) grid_free(axes[k].ids);
  return info;
}

/* ---- union ---- */

/* C gets the term's entries, at positions that it lacks. */
static GrB_Info insert_term(GrB_Matrix C, GrB_Matrix term) {
  static const grid_desc in_pattern = {.structure = true};
  const grid_out_of_core x = {.C = C, .mask = term, .A = term, .d = &in_pattern, .run = grid_replace_slice};
  bool needed;
  const GrB_Info info = grid_out_of_core_needed(&x, &needed);
  if (info != GrB_SUCCESS) return info;
  return needed ? grid_out_of_core_run(&x)
                : grid_replace_slice(NULL, &(grid_slices){.C = C, .mask = term, .A = term});
}

/* ---- terms ---- */

GrB_Info grid_disjoint_add(grid_disjoint *p, GrB_Matrix term) {
  GrB_Info info = grid_matrix_require(term, GRID_OUTOFCORE_HYPERSPARSE | GRID_MERGED);
  int k = 0;
  if (info == GrB_SUCCESS && term->nvals == 0) {
    GrB_Matrix_free(&term);
    return info;
  }
  if (info == GrB_SUCCESS) info = store_term(term, p->path);
  for (; p->of_size[k] && info == GrB_SUCCESS; k++) {
    info = insert_term(term, p->of_size[k]);
    if (info == GrB_SUCCESS) GrB_Matrix_free(&p->of_size[k]);
  }
  if (info == GrB_SUCCESS)
    p->of_size[k] = term;
  else
    GrB_Matrix_free(&term);
  return info;
}

GrB_Info grid_disjoint_unite(GrB_Matrix *T, grid_disjoint *p, GrB_Type type, uint64_t nrows, uint64_t ncols) {
  GrB_Info info = GrB_SUCCESS;
  *T = NULL;
  for (int k = 0; k < GRID_DISJOINT_SIZES && info == GrB_SUCCESS; k++) {
    if (!p->of_size[k]) continue;
    if (*T) info = insert_term(p->of_size[k], *T);
    if (info != GrB_SUCCESS) break;
    GrB_Matrix_free(T);
    *T = p->of_size[k], p->of_size[k] = NULL;
  }
  if (info == GrB_SUCCESS && !*T) info = GrB_Matrix_new(T, type, nrows, ncols);
  if (info != GrB_SUCCESS) GrB_Matrix_free(T);
  return info;
}

void grid_disjoint_free(grid_disjoint *p) {
  for (int k = 0; k < GRID_DISJOINT_SIZES; k++) GrB_Matrix_free(&p->of_size[k]);
}

/* ---- entries that move ---- */

typedef struct {
  grid_disjoint *terms;
  GrB_Matrix C;
  grid_move_entries *move;
  const void *context;
} moving;

static GrB_Info move_panel(void *context, GrB_Matrix panel) {
  const moving *w = context;
  grid_local_matrix t = {0};
  GrB_Matrix term;
  GrB_Info info = w->move(&t, w->context, panel);
  info = grid_matrix_from_lmat(&term, w->C, &t, info);
  return info == GrB_SUCCESS ? grid_disjoint_add(w->terms, term) : info;
}

GrB_Info grid_disjoint_move(grid_disjoint *p, GrB_Matrix C, GrB_Matrix A, grid_move_entries *move,
                            const void *context) {
  return grid_slices_of(A, NULL, false, UINT64_MAX, move_panel, &(moving){p, C, move, context});
}

GrB_Info grid_move_panels(GrB_Matrix *T, GrB_Type type, GrB_Matrix C, GrB_Matrix A, grid_move_entries *move,
                          const void *context) {
  grid_disjoint terms = {.path = grid_paged_path(&A, 1)};
  GrB_Info info = grid_disjoint_move(&terms, C, A, move, context);
  *T = NULL;
  if (info == GrB_SUCCESS) info = grid_disjoint_unite(T, &terms, type, C->nrows, C->ncols);
  grid_disjoint_free(&terms);
  return info;
}

GrB_Info grid_matrix_from_lmat(GrB_Matrix *T, GrB_Matrix C, grid_local_matrix *t, GrB_Info info) {
  *T = NULL;
  TRY(grid_agree(&C->head, info));
  TRY(GrB_Matrix_new(T, t->type, C->nrows, C->ncols));
  info = grid_matrix_adopt(*T, &(grid_build){0}, t, info);
  if (info != GrB_SUCCESS) GrB_Matrix_free(T);
done:
  grid_lmat_free(t);
  return info;
}
