/* A maximum flow by partial augmentation and relabelling with highest labels, on one process.
 *
 * The label of a vertex is a lower bound of its distance to the target in the residual graph. The active
 * vertex of the highest label looks for a path of a few arcs, each to a label one lower. It pushes along it
 * what each vertex has and each arc can take. A vertex without such an arc gets a higher label. Labels become
 * distances, by a search from the target, at the start and whenever the work since the last search exceeds
 * that of some searches. If no vertex has label d, those above d do not reach the target and are given up.
 * In the end no vertex with an excess reaches the sink. The same procedure with the source as target then
 * returns these excesses.
 *
 * Invariants: an arc with residual capacity leads at most one label down. Vertices of labels above `limit` do
 * not reach the target. Each other vertex with an excess is in a list, perhaps that of an earlier label.
 *
 * Sources: Goldberg, Tarjan, A new approach to the maximum-flow problem (1988); Cherkassky, Goldberg, On
 * implementing the push-relabel method for the maximum flow problem (1997); Goldberg, The partial
 * augment-relabel algorithm for the maximum flow problem (2008). */
#include "algos/traversal/push_relabel.h"

#include <stdlib.h>
#include <string.h>

/* `back`: the position of the opposite arc. */
typedef struct {
  double residual;
  uint32_t to, back;
} arc;

/* A path has at most LENGTH arcs. RELABEL_WORK, SEARCH_WORK: of a label beside its arcs, of a search for each
 * vertex, in inspected arcs; the next search begins after the work of SEARCHES. */
enum { LENGTH = 4, RELABEL_WORK = 12, SEARCH_WORK = 6, SEARCHES = 4 };
static const uint32_t none = UINT32_MAX;

struct grid_push_relabel {
  uint32_t n;
  uint64_t arcs;
  uint32_t *start; /* of the arcs of each vertex, n + 1 */
  arc *arc;        /* ascending in each row */
  double *excess;
  uint32_t *label;   /* n: does not reach the target */
  uint32_t *current; /* the arcs before it cannot be used at this label */
  uint32_t *count;   /* vertices of each label */
  uint32_t *first;   /* of the active vertices of each label, a list by `next`; none: it is empty */
  uint32_t *next;
  bool *listed; /* is it in such a list? */
  uint32_t *queue;
  uint32_t limit;   /* vertices of higher labels do not reach the target */
  uint32_t highest; /* active vertices have no higher label */
  uint64_t work;    /* since the last search */
};

/* ---- the residual graph ---- */

/* The rows of the transposed pattern. start: n + 1; NULL: no memory. */
static uint32_t *transpose(uint32_t *start, const grid_capacities *g) {
  uint32_t *from = malloc((g->start[g->n] + 1) * sizeof *from);
  if (from == NULL) return NULL;
  for (uint64_t v = 0; v < g->n; v++)
    for (uint64_t k = g->start[v]; k < g->start[v + 1]; k++) start[g->to[k]]++;
  uint32_t sum = 0;
  for (uint64_t v = 0; v <= g->n; v++) {
    const uint32_t entries = start[v];
    start[v] = sum, sum += entries;
  }
  for (uint64_t v = 0; v < g->n; v++)
    for (uint64_t k = g->start[v]; k < g->start[v + 1]; k++) from[start[g->to[k]]++] = (uint32_t)v;
  memmove(start + 1, start, g->n * sizeof *start);
  start[0] = 0;
  return from;
}

/* Merges row v of g with row v of its transpose into a[]; a NULL: only counts. Returns the number of arcs. */
static uint32_t merge_row(arc *a, const grid_capacities *g, uint64_t v, const uint32_t *from,
                          const uint32_t *end) {
  uint64_t k = g->start[v];
  uint32_t count = 0;
  for (;;) {
    const uint64_t out = k < g->start[v + 1] ? g->to[k] : UINT64_MAX;
    const uint64_t in = from < end ? *from : UINT64_MAX, to = out < in ? out : in;
    if (to == UINT64_MAX) return count;
    if (a != NULL) a[count] = (arc){.to = (uint32_t)to, .residual = out == to ? g->capacity[k] : 0};
    count++;
    k += out == to;
    from += in == to;
  }
}

/* Rows ascend, so the arcs into v are met in the order in which v has its own. */
static void link_opposites(grid_push_relabel *r) {
  memcpy(r->current, r->start, r->n * sizeof *r->current);
  for (uint64_t k = 0; k < r->arcs; k++) r->arc[k].back = r->current[r->arc[k].to]++;
}

static bool make_arcs(grid_push_relabel *r, const grid_capacities *g) {
  uint32_t *start = calloc(g->n + 1, sizeof *start), *from = NULL;
  if (start != NULL) from = transpose(start, g);
  if (from != NULL) {
    for (uint64_t v = 0; v < g->n; v++)
      r->start[v + 1] = r->start[v] + merge_row(NULL, g, v, from + start[v], from + start[v + 1]);
    r->arcs = r->start[g->n];
    r->arc = malloc((r->arcs + 1) * sizeof *r->arc);
  }
  if (r->arc != NULL) {
    for (uint64_t v = 0; v < g->n; v++)
      merge_row(r->arc + r->start[v], g, v, from + start[v], from + start[v + 1]);
    link_opposites(r);
  }
  free(start), free(from);
  return r->arc != NULL;
}

grid_push_relabel *grid_push_relabel_new(const grid_capacities *g) {
  grid_push_relabel *r = calloc(1, sizeof *r);
  if (r == NULL) return NULL;
  const size_t n = g->n + 1;
  r->n = (uint32_t)g->n;
  r->start = calloc(n, sizeof *r->start);
  r->excess = calloc(n, sizeof *r->excess);
  r->label = calloc(n, sizeof *r->label);
  r->current = calloc(n, sizeof *r->current);
  r->count = calloc(n, sizeof *r->count);
  r->first = calloc(n, sizeof *r->first);
  r->next = calloc(n, sizeof *r->next);
  r->listed = calloc(n, sizeof *r->listed);
  r->queue = calloc(n, sizeof *r->queue);
  const bool vectors = r->start && r->excess && r->label && r->current && r->count && r->first && r->next &&
                       r->listed && r->queue;
  if (vectors && make_arcs(r, g)) return r;
  grid_push_relabel_free(r);
  return NULL;
}

void grid_push_relabel_free(grid_push_relabel *r) {
  if (r == NULL) return;
  free(r->start), free(r->arc), free(r->excess), free(r->label), free(r->current);
  free(r->count), free(r->first), free(r->next), free(r->listed), free(r->queue);
  free(r);
}

/* ---- labels ---- */

static void activate(grid_push_relabel *r, uint32_t v) {
  const uint32_t label = r->label[v];
  r->listed[v] = true;
  r->next[v] = r->first[label];
  r->first[label] = v;
  if (label > r->highest) r->highest = label;
}

/* label = the distance to the target by arcs with residual capacity, on paths that do not enter `closed`. The
 * vertices with an excess that reach the target become active. Returns whether there are any. */
static bool search(grid_push_relabel *r, uint32_t target, uint32_t closed) {
  uint32_t waiting = 0;
  bool any = false;
  for (uint32_t v = 0; v < r->n; v++)
    r->label[v] = r->n, r->first[v] = none, r->count[v] = 0, r->listed[v] = false;
  r->highest = 0, r->work = 0;
  r->label[target] = 0, r->count[0] = 1;
  r->queue[waiting++] = target;
  for (uint32_t q = 0; q < waiting; q++) {
    const uint32_t v = r->queue[q], label = r->label[v] + 1;
    for (uint32_t k = r->start[v]; k < r->start[v + 1]; k++) {
      const uint32_t u = r->arc[k].to;
      if (r->label[u] != r->n || u == closed || r->arc[r->arc[k].back].residual <= 0) continue;
      r->label[u] = label, r->current[u] = r->start[u], r->count[label]++;
      r->queue[waiting++] = u;
      if (r->excess[u] > 0) activate(r, u), any = true;
    }
  }
  r->limit = r->label[r->queue[waiting - 1]];
  return any;
}

/* The least label that v can have now, and the first arc to it. */
static void relabel(grid_push_relabel *r, uint32_t v) {
  const uint32_t before = r->label[v];
  uint32_t least = r->n;
  for (uint32_t k = r->start[v]; k < r->start[v + 1]; k++)
    if (r->arc[k].residual > 0 && r->label[r->arc[k].to] < least)
      least = r->label[r->arc[k].to], r->current[v] = k;
  r->work += RELABEL_WORK + r->start[v + 1] - r->start[v];
  if (--r->count[before] == 0) r->limit = before - 1;
  r->label[v] = least < r->limit ? least + 1 : r->n;
  if (r->label[v] < r->n) r->count[r->label[v]]++;
}

/* ---- pushes ---- */

static void push(grid_push_relabel *r, uint32_t v, arc *a, uint32_t target) {
  const double amount = r->excess[v] < a->residual ? r->excess[v] : a->residual;
  a->residual -= amount;
  r->arc[a->back].residual += amount;
  r->excess[v] -= amount;
  r->excess[a->to] += amount;
  if (!r->listed[a->to] && a->to != target) activate(r, a->to);
}

/* The arc that v can push along, or NULL: there is none at this label. */
static arc *find_arc(grid_push_relabel *r, uint32_t v) {
  const uint32_t below = r->label[v] - 1, end = r->start[v + 1];
  for (uint32_t k = r->current[v]; k < end; k++)
    if (r->arc[k].residual > 0 && r->label[r->arc[k].to] == below) {
      r->current[v] = k;
      return &r->arc[k];
    }
  return NULL;
}

/* path: from v, at most LENGTH arcs, fewer only at the target. Returns their number, or -1: v does not reach
 * the target. */
static int find_path(arc *path[LENGTH], grid_push_relabel *r, uint32_t v, uint32_t target) {
  int length = 0;
  while (r->label[v] <= r->limit) {
    const uint32_t u = length == 0 ? v : path[length - 1]->to;
    if (length == LENGTH || u == target) return length;
    path[length] = find_arc(r, u);
    if (path[length] != NULL) {
      length++;
      continue;
    }
    relabel(r, u);
    if (length > 0) length--;
  }
  return -1;
}

/* Pushes until v has no excess or does not reach the target. */
static void discharge(grid_push_relabel *r, uint32_t v, uint32_t target) {
  arc *path[LENGTH];
  while (r->excess[v] > 0) {
    const int length = find_path(path, r, v, target);
    if (length < 0) return;
    uint32_t u = v;
    for (int k = 0; k < length; k++) {
      push(r, u, path[k], target);
      u = path[k]->to;
    }
  }
}

/* Takes the next vertex from the lists; none: they are empty. */
static uint32_t next_active(grid_push_relabel *r) {
  for (;;) {
    while (r->highest > 0 && r->first[r->highest] == none) r->highest--;
    const uint32_t v = r->first[r->highest], label = r->highest;
    if (label == 0) return none;
    r->first[label] = r->next[v];
    r->listed[v] = false;
    if (r->excess[v] <= 0 || r->label[v] > r->limit) continue;
    if (r->label[v] == label) return v;
    activate(r, v);
  }
}

/* Moves excesses to the target until none of them reaches it. */
static void drain(grid_push_relabel *r, uint32_t target, uint32_t closed) {
  const uint64_t most = SEARCHES * (SEARCH_WORK * (uint64_t)r->n + r->arcs);
  while (search(r, target, closed))
    while (r->work < most) {
      const uint32_t v = next_active(r);
      if (v == none) break;
      discharge(r, v, target);
    }
}

double grid_push_relabel_fill(grid_push_relabel *r, uint64_t source, uint64_t sink) {
  for (uint32_t k = r->start[source]; k < r->start[source + 1]; k++) {
    arc *a = &r->arc[k];
    r->excess[a->to] += a->residual;
    r->arc[a->back].residual += a->residual;
    a->residual = 0;
  }
  drain(r, (uint32_t)sink, (uint32_t)source);
  return r->excess[sink];
}

bool grid_push_relabel_reaches(const grid_push_relabel *r, uint64_t v) {
  return r->label[v] < r->n;
}

void grid_push_relabel_return(grid_push_relabel *r, uint64_t source, uint64_t sink) {
  drain(r, (uint32_t)source, (uint32_t)sink);
}

void grid_push_relabel_flow(double *flow, const grid_push_relabel *r, const grid_capacities *g) {
  for (uint64_t v = 0; v < g->n; v++) {
    const arc *a = r->arc + r->start[v];
    for (uint64_t k = g->start[v]; k < g->start[v + 1]; k++) {
      while (a->to != g->to[k]) a++;
      flow[k] = a->residual < g->capacity[k] ? g->capacity[k] - a->residual : 0;
    }
  }
}
