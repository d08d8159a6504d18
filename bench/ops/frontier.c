/* frontier.c: two ideas for a search's frontier, measured apart from the library (docs/performance.md, "Bags,
 * and what is sent twice"). One: containers, in a search that only pushes: a list, bits, and a bag (Leiserson
 * and Schardl, 2010: a backbone of pennants, trees of 2^k blocks each, which grow and are united without
 * copying). Two: what Pan et al., section V-B, do before normals' entries travel: processes of a machine
 * exchange first, so that each sends for one lane alone (local all-to-all), and what goes to one place twice
 * is sent once (uniquify): ids and messages counted, on virtual processes.
 *
 * Usage: frontier [SCALE [REPEAT]] */
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ops/ops_graph.h"

typedef struct {
  uint32_t n, *to;
  uint64_t *start;
} csr;

typedef struct {
  uint32_t *level; /* 0: not reached */
  uint64_t *seen;
} answer;

static void *allocate_or_exit(size_t n, size_t size) {
  void *p = calloc(n + 1, size);
  if (p == NULL) {
    fprintf(stderr, "frontier: out of memory\n");
    exit(1);
  }
  return p;
}

static csr extract_csr(const graph *g) {
  csr A = {
      .n = (uint32_t)g->n, .to = allocate_or_exit(g->entries, 4), .start = allocate_or_exit(g->n + 1, 8)};
  for (uint64_t e = 0; e < g->entries; e++) {
    A.start[g->entry[e].row + 1]++;
    A.to[e] = (uint32_t)g->entry[e].col;
  }
  for (uint32_t v = 0; v < A.n; v++) A.start[v + 1] += A.start[v];
  return A;
}

static uint64_t degree(const csr *A, uint32_t v) {
  return A->start[v + 1] - A->start[v];
}

/* Is v found now? By one thread alone. */
static bool claim(answer *a, uint32_t v, uint32_t level) {
  const uint64_t bit = UINT64_C(1) << v % 64;
  if (__atomic_load_n(&a->seen[v / 64], __ATOMIC_RELAXED) & bit) return false;
  if (__atomic_fetch_or(&a->seen[v / 64], bit, __ATOMIC_RELAXED) & bit) return false;
  a->level[v] = level;
  return true;
}

/* ---- a list ---- */

static void search_list(const csr *A, answer *a, uint32_t source) {
  const int T = omp_get_max_threads();
  uint32_t *now = allocate_or_exit(A->n, 4), **own = allocate_or_exit((size_t)T, sizeof *own);
  uint64_t n = 1, *count = allocate_or_exit((size_t)T + 1, 8);
  for (int t = 0; t < T; t++) own[t] = allocate_or_exit(A->n, 4);
  now[0] = source;
  claim(a, source, 1);
  for (uint32_t level = 2; n > 0; level++) {
#pragma omp parallel
    {
      const int t = omp_get_thread_num();
      uint64_t k = 0;
#pragma omp for schedule(dynamic, 256)
      for (uint64_t f = 0; f < n; f++)
        for (uint64_t e = A->start[now[f]]; e < A->start[now[f] + 1]; e++)
          if (claim(a, A->to[e], level)) own[t][k++] = A->to[e];
      count[t] = k;
    }
    n = 0;
    for (int t = 0; t < T; n += count[t++]) memcpy(now + n, own[t], count[t] * 4);
  }
  for (int t = 0; t < T; t++) free(own[t]);
  free(own), free(now), free(count);
}

/* ---- bits ---- */

static void search_bits(const csr *A, answer *a, uint32_t source) {
  const uint64_t words = (A->n + 63) / 64;
  uint64_t *now = allocate_or_exit(words, 8), *next = allocate_or_exit(words, 8), found = 1;
  now[source / 64] = UINT64_C(1) << source % 64;
  claim(a, source, 1);
  for (uint32_t level = 2; found > 0; level++) {
    found = 0;
#pragma omp parallel for schedule(dynamic, 64) reduction(+ : found)
    for (uint64_t w = 0; w < words; w++)
      for (uint64_t bits = now[w]; bits; bits &= bits - 1) {
        const uint32_t u = (uint32_t)(w * 64) + (uint32_t)__builtin_ctzll(bits);
        for (uint64_t e = A->start[u]; e < A->start[u + 1]; e++)
          if (claim(a, A->to[e], level)) {
            const uint32_t v = A->to[e];
            __atomic_fetch_or(&next[v / 64], UINT64_C(1) << v % 64, __ATOMIC_RELAXED);
            found++;
          }
      }
    uint64_t *swap = now;
    now = next, next = swap;
    memset(next, 0, words * 8);
  }
  free(now), free(next);
}

/* ---- a bag ---- */

enum { BLOCK = 128, RANKS = 32 };
typedef struct block {
  struct block *left, *right;
  uint32_t n, v[BLOCK];
} block;
/* pennant[k] has 2^k full blocks; `open` is being filled. */
typedef struct {
  block *pennant[RANKS], *open, *free_list;
} bag;

static block *new_block(bag *b) {
  block *x = b->free_list;
  if (x != NULL)
    b->free_list = x->right;
  else
    x = allocate_or_exit(1, sizeof *x);
  x->left = x->right = NULL;
  x->n = 0;
  return x;
}

static block *unite(block *x, block *y) {
  y->right = x->left;
  x->left = y;
  return x;
}

static void add_pennant(bag *b, block *x, int k) {
  for (; b->pennant[k] != NULL; k++) {
    x = unite(b->pennant[k], x);
    b->pennant[k] = NULL;
  }
  b->pennant[k] = x;
}

static void insert(bag *b, uint32_t v) {
  if (b->open == NULL) b->open = new_block(b);
  b->open->v[b->open->n++] = v;
  if (b->open->n < BLOCK) return;
  add_pennant(b, b->open, 0);
  b->open = NULL;
}

typedef struct {
  const csr *A;
  answer *a;
  uint32_t level;
  bag *own; /* of each thread */
} walk;

static void visit(const walk *w, block *x) {
  bag *b = &w->own[omp_get_thread_num()];
  for (uint32_t f = 0; f < x->n; f++)
    for (uint64_t e = w->A->start[x->v[f]]; e < w->A->start[x->v[f] + 1]; e++)
      if (claim(w->a, w->A->to[e], w->level)) insert(b, w->A->to[e]);
}

static void walk_tree(const walk *w, block *x) {
  if (x == NULL) return;
#pragma omp task
  walk_tree(w, x->left);
#pragma omp task
  walk_tree(w, x->right);
  visit(w, x);
#pragma omp taskwait
  bag *b = &w->own[omp_get_thread_num()];
  x->right = b->free_list;
  b->free_list = x;
}

static void walk_bag(const walk *w, bag *now) {
#pragma omp parallel
#pragma omp single
  {
    for (int k = 0; k < RANKS; k++) walk_tree(w, now->pennant[k]);
    walk_tree(w, now->open);
  }
}

/* What the threads have found becomes the frontier; blocks that are not full are filled up from each other.
 */
static bool gather(bag *now, bag *own, int T) {
  memset(now->pennant, 0, sizeof now->pennant);
  now->open = NULL;
  bool any = false;
  for (int t = 0; t < T; t++) {
    for (int k = 0; k < RANKS; k++)
      if (own[t].pennant[k] != NULL) {
        add_pennant(now, own[t].pennant[k], k);
        any = true;
      }
    memset(own[t].pennant, 0, sizeof own[t].pennant);
    block *rest = own[t].open;
    own[t].open = NULL;
    if (rest == NULL) continue;
    any = true;
    for (uint32_t f = 0; f < rest->n; f++) insert(now, rest->v[f]);
    rest->right = own[t].free_list;
    own[t].free_list = rest;
  }
  return any;
}

static void free_block_list(bag *b) {
  while (b->free_list != NULL) {
    block *x = b->free_list;
    b->free_list = x->right;
    free(x);
  }
}

static void search_bag(const csr *A, answer *a, uint32_t source) {
  const int T = omp_get_max_threads();
  bag now = {.open = NULL}, *own = allocate_or_exit((size_t)T, sizeof *own);
  walk w = {A, a, 2, own};
  insert(&now, source);
  claim(a, source, 1);
  do walk_bag(&w, &now), w.level++;
  while (gather(&now, own, T));
  for (int t = 0; t < T; t++) free_block_list(&own[t]);
  free_block_list(&now);
  free(own);
}

/* ---- containers side by side ---- */

static uint32_t pick_source(const csr *A, uint32_t k) {
  uint32_t v = (uint32_t)((uint64_t)A->n * k / 8);
  while (degree(A, v) == 0) v = (v + 1) % A->n;
  return v;
}

static double run(void (*search)(const csr *, answer *, uint32_t), const csr *A, answer *a, uint64_t *sum) {
  const double start = now();
  for (uint32_t k = 0; k < 8; k++) {
    memset(a->seen, 0, (A->n + 63) / 64 * 8);
    memset(a->level, 0, (size_t)A->n * 4);
    search(A, a, pick_source(A, k));
    for (uint32_t v = 0; v < A->n; v++) *sum += (uint64_t)a->level[v] * (v % 1021);
  }
  return (now() - start) / 8;
}

static bool compare_containers(const csr *A, int repeat) {
  static void (*const search[])(const csr *, answer *, uint32_t) = {search_list, search_bits, search_bag};
  static const char *const name[] = {"list", "bits", "bag"};
  answer a = {allocate_or_exit(A->n, 4), allocate_or_exit(A->n / 64 + 1, 8)};
  double best[3] = {1e9, 1e9, 1e9};
  uint64_t sum[3] = {0};
  for (int r = 0; r < repeat; r++)
    for (int k = 0; k < 3; k++) {
      sum[k] = 0;
      const double took = run(search[k], A, &a, &sum[k]);
      if (took < best[k]) best[k] = took;
    }
  for (int k = 0; k < 3; k++)
    printf("| %s | %d | %.2f | %.2f |\n", name[k], omp_get_max_threads(), 1e3 * best[k], best[k] / best[0]);
  free(a.level), free(a.seen);
  return sum[1] == sum[0] && sum[2] == sum[0];
}

/* ---- what pushes of normals send ---- */

/* Vertices above this degree are delegates: the highest that leaves a tenth of the entries among the rest. */
static uint64_t threshold(const csr *A) {
  uint64_t low = 1, high = A->n;
  while (low < high) {
    const uint64_t middle = (low + high + 1) / 2;
    uint64_t nn = 0;
    for (uint32_t v = 0; v < A->n; v++)
      for (uint64_t e = A->start[v]; e < A->start[v + 1] && degree(A, v) <= middle; e++)
        nn += degree(A, A->to[e]) <= middle;
    if (10 * nn <= A->start[A->n])
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* ids that leave a machine, and messages between machines. */
typedef struct {
  uint64_t ids, once, lane_once, messages, lane_messages, inside;
} sent;

typedef struct {
  const csr *A;
  uint32_t P, L, q; /* processes, on a machine, vertices of each */
  uint64_t most;
  uint64_t *mark, *lane_mark; /* of a vertex: who has sent it last */
  uint8_t *pair, *lane_pair;
} pushes;

/* Process s pushes its normals of one level. */
static void push(sent *z, pushes *p, const uint32_t *level, uint32_t now, uint32_t s, uint64_t stamp) {
  const csr *A = p->A;
  const uint32_t end = (s + 1) * p->q < A->n ? (s + 1) * p->q : A->n;
  for (uint32_t u = s * p->q; u < end; u++) {
    if (level[u] != now || degree(A, u) > p->most) continue;
    for (uint64_t e = A->start[u]; e < A->start[u + 1]; e++) {
      const uint32_t v = A->to[e], to = v / p->q;
      if (degree(A, v) > p->most || to / p->L == s / p->L) continue;
      z->ids++;
      if (p->mark[v] != stamp + s) z->once++;
      p->mark[v] = stamp + s;
      /* first to the process of the own machine that has the target's lane */
      const uint32_t by = s / p->L * p->L + to % p->L;
      z->inside += by != s;
      if (p->lane_mark[v] != stamp + s / p->L) z->lane_once++;
      p->lane_mark[v] = stamp + s / p->L;
      p->pair[(uint64_t)s * p->P + to] = p->lane_pair[(uint64_t)by * p->P + to] = 1;
    }
  }
}

static void count_level(sent *z, pushes *p, const uint32_t *level, uint32_t now, uint64_t *stamp) {
  memset(p->pair, 0, (size_t)p->P * p->P);
  memset(p->lane_pair, 0, (size_t)p->P * p->P);
  for (uint32_t s = 0; s < p->P; s++) push(z, p, level, now, s, *stamp);
  *stamp += p->P;
  for (uint64_t k = 0; k < (uint64_t)p->P * p->P; k++)
    z->messages += p->pair[k], z->lane_messages += p->lane_pair[k];
}

/* Of levels up to `last`: a search that pulls the levels in the middle pushes the first ones. */
static void count_pushes(const csr *A, uint32_t P, uint32_t L, uint32_t last) {
  answer a = {allocate_or_exit(A->n, 4), allocate_or_exit(A->n / 64 + 1, 8)};
  pushes p = {.A = A, .P = P, .L = L, .q = (A->n + P - 1) / P, .most = threshold(A)};
  sent z = {0};
  uint64_t stamp = 1;
  p.mark = allocate_or_exit(A->n, 8), p.lane_mark = allocate_or_exit(A->n, 8);
  p.pair = allocate_or_exit((size_t)P * P, 1), p.lane_pair = allocate_or_exit((size_t)P * P, 1);
  search_list(A, &a, pick_source(A, 1));
  for (uint32_t l = 1; l <= last; l++) count_level(&z, &p, a.level, l, &stamp);
  printf("| %s | %u | %u | %llu | %.1f | %.1f | %.2f | %llu | %llu |\n", last > 3 ? "all" : "first three", P,
         L, (unsigned long long)z.ids, 100 - 100.0 * (double)z.once / (double)z.ids,
         100 - 100.0 * (double)z.lane_once / (double)z.ids, (double)z.inside / (double)z.ids,
         (unsigned long long)z.messages, (unsigned long long)z.lane_messages);
  free(a.level), free(a.seen);
  free(p.mark), free(p.lane_mark), free(p.pair), free(p.lane_pair);
}

int main(int argc, char **argv) {
  const int scale = argc > 1 ? (int)strtol(argv[1], NULL, 10) : 18;
  const int repeat = argc > 2 ? (int)strtol(argv[2], NULL, 10) : 5;
  graph g;
  if (scale < 8 || scale > 26 || repeat < 1) {
    fprintf(stderr, "usage: %s [SCALE, 8 to 26 [REPEAT]]\n", argv[0]);
    return 2;
  }
  if (!graph_make(&g, SHAPE_RMAT, scale, 1)) {
    fprintf(stderr, "frontier: out of memory\n");
    return 1;
  }
  const csr A = extract_csr(&g);
  graph_free(&g);
  printf("| a search by pushes, scale %d | threads | ms | over list |\n| --- | --- | --- | --- |\n", scale);
  const bool same = compare_containers(&A, repeat);
  printf(
      "\n| levels | P | a machine | ids between machines | sent twice by a process, %% | by a machine, %% | "
      "ids "
      "inside "
      "for it | messages | by lanes |\n| --- | --- | --- | --- | --- | --- | --- | --- | --- |\n");
  static const uint32_t on[][2] = {{16, 4}, {64, 4}, {64, 8}, {256, 8}};
  for (size_t k = 0; k < sizeof on / sizeof *on; k++)
    for (uint32_t last = 3; last <= 32; last += 29) count_pushes(&A, on[k][0], on[k][1], last);
  free(A.to), free(A.start);
  if (!same) fprintf(stderr, "frontier: the searches differ\n");
  return !same;
}
