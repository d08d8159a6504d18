/* A search predicted from degrees, in a graph that is random otherwise. A level follows from the numbers of
 * vertices of each class in the frontier and not yet visited. p is the frontier's share of the entries that
 * no earlier frontier had, and so the probability that an entry of an unvisited row meets the frontier. A row
 * of k entries is found with probability 1 - (1 - p)^k. */
#include <math.h>
#include <string.h>

#include "dist/plan/layout_cost.h"

enum { MAX_LEVELS = 32 };
static const double SMALLEST_SHARE = 1e-12; /* rounding may make the rest negative */

unsigned grid_degree_class(uint64_t degree) {
  if (degree < 8) return (unsigned)degree;
  const unsigned e = degree >> 32 ? 31 : 31 - (unsigned)__builtin_clz((uint32_t)degree);
  return 8 * (e - 2) + (unsigned)(degree >> (e - 3) & 7);
}

uint64_t grid_degree_class_min(unsigned class) {
  if (class < 8) return class;
  return (uint64_t)(8 + class % 8) << (class / 8 - 1);
}

typedef struct {
  const grid_degree_classes *c;
  int P;
  double all;           /* entries */
  double remaining;     /* fraction of them that no earlier frontier has */
  double remote_edges;  /* probability that an entry's end is a normal vertex of another process */
  double by_row_hub;    /* fraction of the rows found that are found by their row hub */
  double *in, *waiting; /* of each class: vertices in the frontier, and not visited */
} estimate;

static double sum_levels(const estimate *f, const double *number, int from, bool entries) {
  double sum = 0;
  for (int k = from; k < f->c->classes; k++) sum += number[k] * (entries ? f->c->degree[k] : 1);
  return sum;
}

/* The expected number of `parts` equal parts that get one of `items` items. */
static double count_nonempty_parts(double parts, double items) {
  return parts * (1 - pow(1 - 1 / parts, items));
}

/* The fraction of the rows found that are found by their row hub, and how many vertices there are for each
 * row hub. On R-MAT graphs of scales 16 to 20: 0.97 to 0.99 in the level that finds most, nearly all later;
 * 13 to 15. */
static const double BY_ROW_HUB = 0.97;
enum { VERTICES_PER_ROW_HUB = 14 };

static void spread_evenly(uint64_t *to, double sum, int P) {
  const uint64_t all = (uint64_t)llround(sum);
  for (int k = 0; k < P; k++) to[k] = all * (uint64_t)(k + 1) / (uint64_t)P - all * (uint64_t)k / (uint64_t)P;
}

/* Expected number of entries of a row that are inspected until a hit, each of probability p. The first entry
 * is the neighbour of highest degree, and in R-MAT graphs most rows are found by it. */
static const double FIRST = 0.35;
static double inspected_until_hit(double degree, double p) {
  return p > 0 ? fmax(1, FIRST * (1 - pow(1 - p, degree)) / p) : degree;
}

static void fill_pull(const estimate *f, Grid_Level *l, double p) {
  const double delegates = sum_levels(f, f->in, f->c->first, true) / f->all / f->remaining,
               local = (p - delegates) / f->P;
  double inspected = 0;
  for (int k = 0; k < f->c->classes; k++) {
    const double degree = f->c->degree[k], out = degree * f->remote_edges;
    const double open = f->waiting[k] * pow(fmax(1 - delegates - local, 0), degree) * out;
    inspected += f->waiting[k] * inspected_until_hit(degree, p);
    l->open += open;
    l->by_delegate += f->waiting[k] * (1 - pow(1 - delegates, degree));
    if (k >= f->c->first) l->open_of_delegates += open, l->waiting_of_delegates += f->waiting[k] * out;
    for (int x = 0; x < Grid_LAYOUT_COLUMNS; x++) {
      const double C = 2 << x;
      l->finds[x] += (1 - f->by_row_hub) * f->waiting[k] * C * (1 - pow(1 - p, degree / C));
    }
  }
  l->inspected = (uint64_t)inspected;
}

/* The fraction of all vertices that have entries and that a search does not reach (R-MAT, scale 18). */
static const double UNREACHED = 0.0005;

static void fill_level(const estimate *f, Grid_Level *l, double p) {
  const double frontier = sum_levels(f, f->in, 0, false);
  l->frontier = (uint64_t)llround(frontier);
  l->edges = sum_levels(f, f->in, 0, true);
  const double waiting = sum_levels(f, f->waiting, 0, false), rows = sum_levels(f, f->c->number, 0, false);
  l->pull = 4 * l->edges > (waiting + UNREACHED * rows) * fmin(f->all / rows, f->all / l->edges);
  for (int k = 0; k < f->c->classes && f->P > 1 && !f->c->directed; k++)
    l->segments += f->in[k] * count_nonempty_parts(f->P, f->c->degree[k]) * (f->P - 1) / f->P;
  for (int k = 0; k < f->c->first; k++) {
    const double out = f->c->degree[k] * f->remote_edges;
    l->normals += f->in[k];
    l->pushed += f->in[k] * out;
    if (f->P > 1) l->groups += f->in[k] * count_nonempty_parts(f->P, out);
  }
  spread_evenly(l->of, frontier, f->P);
  spread_evenly(l->of_delegates, sum_levels(f, f->in, f->c->first, false), f->P);
  spread_evenly(l->waiting, waiting, f->P);
  if (l->pull)
    fill_pull(f, l, p);
  else
    l->inspected = (uint64_t)l->edges;
}

/* Computes the next frontier; returns its number of vertices. */
static double advance_level(const estimate *f, double p) {
  double found = 0;
  for (int k = 0; k < f->c->classes; k++) {
    f->in[k] = f->waiting[k] * (1 - pow(1 - p, f->c->degree[k]));
    f->waiting[k] -= f->in[k];
    found += f->in[k];
  }
  return found;
}

/* The first frontier: one vertex, of the class of the median of all vertices with entries. */
static void begin(const estimate *f) {
  double below = 0;
  int k = 0;
  for (int x = 0; x < f->c->classes; x++) f->waiting[x] = f->c->degree[x] > 0 ? f->c->number[x] : 0;
  const double rows = sum_levels(f, f->waiting, 0, false);
  for (; k + 1 < f->c->classes; k++) {
    below += f->waiting[k];
    if (2 * below >= rows) break;
  }
  f->in[k] = fmin(1, f->waiting[k]);
  f->waiting[k] -= f->in[k];
}

static bool make_level(Grid_Search *s) {
  Grid_Level *l = &s->level[s->levels];
  l->of = grid_calloc(3 * (uint64_t)s->P, sizeof *l->of);
  if (!l->of) return false;
  l->of_delegates = l->of + s->P, l->waiting = l->of_delegates + s->P;
  s->levels++;
  return true;
}

static GrB_Info run(Grid_Search *s, estimate *f) {
  for (double left = 1; left >= 0.5 && s->levels < MAX_LEVELS;) {
    const double share = sum_levels(f, f->in, 0, true) / f->all, p = fmin(share / f->remaining, 1);
    if (!make_level(s)) return grid_fail_memory(NULL, "levels", (uint64_t)s->P, sizeof(Grid_Level));
    Grid_Level *l = &s->level[s->levels - 1];
    fill_level(f, l, p);
    l->found = left = advance_level(f, p);
    if (l->pull) l->by_row_hub = f->by_row_hub * l->found, l->row_hubs = share * (double)s->row_hubs;
    f->remaining = fmax(f->remaining - share, SMALLEST_SHARE);
  }
  return GrB_SUCCESS;
}

/* Do no more vertices than there may be row hubs (dist/product/exchange/row_hubs.c) have most entries? */
enum { MIN_VERTICES_PER_ROW_HUB = 8 };
static bool has_hubs(const grid_degree_classes *c, double all, uint64_t n) {
  double left = 0, rows = 0;
  for (int k = 0; k < c->classes; k++) {
    left += c->number[k] * c->degree[k];
    if (left * left > GRID_MAX_REMOTE_SHARE * all * all) break;
    rows += c->number[k];
  }
  return all > 0 && ((double)n - rows) * MIN_VERTICES_PER_ROW_HUB <= (double)n;
}

GrB_Info grid_estimate_search(Grid_Search *s, const grid_degree_classes *c, uint64_t n, int P) {
  const uint64_t q = (n + (uint64_t)P - 1) / (uint64_t)P;
  estimate f = {.c = c, .P = P, .remaining = 1};
  *s = (Grid_Search){.P = P, .n = n, .q = (q + 63) / 64 * 64};
  f.in = grid_calloc(2 * (uint64_t)c->classes, sizeof *f.in);
  s->level = grid_calloc(MAX_LEVELS, sizeof *s->level);
  s->d_of = grid_calloc((uint64_t)P, sizeof *s->d_of);
  GrB_Info info = f.in && s->level && s->d_of
                      ? GrB_SUCCESS
                      : grid_fail_memory(NULL, "levels", MAX_LEVELS, sizeof *s->level);
  if (info == GrB_SUCCESS) {
    f.waiting = f.in + c->classes;
    f.all = sum_levels(&f, c->number, 0, true);
    f.remote_edges = f.all > 0 ? (1 - sum_levels(&f, c->number, c->first, true) / f.all) * (1 - 1.0 / P) : 0;
    s->d = (uint64_t)llround(sum_levels(&f, c->number, c->first, false));
    /* in a block of a square grid 32 bits must number the inputs (dist/product/exchange/row_hubs.c) */
    if (has_hubs(c, f.all, n) && (double)n < UINT32_MAX * sqrt((double)P))
      s->row_hubs = n / VERTICES_PER_ROW_HUB, f.by_row_hub = BY_ROW_HUB;
    spread_evenly(s->d_of, (double)s->d, P);
    begin(&f);
    if (f.all > 0) info = run(s, &f);
  }
  grid_free(f.in);
  if (info != GrB_SUCCESS) grid_free_search(s);
  return info;
}

void grid_free_search(Grid_Search *s) {
  for (uint64_t k = 0; k < s->levels; k++) grid_free(s->level[k].of);
  grid_free(s->level);
  grid_free(s->d_of);
  *s = (Grid_Search){.P = 0};
}
