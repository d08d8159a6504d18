/* See earlier_neighbors.h. Each process selects the entries of its own rows: half of them on average, in
 * 4 bytes. */
#include "dist/op/graph/public_calls/earlier_neighbors.h"

#include <stdlib.h>
#include <string.h>

#include "dist/op/graph/public_calls/public_calls.h"
#include "dist/op/graph/public_calls/row_view.h"

/* Collective: one process may have no memory. */
static GrB_Info agree_on_memory(bool allocated) {
  return Grid_agree(allocated ? GrB_SUCCESS : GrB_OUT_OF_MEMORY,
                    "Grid_Matrix_color: no memory for neighbors of vertices");
}

/* The selected columns of row v come to the front of the memory that has room for all of them. Local. */
static void select_row(grid_earlier_neighbors *local, const grid_row_arrays *rows, GrB_Index v,
                       const int64_t *score) {
  const GrB_Index first = grid_row_start(rows, v), end = grid_row_start(rows, v + 1);
  const int64_t least = score[v];
  uint32_t *to = local->to + first, n = 0;
  for (GrB_Index e = first; e < end; e++) {
    const GrB_Index u = grid_entry_column(rows, e);
    to[n] = (uint32_t)u;
    n += score[u] > least;
  }
  local->start[v - rows->first] = first;
  local->length[v - rows->first] = n;
}

/* local = the selected entries of this process's rows, with room for the others. */
static GrB_Info select_local(grid_earlier_neighbors *local, const grid_row_arrays *rows,
                             const int64_t *score) {
  GrB_Info info;
  local->start = malloc((rows->count + 1) * sizeof *local->start);
  local->length = malloc((rows->count + 1) * sizeof *local->length);
  local->to = malloc((grid_row_start(rows, rows->first + rows->count) + 1) * sizeof *local->to);
  TRY(agree_on_memory(local->start && local->length && local->to));
#pragma omp parallel for schedule(dynamic, 256)
  for (GrB_Index r = 0; r < rows->count; r++) select_row(local, rows, rows->first + r, score);
out:
  return info;
}

/* Removes the room between rows; returns the number of entries. Local. */
static GrB_Index close_gaps(grid_earlier_neighbors *local, GrB_Index rows) {
  GrB_Index at = 0;
  for (GrB_Index r = 0; r < rows; r++) {
    memmove(local->to + at, local->to + local->start[r], local->length[r] * sizeof *local->to);
    at += local->length[r];
  }
  return at;
}

/* all, on process 0 = the entries of all processes, for n vertices. */
static GrB_Info gather(grid_earlier_neighbors *all, grid_earlier_neighbors *local, GrB_Index rows,
                       GrB_Index n) {
  GrB_Info info;
  const GrB_Index room = Grid_rank() == 0 ? n : 0, entries = close_gaps(local, rows);
  GrB_Index sum = 0;
  size_t lengths = room * sizeof *all->length;
  all->start = malloc((room + 1) * sizeof *all->start);
  all->length = malloc((room + 1) * sizeof *all->length);
  TRY(agree_on_memory(all->start && all->length));
  TRY(Grid_gather(all->length, &lengths, local->length, rows * sizeof *local->length, 0));
  for (GrB_Index v = 0; v < room; v++) all->start[v] = sum, sum += all->length[v];
  all->to = malloc((sum + 1) * sizeof *all->to);
  TRY(agree_on_memory(all->to));
  size_t bytes = sum * sizeof *all->to;
  TRY(Grid_gather(all->to, &bytes, local->to, entries * sizeof *local->to, 0));
out:
  return info;
}

GrB_Info grid_earlier_neighbors_gather(grid_earlier_neighbors *all, GrB_Matrix B, const int64_t *score) {
  GrB_Info info;
  GrB_Index n;
  Grid_View view = {.indptr = NULL};
  grid_row_arrays rows;
  grid_earlier_neighbors local = {.to = NULL}, made = {.to = NULL};
  TRY(GrB_Matrix_nrows(&n, B));
  TRY(grid_view_rows(&rows, &view, B));
  TRY(select_local(&local, &rows, score));
  if (Grid_size() > 1)
    TRY(gather(&made, &local, rows.count, n));
  else
    made = local, local = (grid_earlier_neighbors){.to = NULL};
  *all = made, made = (grid_earlier_neighbors){.to = NULL};
out:
  Grid_View_free(&view);
  grid_earlier_neighbors_free(&local);
  grid_earlier_neighbors_free(&made);
  return info;
}

void grid_earlier_neighbors_free(grid_earlier_neighbors *x) {
  free(x->start), free(x->length), free(x->to);
  *x = (grid_earlier_neighbors){.to = NULL};
}
