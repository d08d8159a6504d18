/* Louvain's method as NetworkX computes it, for gridblas/nx/louvain.py: the same sums in the same order. */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

EXPORT int64_t merge_entries(int64_t n, int64_t *begin, int64_t *heads, double *values, int64_t *last);
EXPORT int64_t move_nodes(int64_t n, const int64_t *begin, const int64_t *heads, const double *weights,
                          bool directed, const double *in, const double *out, const int64_t *order,
                          const double *numbers, int64_t *community, double *sum_in, double *sum_out,
                          double *weight, int64_t *near, bool *is_near, int64_t *old_community,
                          double *old_in, double *old_out);

/* A level's graph without loops, each node's neighbors in both directions, and the numbers that a move is
 * measured by. */
typedef struct {
  const int64_t *begin, *heads;
  const double *weights, *in, *out; /* in, out: degrees, in an undirected graph the same */
  bool directed;
  double total, square, resolution; /* square: total^2, in an undirected graph twice that */
} level;

/* What changes while nodes move, and the communities next to one node in the order of its neighbors. */
typedef struct {
  int64_t *community;
  double *in, *out, *weight; /* of a community; only a directed graph's out changes */
  int64_t *near, count;
  bool *is_near;
} communities;

/* Joins the entries of a row that have the same head, at the place of the first, in place. last: n integers,
 * all -1. Returns how many entries are left. */
int64_t merge_entries(int64_t n, int64_t *begin, int64_t *heads, double *values, int64_t *last) {
  int64_t count = 0, from = begin[0];
  for (int64_t v = 0; v < n; v++) {
    const int64_t end = begin[v + 1], start = count;
    for (int64_t k = from; k < end; k++) {
      const int64_t head = heads[k];
      if (last[head] >= start) {
        values[last[head]] += values[k];
        continue;
      }
      last[head] = count, heads[count] = head, values[count] = values[k];
      count++;
    }
    from = end, begin[v + 1] = count;
  }
  return count;
}

static void add_weight(communities *c, int64_t community, double weight) {
  if (!c->is_near[community]) {
    c->is_near[community] = true;
    c->near[c->count++] = community;
    c->weight[community] = 0;
  }
  c->weight[community] += weight;
}

/* What the edges between u and a community would weigh by chance. */
static double expected_weight(const level *l, const communities *c, int64_t u, int64_t community) {
  const double product = l->out[u] * c->in[community];
  const double both = l->directed ? product + l->in[u] * c->out[community] : product;
  return l->resolution * both / l->square;
}

static void add_degrees(const level *l, communities *c, int64_t u, int64_t community, double sign) {
  c->in[community] += sign * l->in[u];
  if (l->directed) c->out[community] += sign * l->out[u];
}

/* The community that u gains most from, which is in none of them by then. */
static int64_t best_community(const level *l, communities *c, int64_t u) {
  int64_t best = c->community[u];
  double most = 0;
  c->count = 0;
  for (int64_t arc = l->begin[u]; arc < l->begin[u + 1]; arc++)
    add_weight(c, c->community[l->heads[arc]], l->weights[arc]);
  add_weight(c, best, 0); /* the last where u has no neighbor in it */
  const double removed = -c->weight[best] / l->total + expected_weight(l, c, u, best);
  for (int64_t k = 0; k < c->count; k++) {
    const int64_t near = c->near[k];
    const double gain = removed + c->weight[near] / l->total - expected_weight(l, c, u, near);
    if (gain > most) most = gain, best = near;
    c->is_near[near] = false;
  }
  return best;
}

/* An earlier state, which the present one replaces after ever more passes. */
typedef struct {
  int64_t *community;
  double *in, *out;
  uint64_t passes, until;
} earlier_state;

/* Has this state been before? Then the same moves follow, for ever: rounded gains of moves that gain nothing
 * may all be above 0. Source: Brent, An improved Monte Carlo factorization algorithm (1980). */
static bool repeats(earlier_state *old, const communities *now, int64_t n) {
  const size_t bytes = (size_t)n * sizeof *old->in;
  if (old->until > 0 && memcmp(old->community, now->community, bytes) == 0 &&
      memcmp(old->in, now->in, bytes) == 0 && memcmp(old->out, now->out, bytes) == 0)
    return true;
  if (old->passes < old->until) return old->passes++, false;
  memcpy(old->community, now->community, bytes);
  memcpy(old->in, now->in, bytes), memcpy(old->out, now->out, bytes);
  old->passes = 0, old->until = 2 * old->until + 1;
  return false;
}

/* Nodes move, in an order, to the community that they gain most from, until none does, or all moves repeat,
 * where NetworkX's would not end. Returns how often one moved. numbers: total, square, resolution;
 * community[k]: k; sum_in, sum_out: the degrees of nodes; is_near: all false; old_community, old_in, old_out:
 * room for n. */
int64_t move_nodes(int64_t n, const int64_t *begin, const int64_t *heads, const double *weights,
                   bool directed, const double *in, const double *out, const int64_t *order,
                   const double *numbers, int64_t *community, double *sum_in, double *sum_out, double *weight,
                   int64_t *near, bool *is_near, int64_t *old_community, double *old_in, double *old_out) {
  const level l = {begin, heads, weights, in, out, directed, numbers[0], numbers[1], numbers[2]};
  communities c = {community, sum_in, sum_out, weight, near, 0, is_near};
  earlier_state earlier = {old_community, old_in, old_out, 0, 0};
  int64_t all = 0;
  for (int64_t moves = 1; moves > 0 && !repeats(&earlier, &c, n); all += moves) {
    moves = 0;
    for (int64_t k = 0; k < n; k++) {
      const int64_t u = order[k], old = community[u];
      add_degrees(&l, &c, u, old, -1);
      const int64_t best = best_community(&l, &c, u);
      add_degrees(&l, &c, u, best, 1);
      community[u] = best;
      moves += best != old;
    }
  }
  return all;
}
