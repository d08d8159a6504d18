/* See renumber_graph.h. */
#include "bench/program/graph/renumber_graph.h"

#include <inttypes.h>
#include <stdlib.h>

static bool is_mirrored(const Grid_Edges *e) {
  return e->symmetric || e->skew;
}

static uint64_t part_of(const graph_ordering *x, uint64_t v) {
  uint64_t low = 0, high = x->parts;
  while (high - low > 1) {
    const uint64_t middle = low + (high - low) / 2;
    if (x->first[middle] <= v)
      low = middle;
    else
      high = middle;
  }
  return low;
}

/* Counts the entries of each part of the renumbered matrix B, and those between parts. */
static GrB_Info count_cut(graph_ordering *x, GrB_Matrix B) {
  GrB_Index n = 0;
  uint64_t *sums = calloc(x->parts + 1, sizeof *sums), most = 0;
  GrB_Info info = GrB_Matrix_wait(B, GrB_MATERIALIZE);
  if (info == GrB_SUCCESS) info = Grid_Matrix_extractLocal(NULL, NULL, NULL, &n, B);
  GrB_Index *rows = malloc((n + 1) * sizeof *rows), *cols = malloc((n + 1) * sizeof *cols);
  if (info == GrB_SUCCESS && (sums == NULL || rows == NULL || cols == NULL)) info = GrB_OUT_OF_MEMORY;
  if (info == GrB_SUCCESS) info = Grid_Matrix_extractLocal(rows, cols, NULL, &n, B);
  info = Grid_agree(info, info == GrB_OUT_OF_MEMORY ? "no memory for the edges" : NULL);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < n; k++) {
    const uint64_t part = part_of(x, rows[k]);
    sums[part]++;
    sums[x->parts] += part != part_of(x, cols[k]);
  }
  if (info == GrB_SUCCESS) info = Grid_sum(sums, x->parts + 1);
  if (info == GrB_SUCCESS) info = GrB_Matrix_nvals(&x->entries, B);
  for (uint64_t p = 0; info == GrB_SUCCESS && p < x->parts; p++)
    if (sums[p] > most) most = sums[p];
  if (info == GrB_SUCCESS) x->cut = sums[x->parts];
  x->load = x->entries > 0 ? (double)most * (double)x->parts / (double)x->entries : 1;
  free(sums), free(rows), free(cols);
  return info;
}

/* The tuples in new numbers; one triangle stays the lower one. */
static void renumber(Grid_Edges *e, const int64_t *number) {
  for (uint64_t k = 0; k < e->n; k++) {
    const uint64_t r = (uint64_t)number[e->rows[k]], c = (uint64_t)number[e->cols[k]];
    const bool swap = is_mirrored(e) && r < c;
    e->rows[k] = swap ? c : r;
    e->cols[k] = swap ? r : c;
    if (swap && e->skew && e->values != NULL) e->values[k] = -e->values[k];
  }
}

/* The names of this process's share of the vertices, by new numbers. old: their old numbers. */
static int rename_vertices(graph *g, const int64_t *old) {
  Grid_Edges *e = &g->edges, before = {.ids = e->ids};
  const uint64_t n = g->n, P = (uint64_t)Grid_size(), k = (uint64_t)Grid_rank(),
                 first = n / P * k + (n % P < k ? n % P : k), count = n / P + (k < n % P);
  uint64_t *ids = malloc((count + 1) * sizeof *ids);
  int status = fail_on_any(STATUS_INPUT, ids == NULL ? "no memory for the vertices' names" : NULL);
  for (uint64_t v = 0; status == STATUS_OK && v < count; v++) ids[v] = (uint64_t)old[first + v];
  if (status == STATUS_OK) status = graph_names(ids, ids, count, g);
  if (status != STATUS_OK) {
    free(ids);
    return status;
  }
  Grid_Edges_free(&before);
  e->ids = ids, e->ids_first = first, e->ids_count = count;
  g->owns_ids = true;
  return STATUS_OK;
}

static int apply_order(graph *g, GrB_Vector ids) {
  int64_t *old = malloc((g->n + 1) * sizeof *old), *number = malloc((g->n + 1) * sizeof *number);
  int status = fail_on_any(STATUS_INPUT,
                           old == NULL || number == NULL ? "no memory for the numbers of vertices" : NULL);
  if (status == STATUS_OK) status = gather_int64(old, ids, g->n);
  for (uint64_t v = 0; status == STATUS_OK && v < g->n; v++) number[old[v]] = (int64_t)v;
  if (status == STATUS_OK) status = rename_vertices(g, old);
  if (status == STATUS_OK) renumber(&g->edges, number);
  free(old), free(number);
  return status;
}

int graph_order(graph *g, uint64_t parts, int flags, const options *o) {
  const Grid_Edges *e = &g->edges;
  graph_ordering *x = &g->ordering;
  GrB_Matrix A = NULL, B = NULL;
  GrB_Vector ids = NULL;
  if (g->pages != NULL)
    return fail(STATUS_INPUT, "%s: --order is for graphs that are read to memory, not for page files",
                o->graph);
  if (e->nrows != e->ncols || g->ratings)
    return fail(STATUS_INPUT, "%s: the matrix is %" PRIu64 " x %" PRIu64 "%s: it is no graph to be ordered",
                o->graph, e->nrows, e->ncols, g->ratings ? " of ratings" : ", not square");
  progress("ordering the vertices");
  *x = (graph_ordering){.parts = parts, .first = calloc(parts + 1, sizeof *x->first)};
  GrB_Info info = Grid_agree(x->first == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for the parts");
  const double start = clock_now();
  if (info == GrB_SUCCESS) info = GrB_Matrix_new(&A, GrB_BOOL, g->n, g->n);
  if (info == GrB_SUCCESS) info = Grid_Matrix_build(A, e->rows, e->cols, NULL, NULL, e->n, NULL, flags);
  if (info == GrB_SUCCESS) info = Grid_Matrix_order(&B, &ids, x->first, A, o->order, parts, o->seed);
  x->seconds = clock_slowest(start);
  GrB_Matrix_free(&A);
  if (info == GrB_SUCCESS) info = count_cut(x, B);
  GrB_Matrix_free(&B);
  const int status = info == GrB_SUCCESS ? apply_order(g, ids) : fail_library(NULL);
  GrB_Vector_free(&ids);
  return status;
}

void graph_ordering_report(report *r, const graph *g, const options *o) {
  static const char *const name[] = {[Grid_ORDER_METIS] = "metis",
                                     [Grid_ORDER_RCM] = "rcm",
                                     [Grid_ORDER_DEGREE] = "degree",
                                     [Grid_ORDER_RANDOM] = "random"};
  const graph_ordering *x = &g->ordering;
  report_text(r, "order", name[o->order]);
  report_count(r, "parts", x->parts);
  report_count(r, "entries_cut", x->cut);
  report_number(r, "entries_cut_share", x->entries > 0 ? (double)x->cut / (double)x->entries : 0);
  report_number(r, "entries_load", x->load);
  report_counts(r, "first_of_parts", x->first, x->parts + 1);
  report_number(r, "order_seconds", x->seconds);
}
