/* Maximum weight matchings of undirected graphs by Edmonds' blossoms and dual variables (Galil, ACM Computing
 * Surveys 18, 1986), for gridblas/nx/matchings.py. Nodes, arcs and blossoms are taken in NetworkX's order, so
 * that the same one of several matchings is found.
 *
 * A blossom is an odd cycle of blossoms; a node is a trivial one. Nodes are 0..n-1, other blossoms n and
 * more. An edge is one of its two arcs, v to w. Duals and slacks are twice those of the literature: integers
 * remain so.
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

enum { FREE, S, T, MARKED = 5 }; /* labels; S is marked while paths are traced */
enum { NONE = -1, END = -2 };    /* END of a list of arcs, which may be empty; NONE: no list was made */

/* The same as in gridblas/nx/matchings.py. */
typedef struct {
  int64_t n, cardinality; /* whether as many edges as possible are wanted */
  const int64_t *begin, *tails, *heads, *reverse;
  const double *weights;
  /* Of arcs: the last stage in which the slack is known to be 0, and the next of a list of best arcs. */
  int64_t *allowed, *next_best;
  /* Of nodes: the blossom at the top around it, the arc to its mate, when it got its first mate; and room. */
  int64_t *top, *mate, *matched, *queue, *order, *work;
  /* Of blossoms: the arc by which it was labeled, and that of least slack to another with label S. */
  int64_t *label, *label_arc, *best;
  /* The blossom around it, the node whose mate is outside, and its blossoms: a ring from that of the base,
   * with arcs to the next. */
  int64_t *parent, *base, *child, *next, *previous, *edge;
  /* Lists of best arcs; the blossoms by age, from entry `size` on; and unused ones. */
  int64_t *best_list, *best_to, *older, *younger, *unused;
  double *dual;
  /* Numbers: how many are in the queue, unused, matched nodes, the stage, and whether that has begun. */
  int64_t *count;
  double *sum; /* of all changes of duals */
} matching;

enum { QUEUED, UNUSED, MATCHED, STAGE, BEGUN, STEPS }; /* of count */

EXPORT void start_matching(matching *m);
EXPORT int64_t improve_matching(matching *m, int64_t steps);

static int64_t blossoms_end(const matching *m) {
  return m->n + m->n / 2; /* also the number of the list of all blossoms by age */
}

static double slack(const matching *m, int64_t arc) {
  return m->dual[m->tails[arc]] + m->dual[m->heads[arc]] - 2 * m->weights[arc];
}

static void allow(matching *m, int64_t arc) {
  m->allowed[arc] = m->allowed[m->reverse[arc]] = m->count[STAGE];
}

static void enqueue(matching *m, int64_t node) {
  m->queue[m->count[QUEUED]++] = node;
}

/* ---- the nodes of a blossom: those of its last child first ---- */

static int64_t first_leaf(const matching *m, int64_t b) {
  while (b >= m->n) b = m->previous[m->child[b]];
  return b;
}

/* NONE: there is no other. */
static int64_t next_leaf(const matching *m, int64_t b, int64_t leaf) {
  while (leaf != b && leaf == m->child[m->parent[leaf]]) leaf = m->parent[leaf];
  return leaf == b ? NONE : first_leaf(m, m->previous[leaf]);
}

/* ---- rings ---- */

/* Whether the shorter way of an even number of steps from a child to the base is forward. */
static bool is_forward(const matching *m, int64_t b, int64_t child) {
  bool odd = false;
  for (int64_t at = m->child[b]; at != child; at = m->next[at]) odd = !odd;
  return odd;
}

static int64_t step(const matching *m, int64_t child, bool forward) {
  return forward ? m->next[child] : m->previous[child];
}

/* The arc of that step. */
static int64_t step_arc(const matching *m, int64_t child, bool forward) {
  return forward ? m->edge[child] : m->reverse[m->edge[m->previous[child]]];
}

/* ---- labels ---- */

/* The blossom of a node becomes an S, by an arc or (NONE) as one whose base has no mate. */
static void label_s(matching *m, int64_t node, int64_t arc) {
  const int64_t b = m->top[node];
  m->label[node] = m->label[b] = S;
  m->label_arc[node] = m->label_arc[b] = arc;
  m->best[node] = m->best[b] = NONE;
  for (int64_t leaf = first_leaf(m, b); leaf != NONE; leaf = next_leaf(m, b, leaf)) enqueue(m, leaf);
}

/* The blossom of the arc's head becomes a T, and the mate of its base an S. */
static void label_t(matching *m, int64_t arc) {
  const int64_t node = m->heads[arc], b = m->top[node];
  m->label[node] = m->label[b] = T;
  m->label_arc[node] = m->label_arc[b] = arc;
  m->best[node] = m->best[b] = NONE;
  const int64_t pair = m->mate[m->base[b]];
  label_s(m, m->heads[pair], pair);
}

/* The base of the new blossom that an arc between two S closes, or NONE: their paths end at different nodes
 * without mates. */
static int64_t find_base(matching *m, int64_t arc) {
  int64_t v = m->tails[arc], w = m->heads[arc], count = 0, base = NONE;
  while (v != NONE) {
    const int64_t b = m->top[v];
    if (m->label[b] == MARKED) {
      base = m->base[b];
      break;
    }
    m->label[b] = MARKED, m->work[count++] = b;
    v = NONE;
    if (m->label_arc[b] != NONE) v = m->tails[m->label_arc[m->top[m->tails[m->label_arc[b]]]]];
    if (w == NONE) continue;
    const int64_t other = v;
    v = w, w = other;
  }
  while (count > 0) m->label[m->work[--count]] = S;
  return base;
}

/* ---- new blossoms ---- */

static void link_children(matching *m, int64_t child, int64_t arc, int64_t next) {
  m->next[child] = next, m->previous[next] = child, m->edge[child] = arc;
}

static int64_t new_blossom(matching *m, int64_t base) {
  const int64_t b = m->unused[--m->count[UNUSED]], ages = blossoms_end(m);
  m->older[b] = m->older[ages], m->younger[b] = ages;
  m->younger[m->older[b]] = m->older[ages] = b;
  m->base[b] = base, m->parent[b] = NONE, m->child[b] = m->top[base], m->dual[b] = 0;
  return b;
}

static void delete_blossom(matching *m, int64_t b) {
  m->younger[m->older[b]] = m->younger[b], m->older[m->younger[b]] = m->older[b];
  m->unused[m->count[UNUSED]++] = b;
}

/* The path from a blossom of the ring to the base's. */
static void join_tail_path(matching *m, int64_t b, int64_t at) {
  for (int64_t before; at != m->child[b]; at = before) {
    before = m->top[m->tails[m->label_arc[at]]];
    link_children(m, before, m->label_arc[at], at);
  }
}

static void join_head_path(matching *m, int64_t b, int64_t at) {
  for (int64_t after; at != m->child[b]; at = after) {
    after = m->top[m->tails[m->label_arc[at]]];
    link_children(m, at, m->reverse[m->label_arc[at]], after);
  }
}

/* Considers an arc of blossom b as the best one to another S; returns how many others there are now. */
static int64_t consider(matching *m, int64_t b, int64_t arc, int64_t count) {
  const int64_t other = m->top[m->heads[arc]];
  if (other == b || m->label[other] != S) return count;
  int64_t *best = &m->best_to[other];
  if (*best == NONE) m->order[count++] = other;
  if (*best == NONE || slack(m, arc) < slack(m, *best)) *best = arc;
  return count;
}

static int64_t consider_child(matching *m, int64_t b, int64_t child, int64_t count) {
  if (child >= m->n && m->best_list[child] != NONE) {
    for (int64_t arc = m->best_list[child]; arc != END; arc = m->next_best[arc])
      count = consider(m, b, arc, count);
    m->best_list[child] = NONE;
    return count;
  }
  for (int64_t leaf = first_leaf(m, child); leaf != NONE; leaf = next_leaf(m, child, leaf))
    for (int64_t arc = m->begin[leaf]; arc < m->begin[leaf + 1]; arc++) count = consider(m, b, arc, count);
  return count;
}

/* The arcs of least slack to other S, as a list, and the least of them. */
static void find_best(matching *m, int64_t b) {
  int64_t count = 0, child = m->child[b];
  do {
    count = consider_child(m, b, child, count);
    m->best[child] = NONE;
    child = m->next[child];
  } while (child != m->child[b]);
  m->best[b] = NONE;
  int64_t *end = &m->best_list[b];
  for (int64_t k = 0; k < count; k++) {
    const int64_t arc = m->best_to[m->order[k]];
    m->best_to[m->order[k]] = NONE;
    *end = arc, end = &m->next_best[arc];
    if (m->best[b] == NONE || slack(m, arc) < slack(m, m->best[b])) m->best[b] = arc;
  }
  *end = END;
}

/* An arc between two S of one tree makes a blossom of the cycle that it closes. */
static void add_blossom(matching *m, int64_t base, int64_t arc) {
  const int64_t b = new_blossom(m, base), from = m->top[m->tails[arc]], to = m->top[m->heads[arc]];
  join_tail_path(m, b, from);
  link_children(m, from, arc, to);
  join_head_path(m, b, to);
  int64_t child = m->child[b];
  do m->parent[child] = b;
  while ((child = m->next[child]) != m->child[b]);
  m->label[b] = S, m->label_arc[b] = m->label_arc[child];
  for (int64_t leaf = first_leaf(m, b); leaf != NONE; leaf = next_leaf(m, b, leaf)) {
    if (m->label[m->top[leaf]] == T) enqueue(m, leaf);
    m->top[leaf] = b;
  }
  find_best(m, b);
}

/* ---- blossoms that end ---- */

/* The children of a blossom are at the top. Returns how many of them, appended to work, are to be expanded,
 * too. */
static int64_t free_children(matching *m, int64_t b, bool at_end, int64_t *work) {
  int64_t child = m->child[b], count = 0;
  do {
    m->parent[child] = NONE;
    if (child >= m->n && at_end && m->dual[child] == 0)
      work[count++] = child;
    else
      for (int64_t leaf = first_leaf(m, child); leaf != NONE; leaf = next_leaf(m, child, leaf))
        m->top[leaf] = child;
  } while ((child = m->next[child]) != m->child[b]);
  return count;
}

/* The blossoms on the even way from the one by which b got its label to the base are labeled T and S in turn.
 */
static void label_way(matching *m, int64_t b, int64_t entry, bool forward) {
  int64_t arc = m->label_arc[b], child = entry;
  while (child != m->child[b]) {
    const int64_t pair = step_arc(m, child, forward);
    m->label[m->heads[arc]] = m->label[m->heads[pair]] = FREE;
    label_t(m, arc);
    allow(m, pair);
    child = step(m, child, forward);
    arc = step_arc(m, child, forward);
    allow(m, arc);
    child = step(m, child, forward);
  }
  m->label[m->heads[arc]] = m->label[child] = T;
  m->label_arc[m->heads[arc]] = m->label_arc[child] = arc;
  m->best[child] = NONE;
}

/* A blossom on the other way is a T if one of its nodes is reached. */
static void label_if_reached(matching *m, int64_t child) {
  int64_t leaf = first_leaf(m, child);
  while (leaf != NONE && m->label[leaf] == FREE) leaf = next_leaf(m, child, leaf);
  if (m->label[child] == S || leaf == NONE) return;
  m->label[leaf] = m->label[m->heads[m->mate[m->base[child]]]] = FREE;
  label_t(m, m->label_arc[leaf]);
}

static void relabel_children(matching *m, int64_t b) {
  const int64_t entry = m->top[m->heads[m->label_arc[b]]];
  const bool forward = is_forward(m, b, entry);
  label_way(m, b, entry, forward);
  for (int64_t child = step(m, m->child[b], forward); child != entry; child = step(m, child, forward))
    label_if_reached(m, child);
}

/* The blossoms in b take its place; at the end of a stage those with dual 0 are expanded, too. */
static void expand(matching *m, int64_t b, bool at_end) {
  int64_t count = 1;
  m->work[0] = b;
  while (count > 0) {
    b = m->work[--count];
    count += free_children(m, b, at_end, m->work + count);
    if (!at_end && m->label[b] == T) relabel_children(m, b);
    delete_blossom(m, b);
  }
}

/* ---- augmenting paths ---- */

static void set_mate(matching *m, int64_t arc) {
  const int64_t node = m->tails[arc];
  if (m->mate[node] == NONE) m->matched[node] = m->count[MATCHED]++;
  m->mate[node] = arc;
}

/* Appends a blossom, with the node that becomes its base, to work. */
static int64_t append(const matching *m, int64_t b, int64_t node, int64_t count) {
  if (b < m->n) return count;
  m->work[count] = b, m->work[count + 1] = node;
  return count + 2;
}

/* A node becomes the base of its blossom: mates change on the even way to the base of before, in blossoms on
 * it likewise. */
static void change_base(matching *m, int64_t b, int64_t node) {
  for (int64_t count = append(m, b, node, 0); count > 0;) {
    node = m->work[--count], b = m->work[--count];
    int64_t entry = node;
    while (m->parent[entry] != b) entry = m->parent[entry];
    count = append(m, entry, node, count);
    const bool forward = is_forward(m, b, entry);
    for (int64_t child = entry; child != m->child[b]; child = step(m, child, forward)) {
      child = step(m, child, forward);
      const int64_t arc = step_arc(m, child, forward);
      count = append(m, child, m->tails[arc], count);
      count = append(m, step(m, child, forward), m->heads[arc], count);
      set_mate(m, arc), set_mate(m, m->reverse[arc]);
    }
    m->child[b] = entry, m->base[b] = node;
  }
}

/* The path from an arc's tail back to a node without mate. */
static void augment_from(matching *m, int64_t arc) {
  while (true) {
    const int64_t b = m->top[m->tails[arc]];
    const int64_t from = m->label_arc[b];
    change_base(m, b, m->tails[arc]);
    set_mate(m, arc);
    if (from == NONE) return;
    const int64_t t = m->top[m->tails[from]];
    arc = m->label_arc[t];
    change_base(m, t, m->heads[arc]);
    set_mate(m, m->reverse[arc]);
  }
}

/* ---- the search ---- */

static void keep_best(const matching *m, int64_t *best, int64_t arc, double of_arc) {
  if (*best == NONE || of_arc < slack(m, *best)) *best = arc;
}

/* An arc from an S. Returns whether it ends an augmenting path, which is taken. */
static bool scan_arc(matching *m, int64_t arc) {
  const int64_t w = m->heads[arc], bv = m->top[m->tails[arc]], bw = m->top[w];
  if (bv == bw) return false;
  if (m->allowed[arc] != m->count[STAGE]) {
    const double of_arc = slack(m, arc);
    if (of_arc > 0) {
      if (m->label[bw] == S)
        keep_best(m, &m->best[bv], arc, of_arc);
      else if (m->label[w] == FREE)
        keep_best(m, &m->best[w], arc, of_arc);
      return false;
    }
    allow(m, arc);
  }
  if (m->label[bw] == FREE) {
    label_t(m, arc);
  } else if (m->label[bw] == S) {
    const int64_t base = find_base(m, arc);
    if (base == NONE) {
      augment_from(m, arc), augment_from(m, m->reverse[arc]);
      return true;
    }
    add_blossom(m, base, arc);
  } else if (m->label[w] == FREE) {
    m->label[w] = T, m->label_arc[w] = arc;
  }
  return false;
}

/* Returns whether a path was found. */
static bool scan_queue(matching *m) {
  while (m->count[QUEUED] > 0) {
    const int64_t v = m->queue[--m->count[QUEUED]];
    m->count[STEPS] += m->begin[v + 1] - m->begin[v];
    for (int64_t arc = m->begin[v]; arc < m->begin[v + 1]; arc++)
      if (scan_arc(m, arc)) return true;
  }
  return false;
}

/* ---- dual variables ---- */

/* The least change of duals that allows an arc, ends a blossom, or (neither) ends the search. */
typedef struct {
  double delta;
  int64_t arc, blossom;
  bool any;
} change;

static void consider_change(change *c, double delta, int64_t arc, int64_t blossom) {
  if (!c->any || delta < c->delta) *c = (change){delta, arc, blossom, true};
}

static double least_dual(const matching *m) {
  double least = m->dual[0];
  for (int64_t v = 1; v < m->n; v++) least = m->dual[v] < least ? m->dual[v] : least;
  return least;
}

static void consider_pair(const matching *m, change *c, int64_t b) {
  if (m->parent[b] == NONE && m->label[b] == S && m->best[b] != NONE)
    consider_change(c, slack(m, m->best[b]) / 2, m->best[b], NONE);
}

static change least_change(const matching *m) {
  const int64_t ages = blossoms_end(m);
  change c = {0, NONE, NONE, false};
  if (!m->cardinality) consider_change(&c, least_dual(m), NONE, NONE);
  for (int64_t v = 0; v < m->n; v++)
    if (m->best[v] != NONE && m->label[m->top[v]] == FREE)
      consider_change(&c, slack(m, m->best[v]), m->best[v], NONE);
  for (int64_t v = 0; v < m->n; v++) consider_pair(m, &c, v);
  for (int64_t b = m->younger[ages]; b != ages; b = m->younger[b]) consider_pair(m, &c, b);
  for (int64_t b = m->younger[ages]; b != ages; b = m->younger[b])
    if (m->parent[b] == NONE && m->label[b] == T) consider_change(&c, m->dual[b], NONE, b);
  return c;
}

static void change_duals(matching *m, double delta) {
  const int64_t ages = blossoms_end(m);
  for (int64_t v = 0; v < m->n; v++) {
    const int64_t label = m->label[m->top[v]];
    m->dual[v] += label == S ? -delta : label == T ? delta : 0;
  }
  for (int64_t b = m->younger[ages]; b != ages; b = m->younger[b])
    if (m->parent[b] == NONE) m->dual[b] += m->label[b] == S ? delta : m->label[b] == T ? -delta : 0;
  *m->sum += delta;
}

/* ---- stages, each of which adds an edge ---- */

static void begin_stage(matching *m) {
  const int64_t size = blossoms_end(m);
  m->count[STAGE]++, m->count[QUEUED] = 0;
  for (int64_t b = 0; b < size; b++) m->label[b] = FREE, m->best[b] = m->best_list[b] = NONE;
  for (int64_t v = 0; v < m->n; v++)
    if (m->mate[v] == NONE && m->label[m->top[v]] == FREE) label_s(m, v, NONE);
  m->count[BEGUN] = true;
}

static void end_stage(matching *m) {
  const int64_t ages = blossoms_end(m);
  for (int64_t b = m->younger[ages], next; b != ages; b = next) {
    next = m->younger[b];
    if (m->parent[b] == NONE && m->label[b] == S && m->dual[b] == 0) expand(m, b, true);
  }
  m->count[BEGUN] = false;
}

/* Changes the duals. Returns false if that ends the search: no path is left. */
static bool relax(matching *m) {
  const change c = least_change(m);
  if (!c.any) return false;
  change_duals(m, c.delta);
  if (c.arc != NONE) {
    allow(m, c.arc);
    enqueue(m, m->tails[c.arc]);
  } else if (c.blossom != NONE) {
    expand(m, c.blossom, false);
  } else {
    return false;
  }
  return true;
}

/* The empty matching. */
void start_matching(matching *m) {
  const int64_t size = blossoms_end(m);
  double most = 0;
  for (int64_t arc = 0; arc < m->begin[m->n]; arc++) {
    most = m->weights[arc] > most ? m->weights[arc] : most;
    m->allowed[arc] = 0;
  }
  for (int64_t b = 0; b < size; b++) {
    m->parent[b] = m->best_to[b] = NONE;
    m->base[b] = b;
    if (b >= m->n) m->unused[m->count[UNUSED]++] = b;
  }
  for (int64_t v = 0; v < m->n; v++) m->top[v] = v, m->mate[v] = NONE, m->dual[v] = most;
  m->older[size] = m->younger[size] = size;
}

/* Takes so many steps, or some more. Returns whether there are more to take. */
int64_t improve_matching(matching *m, int64_t steps) {
  for (m->count[STEPS] = 0; m->count[STEPS] < steps; m->count[STEPS] += m->n) {
    if (!m->count[BEGUN]) begin_stage(m);
    if (scan_queue(m))
      end_stage(m);
    else if (!relax(m))
      return false;
  }
  return true;
}
