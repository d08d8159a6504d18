/* The maximal cliques of an undirected graph, for gridblas/nx/cliques.py: the method of Bron and Kerbosch
 * with pivots, from each node among its neighbors, in an order of degeneracy (Eppstein, Löffler and Strash,
 * 2010).
 */
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define EXPORT __attribute__((visibility("default")))

/* Nodes are numbered in that order, neighbors ascending: those of v from middle[v] on are later. What is
 * between two calls stays in the arrays. Level k has a clique of k + 1 nodes. */
typedef struct {
  int64_t n;
  const int64_t *begin, *middle, *heads;
  int64_t *next, *depth;    /* the next first node of cliques, and the last level; -1: none */
  int64_t *after;           /* of each node the first neighbor behind the first node, and behind itself */
  int64_t *local;           /* the position of each neighbor of the first node, those later first; else -1 */
  int64_t *clique;          /* a node for each level */
  int64_t *seen_end, *seen; /* neighbors (positions) that cliques of each level were listed with */
  uint64_t *candidates;     /* of each level: bits of neighbors that join it */
  uint64_t *left;           /* ... and of those among them that are still to be tried */
  uint64_t *rows;           /* for each neighbor the bits of its later neighbors */
} clique_search;

EXPORT int64_t degeneracy_order(int64_t n, const int64_t *begin, const int64_t *heads, int64_t *order,
                                int64_t *place, int64_t *degree, int64_t *first);
EXPORT int64_t list_cliques(clique_search *s, int64_t room, int64_t *ends, int64_t *nodes);
EXPORT int64_t measure_cliques(clique_search *s, int64_t most, int64_t *largest);

static void swap_nodes(int64_t *order, int64_t *place, int64_t a, int64_t b) {
  const int64_t u = order[a], v = order[b];
  order[a] = v, order[b] = u, place[v] = a, place[u] = b;
}

/* order becomes the nodes, next always one with the fewest neighbors among those that follow. Returns the
 * largest of these numbers. Room: place, degree of n integers, first of n + 1. */
int64_t degeneracy_order(int64_t n, const int64_t *begin, const int64_t *heads, int64_t *order,
                         int64_t *place, int64_t *degree, int64_t *first) {
  int64_t most = 0;
  memset(first, 0, (size_t)(n + 1) * sizeof *first);
  for (int64_t v = 0; v < n; v++) degree[v] = begin[v + 1] - begin[v], first[degree[v] + 1]++;
  for (int64_t k = 0; k < n; k++) first[k + 1] += first[k];
  for (int64_t v = 0; v < n; v++) place[v] = first[degree[v]]++, order[place[v]] = v;
  for (int64_t k = n; k > 0; k--) first[k] = first[k - 1]; /* where nodes of degree k begin */
  first[0] = 0;
  for (int64_t k = 0; k < n; k++) {
    const int64_t v = order[k];
    if (degree[v] > most) most = degree[v];
    for (int64_t arc = begin[v]; arc < begin[v + 1]; arc++) {
      const int64_t u = heads[arc];
      if (place[u] <= k || degree[u] <= degree[v]) continue;
      int64_t *start = &first[degree[u]--];
      if (*start <= k) *start = k + 1;
      swap_nodes(order, place, place[u], (*start)++);
    }
  }
  return most;
}

static int64_t later(const clique_search *s, int64_t v) {
  return s->begin[v + 1] - s->middle[v];
}
static int64_t words_of(int64_t bits) {
  return (bits + 63) / 64;
}
static bool has_bit(const uint64_t *set, int64_t k) {
  return set[k / 64] >> (k % 64) & 1;
}
static void set_bit(uint64_t *set, int64_t k) {
  set[k / 64] |= UINT64_C(1) << (k % 64);
}

/* In line, since not all processors have the instruction that __builtin_popcountll needs. */
static int64_t count_bits(uint64_t x) {
  x -= x >> 1 & UINT64_C(0x5555555555555555);
  x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
  x = (x + (x >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
  return (int64_t)(x * UINT64_C(0x0101010101010101) >> 56);
}

static int64_t count_common(const uint64_t *a, const uint64_t *b, int64_t words) {
  int64_t count = 0;
  for (int64_t k = 0; k < words; k++) count += count_bits(a[k] & b[k]);
  return count;
}

/* Of what may join the level, all but the neighbors of a pivot are to be tried. */
static void choose_pivot(clique_search *s, int64_t words) {
  const int64_t depth = *s->depth;
  const uint64_t *candidates = s->candidates + depth * words, *pivot = s->rows;
  int64_t most = -1;
  for (int64_t k = s->seen_end[depth]; k < s->seen_end[depth + 1]; k++) {
    const uint64_t *row = s->rows + s->seen[k] * words;
    const int64_t count = count_common(candidates, row, words);
    if (count > most) most = count, pivot = row;
  }
  for (int64_t w = 0; w < words; w++)
    for (uint64_t bits = candidates[w]; bits != 0; bits &= bits - 1) {
      const uint64_t *row = s->rows + (w * 64 + __builtin_ctzll(bits)) * words;
      const int64_t count = count_common(candidates, row, words);
      if (count > most) most = count, pivot = row;
    }
  for (int64_t w = 0; w < words; w++) s->left[depth * words + w] = candidates[w] & ~pivot[w];
}

/* The edges among the neighbors of v, but for those between two earlier ones. */
static void read_rows(clique_search *s, int64_t v) {
  const int64_t count = later(s, v), words = words_of(count), earlier = s->middle[v] - s->begin[v];
  const int64_t *neighbors = s->heads + s->begin[v];
  memset(s->rows, 0, (size_t)((earlier + count) * words) * sizeof *s->rows);
  for (int64_t k = 0; k < earlier + count; k++) {
    s->local[neighbors[k]] = k < earlier ? count + k : k - earlier;
    __builtin_prefetch(s->heads + s->after[neighbors[k]]);
  }
  for (int64_t k = 0; k < earlier + count; k++) {
    const int64_t u = neighbors[k], i = s->local[u];
    while (s->after[u] < s->begin[u + 1] && s->heads[s->after[u]] <= v) s->after[u]++;
    for (int64_t arc = s->after[u]; arc < s->begin[u + 1]; arc++) {
      const int64_t j = s->local[s->heads[arc]];
      if (j < 0) continue;
      set_bit(s->rows + i * words, j);
      if (i < count) set_bit(s->rows + j * words, i);
    }
  }
  for (int64_t k = 0; k < earlier + count; k++) s->local[neighbors[k]] = -1;
}

/* Level 0: v alone. Returns whether that is a maximal clique. */
static bool start_level(clique_search *s, int64_t v) {
  const int64_t count = later(s, v), words = words_of(count), earlier = s->middle[v] - s->begin[v];
  s->clique[0] = v;
  if (count == 0) return earlier == 0;
  read_rows(s, v);
  for (int64_t k = 0; k < earlier; k++) s->seen[k] = count + k;
  s->seen_end[0] = 0, s->seen_end[1] = earlier;
  memset(s->candidates, 0, (size_t)words * sizeof *s->candidates);
  for (int64_t k = 0; k < count; k++) set_bit(s->candidates, k);
  *s->depth = 0;
  choose_pivot(s, words);
  return false;
}

/* The position of a neighbor that is still to be tried on the last level, which it leaves; -1: none. */
static int64_t take_bit(clique_search *s, int64_t words) {
  uint64_t *left = s->left + *s->depth * words;
  for (int64_t w = 0; w < words; w++)
    if (left[w] != 0) {
      const int64_t k = w * 64 + __builtin_ctzll(left[w]);
      left[w] &= left[w] - 1;
      s->candidates[*s->depth * words + w] &= ~(UINT64_C(1) << (k % 64));
      return k;
    }
  return -1;
}

/* The next level: with the neighbor q. Returns whether that is a maximal clique. */
static bool add_level(clique_search *s, int64_t q, int64_t words) {
  const int64_t depth = *s->depth, from = s->seen_end[depth];
  const uint64_t *row = s->rows + q * words, *candidates = s->candidates + depth * words;
  uint64_t *joining = s->candidates + (depth + 1) * words, any = 0;
  int64_t end = s->seen_end[depth + 1];
  for (int64_t w = 0; w < words; w++) any |= joining[w] = candidates[w] & row[w];
  const int64_t start = end + 1;
  s->clique[depth + 1] = s->heads[s->middle[s->clique[0]] + q];
  int64_t top = start;
  for (int64_t k = from; k < end; k++)
    if (has_bit(s->rows + s->seen[k] * words, q)) s->seen[top++] = s->seen[k];
  s->seen[end] = q, s->seen_end[depth + 1] = start;
  if (any == 0) return top == start;
  s->seen_end[depth + 2] = top, *s->depth = depth + 1;
  choose_pivot(s, words);
  return false;
}

/* The next maximal clique: clique[0], ... Returns how many nodes it has; 0: there is none. */
static int64_t find_next(clique_search *s) {
  while (true) {
    if (*s->depth < 0) {
      if (*s->next == s->n) return 0;
      if (start_level(s, (*s->next)++)) return 1;
      continue;
    }
    const int64_t words = words_of(later(s, s->clique[0])), q = take_bit(s, words), size = *s->depth + 2;
    if (q < 0)
      --*s->depth;
    else if (add_level(s, q, words))
      return size;
  }
}

/* The next cliques, up to ends[k] the nodes of clique k, while there is room for another. Returns how many.
 */
int64_t list_cliques(clique_search *s, int64_t room, int64_t *ends, int64_t *nodes) {
  int64_t count = 0, length = 0;
  for (int64_t size; length < room && (size = find_next(s)) > 0; ends[count++] = length) {
    memcpy(nodes + length, s->clique, (size_t)size * sizeof *nodes);
    length += size;
  }
  return count;
}

/* largest[v] becomes the size of the largest of the next cliques with v, if that is more. Returns how many
 * cliques there were: fewer than most at the end. */
int64_t measure_cliques(clique_search *s, int64_t most, int64_t *largest) {
  for (int64_t k = 0; k < most; k++) {
    const int64_t size = find_next(s);
    if (size == 0) return k;
    for (int64_t at = 0; at < size; at++)
      if (largest[s->clique[at]] < size) largest[s->clique[at]] = size;
  }
  return most;
}
