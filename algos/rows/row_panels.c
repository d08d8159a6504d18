/* See row_panels.h. */
#include "algos/rows/row_panels.h"

#include <stdlib.h>
#include <string.h>

/* The entries of bound on this process. */
typedef struct {
  GrB_Index *row, count;
  double *value;
  uint64_t before, sum; /* sums of the processes before this one, and of all */
} bounds;

/* Lists a process's entries; value becomes NULL on failure. */
static GrB_Info list_bounds(bounds *b, GrB_Vector bound) {
  GrB_Info info;
  GrB_Index n, first;
  TRY(GrB_Vector_size(&n, bound));
  TRY(Grid_local_range(n, &first, &b->count));
  b->row = malloc((b->count + 1) * sizeof *b->row);
  b->value = malloc((b->count + 1) * sizeof *b->value);
  const bool allocated = b->row != NULL && b->value != NULL;
  TRY(Grid_agree(allocated ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, "no memory for the rows' numbers of entries"));
  TRY(Grid_agree(Grid_Vector_extractLocal(b->row, b->value, &b->count, bound), NULL));
out:
  return info;
}

static GrB_Info sum_bounds(bounds *b) {
  GrB_Info info;
  const size_t processes = (size_t)Grid_size(), rank = (size_t)Grid_rank();
  uint64_t *sums = calloc(processes, sizeof *sums);
  TRY(Grid_agree(sums == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for the processes' sums"));
  for (GrB_Index k = 0; k < b->count; k++) sums[rank] += (uint64_t)b->value[k];
  TRY(Grid_sum(sums, processes));
  for (size_t p = 0; p < processes; p++) {
    if (p < rank) b->before += sums[p];
    b->sum += sums[p];
  }
out:
  free(sums);
  return info;
}

/* A row is in the panel that the sum of the rows before it belongs to. */
static void find_ends(uint64_t *end, const bounds *b, uint64_t most) {
  uint64_t sum = b->before;
  for (GrB_Index k = 0; k < b->count; k++) {
    end[sum / most] = b->row[k] + 1;
    sum += (uint64_t)b->value[k];
  }
}

GrB_Info grid_row_panels(uint64_t **start, uint64_t *panels, GrB_Vector bound, uint64_t most) {
  GrB_Info info;
  bounds b = {.row = NULL};
  TRY(list_bounds(&b, bound));
  TRY(sum_bounds(&b));
  *panels = b.sum / most + 1;
  *start = calloc(*panels + 1, sizeof **start);
  TRY(Grid_agree(*start == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for the panels"));
  find_ends(*start + 1, &b, most);
  TRY(Grid_max(*start, *panels + 1));
  for (uint64_t p = 0; p < *panels; p++)
    if ((*start)[p + 1] < (*start)[p]) (*start)[p + 1] = (*start)[p];
out:
  free(b.row), free(b.value);
  return info;
}

GrB_Info grid_for_panels(GrB_Vector bound, uint64_t most, const checkpoint_key *c,
                         const Grid_Checkpoint_Item *state, int n,
                         GrB_Info (*add)(void *work, GrB_Index first, GrB_Index end), void *work) {
  GrB_Info info;
  Grid_Checkpoint_Item all[GRID_PANEL_STATE + 1];
  uint64_t *start = NULL, panels, done = 0;
  GrB_Index next = 0;
  all[0] = (Grid_Checkpoint_Item){.name = "next", .bytes = &next, .size = sizeof next};
  if (n > 0) memcpy(all + 1, state, (size_t)n * sizeof *state);
  if (c != NULL) TRY(grid_checkpoint_resume(&done, c, all, n + 1));
  TRY(grid_row_panels(&start, &panels, bound, most));
  for (uint64_t p = 0; p < panels; p++) {
    const GrB_Index first = start[p] < next ? next : start[p];
    if (c != NULL) Grid_progress_set(p, panels);
    if (first >= start[p + 1]) continue;
    TRY(add(work, first, start[p + 1]));
    next = start[p + 1];
    if (c != NULL) TRY(grid_checkpoint_iteration(++done, c, all, n + 1));
  }
out:
  free(start);
  return info;
}

GrB_Info grid_extract_rows(GrB_Matrix *P, GrB_Matrix A, GrB_Index first, GrB_Index count) {
  GrB_Info info;
  GrB_Index n, begin, nlocal, *row = NULL;
  TRY(GrB_Matrix_ncols(&n, A));
  TRY(Grid_local_range(count, &begin, &nlocal));
  row = malloc((nlocal + 1) * sizeof *row);
  TRY(Grid_agree(row == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for the rows of a panel"));
  for (GrB_Index k = 0; k < nlocal; k++) row[k] = first + begin + k;
  TRY(GrB_Matrix_new(P, GrB_BOOL, count, n));
  TRY(Grid_Matrix_extract(*P, NULL, NULL, A, row, nlocal, GrB_ALL, n, NULL));
out:
  free(row);
  return info;
}

GrB_Info grid_add_rows(GrB_Vector sums, GrB_Vector part, GrB_Index first) {
  GrB_Info info;
  GrB_Index rows, n;
  GrB_Vector where = NULL, all = NULL;
  TRY(GrB_Vector_size(&rows, part));
  TRY(GrB_Vector_size(&n, sums));
  TRY(GrB_Vector_new(&where, GrB_INT64, rows));
  TRY(GrB_Vector_new(&all, GrB_INT64, n));
  TRY(GrB_Vector_apply_IndexOp_INT64(where, NULL, NULL, GrB_ROWINDEX_INT64, part, (int64_t)first, NULL));
  TRY(Grid_Vector_scatter(all, NULL, NULL, NULL, part, where, NULL));
  TRY(GrB_Vector_eWiseAdd_BinaryOp(sums, NULL, NULL, GrB_PLUS_INT64, sums, all, NULL));
out:
  GrB_Vector_free(&where);
  GrB_Vector_free(&all);
  return info;
}
