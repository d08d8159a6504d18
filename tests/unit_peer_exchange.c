/* Exchange of entries between GPUs through windows (spmat/vector/peer_exchange.h), against the known entries
 * of the other processes. Processes that share a GPU open windows, too, with GRIDBLAS_SHARE_GPU=peer, which
 * is set here. Exit status 77 where there is no GPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/unit.h"
#include "dist/grid/process_grid.h"
#include "dist/comm/peer_windows.h"
#include "tests/gpu_present.h"
#include "tests/process_sets.h"
#include "tests/device_shapes.h"
#include "spmat/backend.h"
#include "spmat/device/device.h"
#include "spmat/vector/peer_exchange.h"
#include "tests/assert_all.h"

/* ---- a process's entries, known to all ----------------------------------------------------------------- */

enum { EMPTY, FULL, ONE, THIRD, SPARSE, KINDS }; /* ONE: some entries, one value */

typedef struct {
  int salt;
  uint64_t q; /* capacity for each process; its entries are slightly fewer */
  size_t size;
  bool full; /* all processes have all entries */
} draws;

static uint64_t hash_triple(uint64_t a, uint64_t b, uint64_t c) {
  uint64_t x = (a * 31 + b) * UINT64_C(0x9e3779b97f4a7c15) + c * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ (x >> 29)) * UINT64_C(0x94d049bb133111eb);
  return x ^ (x >> 32);
}
enum { SPARSE_SALT = 20000 }; /* from it on, few entries or none, so that long chunks fit slots */
static int kind_of(const draws *d, int p) {
  const uint64_t x = hash_triple(1, (uint64_t)d->salt, (uint64_t)p);
  if (d->salt >= SPARSE_SALT) return x % 4 ? SPARSE : EMPTY;
  return d->full ? FULL : (int)(x % KINDS);
}
static uint64_t length_of(const draws *d, int p) {
  const uint64_t less = hash_triple(2, (uint64_t)d->salt, (uint64_t)p) % 64;
  return less % 2 ? d->q : d->q - less;
}
static bool has_entry(const draws *d, int p, uint64_t i) {
  const uint64_t x = hash_triple(3 + (uint64_t)p, (uint64_t)d->salt, i);
  const int kind = kind_of(d, p);
  if (i >= length_of(d, p) || kind == EMPTY) return false;
  return kind == FULL || x % (kind == SPARSE ? 97 : 3) == 0;
}
static unsigned char value(const draws *d, int p, uint64_t i, size_t b) {
  if (kind_of(d, p) == ONE) i = 0;
  return (unsigned char)hash_triple(1000 + (uint64_t)p, (uint64_t)d->salt * 64 + b, i);
}

static void *to_device(const void *host, size_t bytes) {
  void *p = grid_device_malloc(bytes + 64, 1);
  assert_non_null(p);
  assert_int_equal(grid_device_write(p, host, bytes), GrB_SUCCESS);
  return p;
}
static void *make_garbage(size_t bytes) {
  unsigned char *host = malloc(bytes + 64);
  memset(host, 0xee, bytes + 64);
  void *p = to_device(host, bytes + 64);
  free(host);
  return p;
}

/* Local entries as a chunk on the device. */
static grid_chunk draw_chunk(const draws *d) {
  const int me = grid_ctx.k, kind = kind_of(d, me);
  grid_chunk c = {.n = length_of(d, me), .device = true, .iso = kind == ONE};
  c.format = kind == FULL ? GRID_FULL : GRID_BITMAP;
  uint64_t *bits = calloc(d->q / 64, 8);
  unsigned char *val = malloc(d->q * d->size + 1);
  for (uint64_t i = 0; i < c.n; i++) {
    if (has_entry(d, me, i)) bits[i / 64] |= UINT64_C(1) << i % 64, c.nvals++;
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

/* Bits (NULL: of all entries) and values of several processes: q positions of rank r's process, starting at
 * `from`. */
static bool matches_model(const draws *d, grid_set set, uint64_t q, uint64_t from,
                          const uint64_t *device_bits, const void *device_val) {
  const uint64_t S = (uint64_t)grid_set_size(set);
  uint64_t *bits = malloc(S * q / 8);
  unsigned char *val = malloc(S * q * d->size + 1);
  bool fine = true;
  memset(bits, 0xff, S * q / 8);
  if (device_bits) assert_int_equal(grid_device_get(bits, device_bits, S * q / 8), GrB_SUCCESS);
  if (d->size) assert_int_equal(grid_device_get(val, device_val, S * q * d->size), GrB_SUCCESS);
  for (uint64_t r = 0; r < S; r++)
    for (uint64_t i = 0; i < q && fine; i++) {
      const int p = member(set, (int)r);
      const uint64_t at = r * q + i;
      fine = !device_bits || (bits[at / 64] >> at % 64 & 1) == has_entry(d, p, from + i);
      for (size_t b = 0; b < d->size && fine && has_entry(d, p, from + i); b++)
        fine = val[at * d->size + b] == value(d, p, from + i, b);
    }
  free(bits), free(val);
  return fine;
}

/* ---- the methods --------------------------------------------------------------------------------------- */

static const size_t sizes[] = {0, 1, 2, 4, 8, 12, 16, 24};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void gather(grid_set set, const draws *d, bool over_recv_buffers) {
  const uint64_t S = (uint64_t)grid_set_size(set);
  grid_device_barrier m;
  grid_chunk c = draw_chunk(d);
  uint64_t *bits = make_garbage(S * d->q / 8);
  void *val = d->size ? make_garbage(S * d->q * d->size) : NULL;
  assert_true(grid_window_barrier(&m, set, 1));
  assert_int_equal(
      grid_window_barrier_agree(
          NULL, over_recv_buffers ? grid_cuda->sparse_exchange->pass(&m, &c, d->size, d->q, bits, val)
                                  : grid_cuda->sparse_exchange->gather(&m, &c, d->size, d->q, bits, val)),
      GrB_SUCCESS);
  assert_on_all(matches_model(d, set, d->q, 0, bits, val));
  free_chunk(&c);
  grid_device_free(bits);
  grid_device_free(val);
}

static void gather_dense(grid_set set, const draws *d) {
  const uint64_t S = (uint64_t)grid_set_size(set),
                 bytes = grid_dense_buffer_bytes(d->q, S, d->size, d->full, (uint64_t)grid_ctx.P - 1);
  grid_device_barrier m;
  grid_chunk c = draw_chunk(d);
  uint64_t *bits = NULL;
  void *val = NULL;
  bool reserved = false;
  assert_int_equal(grid_window_reserve_buffers(bytes, &reserved), GrB_SUCCESS);
  assert_true(reserved && grid_window_barrier(&m, set, 2));
  assert_int_equal(grid_window_barrier_agree(NULL, grid_cuda->sparse_exchange->gather_dense(
                                                       &m, &c, d->size, d->q, d->full, &bits, &val)),
                   GrB_SUCCESS);
  assert_true((bits == NULL) == d->full && (val == NULL) == (d->size == 0));
  assert_on_all(matches_model(d, set, d->q, 0, bits, val));
  free_chunk(&c);
}

/* Sets of a kind have as many processes everywhere. */
static bool has_peers(grid_set set) {
  return grid_set_size(set) > 1;
}

static void slots(void **state) {
  const uint64_t lengths[] = {64, 128, 640, 1984};
  if (grid_ctx.P == 1) skip();
  for (int s = 0; s < 3; s++)
    for (int k = 0; k < 4 * SIZES && has_peers(sets[s]); k++) {
      const draws d = {s * 1000 + k, lengths[k % 4], sizes[k / 4], false};
      assert_true(grid_fits_sparse_exchange(d.q * (uint64_t)grid_set_size(sets[s]), d.size, d.q));
      gather(sets[s], &d, false);
    }
  for (int s = 0; s < 3; s++)
    for (int k = 0; k < 2 * SIZES && has_peers(sets[s]); k++) {
      const draws d = {SPARSE_SALT + s * 1000 + k, k % 2 ? 300032 : 40000, sizes[k / 2], false};
      gather(sets[s], &d, false);
    }
}

/* Receive buffers grow when they must, and what is on them is read before it is written over. */
static void recv_buffers(void **state) {
  const uint64_t lengths[] = {64, 2048, 1984, 40000, 4096, 300032};
  if (grid_ctx.P == 1) skip();
  for (int s = 0; s < 3; s++)
    for (int k = 0; k < 6 * SIZES && has_peers(sets[s]); k++) {
      bool reserved = false;
      const draws d = {5000 + s * 1000 + k, lengths[k % 6], sizes[(k + k / 6) % SIZES], false};
      assert_int_equal(grid_window_reserve_buffers(grid_pass_buffer_bytes(d.q, d.size), &reserved),
                       GrB_SUCCESS);
      assert_true(reserved);
      gather(sets[s], &d, true);
    }
}

/* So long that arrival flags are of more than the fewest indices; the vector before and after it is short. */
static void long_sections(void **state) {
  if (grid_ctx.P == 1) skip();
  for (int k = 0; k < 3; k++) {
    const draws d = {9900 + k, k == 1 ? 9000000 : 40000, 1, false};
    bool reserved = false;
    assert_int_equal(grid_window_reserve_buffers(grid_pass_buffer_bytes(d.q, d.size), &reserved),
                     GrB_SUCCESS);
    assert_true(reserved);
    gather(GRID_SET_ALL, &d, true);
  }
}

static void dense(void **state) {
  const uint64_t lengths[] = {64, 1984, 40000, 4096, 300032};
  if (grid_ctx.P == 1) skip();
  for (int s = 0; s < 3; s++)
    for (int k = 0; k < 10 * SIZES && has_peers(sets[s]); k++) {
      const draws d = {7000 + s * 1000 + k, lengths[k % 5], sizes[(k + k / 5) % SIZES], k % 3 == 0};
      if (d.size || !d.full) gather_dense(sets[s], &d);
    }
}

/* Freed receive buffers are allocated again after enough requests. */
static void buffers_released(void **state) {
  if (grid_ctx.P == 1) skip();
  for (int s = 0; s < 3; s++) {
    const draws d = {8500 + s, 40000, 8, false};
    bool reserved = false;
    int asked = 0;
    if (!has_peers(sets[s])) continue;
    assert_int_equal(grid_window_release_buffers(), GrB_SUCCESS);
    for (; !reserved && asked < 1000; asked++)
      assert_int_equal(grid_window_reserve_buffers(grid_pass_buffer_bytes(d.q, d.size), &reserved),
                       GrB_SUCCESS);
    assert_true(reserved && asked > 1);
    gather(sets[s], &d, true);
  }
}

/* Segment r of a process's entries is sent to rank r. */
static void segments(void **state) {
  const uint64_t lengths[] = {64, 192, 640, 40000};
  if (grid_ctx.P == 1) skip();
  for (int s = 0; s < 3; s++)
    for (int k = 0; k < 4 * SIZES && has_peers(sets[s]); k++) {
      const uint64_t S = (uint64_t)grid_set_size(sets[s]), q = lengths[k % 4];
      const draws d = {(k % 4 == 3 ? SPARSE_SALT : 9000) + s * 1000 + k, S * q, sizes[k / 4], false};
      grid_device_barrier m;
      uint64_t *bits = calloc(d.q / 64, 8);
      unsigned char *val = malloc(d.q * d.size + 1);
      for (uint64_t i = 0; i < d.q; i++) {
        bits[i / 64] |= (uint64_t)has_entry(&d, grid_ctx.k, i) << i % 64;
        for (size_t b = 0; b < d.size; b++) val[i * d.size + b] = value(&d, grid_ctx.k, i, b);
      }
      uint64_t *from = to_device(bits, d.q / 8), *to = make_garbage(d.q / 8);
      void *from_val = to_device(val, d.q * d.size), *to_val = d.size ? make_garbage(d.q * d.size) : NULL;
      assert_true(grid_window_barrier(&m, sets[s], 1));
      assert_int_equal(grid_window_barrier_agree(NULL, grid_cuda->sparse_exchange->distribute(
                                                           &m, from, from_val, d.size, q, to, to_val)),
                       GrB_SUCCESS);
      assert_on_all(matches_model(&d, sets[s], q, (uint64_t)grid_set_rank(sets[s]) * q, to, to_val));
      grid_device_free(from), grid_device_free(to);
      grid_device_free(from_val), grid_device_free(to_val);
      free(bits), free(val);
    }
}

/* One process does not start: the others return an error, none waits, and windows can be opened again. */
static void one_process_fails(void **state) {
  const draws d = {1, 640, 8, false};
  grid_device_barrier m;
  if (grid_ctx.P == 1) skip();
  grid_chunk c = draw_chunk(&d);
  const uint64_t P = (uint64_t)grid_ctx.P;
  uint64_t *bits = make_garbage(P * d.q / 8);
  void *val = make_garbage(P * d.q * d.size);
  const bool starts = grid_ctx.k != grid_ctx.P - 1;
  assert_true(grid_window_barrier(&m, GRID_SET_ALL, 1));
  GrB_Info info = starts ? grid_cuda->sparse_exchange->gather(&m, &c, d.size, d.q, bits, val)
                         : grid_fail(NULL, GrB_OUT_OF_MEMORY, "the last process does not start");
  assert_int_equal(grid_window_barrier_agree(NULL, info), GrB_OUT_OF_MEMORY);
  assert_null(grid_window_addresses());
  assert_int_equal(grid_window_open(), GrB_SUCCESS);
  assert_non_null(grid_window_addresses());
  free_chunk(&c);
  grid_device_free(bits);
  grid_device_free(val);
  gather(GRID_SET_ALL, &d, false);
}

static int start(void **state) {
  if (start_on_device(state)) return 1;
  if (grid_ctx.P > 1 && !grid_window_addresses()) {
    fprintf(stderr, "%d x %d processes: there are no windows\n", grid_ctx.R, grid_ctx.C);
    return 1;
  }
  return 0;
}

static int group(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slots),         cmocka_unit_test(recv_buffers), cmocka_unit_test(buffers_released),
      cmocka_unit_test(dense),         cmocka_unit_test(segments),     cmocka_unit_test(one_process_fails),
      cmocka_unit_test(long_sections),
  };
  return cmocka_run_group_tests(tests, start, stop_on_device);
}

int main(void) {
  setenv("GRIDBLAS_SHARE_GPU", "peer", 1);
  return have_gpu() ? run_on_shapes(group) : 77;
}
