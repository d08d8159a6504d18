/* A range's tuples, of which each run's are in order, become one list; see sort_runs.h. They are cut by keys
 * into segments that the cache holds, and a segment's stretches merged there two by two. */
#include <omp.h>
#include <string.h>

#include "dist/outofcore/sort/sort_runs.h"
#include "semiring/support/mem.h"
#include "semiring/support/tuning.h"
#include "spmat/vector/bitmap_words.h"

/* samples per segment */
enum { SAMPLES = 64 };

static uint64_t sample_step(void) {
  return grid_tune.merge_segment > SAMPLES ? grid_tune.merge_segment / SAMPLES : 1;
}

typedef struct {
  const uint64_t *key;
  const double *val;
  uint64_t n;
} stretch;

/* A thread's workspace: a segment's stretches, and two buffers for merged ones. */
typedef struct {
  stretch *segment;
  uint64_t *key[2], capacity;
  double *val[2];
} merger;

typedef struct {
  const grid_run_range *range;
  uint64_t base;
  uint64_t *split_key, nsplits; /* upper bounds of the segments' keys */
  uint64_t *key;                /* the result's arrays */
  double *val;
  grid_join dup;
  grid_sorted *to; /* has a run for each segment */
} merging;

/* ---- segments ---- */

static GrB_Info cut_segments(merging *m) {
  const grid_run_range *range = m->range;
  const uint64_t step = sample_step();
  uint64_t samples = 0;
  for (uint64_t s = 0; s < range->stretches; s++)
    samples += (range->stretch[s + 1] - range->stretch[s]) / step;
  m->split_key = grid_malloc(samples + 1, sizeof *m->split_key);
  if (!m->split_key) return grid_fail_memory(NULL, "samples of runs", samples, sizeof *m->split_key);
  uint64_t n = 0;
  for (uint64_t s = 0; s < range->stretches; s++)
    for (uint64_t k = range->stretch[s] + step; k <= range->stretch[s + 1]; k += step)
      m->split_key[n++] = range->key[k - 1];
  grid_sort_keys(m->split_key, n);
  for (uint64_t k = SAMPLES; k < n; k += SAMPLES) {
    const uint64_t key = m->split_key[k];
    if (m->nsplits == 0 || m->split_key[m->nsplits - 1] < key) m->split_key[m->nsplits++] = key;
  }
  return GrB_SUCCESS;
}

/* Position in stretch s of the first tuple of segment p. */
static uint64_t tuples_before(const merging *m, uint64_t s, uint64_t p) {
  const uint64_t *from = m->range->stretch;
  if (p == 0) return from[s];
  if (p > m->nsplits) return from[s + 1];
  return from[s] + grid_lower_bound(m->range->key + from[s], 0, from[s + 1] - from[s], m->split_key[p - 1]);
}

/* ---- merging two stretches ---- */

static void copy_stretch(uint64_t *key, double *val, const stretch *x, uint64_t from) {
  memcpy(key, x->key + from, (x->n - from) * sizeof *key);
  if (val) memcpy(val, x->val + from, (x->n - from) * sizeof *val);
}

/* Merges from both ends: two independent chains of comparisons. */
static void merge_keys(uint64_t *key, const stretch *x, const stretch *y, uint64_t *i, uint64_t *j) {
  const uint64_t *p = x->key, *q = y->key, *p_end = p + x->n, *q_end = q + y->n;
  uint64_t *end = key + x->n + y->n;
  while (p_end - p >= 2 && q_end - q >= 2) {
    const uint64_t u = *p, v = *q, w = p_end[-1], z = q_end[-1], first = u <= v, last = w > z;
    *key++ = first ? u : v;
    *--end = last ? w : z;
    p += first, q += !first;
    p_end -= last, q_end -= !last;
  }
  while (p < p_end && q < q_end) {
    const uint64_t u = *p, v = *q, first = u <= v;
    *key++ = first ? u : v;
    p += first, q += !first;
  }
  if (p < p_end) memcpy(key, p, (size_t)(p_end - p) * sizeof *key);
  if (q < q_end) memcpy(key, q, (size_t)(q_end - q) * sizeof *key);
  *i = x->n, *j = y->n;
}

static void merge_tuples(uint64_t *key, double *val, const stretch *x, const stretch *y, uint64_t *i,
                         uint64_t *j) {
  uint64_t a = *i, b = *j;
  while (a < x->n && b < y->n) {
    const uint64_t u = x->key[a], v = y->key[b], first = u <= v;
    *key++ = first ? u : v;
    *val++ = first ? x->val[a] : y->val[b];
    a += first, b += !first;
  }
  *i = a, *j = b;
}

static void merge_two(uint64_t *key, double *val, const stretch *x, const stretch *y) {
  uint64_t i = 0, j = 0;
  if (val)
    merge_tuples(key, val, x, y, &i, &j);
  else
    merge_keys(key, x, y, &i, &j);
  key += i + j, val = val ? val + i + j : NULL;
  copy_stretch(key, val, i < x->n ? x : y, i < x->n ? i : j);
}

/* ---- merging a segment ---- */

static bool allocate_merger(merger *w, uint64_t n, bool valued) {
  bool made = true;
  if (n <= w->capacity) return true;
  w->capacity = 0;
  for (int k = 0; k < 2; k++) {
    grid_free(w->key[k]);
    grid_free(w->val[k]);
    w->key[k] = grid_malloc(n, sizeof *w->key[k]);
    w->val[k] = valued ? grid_malloc(n, sizeof *w->val[k]) : NULL;
    made = made && w->key[k] && (!valued || w->val[k]);
  }
  if (made) w->capacity = n;
  return made;
}

static void merger_free(merger *w) {
  for (int k = 0; k < 2; k++) {
    grid_free(w->key[k]);
    grid_free(w->val[k]);
  }
  grid_free(w->segment);
}

/* Merges w->segment[0 .. n) two by two until one is left. */
static stretch merge_segments(merger *w, uint64_t n) {
  for (int turn = 0; n > 1; turn = !turn) {
    uint64_t *key = w->key[turn], left = 0;
    double *val = w->val[turn];
    for (uint64_t k = 0; k < n; k += 2) {
      const stretch x = w->segment[k], y = k + 1 < n ? w->segment[k + 1] : (stretch){x.key, x.val, 0};
      merge_two(key, val, &x, &y);
      w->segment[left++] = (stretch){key, val, x.n + y.n};
      key += x.n + y.n, val = val ? val + x.n + y.n : NULL;
    }
    n = left;
  }
  return w->segment[0];
}

static bool merge_segment(const merging *m, uint64_t p, merger *w) {
  const grid_run_range *range = m->range;
  const bool valued = range->val;
  uint64_t segments = 0, n = 0, at = 0;
  if (!w->segment && !(w->segment = grid_malloc(range->stretches, sizeof *w->segment))) return false;
  for (uint64_t s = 0; s < range->stretches; s++) {
    const uint64_t from = tuples_before(m, s, p), end = tuples_before(m, s, p + 1);
    at += from - range->stretch[s];
    if (from == end) continue;
    w->segment[segments++] = (stretch){range->key + from, valued ? range->val + from : NULL, end - from};
    n += end - from;
  }
  grid_run *run = &m->to->run[p];
  *run = (grid_run){.key = m->key + at, .load = valued ? (char *)(m->val + at) : NULL};
  if (n == 0) return true;
  if (!allocate_merger(w, n, valued)) return false;
  const stretch all = merge_segments(w, segments);
  for (uint64_t k = 0; k < n; k++) run->key[k] = all.key[k] - m->base;
  if (valued) memcpy(run->load, all.val, n * sizeof *all.val);
  run->n = n;
  grid_run_unique(run, m->dup);
  return true;
}

/* ---- the whole range ---- */

static GrB_Info make_target(merging *m) {
  const uint64_t n = m->range->n, runs = m->nsplits + 1;
  const bool valued = m->range->val;
  grid_sorted *to = m->to;
  *to = (grid_sorted){.size = valued ? sizeof(double) : 0, .runs = runs, .capacity = runs};
  to->run = grid_calloc(runs, sizeof *to->run);
  to->block = grid_calloc(2, sizeof *to->block);
  m->key = grid_malloc(n, sizeof *m->key);
  m->val = valued ? grid_malloc(n, sizeof *m->val) : NULL;
  if (!to->block) {
    grid_free(m->key);
    grid_free(m->val);
  } else {
    to->block[to->blocks++] = m->key;
    if (m->val) to->block[to->blocks++] = m->val;
  }
  if (to->run && to->block && m->key && (!valued || m->val)) return GrB_SUCCESS;
  return grid_fail_memory(NULL, "tuples in order", n, valued ? 16 : 8);
}

GrB_Info grid_merge_runs(grid_sorted *to, const grid_run_range *range, uint64_t base, grid_join dup) {
  merging m = {.range = range, .base = base, .dup = dup, .to = to};
  bool made = true;
  *to = (grid_sorted){0};
  if (range->n == 0) return GrB_SUCCESS;
  GrB_Info info = cut_segments(&m);
  if (info == GrB_SUCCESS) info = make_target(&m);
  if (info == GrB_SUCCESS) {
#pragma omp parallel reduction(&& : made)
    {
      merger w = {NULL};
#pragma omp for schedule(dynamic, 4)
      for (uint64_t p = 0; p <= m.nsplits; p++) made = made && merge_segment(&m, p, &w);
      merger_free(&w);
    }
    if (!made) info = grid_fail_memory(NULL, "a piece of tuples", grid_tune.merge_segment, sizeof *m.key);
  }
  uint64_t runs = 0; /* nonempty runs */
  for (uint64_t p = 0; info == GrB_SUCCESS && p < to->runs; p++) {
    to->n += to->run[p].n;
    if (to->run[p].n) to->run[runs++] = to->run[p];
  }
  to->runs = runs;
  grid_free(m.split_key);
  if (info != GrB_SUCCESS) grid_sorted_free(to);
  return info;
}
