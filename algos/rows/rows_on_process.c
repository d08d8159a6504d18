/* See rows_on_process.h. */
#include "algos/rows/rows_on_process.h"

#include <stdio.h>
#include <stdlib.h>

static GrB_Info allocate(grid_rows_on_process *r, GrB_Index rows, GrB_Index entries, size_t value_size,
                         const char *name) {
  char text[96];
  snprintf(text, sizeof text, "%s: no memory for %llu rows and %llu entries on one process", name,
           (unsigned long long)rows, (unsigned long long)entries);
  r->start = malloc((rows + 1) * sizeof *r->start);
  r->to = malloc((entries + 1) * sizeof *r->to);
  r->value = value_size > 0 ? malloc((entries + 1) * value_size) : NULL;
  const bool allocated = r->start != NULL && r->to != NULL && (value_size == 0 || r->value != NULL);
  return Grid_agree(allocated ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, text);
}

/* This process's rows, with offsets that begin at 0. */
static GrB_Info export_local(grid_rows_on_process *local, GrB_Index *rows, GrB_Index *entries, GrB_Matrix A,
                             size_t value_size, const char *name) {
  GrB_Info info;
  GrB_Index starts, values;
  TRY(Grid_Matrix_exportLocal(NULL, NULL, NULL, &starts, entries, &values, GrB_CSR_FORMAT, A));
  *rows = starts - 1;
  TRY(allocate(local, *rows, *entries, value_size, name));
  TRY(Grid_Matrix_exportLocal(local->start, local->to, local->value, &starts, entries, &values,
                              GrB_CSR_FORMAT, A));
out:
  return info;
}

/* Process 0's arrays of all rows; the others have none. */
static GrB_Info gather(grid_rows_on_process *all, const grid_rows_on_process *local, GrB_Index rows,
                       GrB_Index entries, size_t value_size, const char *name) {
  GrB_Info info;
  uint64_t sum[2] = {rows, entries};
  TRY(Grid_sum(sum, 2));
  const bool is_root = Grid_rank() == 0;
  TRY(allocate(all, is_root ? sum[0] : 0, is_root ? sum[1] : 0, is_root ? value_size : 0, name));
  size_t starts = sum[0] * sizeof *all->start, to = sum[1] * sizeof *all->to, values = sum[1] * value_size;
  /* the length of each row, and from these the offsets */
  for (GrB_Index r = 0; r < rows; r++) local->start[r] = local->start[r + 1] - local->start[r];
  TRY(Grid_gather(all->start + 1, &starts, local->start, rows * sizeof *local->start, 0));
  TRY(Grid_gather(all->to, &to, local->to, entries * sizeof *local->to, 0));
  if (value_size > 0) TRY(Grid_gather(all->value, &values, local->value, entries * value_size, 0));
  all->start[0] = 0;
  for (GrB_Index r = 0; is_root && r < sum[0]; r++) all->start[r + 1] += all->start[r];
out:
  return info;
}

GrB_Info grid_rows_to_process(grid_rows_on_process *rows, GrB_Matrix A, size_t value_size, const char *name) {
  GrB_Info info;
  GrB_Index n = 0, entries = 0;
  grid_rows_on_process local = {.start = NULL}, all = {.start = NULL};
  TRY(export_local(&local, &n, &entries, A, value_size, name));
  if (Grid_size() > 1)
    TRY(gather(&all, &local, n, entries, value_size, name));
  else
    all = local, local = (grid_rows_on_process){.start = NULL};
  *rows = all, all = (grid_rows_on_process){.start = NULL};
out:
  grid_rows_on_process_free(&local);
  grid_rows_on_process_free(&all);
  return info;
}

void grid_rows_on_process_free(grid_rows_on_process *r) {
  free(r->start), free(r->to), free(r->value);
  *r = (grid_rows_on_process){.start = NULL};
}
