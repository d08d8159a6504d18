/* Sorting tuples by key; see sort.h. */
#include "spmat/sort/sort.h"

#include <omp.h>
#include <string.h>

#include "spmat/sort/radix.h"

enum {
  RUN = 1 << 14,       /* tuples of a run, unless that makes more than MAX_RUNS runs */
  MAX_RUNS = 2048,     /* a thread's line buffers for this many bins fit its cache */
  FINE_BITS = 14,      /* ranges of keys that are counted; neighbouring ones are merged to runs */
  SHORT_SORT = 1 << 12 /* up to this many tuples one thread sorts them directly */
};

void grid_sorted_free(grid_sorted *s) {
  for (uint64_t b = 0; b < s->blocks; b++) grid_free(s->block[b]);
  grid_free(s->block);
  grid_free(s->run);
  *s = (grid_sorted){0};
}

void grid_load_values(char *load, size_t load_size, const char *values, size_t size, uint64_t from,
                      uint64_t to) {
  if (size == load_size)
    memcpy(load, values + from * size, (to - from) * size);
  else if (size <= GRID_LOAD_MAX)
    for (uint64_t k = from; k < to; k++) memcpy(load + (k - from) * load_size, values + k * size, size);
  else
    for (uint64_t k = from; k < to; k++) grid_load_set(load, k - from, load_size, k);
}

/* ---- growing lists ------------------------------------------------------------------------------------- */

static GrB_Info add_run(grid_sorted *to, grid_run run) {
  if (to->runs == to->capacity) {
    const uint64_t capacity = to->capacity ? 2 * to->capacity : 256;
    grid_run *more = grid_realloc(to->run, capacity, sizeof *more);
    if (!more) return grid_fail_memory(NULL, "a list of runs", capacity, sizeof *more);
    to->run = more;
    to->capacity = capacity;
  }
  to->run[to->runs++] = run;
  return GrB_SUCCESS;
}

/* Allocates an array of n elements, which *to frees. */
static void *add_array(grid_sorted *to, uint64_t n, size_t size) {
  void **list = grid_realloc(to->block, to->blocks + 1, sizeof *list);
  if (!list) return NULL;
  to->block = list;
  return list[to->blocks++] = grid_malloc(n, size);
}

/* Allocates keys and loads of n tuples. */
static GrB_Info add_block(grid_sorted *to, uint64_t n, uint64_t **key, char **load) {
  *key = add_array(to, n, sizeof **key);
  *load = to->size ? add_array(to, n, to->size) : NULL;
  if (*key && (*load || !to->size)) return GrB_SUCCESS;
  return grid_fail_memory(NULL, "tuples in order", n, sizeof **key + to->size);
}

/* ---- scattering a range of keys ------------------------------------------------------------------------ */

/* A tuple source that reads a run. */
typedef struct {
  const grid_run *run;
  size_t size;
} run_source;

static uint64_t read_run(const grid_source *s, uint64_t from, uint64_t to, uint64_t *key, uint32_t *bin,
                         char *load) {
  const run_source *r = s->context;
  (void)bin;
  memcpy(key, r->run->key + from, (to - from) * sizeof *key);
  if (load) memcpy(load, r->run->load + from * r->size, (to - from) * r->size);
  return to - from;
}

/* How a range of keys is divided: into `fine` ranges of equal length, which are counted and merged to bins.
 */
typedef struct {
  uint64_t base, stretches, fine, bins;
  int shift;
  uint64_t n;      /* tuples in all */
  uint32_t *count; /* stretches x fine */
  uint64_t *next;  /* stretches x bins */
  uint64_t *start; /* of each bin, and where the last ends */
  uint64_t *first; /* of each bin, its first fine range */
  uint16_t *of;    /* the bin of each fine range */
} bin_splits;

static void bin_splits_free(bin_splits *c) {
  grid_free(c->count);
  grid_free(c->next);
  grid_free(c->start);
  grid_free(c->first);
  grid_free(c->of);
}

static uint64_t run_length(uint64_t n) {
  return n / MAX_RUNS > RUN ? n / MAX_RUNS : RUN;
}

/* Merges neighbouring fine ranges while a bin stays below the length of a run. */
static void merge_short_ranges(bin_splits *c, uint64_t length) {
  uint64_t in_bin = 0;
  for (uint64_t f = 0; f < c->fine; f++) {
    uint64_t sum = 0;
    for (uint64_t t = 0; t < c->stretches; t++) sum += c->count[t * c->fine + f];
    if (f == 0 || in_bin + sum > length) {
      c->first[c->bins] = f;
      c->start[c->bins++] = c->n;
      in_bin = 0;
    }
    c->of[f] = (uint16_t)(c->bins - 1);
    in_bin += sum;
    c->n += sum;
  }
  c->first[c->bins] = c->fine;
  c->start[c->bins] = c->n;
}

/* Computes where each stretch's tuples of each bin go. */
static void stretch_offsets(bin_splits *c) {
  uint64_t *at = c->next;
  for (uint64_t t = 0; t < c->stretches; t++)
    for (uint64_t f = 0; f < c->fine; f++) at[t * c->bins + c->of[f]] += c->count[t * c->fine + f];
  for (uint64_t b = 0; b < c->bins; b++) {
    uint64_t sum = c->start[b];
    for (uint64_t t = 0; t < c->stretches; t++) {
      const uint64_t n = at[t * c->bins + b];
      at[t * c->bins + b] = sum;
      sum += n;
    }
  }
}

static GrB_Info bin_splits_make(bin_splits *c, const grid_source *s, uint64_t base, int bits, int sorted,
                                uint64_t length, const atomic_bool *has_bad_index) {
  int fine = 4;
  while (fine < FINE_BITS && s->n * s->times >> fine > length / 16) fine++;
  if (fine > bits - sorted) fine = bits > sorted ? bits - sorted : 0;
  *c = (bin_splits){
      .base = base, .stretches = grid_bin_stretches(s), .fine = UINT64_C(1) << fine, .shift = bits - fine};
  c->count = grid_calloc(c->stretches * c->fine, sizeof *c->count);
  c->start = grid_malloc(c->fine + 1, sizeof *c->start);
  c->first = grid_malloc(c->fine + 1, sizeof *c->first);
  c->of = grid_malloc(c->fine, sizeof *c->of);
  if (!c->count || !c->start || !c->first || !c->of)
    return grid_fail_memory(NULL, "counts of tuples", c->stretches * c->fine, sizeof *c->count);
  const grid_bin_rule by_range = {.base = base, .shift = c->shift, .by_key = true};
  grid_bin_count(s, c->stretches, &by_range, c->fine, c->count);
  if (has_bad_index && atomic_load(has_bad_index)) return GrB_INVALID_INDEX;
  merge_short_ranges(c, length);
  c->next = grid_calloc(c->stretches * c->bins, sizeof *c->next);
  if (!c->next) return grid_fail_memory(NULL, "counts of tuples", c->stretches * c->bins, sizeof *c->next);
  stretch_offsets(c);
  return GrB_SUCCESS;
}

/* Appends the tuples of s, whose keys are at least base and below base + 2^bits, to the list as runs. A fine
 * range with too many tuples for one thread is scattered again. */
static GrB_Info scatter_range(grid_sorted *to, const grid_source *s, uint64_t base, int bits, int sorted,
                              uint64_t length, const atomic_bool *has_bad_index) {
  bin_splits c;
  uint64_t *key;
  char *load;
  GrB_Info info;
  TRY(bin_splits_make(&c, s, base, bits, sorted, length, has_bad_index));
  TRY(add_block(to, c.n, &key, &load));
  const grid_bin_rule rule = {.of = c.of, .base = base, .shift = c.shift};
  const grid_bin_output output = {key, sizeof *key, load, to->size};
  TRY(grid_bin_scatter(s, c.stretches, &rule, c.bins, c.next, &output));
  for (uint64_t b = 0; b < c.bins; b++) {
    grid_run run = {.key = key + c.start[b],
                    .load = to->size ? load + c.start[b] * to->size : NULL,
                    .n = c.start[b + 1] - c.start[b],
                    .base = base + (c.first[b] << c.shift),
                    .is_sorted = c.shift <= sorted && c.first[b + 1] == c.first[b] + 1};
    if (run.n == 0) continue;
    if (run.n <= 4 * length || run.is_sorted) {
      TRY(add_run(to, run));
    } else {
      const run_source from = {&run, to->size};
      const grid_source again = {.n = run.n, .times = 1, .read = read_run, .context = &from};
      TRY(scatter_range(to, &again, run.base, c.shift, sorted, length, NULL));
    }
  }
done:
  bin_splits_free(&c);
  return info;
}

/* ---- short inputs -------------------------------------------------------------------------------------- */

static GrB_Info read_all(grid_sorted *to, const grid_source *s, const atomic_bool *has_bad_index) {
  grid_run run = {0};
  GrB_Info info = add_block(to, s->n * s->times, &run.key, &run.load);
  for (uint64_t k = 0; k < s->n && info == GrB_SUCCESS; k += GRID_BLOCK) {
    const uint64_t end = s->n - k < GRID_BLOCK ? s->n : k + GRID_BLOCK;
    run.n += s->read(s, k, end, run.key + run.n, NULL, to->size ? run.load + run.n * to->size : NULL);
  }
  if (info == GrB_SUCCESS && has_bad_index && atomic_load(has_bad_index)) info = GrB_INVALID_INDEX;
  return info == GrB_SUCCESS && run.n ? add_run(to, run) : info;
}

/* ---- sorting the runs ---- */

static uint64_t count_distinct(const uint64_t *key, uint64_t n) {
  uint64_t distinct = 1;
#pragma omp parallel for schedule(static) reduction(+ : distinct) if (n > 1 << 20 && !omp_in_parallel())
  for (uint64_t k = 1; k < n; k++) distinct += key[k] != key[k - 1];
  return distinct;
}

/* Counts runs that are already sorted: they may have any length, so that all threads count each. */
static uint64_t count_sorted_runs(grid_sorted *s) {
  uint64_t longest = 0;
  for (uint64_t r = 0; r < s->runs; r++) {
    grid_run *run = &s->run[r];
    s->n += run->n;
    if (run->is_sorted)
      run->distinct = count_distinct(run->key, run->n);
    else if (run->n > longest)
      longest = run->n;
  }
  return longest;
}

static GrB_Info sort_runs(grid_sorted *s, int sorted) {
  const uint64_t longest = count_sorted_runs(s);
  const uint64_t threads = s->runs > 1 ? (uint64_t)omp_get_max_threads() : 1,
                 per_thread = (longest + 7) / 8 * 8;
  uint64_t *key = grid_malloc(threads * per_thread, sizeof *key);
  char *load = s->size ? grid_malloc(threads * per_thread, s->size) : NULL;
  if (!key || (s->size && !load)) {
    grid_free(key);
    grid_free(load);
    return grid_fail_memory(NULL, "tuples being sorted", threads * per_thread, sizeof *key + s->size);
  }
#pragma omp parallel for schedule(dynamic, 1) num_threads((int)threads)
  for (uint64_t r = 0; r < s->runs; r++) {
    grid_run *run = &s->run[r];
    if (run->is_sorted) continue;
    const uint64_t thread_begin = (uint64_t)omp_get_thread_num() * per_thread;
    grid_radix_sort(run->key, run->load, run->n, s->size, run->base, sorted, key + thread_begin,
                    s->size ? load + thread_begin * s->size : NULL);
    run->distinct = count_distinct(run->key, run->n);
  }
  grid_free(key);
  grid_free(load);
  return GrB_SUCCESS;
}

GrB_Info grid_sort_tuples(grid_sorted *to, const grid_source *s, size_t size, int bits, int sorted,
                          const atomic_bool *has_bad_index) {
  *to = (grid_sorted){.size = size};
  GrB_Info info = s->n * s->times <= SHORT_SORT
                      ? read_all(to, s, has_bad_index)
                      : scatter_range(to, s, 0, bits, sorted, run_length(s->n * s->times), has_bad_index);
  if (info == GrB_SUCCESS) info = sort_runs(to, sorted);
  if (info != GrB_SUCCESS) grid_sorted_free(to);
  return info;
}

/* ---- tuples scattered by their senders ----------------------------------------------------------------- */

int grid_binned_bits(uint64_t n, uint64_t to, int bits) {
  int b = 0;
  while (b < bits && n >> b > RUN && to << (b + 1) <= MAX_RUNS) b++;
  return b;
}

/* Tuples in ranges [first, last). */
static uint64_t count_ranges(const grid_binned *d, uint64_t first, uint64_t last) {
  uint64_t n = 0;
  for (uint64_t p = 0; p < d->segments; p++)
    n += d->start[p * (d->ranges + 1) + last] - d->start[p * (d->ranges + 1) + first];
  return n;
}

/* Neighbouring ranges that become a run, unless they have too many tuples for a thread. */
typedef struct {
  uint64_t first, last; /* ranges */
  uint64_t at, n;       /* their tuples in the gathered arrays */
} range_group;

/* Groups ranges of up to `length` tuples together. Returns the number of groups. */
static uint64_t group_ranges(const grid_binned *d, uint64_t length, range_group *group) {
  uint64_t groups = 0, at = 0;
  for (uint64_t v = 0, next; v < d->ranges; v = next) {
    uint64_t many = count_ranges(d, v, next = v + 1), one;
    while (next < d->ranges && many + (one = count_ranges(d, next, next + 1)) <= length) many += one, next++;
    group[groups++] = (range_group){v, next, at, many};
    at += many;
  }
  return groups;
}

/* Gathers the keys of a group from all segments, or, with values, the loads. */
static void gather_group(const grid_binned *d, const range_group *g, size_t size, uint64_t *key, char *load) {
  for (uint64_t p = 0, at = g->at; p < d->segments; p++) {
    const uint64_t *start = d->start + p * (d->ranges + 1), from = start[g->first], to = start[g->last];
    if (key) memcpy(key + at, d->key + from, (to - from) * sizeof *key);
    if (load) grid_load_values(load + at * size, size, d->values, d->value_size, from, to);
    at += to - from;
  }
}

/* Gathers all keys, and frees those of the segments, then all loads: so that of neither two copies are held
 * beside the other's. */
static GrB_Info gather_groups(grid_sorted *to, grid_binned *d, const range_group *group, uint64_t groups,
                              uint64_t **key, char **load) {
  const uint64_t n = count_ranges(d, 0, d->ranges);
  const bool parallel = n > 1 << 15;
  *key = add_array(to, n, sizeof **key);
  if (!*key) return grid_fail_memory(NULL, "tuples in order", n, sizeof **key);
#pragma omp parallel for schedule(dynamic, 1) if (parallel)
  for (uint64_t g = 0; g < groups; g++) gather_group(d, &group[g], 0, *key, NULL);
  grid_free(d->key);
  d->key = NULL;
  *load = to->size ? add_array(to, n, to->size) : NULL;
  if (to->size && !*load) return grid_fail_memory(NULL, "tuples in order", n, to->size);
#pragma omp parallel for schedule(dynamic, 1) if (parallel)
  for (uint64_t g = 0; g < (to->size ? groups : 0); g++) gather_group(d, &group[g], to->size, NULL, *load);
  return GrB_SUCCESS;
}

/* Appends a group as a run, or scatters it if a thread should not sort so many tuples. */
static GrB_Info add_group(grid_sorted *to, const grid_binned *d, const range_group *g, uint64_t length,
                          uint64_t most, uint64_t *key, char *load) {
  const grid_run run = {.key = key + g->at,
                        .load = load ? load + g->at * to->size : NULL,
                        .n = g->n,
                        .base = g->first ? g->first << d->shift : 0};
  if (run.n == 0) return GrB_SUCCESS;
  if (run.n <= most || d->shift == 0) return add_run(to, run);
  const run_source from = {&run, to->size};
  const grid_source again = {.n = run.n, .times = 1, .read = read_run, .context = &from};
  return scatter_range(to, &again, run.base, d->shift, 0, length, NULL);
}

GrB_Info grid_sort_binned(grid_sorted *to, const grid_binned *binned, size_t size) {
  grid_binned d = *binned;
  const uint64_t n = count_ranges(&d, 0, d.ranges), length = run_length(n),
                 share = n / (8 * (uint64_t)omp_get_max_threads()),
                 most = 4 * length > share ? 4 * length : share;
  uint64_t *key = NULL, groups = 0;
  char *load = NULL;
  range_group *group = grid_malloc(d.ranges, sizeof *group);
  *to = (grid_sorted){.size = size};
  GrB_Info info = group ? GrB_SUCCESS : grid_fail_memory(NULL, "ranges of tuples", d.ranges, sizeof *group);
  if (group) groups = group_ranges(&d, length, group);
  if (info == GrB_SUCCESS) info = gather_groups(to, &d, group, groups, &key, &load);
  grid_free(d.key);
  if (d.value_size <= GRID_LOAD_MAX) grid_free(d.values);
  for (uint64_t g = 0; g < groups && info == GrB_SUCCESS; g++)
    info = add_group(to, &d, &group[g], length, most, key, load);
  grid_free(group);
  if (info == GrB_SUCCESS) info = sort_runs(to, 0);
  if (info != GrB_SUCCESS) grid_sorted_free(to);
  return info;
}
