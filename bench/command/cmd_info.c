/* gridblas info: properties of a graph, and how it is stored. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "bench/command/commands.h"
#include "bench/program/graph/tuples.h"

/* Degrees of this process's vertices with edges, and the number of those without. */
typedef struct {
  int64_t *degree;
  uint64_t count, n, isolated;
} degrees;

static int compute_degrees(degrees *d, const graph *g) {
  uint64_t total;
  void *degree = NULL;
  *d = (degrees){.n = g->n};
  GrB_Info info =
      local_entries(NULL, &degree, sizeof *d->degree, &d->count, g->out_degree, "no memory for the degrees");
  d->degree = degree;
  if (info == GrB_SUCCESS) info = GrB_Vector_nvals(&total, g->out_degree);
  if (info != GrB_SUCCESS) return fail_library("counting the degrees");
  d->isolated = d->n - total;
  return STATUS_OK;
}

/* The number of vertices of degree at most x, over all processes. */
static int count_up_to(uint64_t *vertices, const degrees *d, int64_t x) {
  uint64_t sum = 0;
  for (uint64_t k = 0; k < d->count; k++) sum += d->degree[k] <= x;
  if (Grid_sum(&sum, 1) != GrB_SUCCESS) return fail_library("counting the degrees");
  *vertices = sum + d->isolated;
  return STATUS_OK;
}

/* The smallest degree that at least `rank` vertices do not exceed, by bisection. */
static int degree_of_rank(int64_t *degree, const degrees *d, uint64_t rank, int64_t most) {
  int64_t low = 0, high = most;
  int status = STATUS_OK;
  while (status == STATUS_OK && low < high) {
    const int64_t middle = low + (high - low) / 2;
    uint64_t vertices = 0;
    status = count_up_to(&vertices, d, middle);
    if (vertices >= rank)
      high = middle;
    else
      low = middle + 1;
  }
  *degree = low;
  return status;
}

/* The number of vertices by degree: none, one, 2 and 3, 4 to 7, ... */
static int report_histogram(report *r, const degrees *d) {
  enum { CLASSES = 65 };
  uint64_t class[CLASSES] = {0}, n = CLASSES;
  for (uint64_t k = 0; k < d->count; k++)
    for (int64_t x = d->degree[k], c = 0;; c++, x >>= 1)
      if (x == 0) {
        class[c]++;
        break;
      }
  if (Grid_sum(class, CLASSES) != GrB_SUCCESS) return fail_library("counting the degrees");
  class[0] = d->isolated;
  while (n > 1 && class[n - 1] == 0) n--;
  report_counts(r, "degree_histogram", class, n);
  return STATUS_OK;
}

static int report_degrees(report *r, const degrees *d, const graph *g) {
  uint64_t most = 0;
  int64_t least, quarter, median, three, high;
  for (uint64_t k = 0; k < d->count; k++)
    if ((uint64_t)d->degree[k] > most) most = (uint64_t)d->degree[k];
  int status = Grid_max(&most, 1) == GrB_SUCCESS ? STATUS_OK : fail_library("counting the degrees");
  if (status == STATUS_OK) status = degree_of_rank(&least, d, 1, (int64_t)most);
  if (status == STATUS_OK) status = degree_of_rank(&quarter, d, (d->n + 3) / 4, (int64_t)most);
  if (status == STATUS_OK) status = degree_of_rank(&median, d, (d->n + 1) / 2, (int64_t)most);
  if (status == STATUS_OK) status = degree_of_rank(&three, d, d->n - d->n / 4, (int64_t)most);
  if (status == STATUS_OK) status = degree_of_rank(&high, d, d->n - d->n / 100, (int64_t)most);
  if (status != STATUS_OK) return status;

  report_count(r, "isolated_vertices", d->isolated);
  report_count(r, "degree_min", (uint64_t)least);
  report_count(r, "degree_firstquartile", (uint64_t)quarter);
  report_count(r, "degree_median", (uint64_t)median);
  report_count(r, "degree_thirdquartile", (uint64_t)three);
  report_count(r, "degree_99_percent", (uint64_t)high);
  report_count(r, "degree_max", most);
  report_number(r, "degree_mean", (double)g->nvals / (double)g->n);
  return report_histogram(r, d);
}

/* The tuples of a file, or generated again. */
static int count_tuples(report *r, const graph *g) {
  uint64_t loops = 0;
  tuples t;
  const int status = tuples_open(&t, g);
  while (status == STATUS_OK && tuples_next(&t))
    for (uint64_t k = 0; k < t.count; k++) loops += t.rows[k] == t.cols[k];
  tuples_close(&t);
  if (status != STATUS_OK) return status;
  if (Grid_sum(&loops, 1) != GrB_SUCCESS) return fail_library("counting the loops");
  report_count(r, "tuples", g->edges.total);
  report_count(r, "loops", loops);
  report_count(r, "duplicates",
               g->edges.total - loops - graph_edges(g)); /* counts (j, i) and (i, j) when undirected */
  return STATUS_OK;
}

/* An opened file of pages has each entry once; those missing in its graph are loops. */
static int count_entries(report *r, const graph *g) {
  Grid_Pages_Info p;
  if (Grid_pages_info(&p, g->pages) != GrB_SUCCESS) return fail_library(NULL);
  report_count(r, "tuples", p.nvals);
  if (p.symmetric || g->directed) report_count(r, "loops", p.nvals - g->nvals);
  return STATUS_OK;
}

static int report_tuples(report *r, const graph *g, const options *o) {
  const Grid_Edges *e = &g->edges;
  const bool pattern = e->pattern || (g->pages == NULL && e->values == NULL);
  report_text(r, "graph", o->graph);
  report_text(r, "kind", e->kind);
  report_text(r, "storage_in_file", e->skew ? "skew-symmetric" : e->symmetric ? "symmetric" : "general");
  report_text(r, "values", pattern ? "pattern" : "numbers");
  report_count(r, "vertices", g->n);
  report_count(r, "edges", graph_edges(g));
  report_flag(r, "directed", g->directed);
  return g->pages != NULL ? count_entries(r, g) : count_tuples(r, g);
}

static int report_storage(report *r, const graph *g) {
  Grid_Storage s;
  if (Grid_Matrix_storage(&s, g->A) != GrB_SUCCESS) return fail_library("measuring the matrix");
  report_count(r, "entries", s.nvals);
  report_flag(r, "symmetric", s.symmetric);
  report_flag(r, "hypersparse", s.hypersparse);
  report_text(r, "format", s.full ? "full" : s.bitmap ? "bitmap" : s.hypersparse ? "hypersparse" : "sparse");
  report_count(r, "matrix_bytes", s.bytes);
  report_number(r, "bytes_per_entry", s.nvals > 0 ? (double)s.bytes / (double)s.nvals : 0);
  report_count(r, "delegates", s.delegates);
  if (s.threshold >= 0) report_count(r, "delegate_threshold", (uint64_t)s.threshold);
  report_count(r, "entries_nn", s.nn);
  report_count(r, "entries_nd", s.nd);
  report_count(r, "entries_dn", s.dn);
  report_count(r, "entries_dd", s.dd);
  report_flag(r, "dd_bits", s.dd_bits);
  return STATUS_OK;
}

/* A search needs a parent, a level, a frontier of parents and its mask for every vertex. */
static int report_memory(report *r, const graph *g) {
  Grid_Storage s;
  uint64_t peak;
  Grid_memory(&peak, false);
  if (Grid_max(&peak, 1) != GrB_SUCCESS || Grid_Matrix_storage(&s, g->A) != GrB_SUCCESS)
    return fail_library("measuring the memory");
  const uint64_t vectors = g->n * (8 + 4 + 8) + 3 * g->n / 8;
  report_count(r, "search_bytes_estimate", s.bytes + vectors);
  report_count(r, "peak_bytes_largest_process", peak);
  return STATUS_OK;
}

static int describe(report *r, graph *g, const options *o) {
  degrees d = {NULL, 0, 0, 0};
  int R, C;
  char shape[32];

  int status = device_choose(o);
  if (status == STATUS_OK) status = graph_read(g, o);
  if (status == STATUS_OK) status = graph_build(g, o);
  if (status == STATUS_OK) status = compute_degrees(&d, g);
  if (status == STATUS_OK) status = report_tuples(r, g, o);
  if (status == STATUS_OK) status = report_degrees(r, &d, g);
  if (status == STATUS_OK) status = report_storage(r, g);
  if (status == STATUS_OK) status = report_memory(r, g);
  free(d.degree);
  Grid_shape(&R, &C);
  snprintf(shape, sizeof shape, "%dx%d", R, C);
  report_text(r, "grid", shape);
  report_count(r, "threads", (uint64_t)Grid_threads(0));
  graph_report(r, g, o);
  return status == STATUS_OK ? device_report(r) : status;
}

int cmd_info(const command *c, const options *o) {
  (void)c;
  return o->graph == NULL ? cmd_devices(o) : graph_described(o, describe);
}
