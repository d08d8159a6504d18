/* gridblas balance: what partitions by work are worth. It compares even partitions, those with as many
 * entries for every process, and those where rows have a cost, too: loads, the time of PageRank's rounds and
 * of searches. From these times it fits the cost of a row in entries. It also measures bad partitions that
 * are rebalanced while an iteration runs. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "bench/command/commands.h"

enum { ROUNDS = 10, SEARCHES = 8, MOST = 64, MOST_SAMPLES = 8 * MOST };

/* ---- partitions ---- */

/* The library's cost of a row. */
static double row_cost(int64_t degree, Grid_Row_Costs rows) {
  return degree > 1 ? rows.long_row : rows.short_row;
}

/* Ends of parts with equal sums of degrees and row costs, rounded to whole words. */
static void partition_by(uint64_t *first, const int64_t *degree, uint64_t n, Grid_Row_Costs rows) {
  const int P = Grid_size();
  double all = 0, sum = 0;
  int k = 1;
  for (uint64_t v = 0; v < n; v++) all += row_cost(degree[v], rows) + (double)(degree[v] > 0 ? degree[v] : 0);
  first[0] = 0, first[P] = n;
  for (uint64_t v = 0; v < n; v++) {
    for (; v % 64 == 0 && k < P && sum >= all * k / P; k++) first[k] = v;
    sum += row_cost(degree[v], rows) + (double)(degree[v] > 0 ? degree[v] : 0);
  }
  for (; k < P; k++) first[k] = n;
}

/* Process 0 gets seven eighths of the vertices. */
static void partition_badly(uint64_t *first, uint64_t n) {
  const uint64_t P = (uint64_t)Grid_size(), from = n / 512 * 448;
  for (uint64_t k = 1; k < P; k++) first[k] = from + (n - from) / 64 * (k - 1) / (P - 1) * 64;
  first[0] = 0, first[P] = n;
}

/* ---- times ---- */

/* The load of each process, and its times, under each partition. */
typedef struct {
  double of[MOST_SAMPLES][4], seconds[MOST_SAMPLES]; /* entries, rows with two or more, rows with fewer, 1 */
  int n;
} samples;

typedef struct {
  graph *g;
  report *r;
  const options *o;
  uint64_t *first;
  int64_t *degree;
  uint64_t source[SEARCHES];
  int sources;
  samples samples[2]; /* of rounds, of searches */
} bench;

typedef struct {
  double wall, most,
      load; /* seconds: of all processes; of the slowest process's own work; the latter over the mean */
  double per_process[MOST]; /* cpu time */
} timing;

static GrB_Info allgather_value(double *x, double value) {
  GrB_Info info = GrB_SUCCESS;
  x[Grid_rank()] = value;
  for (int p = 0; p < Grid_size() && info == GrB_SUCCESS; p++) info = Grid_bcast(&x[p], sizeof *x, p);
  return info;
}

static double max_over_mean(const double *x, double *most) {
  double sum = 0;
  *most = 0;
  for (int p = 0; p < Grid_size(); p++) {
    sum += x[p];
    *most = fmax(*most, x[p]);
  }
  return sum > 0 ? *most * Grid_size() / sum : 1;
}

static GrB_Info run_products(const bench *b) {
  GrB_Vector rank = NULL;
  const GrB_Info info = Grid_pagerank(&rank, NULL, NULL, b->g->A, NULL, 0.85, 0, ROUNDS, 0);
  GrB_Vector_free(&rank);
  return info;
}

static GrB_Info run_searches(const bench *b) {
  GrB_Info info = GrB_SUCCESS;
  for (int k = 0; k < b->sources && info == GrB_SUCCESS; k++) {
    GrB_Vector parent = NULL;
    info = Grid_bfs(NULL, &parent, b->g->A, b->source[k], -1);
    if (info == GrB_SUCCESS) info = GrB_Vector_wait(parent, GrB_MATERIALIZE);
    GrB_Vector_free(&parent);
  }
  return info;
}

/* What this process itself works, in seconds: its CPU, or its GPU on products. */
static double work_time(void) {
  return Grid_device() == Grid_CUDA ? Grid_device_time() : Grid_cpu_time();
}

/* The least times over all repetitions, for one round or search of `of`. */
static GrB_Info measure(timing *t, const bench *b, GrB_Info (*run)(const bench *), int of) {
  double least = HUGE_VAL;
  GrB_Info info = run(b); /* computed once */
  *t = (timing){.wall = HUGE_VAL, .load = 1};
  for (uint64_t k = 0; k < b->o->repeat && info == GrB_SUCCESS; k++) {
    info = Grid_synchronize();
    const double begin = work_time(), start = clock_now();
    if (info == GrB_SUCCESS) info = run(b);
    const double work = work_time() - begin;
    least = fmin(least, work / of);
    t->wall = fmin(t->wall, clock_slowest(start) / of);
  }
  if (info == GrB_SUCCESS) info = allgather_value(t->per_process, least);
  t->load = max_over_mean(t->per_process, &t->most);
  return info;
}

static void add_search_work(const Grid_Product *p, void *context) {
  double *sum = context;
  sum[0] += (double)p->inspected_most;
  sum[1] += (double)p->inspected;
}

/* Sums the slowest process over levels, since processes wait for each other at each level. */
static GrB_Info search_load(double *load, const bench *b) {
  double sum[2] = {0, 0};
  Grid_trace(add_search_work, sum);
  const GrB_Info info = run_searches(b);
  Grid_trace(NULL, NULL);
  *load = sum[1] > 0 ? sum[0] * Grid_size() / sum[1] : 1;
  return info;
}

/* ---- partitions compared ---- */

static void report_value(report *r, const char *name, const char *what, double value) {
  char key[80];
  snprintf(key, sizeof key, "%.30s_%.40s", name, what);
  report_number(r, key, value);
}

/* In milliseconds, for finding the cause of slow processes. */
static void report_per_process(report *r, const char *name, const char *what, const double *seconds) {
  double ms[MOST];
  char key[80];
  for (int p = 0; p < Grid_size(); p++) ms[p] = 1e3 * seconds[p];
  snprintf(key, sizeof key, "%.30s_%.10s_work_ms_of_processes", name, what);
  report_numbers(r, key, ms, (uint64_t)Grid_size());
}

/* For each process under the current partition. */
typedef struct {
  double entries[MOST], many[MOST], few[MOST];
} process_counts;

static GrB_Info measure_balance(process_counts *h, const bench *b) {
  GrB_Index first, rows, entries = 0;
  GrB_Info info = Grid_local_range(b->g->n, &first, &rows);
  if (info == GrB_SUCCESS) info = Grid_Matrix_extractLocal(NULL, NULL, NULL, &entries, b->g->A);
  double many = 0;
  for (uint64_t v = first; v < first + rows; v++) many += b->degree[v] > 1;
  if (info == GrB_SUCCESS) info = allgather_value(h->entries, (double)entries);
  if (info == GrB_SUCCESS) info = allgather_value(h->many, many);
  return info == GrB_SUCCESS ? allgather_value(h->few, (double)rows - many) : info;
}

static void add_samples(samples *s, const process_counts *h, const timing *t) {
  for (int p = 0; p < Grid_size() && s->n < MOST_SAMPLES; p++, s->n++) {
    const double of[] = {h->entries[p], h->many[p], h->few[p], 1};
    memcpy(s->of[s->n], of, sizeof of);
    s->seconds[s->n] = t->per_process[p];
  }
}

static GrB_Info compare(const char *name, bench *b) {
  static const char *const what[2] = {"round", "search"};
  timing t[2];
  process_counts h;
  double most, search_work = 1;
  GrB_Info info = GrB_Matrix_wait(b->g->A, GrB_MATERIALIZE);
  if (info == GrB_SUCCESS) info = measure_balance(&h, b);
  if (info == GrB_SUCCESS) info = search_load(&search_work, b);
  if (info == GrB_SUCCESS) info = measure(&t[0], b, run_products, ROUNDS);
  if (info == GrB_SUCCESS) info = measure(&t[1], b, run_searches, b->sources);
  if (info != GrB_SUCCESS) return info;
  report_value(b->r, name, "entries_load", max_over_mean(h.entries, &most));
  report_value(b->r, name, "search_load", search_work);
  for (int k = 0; k < 2; k++) {
    char key[40];
    snprintf(key, sizeof key, "%s_ms", what[k]);
    report_value(b->r, name, key, 1e3 * t[k].wall);
    snprintf(key, sizeof key, "%s_work_ms", what[k]);
    report_value(b->r, name, key, 1e3 * t[k].most);
    snprintf(key, sizeof key, "%s_time_load", what[k]);
    report_value(b->r, name, key, t[k].load);
    report_per_process(b->r, name, what[k], t[k].per_process);
    add_samples(&b->samples[k], &h, &t[k]);
  }
  return info;
}

/* The library's partition for this row cost. */
static GrB_Info compare_library(const char *name, bench *b, Grid_Row_Costs rows) {
  GrB_Info info = Grid_partition_set(b->g->n, NULL);
  if (info == GrB_SUCCESS) info = Grid_Matrix_repartition(NULL, b->g->A, rows, 0, 0);
  return info == GrB_SUCCESS ? compare(name, b) : info;
}

/* Partitions where the cost of a process's entries is its measured time, repeatedly. */
enum { MEASURED = 4 };

static GrB_Info compare_measured(bench *b) {
  timing t;
  GrB_Info info = Grid_partition_set(b->g->n, NULL);
  if (info == GrB_SUCCESS) info = Grid_Matrix_repartition(NULL, b->g->A, Grid_ROW_COSTS_PRODUCT, 0, 0);
  for (int k = 0; k < MEASURED && info == GrB_SUCCESS; k++) {
    info = measure(&t, b, run_products, ROUNDS);
    if (info == GrB_SUCCESS)
      info = Grid_Matrix_repartition(NULL, b->g->A, Grid_ROW_COSTS_PRODUCT, t.per_process[Grid_rank()], 1e9);
  }
  return info == GrB_SUCCESS ? compare("measured", b) : info;
}

/* Compares even partitions, those with a given row cost, and the library's. */
static GrB_Info compare_all(bench *b) {
  static const struct {
    const char *name;
    Grid_Row_Costs rows;
  } partition[] = {{"row_0", {0, 0}}, {"row_10", {10, 10}}, {"row_400", {400, 400}}};
  GrB_Info info = Grid_partition_set(b->g->n, NULL);
  if (info == GrB_SUCCESS) info = compare("even", b);
  for (size_t k = 0; k < sizeof partition / sizeof *partition && info == GrB_SUCCESS; k++) {
    partition_by(b->first, b->degree, b->g->n, partition[k].rows);
    info = Grid_partition_set(b->g->n, b->first);
    if (info == GrB_SUCCESS) info = compare(partition[k].name, b);
  }
  if (info == GrB_SUCCESS) info = compare_library("entries", b, (Grid_Row_Costs){0, 0});
  if (info == GrB_SUCCESS) info = compare_library("products", b, Grid_ROW_COSTS_PRODUCT);
  if (info == GrB_SUCCESS) info = compare_library("searches", b, Grid_ROW_COSTS_SEARCH);
  return info == GrB_SUCCESS ? compare_measured(b) : info;
}

/* ---- the cost of a row ---- */

enum { OF = 4 }; /* entries, rows with two or more, rows with fewer, a call */

/* Solves M x = y by elimination; false: M is singular. */
static bool solve(double x[OF], double M[OF][OF], double y[OF]) {
  for (int i = 0; i < OF; i++) {
    if (!(fabs(M[i][i]) > 1e-12)) return false; /* M is a sum of squares, so no pivoting is needed */
    for (int r = 0; r < OF; r++) {
      const double by = r == i ? 0 : M[r][i] / M[i][i];
      for (int c = 0; c < OF; c++) M[r][c] -= by * M[i][c];
      y[r] -= by * y[i];
    }
  }
  for (int i = 0; i < OF; i++) x[i] = y[i] / M[i][i];
  return true;
}

/* Fits seconds = the sum of counts times these costs by least squares. */
static void report_weights(const bench *b, const samples *s, const char *what) {
  double M[OF][OF] = {{0}}, y[OF] = {0}, x[OF], most[OF] = {1, 1, 1, 1};
  for (int k = 0; k < s->n; k++)
    for (int i = 0; i < OF; i++) most[i] = fmax(most[i], s->of[k][i]);
  for (int k = 0; k < s->n; k++)
    for (int i = 0; i < OF; i++) {
      for (int j = 0; j < OF; j++) M[i][j] += s->of[k][i] / most[i] * s->of[k][j] / most[j];
      y[i] += s->of[k][i] / most[i] * s->seconds[k];
    }
  if (!solve(x, M, y)) return;
  for (int i = 0; i < OF; i++) x[i] /= most[i];
  report_value(b->r, what, "entry_ns", 1e9 * x[0]);
  report_value(b->r, what, "row_of_many_ns", 1e9 * x[1]);
  report_value(b->r, what, "row_of_few_ns", 1e9 * x[2]);
  report_value(b->r, what, "row_of_many_in_entries", x[1] / x[0]);
  report_value(b->r, what, "row_of_few_in_entries", x[2] / x[0]);
}

/* ---- rebalancing of bad partitions ---- */

typedef struct {
  GrB_Vector x, y;
  Grid_Rebalancing state;
  double *ms; /* of each round, without the time of rebalancing */
  uint64_t last_move;
} rebalance_run;

/* y = A x; x = y / 16. */
static GrB_Info run_round(rebalance_run *m, const bench *b) {
  GrB_Info info = GrB_mxv(m->y, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_FP64, b->g->A, m->x, NULL);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_apply_BinaryOp2nd_FP64(m->x, NULL, NULL, GrB_TIMES_FP64, m->y, 1.0 / 16, NULL);
  return info;
}

static GrB_Info run_rounds(rebalance_run *m, const bench *b) {
  GrB_Info info = GrB_SUCCESS;
  const uint64_t n = b->o->iterations;
  for (uint64_t k = 0; k < n && info == GrB_SUCCESS; k++) {
    const uint64_t moves = m->state.moves;
    info = Grid_Matrix_rebalance(&m->state, b->g->A, Grid_ROW_COSTS_PRODUCT, (double)(n - k));
    if (m->state.moves > moves) m->last_move = k;
    if (info == GrB_SUCCESS) info = Grid_synchronize();
    const double start = clock_now();
    if (info == GrB_SUCCESS) info = run_round(m, b);
    m->ms[k] = 1e3 * clock_slowest(start);
  }
  return info;
}

static double least_of(const double *x, uint64_t from, uint64_t to) {
  double z = HUGE_VAL;
  for (uint64_t k = from; k < to; k++) z = fmin(z, x[k]);
  return z;
}

static void report_mending(const rebalance_run *m, const bench *b) {
  const uint64_t n = b->o->iterations;
  const double before = least_of(m->ms, 0, n < 2 ? n : 2), after = least_of(m->ms, m->last_move, n);
  report_value(b->r, "bad", "round_ms", before);
  report_value(b->r, "mended", "round_ms", after);
  report_value(b->r, "mended", "load", m->state.load);
  report_count(b->r, "mended_moves", m->state.moves);
  report_count(b->r, "mended_before_round", m->last_move);
  report_value(b->r, "mended", "move_ms", 1e3 * m->state.seconds);
  if (before > after)
    report_value(b->r, "mended", "pays_after_rounds", 1e3 * m->state.seconds / (before - after));
  report_numbers(b->r, "rounds_ms", m->ms, n);
}

static GrB_Info rebalance_rounds(bench *b) {
  rebalance_run m = {.ms = calloc(b->o->iterations + 1, sizeof *m.ms)};
  GrB_Info info = Grid_agree(m.ms == NULL ? GrB_OUT_OF_MEMORY : GrB_SUCCESS, "no memory for the times");
  partition_badly(b->first, b->g->n);
  if (info == GrB_SUCCESS) info = Grid_partition_set(b->g->n, b->first);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&m.x, GrB_FP64, b->g->n);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&m.y, GrB_FP64, b->g->n);
  if (info == GrB_SUCCESS) info = GrB_Vector_assign_FP64(m.x, NULL, NULL, 1.0, GrB_ALL, b->g->n, NULL);
  if (info == GrB_SUCCESS) info = run_rounds(&m, b);
  if (info == GrB_SUCCESS) report_mending(&m, b);
  GrB_Vector_free(&m.x);
  GrB_Vector_free(&m.y);
  free(m.ms);
  return info;
}

/* ---- the command ---- */

/* The vertex of highest degree, and others of all ranges. */
static void choose_sources(bench *b) {
  uint64_t top = 0;
  for (uint64_t v = 0; v < b->g->n; v++)
    if (b->degree[v] > b->degree[top]) top = v;
  b->source[b->sources++] = top;
  for (uint64_t k = 1; k < SEARCHES; k++) {
    uint64_t v = b->g->n * k / SEARCHES;
    while (v < b->g->n && b->degree[v] <= 0) v++;
    if (v < b->g->n) b->source[b->sources++] = v;
  }
}

static int prepare(bench *b, graph *g, const options *o) {
  int status = device_choose(o);
  if (status == STATUS_OK) status = graph_read(g, o);
  if (status == STATUS_OK) status = graph_build(g, o);
  if (status != STATUS_OK) return status;
  b->degree = malloc((g->n + 1) * sizeof *b->degree);
  b->first = calloc((size_t)Grid_size() + 1, sizeof *b->first);
  status = fail_on_any(STATUS_INPUT, b->degree == NULL || b->first == NULL ? "no memory for the cuts" : NULL);
  if (status == STATUS_OK) status = gather_int64(b->degree, g->out_degree, g->n);
  if (status == STATUS_OK) choose_sources(b);
  return status;
}

static int measure_graph(bench *b, graph *g, const options *o) {
  if (Grid_size() < 2 || Grid_size() > MOST)
    return fail(STATUS_INPUT, "cuts are compared on 2 to %d processes, not on %d", MOST, Grid_size());
  int status = prepare(b, g, o);
  if (status != STATUS_OK) return status;
  report_text(b->r, "graph", o->graph);
  report_count(b->r, "vertices", g->n);
  report_count(b->r, "edges", graph_edges(g));
  report_count(b->r, "processes", (uint64_t)Grid_size());
  report_count(b->r, "threads", (uint64_t)Grid_threads(0));
  GrB_Info info = compare_all(b);
  if (info == GrB_SUCCESS && Grid_device() == Grid_CPU) { /* a GPU's time is that of products alone */
    report_weights(b, &b->samples[0], "round");
    report_weights(b, &b->samples[1], "search");
  }
  if (info == GrB_SUCCESS) info = rebalance_rounds(b);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("comparing cuts");
}

static int describe(report *r, graph *g, const options *o) {
  bench b = {.g = g, .o = o, .r = r};
  const int status = measure_graph(&b, g, o);
  free(b.degree);
  free(b.first);
  return status;
}

int cmd_balance(const command *c, const options *o) {
  (void)c;
  return graph_described(o, describe);
}
