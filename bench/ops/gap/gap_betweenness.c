/* See gap.h. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "bench/ops/gap/gap.h"

enum { AT_A_TIME = 64, MOST_LEVELS = 1 << 16 };

typedef struct {
  const lists *g;
  int32_t *depth;
  double *paths, *dependency;
  uint64_t *child; /* a bit for each entry of g->col */
  uint32_t *order; /* vertices, level by level */
  uint64_t *level; /* where each begins in it; the last: its end */
  uint64_t reached, levels;
} search;

static void add(double *x, double y) {
#pragma omp atomic
  *x += y;
}

/* Of a vertex of depth d: new neighbours go to `found`, edges to children are marked. */
static uint64_t visit(search *s, uint32_t u, int32_t d, uint32_t *found) {
  uint64_t count = 0;
  for (uint64_t k = s->g->start[u]; k < s->g->start[u + 1]; k++) {
    const uint32_t v = s->g->col[k];
    int32_t level = __atomic_load_n(s->depth + v, __ATOMIC_RELAXED);
    if (level < 0 &&
        __atomic_compare_exchange_n(s->depth + v, &level, d + 1, false, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
      found[count++] = v;
      level = d + 1;
    }
    if (level == d + 1) {
      __atomic_fetch_or(s->child + k / 64, UINT64_C(1) << k % 64, __ATOMIC_RELAXED);
      add(s->paths + v, s->paths[u]);
    }
  }
  return count;
}

/* Each thread collects AT_A_TIME vertices before it appends them. */
static bool forward(search *s) {
  bool good = true;
  for (uint64_t d = 0; s->level[d] < s->level[d + 1] && good; d++) {
    if (d + 2 >= MOST_LEVELS) return false;
    s->reached = s->level[d + 1];
#pragma omp parallel reduction(&& : good)
    {
      uint32_t *buffer = NULL;
      uint64_t capacity = 0, kept = 0;
#pragma omp for schedule(dynamic, AT_A_TIME)
      for (uint64_t t = s->level[d]; t < s->level[d + 1]; t++) {
        const uint32_t u = s->order[t];
        const uint64_t most = kept + s->g->start[u + 1] - s->g->start[u];
        if (most > capacity) {
          uint32_t *more = good ? realloc(buffer, 2 * most * sizeof *buffer) : NULL;
          if (more) buffer = more, capacity = 2 * most;
          good = good && more;
        }
        if (good) kept += visit(s, u, (int32_t)d, buffer + kept);
      }
      uint64_t at;
#pragma omp atomic capture
      {
        at = s->reached;
        s->reached += kept;
      }
      if (kept > 0) memcpy(s->order + at, buffer, kept * sizeof *buffer);
      free(buffer);
    }
    s->level[d + 2] = s->reached;
    s->levels = d + 1;
  }
  return good;
}

static void backward(search *s, double *score) {
  /* a source's dependency on itself does not count: level 0 is skipped */
  for (uint64_t d = s->levels - 1; d-- > 1;) {
#pragma omp parallel for schedule(dynamic, AT_A_TIME)
    for (uint64_t t = s->level[d]; t < s->level[d + 1]; t++) {
      const uint32_t u = s->order[t];
      double sum = 0;
      for (uint64_t k = s->g->start[u]; k < s->g->start[u + 1]; k++)
        if (s->child[k / 64] >> k % 64 & 1) {
          const uint32_t v = s->g->col[k];
          sum += s->paths[u] / s->paths[v] * (1 + s->dependency[v]);
        }
      s->dependency[u] = sum;
      score[u] += sum;
    }
  }
}

static void clear(search *s, uint64_t source) {
  const uint64_t words = s->g->start[s->g->n] / 64 + 1;
#pragma omp parallel for schedule(static)
  for (uint64_t k = 0; k < words; k++) s->child[k] = 0;
#pragma omp parallel for schedule(static)
  for (uint64_t v = 0; v < s->g->n; v++) s->depth[v] = -1, s->paths[v] = s->dependency[v] = 0;
  s->depth[source] = 0;
  s->paths[source] = 1;
  s->order[0] = (uint32_t)source;
  s->level[0] = 0;
  s->level[1] = 1;
}

bool gap_betweenness(const lists *g, const uint64_t *source, int sources, double *score) {
  search s = {.g = g};
  s.depth = malloc(g->n * sizeof *s.depth);
  s.paths = malloc(g->n * sizeof *s.paths);
  s.dependency = malloc(g->n * sizeof *s.dependency);
  s.child = malloc((g->start[g->n] / 64 + 1) * sizeof *s.child);
  s.order = malloc(g->n * sizeof *s.order);
  s.level = malloc(MOST_LEVELS * sizeof *s.level);
  bool good = s.depth && s.paths && s.dependency && s.child && s.order && s.level;
  for (int k = 0; good && k < sources; k++) {
    clear(&s, source[k]);
    good = forward(&s);
    if (good) backward(&s, score);
  }
  free(s.depth), free(s.paths), free(s.dependency), free(s.child), free(s.order), free(s.level);
  return good;
}
