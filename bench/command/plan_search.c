/* The levels of a search, counted for processes that need not exist. Each count is a sum over vertices or
 * entries of the frontier, of what it finds, or of what it leaves open; products and vectors compute it. */
#include "bench/command/plan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- sums over the current processes ---- */

typedef struct {
  uint64_t *at;
  int64_t *value;
  uint64_t count;
} entries;

static GrB_Info extract_entries(entries *e, GrB_Vector v) {
  void *value = NULL;
  *e = (entries){NULL, NULL, 0};
  const GrB_Info info = local_entries(&e->at, &value, sizeof *e->value, &e->count, v, "no memory to count");
  e->value = value;
  return info;
}

static void drop_entries(entries *e) {
  free(e->at);
  free(e->value);
}

/* Counts are sent as integers in units of 1 / 1024. */
static GrB_Info sum_reals(double *x, int n) {
  uint64_t v[16];
  for (int k = 0; k < n; k++) v[k] = (uint64_t)llround(1024 * x[k]);
  const GrB_Info info = Grid_sum(v, (size_t)n);
  for (int k = 0; k < n; k++) x[k] = (double)v[k] / 1024;
  return info;
}

static GrB_Info count_chunks(uint64_t *of, GrB_Vector v, const plan *t) {
  entries e;
  GrB_Info info = extract_entries(&e, v);
  memset(of, 0, (size_t)t->s.P * sizeof *of);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < e.count; k++) of[e.at[k] / t->s.q]++;
  drop_entries(&e);
  return info == GrB_SUCCESS ? Grid_sum(of, (size_t)t->s.P) : info;
}

/* The sum of v's values, and the expected number of P - 1 other processes with at least one of so many
 * entries. */
static GrB_Info sum_values(double *sum, double *segments, GrB_Vector v, const plan *t) {
  entries e;
  const double P = t->s.P;
  double x[2] = {0, 0};
  GrB_Info info = extract_entries(&e, v);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < e.count; k++) {
    x[0] += (double)e.value[k];
    x[1] += (P - 1) * (1 - pow(1 - 1 / P, (double)e.value[k]));
  }
  drop_entries(&e);
  if (info == GrB_SUCCESS) info = sum_reals(x, 2);
  *sum = x[0];
  if (segments != NULL) *segments = x[1];
  return info;
}

/* ---- delegates ---- */

/* The number of a row's entries in a set. */
#define COUNT Grid_PLUS_ONEB_SEMIRING_INT64

/* The inputs of the counts. */
typedef struct {
  GrB_Vector normal, delegate;  /* the sets, with degrees */
  GrB_Vector normal_neighbors;  /* of each vertex, its neighbors that are no delegates */
  GrB_Vector row_hub, row_hubs; /* of each vertex, its neighbor of highest degree; the set of those */
  GrB_Vector q, visited, next, a, b, c, left;
} counting;

static GrB_Info divide(counting *c, const graph *g, int64_t threshold) {
  GrB_Info info = GrB_select(c->normal, NULL, NULL, GrB_VALUELE_INT64, g->out_degree, threshold, GrB_DESC_R);
  if (info == GrB_SUCCESS)
    info = GrB_select(c->delegate, NULL, NULL, GrB_VALUEGT_INT64, g->out_degree, threshold, GrB_DESC_R);
  if (info == GrB_SUCCESS)
    info = GrB_vxm(c->normal_neighbors, NULL, NULL, COUNT, c->normal, g->A, GrB_DESC_R);
  return info;
}

/* The highest threshold that leaves a tenth of the entries outside, among eight for each power of two. */
static GrB_Info choose_threshold(plan *t, counting *c, const graph *g) {
  int64_t most = 0, low = 0, high = 1;
  GrB_Info info = GrB_Vector_reduce_INT64(&most, NULL, GrB_MAX_MONOID_INT64, g->out_degree, NULL);
  while (high <= 8 * 60 && exp2((double)high / 8) < (double)most) high++;
  while (info == GrB_SUCCESS && low < high) {
    const int64_t middle = (low + high + 1) / 2;
    double remote_share = 0;
    info = divide(c, g, (int64_t)exp2((double)middle / 8));
    if (info == GrB_SUCCESS)
      info = GrB_Vector_assign(c->a, c->normal, NULL, c->normal_neighbors, GrB_ALL, g->n, GrB_DESC_RS);
    if (info == GrB_SUCCESS) info = sum_values(&remote_share, NULL, c->a, t);
    if (remote_share <= 0.1 * (double)g->nvals)
      low = middle;
    else
      high = middle - 1;
  }
  t->threshold = (int64_t)exp2((double)low / 8);
  return info;
}

/* ---- row hubs ---- */

/* An order in 64 bits: by degree, then by descending number, whose complement is the lower half. */
static const int64_t HALF = (int64_t)1 << 32;

static GrB_Info order_vertices(counting *c, const graph *g) {
  GrB_Info info = GrB_Vector_assign(c->a, NULL, NULL, g->out_degree, GrB_ALL, g->n, GrB_DESC_R);
  if (info == GrB_SUCCESS && g->directed)
    info = GrB_Vector_eWiseAdd_BinaryOp(c->a, NULL, NULL, GrB_PLUS_INT64, c->a, g->in_degree, NULL);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_apply_IndexOp_INT64(c->b, NULL, NULL, GrB_ROWINDEX_INT64, c->a, 0, NULL);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_apply_BinaryOp2nd_INT64(c->a, NULL, NULL, GrB_TIMES_INT64, c->a, HALF, NULL);
  return info == GrB_SUCCESS
             ? GrB_Vector_eWiseMult_BinaryOp(c->a, NULL, NULL, GrB_MINUS_INT64, c->a, c->b, NULL)
             : info;
}

/* As in dist/product/exchange/row_hubs.c. */
enum { VERTICES_PER_ROW_HUB = 8 };

static GrB_Info find_row_hubs(plan *t, counting *c, const graph *g) {
  GrB_Index row_hubs = 0;
  GrB_Info info = order_vertices(c, g);
  if (info == GrB_SUCCESS)
    info = GrB_vxm(c->row_hub, NULL, NULL, GrB_MAX_FIRST_SEMIRING_INT64, c->a, g->A, NULL);
  if (info == GrB_SUCCESS) info = GrB_Vector_apply(c->row_hub, NULL, NULL, GrB_AINV_INT64, c->row_hub, NULL);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_apply_BinaryOp2nd_INT64(c->row_hub, NULL, NULL, GrB_BAND_INT64, c->row_hub, HALF - 1,
                                              NULL);
  if (info == GrB_SUCCESS)
    info = Grid_Vector_scatter(c->row_hubs, NULL, NULL, GrB_FIRST_INT64, c->row_hub, c->row_hub, NULL);
  if (info == GrB_SUCCESS) info = GrB_Vector_nvals(&row_hubs, c->row_hubs);
  t->s.row_hubs = row_hubs <= g->n / VERTICES_PER_ROW_HUB && g->n < UINT32_MAX ? row_hubs : 0;
  return info;
}

/* b: the unvisited rows whose hub is in the frontier. */
static GrB_Info count_by_row_hub(const plan *t, plan_level *l, counting *c, const graph *g) {
  GrB_Index by_row_hub = 0, row_hubs = 0;
  GrB_Info info = GrB_Vector_clear(c->b);
  if (t->s.row_hubs == 0 || info != GrB_SUCCESS) return info;
  info = GrB_Vector_assign(c->a, c->visited, NULL, c->row_hub, GrB_ALL, g->n, GrB_DESC_RSC);
  if (info == GrB_SUCCESS) info = Grid_Vector_gather(c->b, NULL, NULL, c->q, c->a, NULL);
  if (info == GrB_SUCCESS) info = GrB_Vector_nvals(&by_row_hub, c->b);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_assign(c->c, c->q, NULL, c->row_hubs, GrB_ALL, g->n, GrB_DESC_RS);
  if (info == GrB_SUCCESS) info = GrB_Vector_nvals(&row_hubs, c->c);
  l->by_row_hub = (double)by_row_hub, l->row_hubs = (double)row_hubs;
  return info;
}

/* ---- one level ---- */

/* A level, whether row hubs are tried, and whether a row's entries are all on one process. */
typedef struct {
  plan_level *l;
  bool row_hubs, whole_rows;
} recording;

static void record(const Grid_Product *p, void *context) {
  const recording *to = context;
  plan_level *l = to->l;
  l->pull = strcmp(p->direction, "pull") == 0;
  l->frontier = p->frontier;
  l->inspected = p->inspected;
  int R, C;
  Grid_shape(&R, &C);
  if (l->pull)
    l->inspected = (uint64_t)((double)p->inspected / Grid_layout_inspected(C, to->row_hubs)); /* one column */
  if (l->pull && !to->whole_rows) return; /* local_ms then has the messages of the pull ring */
  const double local = 1e-3 * (p->local_ms + p->fold_ms * (Grid_size() > 1 ? 0 : 1)) * Grid_size();
  if (l->local_seconds == 0 || local < l->local_seconds) l->local_seconds = local;
}

static plan_level *new_level(plan *t) {
  if (t->s.levels == t->capacity) {
    const uint64_t capacity = 2 * t->capacity + 16;
    plan_level *level = realloc(t->s.level, capacity * sizeof *level);
    if (level == NULL) return NULL;
    t->s.level = level, t->capacity = capacity;
  }
  plan_level *l = &t->s.level[t->s.levels];
  *l = (plan_level){.of = calloc(3 * (size_t)t->s.P, sizeof *l->of)};
  if (l->of == NULL) return NULL;
  l->of_delegates = l->of + t->s.P, l->waiting = l->of_delegates + t->s.P;
  t->s.levels++;
  return l;
}

/* v<in, replace> = values */
static GrB_Info restrict_to(GrB_Vector v, GrB_Vector in, GrB_Vector values, uint64_t n) {
  return GrB_Vector_assign(v, in, NULL, values, GrB_ALL, n, GrB_DESC_RS);
}
static GrB_Info without(GrB_Vector v, GrB_Vector out, GrB_Vector values, uint64_t n) {
  return GrB_Vector_assign(v, out, NULL, values, GrB_ALL, n, GrB_DESC_RSC);
}

static GrB_Info count_frontier(plan *t, plan_level *l, counting *c, const graph *g) {
  GrB_Info info = count_chunks(l->of, c->q, t);
  if (info == GrB_SUCCESS) info = without(c->a, c->visited, g->out_degree, g->n);
  if (info == GrB_SUCCESS) info = count_chunks(l->waiting, c->a, t);
  if (info == GrB_SUCCESS) info = restrict_to(c->a, c->q, g->out_degree, g->n);
  if (info == GrB_SUCCESS) info = sum_values(&l->edges, &l->segments, c->a, t);
  if (g->directed) l->segments = 0; /* no process pushes along rows */
  if (info == GrB_SUCCESS) info = restrict_to(c->a, c->q, c->normal, g->n);
  GrB_Index normals = 0;
  if (info == GrB_SUCCESS) info = GrB_Vector_nvals(&normals, c->a);
  l->normals = (double)normals;
  if (info == GrB_SUCCESS) info = restrict_to(c->b, c->a, c->normal_neighbors, g->n);
  if (info == GrB_SUCCESS) info = sum_values(&l->pushed, &l->groups, c->b, t);
  if (info == GrB_SUCCESS) info = restrict_to(c->a, c->q, c->delegate, g->n);
  return info == GrB_SUCCESS ? count_chunks(l->of_delegates, c->a, t) : info;
}

/* The expected number of rows whose neighbors in the frontier are all outside of the local chunk, one of P.
 */
static GrB_Info sum_open(plan *t, double *sum, counting *c, GrB_Vector open) {
  entries o, h;
  const double others = 1 - 1.0 / t->s.P;
  GrB_Info info = extract_entries(&o, open);
  if (info == GrB_SUCCESS) info = extract_entries(&h, c->left); /* hits of rows */
  if (info != GrB_SUCCESS) return drop_entries(&o), info;
  *sum = 0;
  for (uint64_t k = 0, m = 0; k < o.count; k++) {
    while (m < h.count && h.at[m] < o.at[k]) m++;
    const bool hit = m < h.count && h.at[m] == o.at[k];
    *sum += others * (double)o.value[k] * pow(others, hit ? (double)h.value[m] : 0);
  }
  drop_entries(&o);
  drop_entries(&h);
  return sum_reals(sum, 1);
}

/* a: the frontier's delegates. Counts the rows that they leave open, and the remote edges of these. */
static GrB_Info count_open(plan *t, plan_level *l, counting *c, const graph *g) {
  GrB_Info info = restrict_to(c->a, c->q, c->delegate, g->n);
  if (info == GrB_SUCCESS) /* b: rows that a delegate finds */
    info = GrB_vxm(c->b, c->visited, NULL, COUNT, c->a, g->A, GrB_DESC_RSC);
  GrB_Index by_delegate = 0;
  if (info == GrB_SUCCESS) info = GrB_Vector_nvals(&by_delegate, c->b);
  l->by_delegate = (double)by_delegate;
  if (info == GrB_SUCCESS) info = without(c->a, c->visited, c->normal_neighbors, g->n);
  if (info == GrB_SUCCESS) info = restrict_to(c->c, c->a, c->delegate, g->n);
  if (info == GrB_SUCCESS) info = restrict_to(c->left, c->c, c->normal_neighbors, g->n);
  if (info == GrB_SUCCESS) info = sum_values(&l->waiting_of_delegates, NULL, c->left, t);
  if (info == GrB_SUCCESS) info = without(c->c, c->b, c->a, g->n); /* open */
  if (info == GrB_SUCCESS) info = GrB_vxm(c->left, c->c, NULL, COUNT, c->q, g->A, GrB_DESC_RS);
  if (info == GrB_SUCCESS) info = sum_open(t, &l->open, c, c->c);
  if (info == GrB_SUCCESS) info = restrict_to(c->a, c->delegate, c->c, g->n);
  return info == GrB_SUCCESS ? sum_open(t, &l->open_of_delegates, c, c->a) : info;
}

/* The expected number of the C processes with a row's entries that find a neighbor in the frontier, over the
 * rows found that are not in b. */
static GrB_Info count_finds(plan_level *l, counting *c, const graph *g) {
  entries e;
  GrB_Info info = without(c->c, c->b, c->next, g->n);
  if (info == GrB_SUCCESS) info = GrB_vxm(c->a, c->c, NULL, COUNT, c->q, g->A, GrB_DESC_RS);
  if (info == GrB_SUCCESS) info = extract_entries(&e, c->a);
  if (info != GrB_SUCCESS) return info;
  for (uint64_t k = 0; k < e.count; k++)
    for (int x = 0; x < Grid_LAYOUT_COLUMNS; x++) {
      const double C = 2 << x;
      l->finds[x] += C * (1 - pow(1 - 1 / C, (double)e.value[k]));
    }
  drop_entries(&e);
  return sum_reals(l->finds, Grid_LAYOUT_COLUMNS);
}

enum { TIMES = 3 }; /* runs the level's product; the least time counts */

static GrB_Info count_level(plan *t, plan_level *l, counting *c, const graph *g, bool *more) {
  GrB_Index found = 0;
  GrB_Info info = count_frontier(t, l, c, g);
  int R, C;
  Grid_shape(&R, &C);
  recording to = {l, t->s.row_hubs > 0, (g->directed ? R : C) == 1};
  Grid_trace(record, &to);
  for (int k = 0; k < TIMES && info == GrB_SUCCESS; k++)
    info = GrB_vxm(c->next, c->visited, NULL, Grid_ANY_SECONDI_SEMIRING_INT64, c->q, g->A, GrB_DESC_RSC);
  Grid_trace(NULL, NULL);
  if (info == GrB_SUCCESS) info = GrB_Vector_nvals(&found, c->next);
  l->found = (double)found;
  if (info == GrB_SUCCESS && l->pull && t->s.d > 0) info = count_open(t, l, c, g);
  if (info == GrB_SUCCESS && l->pull) info = count_by_row_hub(t, l, c, g);
  if (info == GrB_SUCCESS && l->pull) info = count_finds(l, c, g);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_assign(c->visited, c->next, NULL, c->next, GrB_ALL, g->n, GrB_DESC_S);
  *more = found > 0;
  GrB_Vector was = c->q;
  c->q = c->next, c->next = was;
  return info;
}

/* ---- all ---- */

static GrB_Info open_counting(counting *c, const graph *g, uint64_t source) {
  GrB_Vector *const all[] = {
      &c->normal, &c->delegate, &c->normal_neighbors, &c->q,       &c->visited, &c->next, &c->a, &c->b,
      &c->c,      &c->left,     &c->row_hub,          &c->row_hubs};
  *c = (counting){.q = NULL};
  GrB_Info info = GrB_SUCCESS;
  for (size_t k = 0; k < sizeof all / sizeof *all && info == GrB_SUCCESS; k++)
    info = GrB_Vector_new(all[k], GrB_INT64, g->n);
  if (info == GrB_SUCCESS) info = GrB_Vector_setElement_INT64(c->q, (int64_t)source, source);
  if (info == GrB_SUCCESS) info = GrB_Vector_setElement_INT64(c->visited, (int64_t)source, source);
  return info;
}

static void close_counting(counting *c) {
  GrB_Vector *const all[] = {
      &c->normal, &c->delegate, &c->normal_neighbors, &c->q,       &c->visited, &c->next, &c->a, &c->b,
      &c->c,      &c->left,     &c->row_hub,          &c->row_hubs};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) GrB_Vector_free(all[k]);
}

/* All processes get a level to count in, or none. */
static GrB_Info agree_on_memory(bool made) {
  return Grid_agree(made ? GrB_SUCCESS : GrB_OUT_OF_MEMORY, made ? NULL : "no memory for the plan");
}

int plan_count(plan *t, const graph *g, uint64_t source, const options *o, int P) {
  counting c;
  const uint64_t q = g->n / (uint64_t)P + (g->n % (uint64_t)P != 0);
  bool more = true;
  *t = (plan){.s = {.P = P, .n = g->n, .q = (q + 63) / 64 * 64}, .threshold = o->delegates};
  t->s.d_of = calloc((size_t)P, sizeof *t->s.d_of);
  GrB_Info info = agree_on_memory(t->s.d_of != NULL);
  if (info == GrB_SUCCESS) info = open_counting(&c, g, source);
  if (info == GrB_SUCCESS && o->delegates == Grid_DELEGATES_AUTO) info = choose_threshold(t, &c, g);
  if (info == GrB_SUCCESS) info = find_row_hubs(t, &c, g);
  const bool split = info == GrB_SUCCESS && o->delegates != Grid_DELEGATES_OFF && !g->directed;
  if (split) info = divide(&c, g, t->threshold);
  if (split && info == GrB_SUCCESS) info = count_chunks(t->s.d_of, c.delegate, t);
  for (int k = 0; k < P && split; k++) t->s.d += t->s.d_of[k];
  if (t->s.d == 0) t->threshold = -1;
  while (info == GrB_SUCCESS && more) {
    plan_level *l = new_level(t);
    info = agree_on_memory(l != NULL);
    if (info == GrB_SUCCESS) info = count_level(t, l, &c, g, &more);
  }
  close_counting(&c);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("counting a search");
}

void plan_free(plan *t) {
  for (uint64_t k = 0; k < t->s.levels; k++) free(t->s.level[k].of);
  free(t->s.level);
  free(t->s.d_of);
  *t = (plan){.capacity = 0};
}

/* ---- what is really sent ---- */

static void add_up(const Grid_Product *p, void *context) {
  plan_measured *m = context;
  m->bytes += (double)(p->expand_bytes + p->mask_bytes + p->fold_bytes + p->delegate_bytes);
  m->inspected += (double)p->inspected;
}

/* Counted once, then timed without counting. */
enum { TIMED = 5 };

static GrB_Info search(plan_measured *m, const graph *g, uint64_t source) {
  GrB_Info info = GrB_SUCCESS;
  for (int k = 0; k <= TIMED && info == GrB_SUCCESS; k++) {
    GrB_Vector parent = NULL;
    uint64_t before, after;
    Grid_trace(k == 0 ? add_up : NULL, m);
    info = Grid_synchronize();
    Grid_traffic(&before, NULL);
    const double start = clock_now();
    if (info == GrB_SUCCESS) info = Grid_bfs(NULL, &parent, g->A, source, -1);
    Grid_traffic(&after, NULL);
    const double took = clock_slowest(start);
    if (k == 1 || (k > 1 && took < m->seconds)) m->seconds = took;
    m->calls = (double)(after - before);
    GrB_Vector_free(&parent);
  }
  Grid_trace(NULL, NULL);
  return info;
}

int plan_measure(plan_measured *m, const graph *g, uint64_t source, int32_t delegates) {
  *m = (plan_measured){0};
  GrB_Info info = GrB_Matrix_set_INT32(g->A, delegates, Grid_DELEGATES);
  if (info == GrB_SUCCESS) info = GrB_Matrix_wait(g->A, GrB_MATERIALIZE);
  if (info == GrB_SUCCESS) info = search(m, g, source);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("searching");
}
