/* The transports and what is built on them: reductions, exchanges, agreement on outcomes, starting and
 * stopping. On any number of processes. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "tests/unit.h"
#include <omp.h>

#include "dist/comm/comm_buffers.h"
#include "dist/comm/transport/shm/shm_mailbox.h"
#include "dist/grid/process_grid.h"
#include "dist/grid/layout.h"
#include "dist/comm/transport/mpi_init.h"
#include "dist/comm/transport/shm/shm_exchange.h"
#include "dist/comm/transport/shm/shm_segment.h"
#include "dist/comm/transport/machines/transport_two_level.h"
#include "semiring/support/tuning.h"
#include "tests/process_sets.h"
#include "tests/assert_all.h"
#include "tests/grid_shapes.h"

static void shape(void **state) {
  int R, C;
  Grid_shape(&R, &C);
  assert_int_equal(R * C, Grid_size());
  assert_true(!shape_R || (R == shape_R && C == shape_C));
  assert_int_equal(grid_ctx.k, grid_ctx.j * R + grid_ctx.i);
  assert_int_equal(Grid_init(GrB_BLOCKING, NULL, 0, 0), GrB_INVALID_VALUE);
}

static void reductions(void **state) {
  for (int s = 0; s < 3; s++) {
    uint64_t S = (uint64_t)grid_set_size(sets[s]), me = (uint64_t)grid_set_rank(sets[s]);
    uint64_t v[4][3];
    for (int k = 0; k < 4; k++) v[k][0] = me + 1, v[k][1] = UINT64_C(1) << me, v[k][2] = ~UINT64_C(0) - me;
    const grid_transport *t = grid_ctx.transport;
    assert_int_equal(t->allreduce(sets[s], v[0], 3, GRID_SUM), GrB_SUCCESS);
    assert_int_equal(t->allreduce(sets[s], v[1], 3, GRID_MAX), GrB_SUCCESS);
    assert_int_equal(t->allreduce(sets[s], v[2], 3, GRID_MIN), GrB_SUCCESS);
    assert_int_equal(t->allreduce(sets[s], v[3], 3, GRID_BOR), GrB_SUCCESS);
    assert_int_equal(t->allreduce(sets[s], NULL, 0, GRID_SUM), GrB_SUCCESS);
    bool fine = v[0][0] == S * (S + 1) / 2 && v[0][1] == (UINT64_C(1) << S) - 1;
    /* unsigned */
    fine = fine && v[1][0] == S && v[1][1] == UINT64_C(1) << (S - 1) && v[1][2] == ~UINT64_C(0);
    fine = fine && v[2][0] == 1 && v[2][2] == ~UINT64_C(0) - (S - 1) && v[3][1] == (UINT64_C(1) << S) - 1;
    assert_on_all(fine);
  }
}

/* Adds the tails of two buffers elementwise, but only if the length is the context's. */
typedef struct {
  size_t bytes;
  int calls;
} combining;
static void add_bytes(void *inout, const void *in, size_t bytes, void *context) {
  combining *c = context;
  if (bytes != c->bytes) return;
  c->calls++;
  for (size_t k = 0; k < bytes; k++)
    ((unsigned char *)inout)[k] =
        (unsigned char)(((unsigned char *)inout)[k] + ((const unsigned char *)in)[k]);
}

static void combined_reduction(void **state) {
  const size_t sizes[] = {1, 3, 24, 4096, 100003, 5000000};
  for (int s = 0; s < 3; s++)
    for (int z = 0; z < 6; z++) {
      size_t n = sizes[z];
      unsigned char *buf = malloc(n);
      combining c = {n, 0};
      for (size_t k = 0; k < n; k++) buf[k] = (unsigned char)(grid_ctx.k + 1 + (int)(k % 7));
      assert_int_equal(grid_ctx.transport->allreduce_with(sets[s], buf, n, add_bytes, &c), GrB_SUCCESS);
      bool fine = true;
      for (size_t k = 0; k < n && fine; k++) {
        int sum = 0;
        for (int r = 0; r < grid_set_size(sets[s]); r++) sum += member(sets[s], r) + 1 + (int)(k % 7);
        fine = buf[k] == (unsigned char)sum;
      }
      assert_on_all(fine);
      free(buf);
    }
}

static void gathering(void **state) {
  for (int s = 0; s < 3; s++) {
    int S = grid_set_size(sets[s]);
    uint32_t local[5], *all = malloc(20 * (size_t)S);
    for (uint32_t k = 0; k < 5; k++) local[k] = (uint32_t)grid_ctx.k * 10 + k;
    assert_int_equal(grid_ctx.transport->allgather(sets[s], local, sizeof local, all), GrB_SUCCESS);
    bool fine = true;
    for (int r = 0; r < S; r++)
      for (int k = 0; k < 5; k++)
        fine = fine && all[5 * r + k] == (uint32_t)member(sets[s], r) * 10 + (uint32_t)k;
    for (int root = 0; root < S; root++) {
      memcpy(all, local, sizeof local);
      assert_int_equal(grid_ctx.transport->bcast(sets[s], all, sizeof local, root), GrB_SUCCESS);
      fine = fine && all[4] == (uint32_t)member(sets[s], root) * 10 + 4;
    }
    assert_on_all(fine);
    free(all);
  }
}

/* More broadcasts in a row than a process has slots, of one root and of many, between other messages. A root
 * that waits for nothing may be ahead of the others. */
static void broadcasts(void **state) {
  for (int s = 0; s < 3; s++) {
    const int S = grid_set_size(sets[s]), me = grid_set_rank(sets[s]);
    bool fine = true;
    for (int k = 0; k < 300; k++) {
      const int root = k < 100 ? 0 : k * 7 % S;
      uint64_t x[40] = {0}, sum = 1;
      for (int j = 0; j < 40 && me == root; j++) x[j] = (uint64_t)(1000 * k + j);
      if (k % 50 == 20 && me == S - 1) nanosleep(&(struct timespec){.tv_nsec = 3000000}, NULL);
      fine = grid_ctx.transport->bcast(sets[s], x, sizeof x, root) == GrB_SUCCESS && fine;
      for (int j = 0; j < 40; j++) fine = fine && x[j] == (uint64_t)(1000 * k + j);
      if (k % 30 == 29)
        fine = !grid_ctx.transport->allreduce(sets[s], &sum, 1, GRID_SUM) && sum == (uint64_t)S && fine;
    }
    assert_on_all(fine);
  }
}

/* How many bytes `from` sends to `to`, by rank in the grid; some pairs exchange nothing. */
static size_t length(int from, int to, int round) {
  size_t x = (size_t)(from * 7 + to * 13 + round * 5) % 11;
  return x < 4 ? 0 : round == 2 ? x * 40000 + 1 : x;
}

/* Segments whose length only the sender knows, from none to many fragments; then a process has no memory for
 * them, and the next alltoallv is unaffected. */
static void alltoallv_messages(void **state) {
  static const size_t unit[] = {8, 1000, 32768, 300000};
  for (int s = 0; s < 3; s++)
    for (int round = 0; round < 8; round++) {
      const size_t S = (size_t)grid_set_size(sets[s]), me = (size_t)grid_set_rank(sets[s]);
      size_t total = 0, *w = malloc(5 * S * sizeof *w);
      for (size_t r = 0; r < S; r++) {
        w[r] = 8 * ((length(grid_ctx.k, member(sets[s], (int)r), round % 2) * unit[round % 4] + 7) / 8);
        w[S + r] = total;
        total += w[r];
      }
      unsigned char *out = malloc(total + 1);
      for (size_t r = 0; r < S; r++) {
        for (size_t b = 8; b < w[r]; b++)
          out[w[S + r] + b] = (unsigned char)(grid_ctx.k * 31 + member(sets[s], (int)r) * 17 + (int)b);
        if (w[r]) memcpy(out + w[S + r], &w[r], 8);
      }
      const bool without = round == 5 && me == 0;
      grid_recv_buffer in = {.bytes = w + 2 * S, .off = w + 3 * S, .left = w + 4 * S};
      if (without) grid_mem_fail_after(0);
      GrB_Info info = grid_ctx.transport->alltoallv_nocounts(sets[s], out, w, w + S, &in);
      grid_mem_fail_after(-1);
      /* in two levels the others of its machine share its fate */
      const bool may_fail = round == 5 && grid_two_level_is_open(sets[s]) && info == GrB_OUT_OF_MEMORY;
      bool fine = may_fail || info == (without ? GrB_OUT_OF_MEMORY : GrB_SUCCESS);
      for (size_t r = 0; r < S; r++) {
        const int from = member(sets[s], (int)r);
        const size_t n =
            without || may_fail ? 0 : 8 * ((length(from, grid_ctx.k, round % 2) * unit[round % 4] + 7) / 8);
        fine = fine && in.bytes[r] == n && (n == 0 || in.off[r] % 8 == 0);
        for (size_t b = 8; b < n && fine; b++)
          fine =
              (unsigned char)in.buf[in.off[r] + b] == (unsigned char)(from * 31 + grid_ctx.k * 17 + (int)b);
      }
      assert_on_all(fine);
      grid_free(in.buf);
      free(out);
      free(w);
    }
}

/* Segments of `bytes` bytes between all processes; that of the last one to itself has `longer` more.
 * one_slot: they pass one barrier, after which a slot still begins with the lengths. */
static void check_short_segments(size_t bytes, size_t longer, bool one_slot) {
  const size_t S = (size_t)grid_ctx.P, me = (size_t)grid_ctx.k, own = me + 1 == S ? longer : 0;
  size_t *w = calloc(5 * S, sizeof *w);
  char *out = calloc(S, bytes + longer);
  grid_recv_buffer in = {.bytes = w + 2 * S, .off = w + 3 * S, .left = w + 4 * S};
  for (size_t r = 0; r < S; r++) {
    w[r] = bytes + (r + 1 == S ? own : 0), w[S + r] = r * bytes;
    memset(out + w[S + r], (int)(1 + me * S + r), w[r]);
    memcpy(out + w[S + r], &w[r], sizeof w[r]);
  }
  bool fine = grid_ctx.transport->alltoallv_nocounts(GRID_SET_ALL, out, w, w + S, &in) == GrB_SUCCESS;
  if (grid_mailbox_is_open(GRID_SET_ALL) && !grid_two_level_is_open(GRID_SET_ALL))
    fine = fine && (memcmp(grid_mailbox_of(GRID_SET_ALL, (int)me), w, S * sizeof *w) == 0) == one_slot;
  for (size_t r = 0; r < S; r++) {
    fine = fine && in.bytes[r] == bytes + (r == me ? own : 0);
    for (size_t b = sizeof *w; b < bytes && fine; b++) fine = in.buf[in.off[r] + b] == (char)(1 + r * S + me);
  }
  assert_on_all(fine);
  grid_free(in.buf);
  free(out), free(w);
}

/* As many bytes as a slot of the mailbox has beside the lengths; more on one process; as a slot has alone. */
static void short_segments(void **state) {
  const size_t S = (size_t)grid_ctx.P, all = GRID_MAILBOX_BYTES / S, beside = all / 8 * 8 - 8;
  if (S == 1) skip();
  check_short_segments(16, 0, true);
  check_short_segments(beside, 0, true);
  check_short_segments(beside, GRID_MAILBOX_BYTES, false);
  check_short_segments(all / 8 * 8, 0, false);
}

/* Messages of a product: `entries` entries of a list from each process of the set to each, or one for all.
 * Returns the calls that they took. */
static uint64_t check_messages(grid_comm_buffers *w, grid_set set, size_t entries, bool replicated) {
  const size_t S = (size_t)grid_set_size(set), me = (size_t)grid_set_rank(set);
  uint64_t *index = malloc((entries + S) * sizeof *index), sent = 0, before, after;
  double *value = malloc((entries + S) * sizeof *value);
  grid_entries_out *e = malloc(S * sizeof *e);
  grid_received got = {NULL, NULL, NULL};
  for (size_t k = 0; k < entries + S; k++) index[k] = 3 * k, value[k] = (double)(1000 * me + k);
  for (size_t s = 0; s < S; s++)
    e[s] = (grid_entries_out){.n = UINT64_C(1) << 20,
                              .count = replicated ? entries : entries + s,
                              .list = index,
                              .val = (char *)value,
                              .size = sizeof *value};
  Grid_traffic(&before, NULL);
  GrB_Info info = replicated ? grid_allgather_messages(w, set, GrB_SUCCESS, e, &got, &sent)
                             : grid_alltoall_messages(w, set, GrB_SUCCESS, e, &got, &sent);
  Grid_traffic(&after, NULL);
  bool fine = info == GrB_SUCCESS;
  for (size_t s = 0; s < S && fine; s++) {
    const grid_message m = grid_received_message(&got, s);
    grid_message_iter it = grid_message_begin(&m);
    fine = m.count == (replicated ? entries : entries + me);
    for (size_t k = 0; fine && grid_message_next(&it); k++) {
      double x;
      memcpy(&x, it.v, sizeof x);
      fine = it.i == 3 * k && x == (double)(1000 * s + k);
    }
  }
  assert_on_all(fine);
  free(index), free(value), free(e);
  return after - before;
}

/* Where processes share memory, messages that fit a slot of the mailbox take one call, others two. */
static void product_messages(void **state) {
  static const size_t lengths[] = {0, 5, 400, 20, 20000, 3};
  grid_comm_buffers w = {0};
  assert_int_equal(grid_comm_buffers_make(&w), GrB_SUCCESS);
  for (size_t k = 0; k < 2 * sizeof lengths / sizeof *lengths; k++) {
    const size_t entries = lengths[k / 2];
    for (int s = 0; s < 2; s++) {
      if (grid_set_size(sets[s]) == 1) continue;
      const uint64_t calls = check_messages(&w, sets[s], entries, k % 2);
      assert_on_all(!grid_mailbox_is_open(sets[s]) || calls == (entries < 400 ? 1 : 2));
    }
  }
  grid_comm_buffers_free(&w);
}

static void exchanges(void **state) {
  for (int s = 0; s < 3; s++)
    for (int round = 0; round < 3; round++) {
      size_t S = (size_t)grid_set_size(sets[s]), total = 0, *w = malloc(4 * S * sizeof *w);
      for (size_t r = 0; r < S; r++) {
        w[r] = length(grid_ctx.k, member(sets[s], (int)r), round);
        w[S + r] = total;
        total += w[r];
      }
      unsigned char *out = malloc(total + 1), *in = NULL;
      for (size_t r = 0; r < S; r++)
        for (size_t b = 0; b < w[r]; b++)
          out[w[S + r] + b] = (unsigned char)(grid_ctx.k * 31 + member(sets[s], (int)r) * 17 + (int)b);
      int64_t live = grid_mem_live();
      assert_int_equal(grid_exchange_alloc(sets[s], out, w, w + S, (void **)&in, w + 2 * S, w + 3 * S),
                       GrB_SUCCESS);
      bool fine = true;
      for (size_t r = 0; r < S; r++) {
        int from = member(sets[s], (int)r);
        fine = fine && w[2 * S + r] == length(from, grid_ctx.k, round);
        for (size_t b = 0; fine && b < w[2 * S + r]; b++)
          fine = in[w[3 * S + r] + b] == (unsigned char)(from * 31 + grid_ctx.k * 17 + (int)b);
      }
      assert_on_all(fine);
      grid_free(in);
      /* out of memory on one process: all return the error, nothing leaks */
      grid_tune.memory_pool = false;
      for (int64_t k = 0; k < 1 + (S * S > 1024); k++) {
        if (grid_ctx.k == grid_ctx.P - 1) grid_mem_fail_after(k);
        GrB_Info info = grid_exchange_alloc(sets[s], out, w, w + S, (void **)&in, w + 2 * S, w + 3 * S);
        grid_mem_fail_after(-1);
        assert_on_all(info == GrB_OUT_OF_MEMORY && in == NULL &&
                      strstr(Grid_last_error(), "out of memory") != NULL);
      }
      grid_tune.memory_pool = true;
      assert_on_all(grid_mem_live() == live);
      free(out), free(w);
    }
}

enum { ARRAYS = 3 };
static uint64_t count_of(int a, int from, int to, int round) {
  const size_t n = length(from, to + a, round);
  return round == 2 ? n / 64 : n;
}
static unsigned char array_byte(int a, int from, int to, size_t at) {
  return (unsigned char)(a * 101 + from * 31 + to * 17 + (int)at);
}

/* Several arrays of different element sizes and counts at once; where one process lacks memory, none has any.
 */
static void exchanged_arrays(void **state) {
  const size_t sizes[ARRAYS] = {1, 24, 4}, P = (size_t)grid_ctx.P;
  for (int round = 0; round < 3; round++) {
    grid_array_exchange x[ARRAYS];
    uint64_t *count = malloc(ARRAYS * P * sizeof *count);
    unsigned char *sent[ARRAYS];
    bool fine = true;
    for (int a = 0; a < ARRAYS; a++) {
      size_t at = 0;
      for (size_t r = 0; r < P; r++) at += count[(size_t)a * P + r] = count_of(a, grid_ctx.k, (int)r, round);
      sent[a] = malloc(at * sizes[a] + 1);
      at = 0;
      for (size_t r = 0; r < P; r++)
        for (size_t b = 0; b < count[(size_t)a * P + r] * sizes[a]; b++)
          sent[a][at++] = array_byte(a, grid_ctx.k, (int)r, b);
      x[a] = (grid_array_exchange){sent[a], count + (size_t)a * P, sizes[a], NULL, 0};
    }
    const int64_t live = grid_mem_live();
    uint64_t before, after;
    Grid_traffic(&before, NULL);
    assert_int_equal(grid_exchange_arrays(x, ARRAYS), GrB_SUCCESS);
    Grid_traffic(&after, NULL);
    if (round == 2 && P > 1 && !grid_two_level_is_open(GRID_SET_ALL))
      fine = after - before == 2 + ARRAYS; /* sizes, an agreement, arrays that are long */
    for (int a = 0; a < ARRAYS; a++) {
      size_t at = 0;
      for (int r = 0; r < grid_ctx.P; r++)
        for (size_t b = 0; b < count_of(a, r, grid_ctx.k, round) * sizes[a] && fine; b++)
          fine = ((unsigned char *)x[a].recv)[at++] == array_byte(a, r, grid_ctx.k, b);
      fine = fine && at == x[a].n * sizes[a];
      grid_free(x[a].recv);
    }
    assert_on_all(fine);
    grid_tune.memory_pool = false;
    for (int64_t k = 0; k < ARRAYS; k++) {
      if (grid_ctx.k == grid_ctx.P - 1) grid_mem_fail_after(k);
      const GrB_Info info = grid_exchange_arrays(x, ARRAYS);
      grid_mem_fail_after(-1);
      assert_on_all(info == GrB_OUT_OF_MEMORY && !x[0].recv && !x[1].recv && !x[2].recv);
    }
    grid_tune.memory_pool = true;
    assert_on_all(grid_mem_live() == live);
    for (int a = 0; a < ARRAYS; a++) free(sent[a]);
    free(count);
  }
}

/* The outcome and the bytes of all: short and long ones, where no process fails, and where one does. */
static void gathered_outcomes(void **state) {
  const size_t P = (size_t)grid_ctx.P, lengths[] = {1, 17, 5000};
  for (size_t round = 0; round < 3; round++) {
    const size_t n = lengths[round];
    unsigned char *local = malloc(n), *all = malloc(P * n);
    bool fine = true;
    memset(local, 3 * grid_ctx.k + 1, n);
    assert_int_equal(grid_agree_gather(NULL, GrB_SUCCESS, local, n, all), GrB_SUCCESS);
    for (size_t k = 0; k < P * n; k++) fine = fine && all[k] == (unsigned char)(3 * (k / n) + 1);
    assert_on_all(fine);
    const bool fails = grid_ctx.k == grid_ctx.P - 1;
    const GrB_Info info =
        fails ? grid_agree_gather(NULL, grid_fail(NULL, GrB_INVALID_VALUE, "lemon"), NULL, n, NULL)
              : grid_agree_gather(NULL, GrB_SUCCESS, local, n, all);
    assert_on_all(info == GrB_INVALID_VALUE && strstr(Grid_last_error(), "lemon") != NULL);
    free(local), free(all);
  }
}

/* Through shared memory: all processes are on this machine. */
static void shm_exchanges(void **state) {
  const size_t from = grid_tune.shm_min_bytes;
  const int threads = omp_get_max_threads();
  omp_set_num_threads(2); /* with one each they would not be used */
  grid_tune.shm_min_bytes = 1;
  exchanges(state);
  grid_tune.shm_min_bytes = from;
  omp_set_num_threads(threads);
}

/* All segments to all processes: in several rounds, and read in place. */
static void shm_allgather(void **state) {
  const grid_transport *t = grid_ctx.transport;
  const size_t P = (size_t)grid_ctx.P, me = (size_t)grid_ctx.k;
  for (size_t round = 0; round < 6; round++) {
    const size_t unit = round % 3 == 2 ? 700001 : 1000 * round;
    size_t *bytes = malloc(2 * P * sizeof *bytes), *off = bytes + P, total = 0;
    for (size_t r = 0; r < P; r++) {
      bytes[r] = (r + 1) % 3 * unit;
      off[r] = total;
      total += bytes[r];
    }
    unsigned char *local = malloc(bytes[me] + 1), *all = malloc(total + 1);
    for (size_t b = 0; b < bytes[me]; b++) local[b] = (unsigned char)(me * 31 + b + round);
    const unsigned char *gathered_at = all;
    bool fine = true, gathered = false;
    if (round < 3) {
      gathered = t->gather_long && t->gather_long(local, bytes, off, all);
    } else {
      unsigned char *shared_buffer =
          t->shared_buffer ? (unsigned char *)t->shared_buffer(GRID_SET_ALL, total) : NULL;
      if (shared_buffer) {
        memcpy(shared_buffer + off[me], local, bytes[me]);
        t->barrier(GRID_SET_ALL);
        gathered_at = shared_buffer;
      }
    }
    if (gathered_at == all && !gathered) /* several machines, or too much for the shared memory */
      assert_int_equal(grid_gather_into(local, bytes[me], 1, all), GrB_SUCCESS);
    for (size_t r = 0; r < P; r++)
      for (size_t b = 0; fine && b < bytes[r]; b++)
        fine = gathered_at[off[r] + b] == (unsigned char)(r * 31 + b + round);
    memset(all, 0, total);
    assert_int_equal(grid_gather_known(local, bytes, 1, all), GrB_SUCCESS);
    for (size_t r = 0; r < P; r++)
      for (size_t b = 0; fine && b < bytes[r]; b++)
        fine = all[off[r] + b] == (unsigned char)(r * 31 + b + round);
    assert_on_all(fine);
    free(local), free(all), free(bytes);
  }
}

static unsigned char shared_byte(size_t round, size_t at) {
  return (unsigned char)(at / 4096 * 7 + round);
}
/* Vectors larger than the shared memory at first: it grows, and earlier ones remain readable for three calls.
 * The sets have memory of their own. */
static void shm_growth_of(grid_set set) {
  const grid_transport *t = grid_ctx.transport;
  const size_t sizes[] = {1 << 20, 9 << 20, 17 << 20, 3 << 20, 9 << 20, 17 << 20};
  const size_t P = (size_t)grid_set_size(set), k = (size_t)grid_set_rank(set);
  unsigned char *view[6] = {NULL};
  for (size_t round = 0; round < 6; round++) {
    const size_t bytes = sizes[round];
    view[round] = t->shared_buffer ? (unsigned char *)t->shared_buffer(set, bytes) : NULL;
    if (!view[round]) continue;
    for (size_t at = bytes * k / P; at < bytes * (k + 1) / P; at++)
      view[round][at] = shared_byte(round + 11 * (size_t)set, at);
    t->barrier(set);
    bool fine = true;
    for (size_t r = round < 3 ? 0 : round - 3; r <= round; r++)
      for (size_t at = 0; view[r] && at < sizes[r]; at += 1021)
        fine = fine && view[r][at] == shared_byte(r + 11 * (size_t)set, at);
    assert_on_all(fine);
  }
  assert_on_all(P == 1 || !grid_mailbox_is_open(set) || (view[0] && view[2])); /* this machine has room */
}

static void shm_growth(void **state) {
  for (int s = 0; s < 3; s++) shm_growth_of(sets[s]);
}

/* The address space of the last process gets no larger than it is, and a little: true on that one. */
static bool limit_address_space(struct rlimit *was) {
  long pages = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  assert_true(f && fscanf(f, "%ld", &pages) == 1 && fclose(f) == 0 && getrlimit(RLIMIT_AS, was) == 0);
  if (grid_ctx.k + 1 < grid_ctx.P) return false;
  const struct rlimit little = {(rlim_t)(pages + 2048) * (rlim_t)sysconf(_SC_PAGESIZE), was->rlim_max};
  return setrlimit(RLIMIT_AS, &little) == 0;
}

/* Memory that one process lacks, or more than the machine has: none of them has it, and all go on without. */
static void no_shared_memory(void **state) {
  struct rlimit was;
  grid_shm s;
  if (grid_ctx.P == 1 || grid_ctx.local_size < grid_ctx.P || !grid_mailbox_is_open(GRID_SET_ALL)) return;
  const void *comm = grid_mpi_comm();
  assert_on_all(!grid_shm_open(&s, comm, 1, (size_t)1 << 46) && !s.at);
  assert_on_all(grid_shm_open(&s, comm, 2, 12345) && s.bytes >= 2 * 12345 * (size_t)grid_ctx.P &&
                (uintptr_t)s.at % (2 << 20) == 0);
  s.at[12345 * (size_t)grid_ctx.k] = (char)(1 + grid_ctx.k);
  assert_int_equal(Grid_agree(GrB_SUCCESS, NULL), GrB_SUCCESS);
  for (int r = 0; r < grid_ctx.P; r++) assert_int_equal(s.at[12345 * (size_t)r], 1 + r);
  assert_int_equal(Grid_agree(GrB_SUCCESS, NULL), GrB_SUCCESS);
  grid_shm_close(&s);
  grid_shm_exchange_close();
  const bool limited = limit_address_space(&was), opened = grid_shm_exchange_open(GRID_SET_ALL, comm);
  if (limited) setrlimit(RLIMIT_AS, &was);
  assert_on_all(!opened);
  shm_exchanges(state);
  grid_shm_exchange_close();
  assert_on_all(grid_shm_exchange_open(GRID_SET_ALL, comm));
  shm_allgather(state);
}

static uint64_t nanoseconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (uint64_t)t.tv_sec * 1000000000 + (uint64_t)t.tv_nsec;
}

/* Nobody goes on before the last process has come. */
static void synchronization(void **state) {
  for (int late = 0; late < Grid_size(); late++) {
    if (Grid_rank() == late) usleep(2000);
    uint64_t last = nanoseconds();
    assert_int_equal(Grid_synchronize(), GrB_SUCCESS);
    const uint64_t after = nanoseconds();
    assert_int_equal(Grid_max(&last, 1), GrB_SUCCESS);
    assert_on_all(after >= last);
  }
}

/* Is `text` that of the first failure, on process `bad`, where others had none? */
static bool is_failure_on(const char *error, const char *text, int bad) {
  char whole[96];
  snprintf(whole, sizeof whole, "%s (on process %d)", text, bad);
  return strcmp(error, bad > 0 ? whole : text) == 0;
}

static void agreement(void **state) {
  int P = Grid_size(), k = Grid_rank();
  char text[64];
  assert_int_equal(Grid_agree(GrB_SUCCESS, NULL), GrB_SUCCESS);
  /* all fail: no process is named */
  assert_on_all(Grid_agree(GrB_INVALID_VALUE, "all") == GrB_INVALID_VALUE &&
                strcmp(Grid_last_error(), "all") == 0);
  for (int bad = 0; bad < P; bad++) { /* one process fails */
    snprintf(text, sizeof text, "process %d has no luck", bad);
    GrB_Info info =
        Grid_agree(k == bad ? GrB_INDEX_OUT_OF_BOUNDS : GrB_SUCCESS, k == bad ? text : "not this");
    assert_on_all(info == GrB_INDEX_OUT_OF_BOUNDS && is_failure_on(Grid_last_error(), text, bad));
  }
  /* several processes fail differently: the lowest-numbered one's error counts */
  const GrB_Info variant[] = {GrB_SUCCESS, GrB_PANIC, GrB_NO_VALUE, GrB_EMPTY_OBJECT, GrB_OUT_OF_MEMORY};
  int lowest = P > 1 ? 1 : 0;
  snprintf(text, sizeof text, "process %d", k);
  GrB_Info local_info = P > 1 ? variant[k % 5] : GrB_PANIC, info = Grid_agree(local_info, text);
  snprintf(text, sizeof text, "process %d", lowest);
  assert_on_all(info == GrB_PANIC && is_failure_on(Grid_last_error(), text, lowest));

  /* with an object: its text is the same everywhere, on one process too */
  grid_head head = {.magic = GRID_MAGIC};
  if (k == P - 1) grid_fail(NULL, GrB_INVALID_VALUE, "the last one");
  info = grid_agree(&head, k == P - 1 ? GrB_INVALID_VALUE : GrB_SUCCESS);
  assert_on_all(info == GrB_INVALID_VALUE && head.error && is_failure_on(head.error, "the last one", P - 1));
  grid_free(head.error);

  uint64_t v[15];
  for (uint64_t c = 0; c < 15; c++) v[c] = c + (uint64_t)k;
  assert_int_equal(grid_agree_sum(NULL, GrB_SUCCESS, v, 15), GrB_SUCCESS);
  bool fine = true;
  for (uint64_t c = 0; c < 15; c++) fine = fine && v[c] == (uint64_t)P * c + (uint64_t)(P * (P - 1) / 2);
  assert_on_all(fine);
  if (k == P - 1) grid_fail(NULL, GrB_DOMAIN_MISMATCH, "sums too");
  info = grid_agree_sum(NULL, k == P - 1 ? GrB_DOMAIN_MISMATCH : GrB_SUCCESS, v, 2);
  assert_on_all(info == GrB_DOMAIN_MISMATCH && is_failure_on(Grid_last_error(), "sums too", P - 1));
  char buf[3] = {(char)k, (char)k, (char)k};
  assert_int_equal(Grid_bcast(buf, 3, P - 1), GrB_SUCCESS);
  assert_on_all(buf[2] == (char)(P - 1));
  assert_int_equal(Grid_bcast(buf, 3, P), GrB_INVALID_VALUE);
  assert_int_equal(Grid_sum(NULL, 1), GrB_NULL_POINTER);
}

/* Process r sends r + 1 numbers, then many, and none where r is odd; bad input changes nothing. */
static void gathered(void **state) {
  const int P = Grid_size(), k = Grid_rank();
  const size_t longest = 100000;
  for (int round = 0; round < 3; round++)
    for (int root = 0; root < P; root++) {
#define LENGTH(r) (round == 0 ? (size_t)(r) + 1 : round == 1 ? longest : (r) % 2 == 0 ? 7 : 0)
      uint64_t *local = malloc((longest + 1) * sizeof *local), *all = NULL;
      size_t count = 0;
      for (size_t e = 0; e < LENGTH(k); e++) local[e] = (uint64_t)k * longest + e;
      for (int r = 0; r < P; r++) count += LENGTH(r);
      size_t n = count * sizeof *all, less = n - 1;
      if (k == root) all = calloc(count + 1, sizeof *all);
      assert_int_equal(Grid_gather(all, &less, local, LENGTH(k) * sizeof *local, root),
                       GrB_INSUFFICIENT_SPACE);
      assert_on_all(k != root || (less == n - 1 && all[0] == 0 && all[count - 1] == 0));
      assert_int_equal(Grid_gather(all, k == root ? &n : NULL, local, LENGTH(k) * sizeof *local, root),
                       GrB_SUCCESS);
      bool fine = n == count * sizeof *all;
      size_t at = 0;
      for (int r = 0; r < P && k == root; r++)
        for (size_t e = 0; e < LENGTH(r); e++) fine = fine && all[at++] == (uint64_t)r * longest + e;
      assert_on_all(fine);
#undef LENGTH
      free(local);
      free(all);
    }
  size_t n = 8;
  char buffer[8];
  assert_int_equal(Grid_gather(buffer, &n, buffer, 0, P), GrB_INVALID_VALUE);
  assert_int_equal(Grid_gather(buffer, &n, NULL, k == P - 1, 0), GrB_NULL_POINTER);
  assert_int_equal(Grid_gather(NULL, &n, buffer, 0, P - 1), GrB_NULL_POINTER);
  assert_int_equal(Grid_gather(buffer, NULL, buffer, 0, 0), GrB_NULL_POINTER);
}

/* Every index has one owner, local and global numbers are inverse, and the chunks cover the dimension. */
static void layout(void **state) {
  const uint64_t dims[] = {1,
                           2,
                           63,
                           64,
                           65,
                           640,
                           1000,
                           12345,
                           (UINT64_C(1) << 32) + 1,
                           UINT64_C(1) << 60,
                           (UINT64_C(1) << 60) - 77};
  for (int d = 0; d < 11; d++) {
    uint64_t n = dims[d], q = grid_even_size(n), sum = 0, first, count;
    assert_int_equal(q % 64, 0);
    for (int k = 0; k < Grid_size(); k++) {
      assert_int_equal(grid_chunk_first(n, k), sum);
      sum += grid_chunk_length(n, k);
    }
    assert_int_equal(sum, n);
    assert_int_equal(Grid_local_range(n, &first, &count), GrB_SUCCESS);
    assert_true(first == grid_chunk_first(n, grid_ctx.k) && count == grid_chunk_length(n, grid_ctx.k));
    for (int t = 0; t < 200; t++) {
      uint64_t r = t == 0 ? n - 1 : (uint64_t)t * (n / 200 + 1) % n, c = (r * 3 + 1) % n;
      int owner = grid_block_of(n, n, r, c), i = owner % grid_ctx.R, j = owner / grid_ctx.R;
      assert_true(grid_chunk_of(n, r) % grid_ctx.R == i && grid_chunk_of(n, c) / grid_ctx.R == j &&
                  owner < grid_ctx.P);
      if (i == grid_ctx.i)
        assert_true(grid_global_row(n, grid_local_row(n, r)) == r &&
                    grid_local_row(n, r) < grid_block_rows(n));
      if (j == grid_ctx.j)
        assert_true(grid_global_col(n, grid_local_col(n, c)) == c &&
                    grid_local_col(n, c) < grid_block_cols(n));
    }
  }
}

/* ---- random sequences of short messages ---- */

static uint64_t next_random(uint64_t *x) {
  *x ^= *x << 13, *x ^= *x >> 7, *x ^= *x << 17;
  return *x >> 11;
}

/* Word `word` that process `from` sends to `to` in step `step`, by rank in the set. */
static uint64_t sent_word(int step, int from, int to, size_t word) {
  return (uint64_t)step * 1000003 + (uint64_t)from * 1009 + (uint64_t)to * 101 + word * 7;
}

static bool is_broadcast_right(grid_set set, int step, int root, size_t n) {
  uint64_t x[512] = {0};
  for (size_t k = 0; k < n && grid_set_rank(set) == root; k++) x[k] = sent_word(step, root, 0, k);
  bool fine = grid_ctx.transport->bcast(set, x, n * sizeof *x, root) == GrB_SUCCESS;
  for (size_t k = 0; k < n; k++) fine = fine && x[k] == sent_word(step, root, 0, k);
  return fine;
}

static bool is_sum_right(grid_set set, int step, size_t n) {
  const int S = grid_set_size(set);
  uint64_t x[512];
  for (size_t k = 0; k < n; k++) x[k] = sent_word(step, grid_set_rank(set), 0, k);
  bool fine = grid_ctx.transport->allreduce(set, x, n, GRID_SUM) == GrB_SUCCESS;
  for (size_t k = 0; k < n; k++) {
    uint64_t sum = 0;
    for (int r = 0; r < S; r++) sum += sent_word(step, r, 0, k);
    fine = fine && x[k] == sum;
  }
  return fine;
}

static size_t segment_words(int step, int from, int to, size_t n) {
  return (size_t)(step + 5 * from + 3 * to) % (n + 1);
}

/* Segments of up to n words, or the same for all. */
static bool are_segments_right(grid_set set, int step, size_t n, bool replicated, uint64_t *memory) {
  const size_t S = (size_t)grid_set_size(set);
  const int me = grid_set_rank(set);
  size_t *sizes = calloc(5 * S, sizeof *sizes), *off = sizes + S, *recv = off + S, *recv_off = recv + S,
         at = 0;
  grid_recv_buffer in = {.bytes = recv, .off = recv_off, .left = recv_off + S};
  for (size_t to = 0; to < S; to++) {
    const int t = replicated ? 0 : (int)to;
    const size_t words = segment_words(step, me, t, n);
    if (!replicated || to == 0) {
      for (size_t k = 0; k < words; k++) memory[at + k] = k ? sent_word(step, me, t, k) : 8 * words;
      off[to] = 8 * at, at += words;
    } else {
      off[to] = 0;
    }
    sizes[to] = 8 * words;
  }
  in.is_replicated = replicated;
  bool fine = grid_ctx.transport->alltoallv_nocounts(set, memory, sizes, off, &in) == GrB_SUCCESS;
  for (size_t from = 0; from < S; from++) {
    const int t = replicated ? 0 : me;
    const size_t words = segment_words(step, (int)from, t, n);
    fine = fine && recv[from] == 8 * words;
    for (size_t k = 1; fine && k < words; k++)
      fine =
          ((const uint64_t *)(const void *)(in.buf + recv_off[from]))[k] == sent_word(step, (int)from, t, k);
  }
  grid_free(in.buf), free(sizes);
  return fine;
}

static bool is_shared_buffer_right(grid_set set, int step, size_t n) {
  const size_t S = (size_t)grid_set_size(set), me = (size_t)grid_set_rank(set);
  uint64_t *x = (uint64_t *)(void *)grid_ctx.transport->shared_buffer(set, S * n * sizeof *x);
  bool fine = true;
  if (!x) return true;
  for (size_t k = 0; k < n; k++) x[me * n + k] = sent_word(step, (int)me, 0, k);
  grid_ctx.transport->barrier(set);
  for (size_t r = 0; r < S; r++)
    for (size_t k = 0; k < n; k++) fine = fine && x[r * n + k] == sent_word(step, (int)r, 0, k);
  return fine;
}

/* One step, drawn alike by all processes; each may be late. */
static bool is_step_right(int step, uint64_t *same, uint64_t *local, uint64_t *memory) {
  const grid_set set =
      sets[next_random(same) % 16 ? (uint64_t)step / 50 % 3 : next_random(same) % 3]; /* mostly one */
  const uint64_t what = next_random(same) % 50;
  const int S = grid_set_size(set);
  const uint64_t draw = next_random(same);
  const int root = (int)(next_random(same) % 60) % S;
  const size_t most = next_random(same) % 4 ? 8 : 512, n = 1 + (size_t)draw % most;
  if (next_random(local) % 40 == 0)
    nanosleep(&(struct timespec){.tv_nsec = (long)(next_random(local) % 400000)}, NULL);
  if (what < 45) return is_broadcast_right(set, step, root, n);
  if (what == 45) return is_sum_right(set, step, n);
  if (what < 48 || S == 1 || !grid_ctx.transport->shared_buffer)
    return are_segments_right(set, step, n, what == 47, memory);
  return is_shared_buffer_right(set, step, n);
}

/* Broadcasts, sums, segments and shared buffers of rows, columns and all, in one random order; a process may
 * be many calls behind a root. */
static void random_order(void **state) {
  enum { STEPS = 1000 };
  uint64_t same = 88172645463325252u, local = same + 7919 * (uint64_t)(grid_ctx.k + 1);
  uint64_t *memory = malloc(512 * sizeof *memory * (size_t)grid_ctx.P);
  bool fine = memory != NULL;
  for (int step = 0; step < STEPS; step++) fine = is_step_right(step, &same, &local, memory) && fine;
  free(memory);
  assert_on_all(fine);
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(shape), cmocka_unit_test(reductions),
               cmocka_unit_test(combined_reduction), cmocka_unit_test(gathering),
               cmocka_unit_test(broadcasts), cmocka_unit_test(exchanges), cmocka_unit_test(exchanged_arrays),
               cmocka_unit_test(gathered_outcomes), cmocka_unit_test(shm_exchanges),
               cmocka_unit_test(shm_allgather), cmocka_unit_test(shm_growth),
               cmocka_unit_test(no_shared_memory), cmocka_unit_test(synchronization),
               cmocka_unit_test(agreement), cmocka_unit_test(gathered), cmocka_unit_test(layout),
               cmocka_unit_test(alltoallv_messages), cmocka_unit_test(short_segments),
               cmocka_unit_test(product_messages), cmocka_unit_test(random_order))
