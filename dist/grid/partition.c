/* Tables of uneven partitions, by dimension: see partition.h. */
#include "dist/grid/partition.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "dist/grid/layout.h"
#include "semiring/support/tuning.h"
#include "semiring/threads/context_section.h"
#ifdef GRID_ADDRESS_SANITIZER
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(at, bytes)   ((void)(at), (void)(bytes))
#define ASAN_UNPOISON_MEMORY_REGION(at, bytes) ((void)(at), (void)(bytes))
#endif

enum { BUCKETS = 256 };

bool grid_default_has_partitions GRID_OF_CONTEXT = false;

/* Read without a lock: a table is complete when it is linked. Only collective calls remove one. */
static struct {
  _Atomic(grid_partition *) bucket[BUCKETS];
  uint64_t installed;
  /* grid_tune.uneven_partition: all lengths have uneven partitions, drawn when they are first asked for, in
   * room that was set aside */
  bool is_random;
  uint64_t seed;
  char *arena;
  size_t used;
  atomic_flag lock;
} default_registry GRID_OF_CONTEXT = {.lock = ATOMIC_FLAG_INIT};
#define registry GRID_IN_CONTEXT(default_registry)

/* Enough for the lengths that the tests use; further ones stay even. */
static const size_t ARENA_SIZE = (size_t)16 << 20;

static uint64_t hash_word(uint64_t x) {
  x ^= x >> 31;
  x *= UINT64_C(0x7fb5d329728ea185);
  x ^= x >> 27;
  x *= UINT64_C(0x81dadef4bc2dd44d);
  return x ^ x >> 33;
}

static _Atomic(grid_partition *) *bucket_of(uint64_t n) {
  return &registry.bucket[hash_word(n) % BUCKETS];
}

static grid_partition *look_up(uint64_t n) {
  grid_partition *c = atomic_load_explicit(bucket_of(n), memory_order_acquire);
  while (c && c->n != n) c = c->next;
  return c;
}

static void insert_table(grid_partition *c) {
  _Atomic(grid_partition *) *b = bucket_of(c->n);
  c->next = atomic_load_explicit(b, memory_order_relaxed);
  atomic_store_explicit(b, c, memory_order_release);
}

/* ---- a table ---- */

/* The arrays first, row and col, each followed by P words that nothing reads. */
static size_t table_bytes(void) {
  const size_t P = (size_t)grid_ctx.P;
  return sizeof(grid_partition) + (6 * P + 1) * sizeof(uint64_t);
}

/* AddressSanitizer reports reads of those words. */
static void guard_arrays(const grid_partition *c) {
  const uint64_t P = c->chunks, *end[] = {c->first + P + 1, c->row + P, c->col + P};
  for (int k = 0; k < 3; k++) ASAN_POISON_MEMORY_REGION(end[k], P * sizeof *end[k]);
}

static uint64_t padded_size(const grid_partition *c, uint64_t k) {
  return (c->first[k + 1] - c->first[k] + 63) / 64 * 64;
}

/* Computes the other members from c->first. */
static void fill_table(grid_partition *c, uint64_t n) {
  const uint64_t P = (uint64_t)grid_ctx.P, R = (uint64_t)grid_ctx.R;
  uint64_t *row = c->first + 2 * P + 1, *col = row + 2 * P;
  c->n = n, c->next = NULL, c->chunks = P, c->row = row, c->col = col, c->rows = c->cols = 0;
  for (uint64_t k = 0; k < P; k++) {
    const uint64_t padded = padded_size(c, k);
    row[k] = k < R ? 0 : row[k - R] + padded_size(c, k - R);
    /* NOLINTNEXTLINE(clang-analyzer-core.DivideZero): R > 0 */
    col[k] = k % R == 0 ? 0 : col[k - 1] + padded_size(c, k - 1);
    if (row[k] + padded > c->rows) c->rows = row[k] + padded;
    if (col[k] + padded > c->cols) c->cols = col[k] + padded;
  }
  guard_arrays(c);
}

grid_partition *grid_partition_make(uint64_t n, const uint64_t *first) {
  grid_partition *c = grid_malloc(1, table_bytes());
  if (!c) return NULL;
  memcpy(c->first, first, ((size_t)grid_ctx.P + 1) * sizeof *first);
  fill_table(c, n);
  return c;
}

void grid_partition_free(grid_partition *c) {
  const char *at = (const char *)c;
  if (!c || (registry.arena && at >= registry.arena && at < registry.arena + ARENA_SIZE)) return;
  ASAN_UNPOISON_MEMORY_REGION(c->first, (6 * c->chunks + 1) * sizeof *c->first);
  grid_free(c);
}

grid_partition *grid_partition_swap(uint64_t n, grid_partition *c) {
  grid_partition *before = look_up(n);
  if (before) { /* unlink it */
    _Atomic(grid_partition *) *b = bucket_of(n);
    grid_partition *x = atomic_load(b);
    if (x == before) {
      atomic_store(b, before->next);
    } else {
      while (x->next != before) x = x->next;
      x->next = before->next;
    }
    registry.installed--;
  }
  if (c) {
    insert_table(c);
    registry.installed++;
  }
  grid_has_partitions = registry.installed > 0 || registry.is_random;
  return before;
}

/* ---- random partitions (grid_tune.uneven_partition) ---- */

/* Chunk sizes from random weights, some of them 0. */
static void draw_boundaries(uint64_t *first, uint64_t n) {
  const uint64_t P = (uint64_t)grid_ctx.P, words = (n + 63) / 64;
  double sum = 0, all = 0;
  for (uint64_t k = 0; k < P; k++) all += (double)(hash_word(registry.seed + n * P + k) % 8);
  for (uint64_t k = 0; k <= P; k++) {
    const uint64_t word = all > 0 ? (uint64_t)(sum / all * (double)words) : words;
    first[k] = k == 0 ? 0 : k == P || 64 * word > n ? n : 64 * word;
    if (k < P) sum += (double)(hash_word(registry.seed + n * P + k) % 8);
  }
}

static grid_partition *draw_table(uint64_t n) {
  while (atomic_flag_test_and_set_explicit(&registry.lock, memory_order_acquire)) continue;
  grid_partition *c = look_up(n);
  if (!c && registry.used + table_bytes() <= ARENA_SIZE) {
    c = (grid_partition *)(void *)(registry.arena + registry.used);
    registry.used += table_bytes();
    draw_boundaries(c->first, n);
    fill_table(c, n);
    insert_table(c);
    registry.installed++;
  }
  atomic_flag_clear_explicit(&registry.lock, memory_order_release);
  return c;
}

const grid_partition *grid_partition_find(uint64_t n) {
  const grid_partition *c = look_up(n);
  return c || n == 0 || !registry.is_random ? c : draw_table(n);
}

GrB_Info grid_partition_init(void) {
  if (!grid_tune.uneven_partition || grid_ctx.P == 1) return GrB_SUCCESS;
  registry.seed = hash_word(grid_tune.uneven_partition + 1);
  registry.arena = malloc(ARENA_SIZE); /* not counted: tests of memory count the same with any cuts */
  registry.used = 0;
  GrB_Info info = registry.arena ? GrB_SUCCESS : grid_fail_memory(NULL, "partitions", ARENA_SIZE, 1);
  info = grid_agree(NULL, info);
  if (info == GrB_SUCCESS) registry.is_random = grid_has_partitions = true;
  return info;
}

void grid_partition_finalize(void) {
  for (int b = 0; b < BUCKETS; b++)
    for (grid_partition *c = atomic_load(&registry.bucket[b]), *next; c; c = next) {
      next = c->next;
      grid_partition_free(c);
    }
  free(registry.arena);
  memset(registry.bucket, 0, sizeof registry.bucket);
  registry.arena = NULL;
  registry.installed = 0;
  registry.is_random = grid_has_partitions = false;
}
