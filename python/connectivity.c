/* Paths that share no arc, and the smallest cuts between nodes, for gridblas/nx/connectivity.py.
 *
 * Each arc of a network has the capacity 1. A search from both ends finds a path along arcs without flow and
 * against those with flow, as long as there is one (Ford and Fulkerson, 1956). */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* The nodes that a search has found from one end, level after level. */
typedef struct {
  int64_t *found, *mark; /* mark: the number of the last search that has found a node */
  int64_t *step;         /* the arc between a node and the one that it was found from; ~arc: against it */
  int64_t level, count;  /* found[level .. count) is the last level */
} side;

enum { SOURCE, SINK };

/* The arcs from node k are begin[k] .. begin[k + 1), those to it incoming[into[k] .. into[k + 1]). _Network
 * of connectivity.py has the same members. */
typedef struct {
  int64_t n, arcs, searches;
  const int64_t *begin, *heads, *tails, *into, *incoming;
  int64_t *room; /* 7 n */
  bool *flow;
} network;

EXPORT void count_paths(network *w, int64_t count, const int64_t *sources, const int64_t *sinks,
                        int64_t *paths);
EXPORT int64_t smallest_cut(network *w, int64_t count, const int64_t *sources, const int64_t *sinks,
                            bool of_nodes, int64_t most, bool *beyond, int64_t *which);

static void begin_side(const network *w, side *s, int end, int64_t node) {
  s->found = w->room + 3 * end * w->n, s->mark = s->found + w->n, s->step = s->mark + w->n;
  s->found[0] = node, s->mark[node] = w->searches;
  s->level = 0, s->count = 1;
}

static void visit(const network *w, side *s, int64_t node, int64_t step) {
  if (s->mark[node] == w->searches) return;
  s->mark[node] = w->searches, s->step[node] = step;
  s->found[s->count++] = node;
}

/* The nodes next to u: from the source along arcs without flow and against those with flow, from the sink the
 * other way round. */
static void visit_neighbors(const network *w, side *s, int end, int64_t u) {
  for (int64_t a = w->begin[u]; a < w->begin[u + 1]; a++)
    if (w->flow[a] == (end == SINK)) visit(w, s, w->heads[a], end == SINK ? ~a : a);
  for (int64_t k = w->into[u]; k < w->into[u + 1]; k++) {
    const int64_t a = w->incoming[k];
    if (w->flow[a] == (end == SOURCE)) visit(w, s, w->tails[a], end == SOURCE ? ~a : a);
  }
}

/* The next level from an end. */
static void next_level(const network *w, side *s, int end) {
  const int64_t until = s->count;
  for (int64_t k = s->level; k < until; k++) visit_neighbors(w, s, end, s->found[k]);
  s->level = until;
}

/* A node of one side's last level that the other side has found, or -1. */
static int64_t meeting_node(const network *w, const side *s, const side *other) {
  for (int64_t k = s->level; k < s->count; k++)
    if (other->mark[s->found[k]] == w->searches) return s->found[k];
  return -1;
}

/* A path has flow from its end to a node, or none where it goes against an arc. */
static void set_flow(const network *w, const side *s, int end, int64_t node) {
  while (node != s->found[0]) {
    const bool along = s->step[node] >= 0;
    const int64_t a = along ? s->step[node] : ~s->step[node];
    w->flow[a] = along;
    node = along == (end == SOURCE) ? w->tails[a] : w->heads[a];
  }
}

/* Adds a path to the flow. false: there is none. */
static bool add_path(network *w, int64_t source, int64_t sink) {
  side from[2];
  int64_t node = -1;
  w->searches++;
  begin_side(w, &from[SOURCE], SOURCE, source);
  begin_side(w, &from[SINK], SINK, sink);
  while (node < 0) {
    const int64_t of_source = from[SOURCE].count - from[SOURCE].level,
                  of_sink = from[SINK].count - from[SINK].level;
    const int end = of_source <= of_sink ? SOURCE : SINK;
    if (of_source == 0 || of_sink == 0) return false;
    next_level(w, &from[end], end);
    node = meeting_node(w, &from[end], &from[1 - end]);
  }
  set_flow(w, &from[SOURCE], SOURCE, node);
  set_flow(w, &from[SINK], SINK, node);
  return true;
}

/* The number of paths, or `most` if there are as many. */
static int64_t find_paths(network *w, int64_t source, int64_t sink, int64_t most) {
  const int64_t out = w->begin[source + 1] - w->begin[source], in = w->into[sink + 1] - w->into[sink];
  int64_t count = 0;
  if (out < most) most = out;
  if (in < most) most = in;
  memset(w->flow, 0, (size_t)w->arcs);
  while (count < most && add_path(w, source, sink)) count++;
  return count;
}

/* For each pair of nodes the most paths that share no arc. */
void count_paths(network *w, int64_t count, const int64_t *sources, const int64_t *sinks, int64_t *paths) {
  for (int64_t k = 0; k < count; k++) paths[k] = find_paths(w, sources[k], sinks[k], INT64_MAX);
}

/* The nodes from which more flow could reach the sink: the smallest set beyond a smallest cut. */
static side find_beyond(network *w, int64_t sink) {
  side s;
  w->searches++;
  begin_side(w, &s, SINK, sink);
  while (s.level < s.count) next_level(w, &s, SINK);
  return s;
}

static bool count_once(const network *w, int64_t *counted, int64_t node, int64_t source, int64_t sink) {
  const bool is_new = node != source && node != sink && counted[node] != w->searches;
  if (is_new) counted[node] = w->searches;
  return is_new;
}

/* How many nodes of a graph are at the ends of a cut's arcs, where nodes 2 k and 2 k + 1 of the network are
 * node k of the graph; the source and the sink do not count. */
static int64_t count_cut_nodes(network *w, int64_t source, int64_t sink) {
  const side s = find_beyond(w, sink);
  int64_t *counted = w->room + 6 * w->n, count = 0;
  for (int64_t a = 0; a < w->arcs; a++) {
    if (s.mark[w->tails[a]] == w->searches || s.mark[w->heads[a]] != w->searches) continue;
    count += count_once(w, counted, w->tails[a] / 2, source / 2, sink / 2);
    count += count_once(w, counted, w->heads[a] / 2, source / 2, sink / 2);
  }
  return count;
}

/* The size of the smallest cut of these pairs of nodes, of several the last, unless all have more than `most`
 * arcs, or nodes: then `most`, and *which is -1. beyond: whether each node of the network is on the sink's
 * side of the cut of pair *which. */
int64_t smallest_cut(network *w, int64_t count, const int64_t *sources, const int64_t *sinks, bool of_nodes,
                     int64_t most, bool *beyond, int64_t *which) {
  *which = -1;
  for (int64_t k = 0; k < count; k++) {
    int64_t size = find_paths(w, sources[k], sinks[k], most + 1);
    if (of_nodes && size <= most) size = count_cut_nodes(w, sources[k], sinks[k]);
    if (size <= most) most = size, *which = k;
  }
  if (*which < 0) return most;
  find_paths(w, sources[*which], sinks[*which], INT64_MAX);
  const side s = find_beyond(w, sinks[*which]);
  for (int64_t v = 0; v < w->n; v++) beyond[v] = s.mark[v] == w->searches;
  return most;
}
