/* Tables of uneven cuts, by length: see cuts.h. */
#include "dist/grid/cuts.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "dist/grid/layout.h"

enum { BUCKETS = 256 };

bool grid_cuts_some = false;

/* Read without a lock: a table is complete when it is linked. Only a call of all processes takes one out. */
static struct {
  _Atomic(grid_cuts *) bucket[BUCKETS];
  uint64_t installed;
  /* GRIDBLAS_CUTS: all lengths have cuts, drawn when they are first asked for, in room that was set aside */
  bool drawn;
  uint64_t seed;
  char *room;
  size_t used;
  atomic_flag lock;
} known = {.lock = ATOMIC_FLAG_INIT};

/* For the lengths that the tests use; longer lists of them stay even. */
static const size_t ROOM = (size_t)16 << 20;

static uint64_t mix(uint64_t x) {
  x ^= x >> 31;
  x *= UINT64_C(0x7fb5d329728ea185);
  x ^= x >> 27;
  x *= UINT64_C(0x81dadef4bc2dd44d);
  return x ^ x >> 33;
}

static _Atomic(grid_cuts *) *bucket_of(uint64_t n) {
  return &known.bucket[mix(n) % BUCKETS];
}

static grid_cuts *look_up(uint64_t n) {
  grid_cuts *c = atomic_load_explicit(bucket_of(n), memory_order_acquire);
  while (c && c->n != n) c = c->next;
  return c;
}

static void link_in(grid_cuts *c) {
  _Atomic(grid_cuts *) *b = bucket_of(c->n);
  c->next = atomic_load_explicit(b, memory_order_relaxed);
  atomic_store_explicit(b, c, memory_order_release);
}

/* ---- a table ---- */

static size_t table_bytes(void) {
  const size_t P = (size_t)grid_here.P;
  return sizeof(grid_cuts) + (3 * P + 1) * sizeof(uint64_t);
}

static uint64_t room_of(const grid_cuts *c, uint64_t k) {
  return (c->first[k + 1] - c->first[k] + 63) / 64 * 64;
}

/* Of first, which is there. */
static void fill_table(grid_cuts *c, uint64_t n) {
  const uint64_t P = (uint64_t)grid_here.P, R = (uint64_t)grid_here.R;
  uint64_t *row = c->first + P + 1, *col = row + P;
  c->n = n, c->next = NULL, c->chunks = P, c->row = row, c->col = col, c->rows = c->cols = 0;
  for (uint64_t k = 0; k < P; k++) {
    const uint64_t room = room_of(c, k);
    row[k] = k < R ? 0 : row[k - R] + room_of(c, k - R);
    col[k] = k % R == 0 ? 0 : col[k - 1] + room_of(c, k - 1);
    if (row[k] + room > c->rows) c->rows = row[k] + room;
    if (col[k] + room > c->cols) c->cols = col[k] + room;
  }
}

grid_cuts *grid_cuts_make(uint64_t n, const uint64_t *first) {
  grid_cuts *c = grid_malloc(1, table_bytes());
  if (!c) return NULL;
  memcpy(c->first, first, ((size_t)grid_here.P + 1) * sizeof *first);
  fill_table(c, n);
  return c;
}

void grid_cuts_free(grid_cuts *c) {
  const char *at = (const char *)c;
  if (known.room && at >= known.room && at < known.room + ROOM) return;
  grid_free(c);
}

grid_cuts *grid_cuts_swap(uint64_t n, grid_cuts *c) {
  grid_cuts *before = look_up(n);
  if (before) { /* unlink it */
    _Atomic(grid_cuts *) *b = bucket_of(n);
    grid_cuts *x = atomic_load(b);
    if (x == before) {
      atomic_store(b, before->next);
    } else {
      while (x->next != before) x = x->next;
      x->next = before->next;
    }
    known.installed--;
  }
  if (c) {
    link_in(c);
    known.installed++;
  }
  grid_cuts_some = known.installed > 0 || known.drawn;
  return before;
}

/* ---- cuts drawn at random ---- */

/* Weights of the chunks, some of them 0. */
static void draw(uint64_t *first, uint64_t n) {
  const uint64_t P = (uint64_t)grid_here.P, words = (n + 63) / 64;
  double sum = 0, all = 0;
  for (uint64_t k = 0; k < P; k++) all += (double)(mix(known.seed + n * P + k) % 8);
  for (uint64_t k = 0; k <= P; k++) {
    const uint64_t word = all > 0 ? (uint64_t)(sum / all * (double)words) : words;
    first[k] = k == 0 ? 0 : k == P || 64 * word > n ? n : 64 * word;
    if (k < P) sum += (double)(mix(known.seed + n * P + k) % 8);
  }
}

static grid_cuts *draw_table(uint64_t n) {
  while (atomic_flag_test_and_set_explicit(&known.lock, memory_order_acquire)) continue;
  grid_cuts *c = look_up(n);
  if (!c && known.used + table_bytes() <= ROOM) {
    c = (grid_cuts *)(void *)(known.room + known.used);
    known.used += table_bytes();
    draw(c->first, n);
    fill_table(c, n);
    link_in(c);
    known.installed++;
  }
  atomic_flag_clear_explicit(&known.lock, memory_order_release);
  return c;
}

const grid_cuts *grid_cuts_find(uint64_t n) {
  const grid_cuts *c = look_up(n);
  return c || !known.drawn ? c : draw_table(n);
}

GrB_Info grid_cuts_from_environment(void) {
  const char *text = getenv("GRIDBLAS_CUTS");
  if (!text || !*text || grid_here.P == 1) return GrB_SUCCESS;
  char *end;
  known.seed = mix(strtoull(text, &end, 10) + 1);
  if (*end != '\0')
    return grid_fail(NULL, GrB_INVALID_VALUE, "Grid_init: GRIDBLAS_CUTS is \"%s\", not a number", text);
  known.room = malloc(ROOM); /* not counted: tests of memory count the same with any cuts */
  known.used = 0;
  GrB_Info info = known.room ? GrB_SUCCESS : grid_fail_memory(NULL, "cuts", ROOM, 1);
  info = grid_agree(NULL, info);
  if (info == GrB_SUCCESS) known.drawn = grid_cuts_some = true;
  return info;
}

void grid_cuts_stop(void) {
  for (int b = 0; b < BUCKETS; b++)
    for (grid_cuts *c = atomic_load(&known.bucket[b]), *next; c; c = next) {
      next = c->next;
      grid_cuts_free(c);
    }
  free(known.room);
  memset(known.bucket, 0, sizeof known.bucket);
  known.room = NULL;
  known.installed = 0;
  known.drawn = grid_cuts_some = false;
}
