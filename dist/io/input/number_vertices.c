/* Numbers vertex names (number_vertices.h). Each process sorts the set of its names. The sets are split at
 * the same P - 1 splitters, chosen from samples, and range r goes to process r, which merges and numbers
 * it and returns the numbers. */
#include "dist/io/input/number_vertices.h"
#include <string.h>
#include "dist/grid/layout.h"

/* ---- the sorted set of one process's names ---- */

typedef struct {
  uint64_t *v[2]; /* names; replaced by their position in the set */
  uint64_t n[2];
  uint64_t *set, count; /* sorted, distinct */
} names;

static GrB_Info fail_memory(uint64_t count, size_t size) {
  return grid_fail_memory(NULL, "numbering the vertex ids", count, size);
}

static uint64_t largest(const names *s) {
  uint64_t top = 0;
  for (int h = 0; h < 2; h++) {
    const uint64_t *v = s->v[h];
#pragma omp parallel for reduction(max : top) num_threads(grid_ctx.threads) if (s->n[h] > 65536)
    for (uint64_t k = 0; k < s->n[h]; k++) top = v[k] > top ? v[k] : top;
  }
  return top;
}

/* For nearly contiguous names: a bitmap, and the number of names before each of its words. */
static GrB_Info number_by_bitmap(names *s, uint64_t words) {
  uint64_t *bits = grid_calloc(words, 8), *before = grid_malloc(words, 8), count = 0;
  if (!bits || !before) goto done;
  for (int h = 0; h < 2; h++) {
    const uint64_t *v = s->v[h];
#pragma omp parallel for num_threads(grid_ctx.threads) if (s->n[h] > 65536)
    for (uint64_t k = 0; k < s->n[h]; k++) {
      uint64_t *w = &bits[v[k] / 64], bit = UINT64_C(1) << v[k] % 64;
      if (!(__atomic_load_n(w, __ATOMIC_RELAXED) & bit)) __atomic_fetch_or(w, bit, __ATOMIC_RELAXED);
    }
  }
  for (uint64_t w = 0; w < words; w++) {
    before[w] = count;
    count += (uint64_t)__builtin_popcountll(bits[w]);
  }
  s->set = grid_malloc(count, 8);
  if (!s->set) goto done;
  s->count = count;
#pragma omp parallel for num_threads(grid_ctx.threads) if (words > 4096)
  for (uint64_t w = 0; w < words; w++) {
    uint64_t at = before[w];
    for (uint64_t left = bits[w]; left; left &= left - 1)
      s->set[at++] = w * 64 + (uint64_t)__builtin_ctzll(left);
  }
  for (int h = 0; h < 2; h++) {
    uint64_t *v = s->v[h];
#pragma omp parallel for num_threads(grid_ctx.threads) if (s->n[h] > 65536)
    for (uint64_t k = 0; k < s->n[h]; k++) {
      uint64_t w = v[k] / 64, below = (UINT64_C(1) << v[k] % 64) - 1;
      v[k] = before[w] + (uint64_t)__builtin_popcountll(bits[w] & below);
    }
  }
done:
  grid_free(bits);
  grid_free(before);
  return s->set ? GrB_SUCCESS : fail_memory(words, 8);
}

typedef struct {
  uint64_t name, number; /* 1, 2, ... in order of appearance; 0: an empty slot */
} slot;

static uint64_t hash(uint64_t x) {
  x ^= x >> 32;
  x *= UINT64_C(0xd6e8feb86659fd93);
  x ^= x >> 32;
  x *= UINT64_C(0xd6e8feb86659fd93);
  return x ^ x >> 32;
}

static slot *find_slot(slot *table, uint64_t capacity, uint64_t name) {
  uint64_t k = hash(name) & (capacity - 1);
  while (table[k].number && table[k].name != name) k = (k + 1) & (capacity - 1);
  return &table[k];
}

/* Grows the table four times. */
static bool grow_table(slot **table, uint64_t *capacity) {
  slot *more = grid_calloc(*capacity * 4, sizeof *more);
  if (!more) return false;
  for (uint64_t k = 0; k < *capacity; k++)
    if ((*table)[k].number) *find_slot(more, *capacity * 4, (*table)[k].name) = (*table)[k];
  grid_free(*table);
  *table = more;
  *capacity *= 4;
  return true;
}

/* Radix sort of a[0..n) by name, one byte per pass; t is scratch of the same size. Returns the array that
 * holds the result. */
static slot *sort_slots(slot *a, slot *t, uint64_t n) {
  for (int shift = 0; shift < 64; shift += 8) {
    uint64_t start[257] = {0};
    for (uint64_t k = 0; k < n; k++) start[(a[k].name >> shift & 255) + 1]++;
    if (n == 0 || start[(a[0].name >> shift & 255) + 1] == n) continue; /* all equal in this byte */
    for (int b = 0; b < 256; b++) start[b + 1] += start[b];
    for (uint64_t k = 0; k < n; k++) t[start[a[k].name >> shift & 255]++] = a[k];
    slot *swap = a;
    a = t;
    t = swap;
  }
  return a;
}

/* For scattered names: a hash table numbers them in order of appearance, then the set is sorted and the
 * numbers are permuted. */
static GrB_Info number_by_hash(names *s) {
  uint64_t capacity = 1024, count = 0, *order = NULL;
  slot *table = grid_calloc(capacity, sizeof *table), *list = NULL;
  if (!table) goto done;
  for (int h = 0; h < 2; h++) {
    for (uint64_t k = 0; k < s->n[h]; k++) {
      if (count * 2 >= capacity && !grow_table(&table, &capacity)) goto done;
      slot *at = find_slot(table, capacity, s->v[h][k]);
      if (!at->number) *at = (slot){s->v[h][k], ++count};
      s->v[h][k] = at->number;
    }
  }
  list = grid_malloc(2 * count, sizeof *list);
  order = grid_malloc(count + 1, 8);
  s->set = grid_malloc(count, 8);
  if (!list || !order || !s->set) goto done;
  for (uint64_t k = 0, n = 0; k < capacity; k++)
    if (table[k].number) list[n++] = table[k];
  slot *sorted = sort_slots(list, list + count, count);
  for (uint64_t k = 0; k < count; k++) {
    s->set[k] = sorted[k].name;
    order[sorted[k].number] = k;
  }
  for (int h = 0; h < 2; h++) {
    uint64_t *v = s->v[h];
#pragma omp parallel for num_threads(grid_ctx.threads) if (s->n[h] > 65536)
    for (uint64_t k = 0; k < s->n[h]; k++) v[k] = order[v[k]];
  }
  s->count = count;
done:;
  bool ok = s->set && order && list;
  grid_free(table);
  grid_free(list);
  grid_free(order);
  if (ok) return GrB_SUCCESS;
  grid_free(s->set);
  s->set = NULL;
  return fail_memory(2 * count, sizeof *list);
}

static GrB_Info number_local(names *s) {
  uint64_t words = largest(s) / 64 + 1;
  return words <= s->n[0] + s->n[1] + 1024 ? number_by_bitmap(s, words) : number_by_hash(s);
}

/* ---- ranges ---- */

#define SAMPLES 64

/* First position in the sorted set whose name is at least x. */
static uint64_t lower_bound(const uint64_t *set, uint64_t n, uint64_t x) {
  uint64_t low = 0;
  while (n) {
    uint64_t half = n / 2;
    if (set[low + half] < x) {
      low += half + 1;
      n -= half + 1;
    } else {
      n = half;
    }
  }
  return low;
}

/* Splitters that split the union of all sets into P ranges of about equal size: process r owns names in
 * [split[r], split[r + 1]). */
static GrB_Info choose_splitters(const names *s, uint64_t *split) {
  GrB_Info info;
  uint64_t samples[SAMPLES + 1], P = (uint64_t)grid_ctx.P, used = 0;
  double whole = 0, sum = 0;
  uint64_t *every = grid_malloc(P * (SAMPLES + 1), 8);
  slot *list = grid_malloc(2 * P * SAMPLES, sizeof *list);
  TRY(grid_agree(NULL, every && list ? GrB_SUCCESS : fail_memory(P * SAMPLES, sizeof *list)));
  samples[0] = s->count;
  for (uint64_t k = 0; k < SAMPLES; k++)
    samples[k + 1] = s->count ? s->set[(uint64_t)(((double)k + 0.5) / SAMPLES * (double)s->count)] : 0;
  TRY(grid_ctx.transport->allgather(GRID_SET_ALL, samples, sizeof samples, every));
  for (uint64_t r = 0; r < P; r++) {
    const uint64_t *from = every + r * (SAMPLES + 1);
    whole += (double)from[0];
    for (uint64_t k = 0; k < SAMPLES && from[0]; k++) list[used++] = (slot){from[k + 1], from[0]};
  }
  const slot *sorted = sort_slots(list, list + P * SAMPLES, used);
  /* a sample represents count / SAMPLES names of its process */
  split[0] = 0;
  for (uint64_t r = 1, k = 0; r < P; r++) {
    while (k < used && sum / SAMPLES < whole * (double)r / (double)P) sum += (double)sorted[k++].number;
    split[r] = k < used ? sorted[k].name : UINT64_MAX;
  }
done:
  grid_free(every);
  grid_free(list);
  return info;
}

/* ---- all processes ---- */

/* Bytes and offsets per process, to the owners and back. */
typedef struct {
  size_t *sent, *send_offset, *recv_count, *recv_offset;
} routes;

static void route_by_name(const names *s, const uint64_t *split, routes *routing) {
  uint64_t from = 0;
  for (int r = 0; r < grid_ctx.P; r++) {
    uint64_t to = r + 1 < grid_ctx.P ? lower_bound(s->set, s->count, split[r + 1]) : s->count;
    routing->send_offset[r] = from * 8;
    routing->sent[r] = (to - from) * 8;
    from = to;
  }
}

/* Splits the names [first, first + count) at the ends of the processes' even shares of `total`. */
static void route_by_share(uint64_t first, uint64_t count, uint64_t total, routes *routing) {
  uint64_t from = first, end = first + count;
  for (int r = 0; r < grid_ctx.P; r++) {
    uint64_t to = grid_even_first(total, r + 1);
    if (to > end) to = end;
    if (to < from) to = from;
    routing->send_offset[r] = (from - first) * 8;
    routing->sent[r] = (to - from) * 8;
    from = to;
  }
}

/* Number of the first owned name, and total of all names. */
static GrB_Info count_owned(uint64_t count, uint64_t *every, uint64_t *first, uint64_t *total) {
  GrB_Info info = grid_ctx.transport->allgather(GRID_SET_ALL, &count, sizeof count, every);
  *first = *total = 0;
  for (int r = 0; r < grid_ctx.P && info == GrB_SUCCESS; r++) {
    if (r < grid_ctx.k) *first += every[r];
    *total += every[r];
  }
  return info;
}

static void replace(uint64_t *v, uint64_t n, const uint64_t *number) {
#pragma omp parallel for num_threads(grid_ctx.threads) if (n > 65536)
  for (uint64_t k = 0; k < n; k++) v[k] = number[v[k]];
}

GrB_Info grid_number_ids(uint64_t *a, uint64_t *b, uint64_t n, uint64_t *total, uint64_t **ids) {
  GrB_Info info;
  size_t P = (size_t)grid_ctx.P;
  names local = {.v = {a, b}, .n = {n, n}}, owned = {.n = {0, 0}};
  uint64_t first = 0, requested = 0, *split = grid_malloc(P, 8), *every = grid_malloc(P, 8), *numbers = NULL;
  void *received = NULL;
  size_t *space = grid_malloc(4 * P, sizeof *space);
  *ids = NULL;
  TRY(grid_agree(NULL, split && every && space ? number_local(&local) : fail_memory(4 * P, 8)));
  routes routing = {space, space + P, space + 2 * P, space + 3 * P};
  TRY(choose_splitters(&local, split));
  route_by_name(&local, split, &routing);
  TRY(grid_exchange_alloc(GRID_SET_ALL, local.set, routing.sent, routing.send_offset, &received,
                          routing.recv_count, routing.recv_offset));
  for (size_t r = 0; r < P; r++) requested += routing.recv_count[r] / 8;
  owned.v[0] = received;
  owned.n[0] = requested;
  info = number_local(&owned);
  if (info == GrB_SUCCESS && !(numbers = grid_malloc(local.count, 8))) info = fail_memory(local.count, 8);
  TRY(grid_agree(NULL, info));
  TRY(count_owned(owned.count, every, &first, total));
  for (uint64_t k = 0; k < requested; k++) owned.v[0][k] += first;
  TRY(grid_ctx.transport->exchange(GRID_SET_ALL, received, routing.recv_count, routing.recv_offset, numbers,
                                   routing.sent, routing.send_offset));
  replace(a, n, numbers);
  replace(b, n, numbers);
  route_by_share(first, owned.count, *total, &routing);
  TRY(grid_exchange_alloc(GRID_SET_ALL, owned.set, routing.sent, routing.send_offset, (void **)ids,
                          routing.recv_count, routing.recv_offset));
done:
  grid_free(local.set);
  grid_free(owned.set);
  grid_free(received);
  grid_free(numbers);
  grid_free(split);
  grid_free(every);
  grid_free(space);
  return info;
}
