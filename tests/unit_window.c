/* Entries that go from GPU to GPU through windows (spmat/vector/few.h), against what each process knows the
 * others to have. Processes that share a GPU open windows, too, with GRIDBLAS_SHARE_GPU=windows, which is
 * set here. Exit status 77 where there is no GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "dist/grid/grid.h"
#include "dist/grid/window.h"
#include "tests/gpu.h"
#include "tests/members.h"
#include "tests/device_shapes.h"
#include "spmat/backend.h"
#include "spmat/device/device.h"
#include "spmat/vector/few.h"
#include "tests/together.h"

/* ---- what a process has, as all know it ---------------------------------------------------------------- */

enum { EMPTY, FULL, ONE, SOME, FEW, KINDS }; /* ONE: some entries, one value */

typedef struct {
  int salt;
  uint64_t q; /* room for each process; it has a little less */
  size_t size;
} draws;

static uint64_t mixed(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t x = (a * 31 + b) * UINT64_C(0x9e3779b97f4a7c15) + c * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 29)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 32);
}
static int kind_of(const draws *d, int p) {
  return (int)(mixed(1, (uint64_t)d->salt, (uint64_t)p) % KINDS);
}
static uint64_t length_of(const draws *d, int p) {
  const uint64_t less = mixed(2, (uint64_t)d->salt, (uint64_t)p) % 64;
  return less % 2 ? d->q : d->q - less;
}
static bool has(const draws *d, int p, uint64_t i) {
  const uint64_t x = mixed(3 + (uint64_t)p, (uint64_t)d->salt, i);
  const int kind = kind_of(d, p);
  if (i >= length_of(d, p) || kind == EMPTY) return false;
  return kind == FULL || x % (kind == FEW ? 97 : 3) == 0;
}
static unsigned char value(const draws *d, int p, uint64_t i, size_t b) {
  if (kind_of(d, p) == ONE) i = 0;
  return (unsigned char)mixed(1000 + (uint64_t)p, (uint64_t)d->salt * 64 + b, i);
}

static void *to_device(const void *host, size_t bytes) {
  void *p = grid_device_malloc(bytes + 64, 1);
  assert_non_null(p);
  assert_int_equal(grid_device_put(p, host, bytes), GrB_SUCCESS);
  return p;
}
static void *garbage(size_t bytes) {
  unsigned char *host = malloc(bytes + 64);
  memset(host, 0xee, bytes + 64);
  void *p = to_device(host, bytes + 64);
  free(host);
  return p;
}

/* Own entries as a chunk on the device. */
static grid_chunk draw_chunk(const draws *d) {
  const int me = grid_here.k, kind = kind_of(d, me);
  grid_chunk c = {.n = length_of(d, me), .device = true, .iso = kind == ONE};
  c.format = kind == FULL ? GRID_FULL : GRID_BITMAP;
  uint64_t *bits = calloc(d->q / 64, 8);
  unsigned char *val = malloc(d->q * d->size + 1);
  for (uint64_t i = 0; i < c.n; i++) {
    if (has(d, me, i)) bits[i / 64] |= UINT64_C(1) << i % 64, c.nvals++;
    for (size_t b = 0; b < d->size; b++) val[i * d->size + b] = value(d, me, i, b);
  }
  c.bits = to_device(bits, d->q / 8);
  c.val = to_device(val, c.n * d->size);
  free(bits), free(val);
  return c;
}
static void free_chunk(grid_chunk *c) {
  grid_device_free(c->bits);
  grid_device_free(c->val);
}

/* Bits and values of so many processes: q places of what rank r's process has from place `from` on. */
static bool is_theirs(const draws *d, grid_set set, uint64_t q, uint64_t from, const uint64_t *device_bits,
                      const void *device_val) {
  const uint64_t S = (uint64_t)grid_set_size(set);
  uint64_t *bits = malloc(S * q / 8);
  unsigned char *val = malloc(S * q * d->size + 1);
  bool fine = true;
  assert_int_equal(grid_device_get(bits, device_bits, S * q / 8), GrB_SUCCESS);
  if (d->size) assert_int_equal(grid_device_get(val, device_val, S * q * d->size), GrB_SUCCESS);
  for (uint64_t r = 0; r < S; r++)
    for (uint64_t i = 0; i < q && fine; i++) {
      const int p = member(set, (int)r);
      const uint64_t at = r * q + i;
      fine = (bits[at / 64] >> at % 64 & 1) == has(d, p, from + i);
      for (size_t b = 0; b < d->size && fine && has(d, p, from + i); b++)
        fine = val[at * d->size + b] == value(d, p, from + i, b);
    }
  free(bits), free(val);
  return fine;
}

/* ---- the ways -------------------------------------------------------------------------------------------
 */

static const size_t sizes[] = {0, 1, 2, 4, 8, 12, 16, 24};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void gather(grid_set set, const draws *d, bool over_trays) {
  const uint64_t S = (uint64_t)grid_set_size(set);
  grid_meeting m;
  grid_chunk c = draw_chunk(d);
  uint64_t *bits = garbage(S * d->q / 8);
  void *val = d->size ? garbage(S * d->q * d->size) : NULL;
  assert_true(grid_window_meeting(&m, set, over_trays ? 2 : 1));
  assert_int_equal(
      grid_window_met(NULL, over_trays ? grid_cuda->few->pass(&m, &c, d->size, d->q, bits, val)
                                       : grid_cuda->few->gather(&m, &c, d->size, d->q, bits, val)),
      GrB_SUCCESS);
  assert_all(is_theirs(d, set, d->q, 0, bits, val));
  free_chunk(&c);
  grid_device_free(bits);
  grid_device_free(val);
}

/* Sets of a kind have as many processes everywhere. */
static bool meets(grid_set set) {
  return grid_set_size(set) > 1;
}

static void boxes(void **state) {
  (void)state;
  const uint64_t lengths[] = {64, 128, 640, 1984};
  if (grid_here.P == 1) skip();
  for (int s = 0; s < 3; s++)
    for (int k = 0; k < 4 * SIZES && meets(sets[s]); k++) {
      const draws d = {s * 1000 + k, lengths[k % 4], sizes[k / 4]};
      assert_true(grid_are_few(d.q * (uint64_t)grid_set_size(sets[s]), d.size, d.q));
      gather(sets[s], &d, false);
    }
}

/* Trays grow when they must, and what is on them is read before it is written over. */
static void trays(void **state) {
  (void)state;
  const uint64_t lengths[] = {64, 2048, 1984, 40000, 4096, 300032};
  if (grid_here.P == 1) skip();
  for (int s = 0; s < 3; s++)
    for (int k = 0; k < 6 * SIZES && meets(sets[s]); k++) {
      bool there = false;
      const draws d = {5000 + s * 1000 + k, lengths[k % 6], sizes[(k + k / 6) % SIZES]};
      assert_int_equal(grid_window_trays(grid_pass_tray(d.q, d.size).bytes, &there), GrB_SUCCESS);
      assert_true(there);
      gather(sets[s], &d, true);
    }
}

/* Trays that have been given back are made again, once they have been asked for often enough. */
static void given_back(void **state) {
  (void)state;
  if (grid_here.P == 1) skip();
  for (int s = 0; s < 3; s++) {
    const draws d = {8500 + s, 40000, 8};
    bool there = false;
    int asked = 0;
    if (!meets(sets[s])) continue;
    assert_int_equal(grid_window_give_back(), GrB_SUCCESS);
    for (; !there && asked < 1000; asked++)
      assert_int_equal(grid_window_trays(grid_pass_tray(d.q, d.size).bytes, &there), GrB_SUCCESS);
    assert_true(there && asked > 1);
    gather(sets[s], &d, true);
  }
}

/* Piece r of what a process has goes to rank r. */
static void pieces(void **state) {
  (void)state;
  const uint64_t lengths[] = {64, 192, 640};
  if (grid_here.P == 1) skip();
  for (int s = 0; s < 3; s++)
    for (int k = 0; k < 3 * SIZES && meets(sets[s]); k++) {
      const uint64_t S = (uint64_t)grid_set_size(sets[s]), q = lengths[k % 3];
      const draws d = {9000 + s * 1000 + k, S * q, sizes[k / 3]};
      grid_meeting m;
      uint64_t *bits = calloc(d.q / 64, 8);
      unsigned char *val = malloc(d.q * d.size + 1);
      for (uint64_t i = 0; i < d.q; i++) {
        bits[i / 64] |= (uint64_t)has(&d, grid_here.k, i) << i % 64;
        for (size_t b = 0; b < d.size; b++) val[i * d.size + b] = value(&d, grid_here.k, i, b);
      }
      uint64_t *from = to_device(bits, d.q / 8), *to = garbage(d.q / 8);
      void *from_val = to_device(val, d.q * d.size), *to_val = d.size ? garbage(d.q * d.size) : NULL;
      assert_true(grid_window_meeting(&m, sets[s], 1));
      assert_int_equal(grid_window_met(NULL, grid_cuda->few->deal(&m, from, from_val, d.size, q, to, to_val)),
                       GrB_SUCCESS);
      assert_all(is_theirs(&d, sets[s], q, (uint64_t)grid_set_rank(sets[s]) * q, to, to_val));
      grid_device_free(from), grid_device_free(to);
      grid_device_free(from_val), grid_device_free(to_val);
      free(bits), free(val);
    }
}

/* One process does not start: the others learn it, nobody waits, and windows can be opened anew. */
static void missing(void **state) {
  (void)state;
  const draws d = {1, 640, 8};
  grid_meeting m;
  if (grid_here.P == 1) skip();
  grid_chunk c = draw_chunk(&d);
  const uint64_t P = (uint64_t)grid_here.P;
  uint64_t *bits = garbage(P * d.q / 8);
  void *val = garbage(P * d.q * d.size);
  const bool starts = grid_here.k != grid_here.P - 1;
  assert_true(grid_window_meeting(&m, GRID_SET_ALL, 1));
  GrB_Info info = starts ? grid_cuda->few->gather(&m, &c, d.size, d.q, bits, val)
                         : grid_fail(NULL, GrB_OUT_OF_MEMORY, "the last process does not start");
  assert_int_equal(grid_window_met(NULL, info), GrB_OUT_OF_MEMORY);
  assert_null(grid_window_all());
  assert_int_equal(grid_window_open(), GrB_SUCCESS);
  assert_non_null(grid_window_all());
  free_chunk(&c);
  grid_device_free(bits);
  grid_device_free(val);
  gather(GRID_SET_ALL, &d, false);
}

static int start(void **state) {
  if (start_on_device(state)) return 1;
  if (grid_here.P > 1 && !grid_window_all()) {
    fprintf(stderr, "%d x %d processes: there are no windows\n", grid_here.R, grid_here.C);
    return 1;
  }
  return 0;
}

static int group(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes),  cmocka_unit_test(trays),   cmocka_unit_test(given_back),
      cmocka_unit_test(pieces), cmocka_unit_test(missing),
  };
  return cmocka_run_group_tests(tests, start, stop_on_device);
}

int main(void) {
  setenv("GRIDBLAS_SHARE_GPU", "windows", 1);
  return have_gpu() ? run_on_shapes(group) : 77;
}
