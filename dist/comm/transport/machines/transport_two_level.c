/* See transport_two_level.h. Flat: each process sends to each other one (transport_mpi.c). Two-level: through
 * shared memory and one message a machine (two_level.c). */
#include "dist/comm/transport/machines/transport_two_level.h"

#include <omp.h>
#include <string.h>

#include "dist/comm/mpi/mpi_library.h"
#include "dist/comm/transport/mpi_init.h"
#include "dist/comm/transport/machines/two_level.h"
#include "semiring/support/tuning.h"
#include "semiring/threads/context_section.h"

/* Reductions; the same segment for all processes; another one for each. */
typedef enum { REDUCE, REPLICATED, PERSONAL, KINDS } message_kind;
typedef enum { FLAT, TWO_LEVEL, METHODS } message_method;
static const char *const method_name[METHODS] = {"flat", "two-level"};

enum { SMALL, LARGE, SIZES };
static const size_t measured_bytes[SIZES] = {64, 4096};

static struct {
  grid_machine_group group[GRID_NSETS];
  bool started; /* before, processes may not know yet which method is forced */
  double seconds[GRID_NSETS][METHODS][KINDS][SIZES];
} default_levels GRID_OF_CONTEXT;
#define levels GRID_IN_CONTEXT(default_levels)

static const grid_transport *const flat = &grid_transport_mpi;

/* ---- the choice ---- */

static double cost(grid_set set, message_method m, message_kind kind, double bytes) {
  const double *t = levels.seconds[set][m][kind];
  const double slope = (t[LARGE] - t[SMALL]) / (double)(measured_bytes[LARGE] - measured_bytes[SMALL]);
  return t[SMALL] + (slope > 0 ? slope * bytes : 0);
}

/* bytes: of a segment, the same on all processes. */
static message_method choose_method(grid_set set, message_kind kind, size_t bytes) {
  if (!levels.group[set].open || !levels.started) return FLAT;
  const char *forced = grid_tune_method("messages");
  for (int m = 0; m < METHODS && forced; m++)
    if (strcmp(forced, method_name[m]) == 0) return (message_method)m;
  return cost(set, TWO_LEVEL, kind, (double)bytes) < cost(set, FLAT, kind, (double)bytes) ? TWO_LEVEL : FLAT;
}

static void count_traffic(size_t bytes) {
  grid_traffic_now.calls++;
  grid_traffic_now.bytes += bytes;
}

static size_t sum_for_others(const grid_machine_group *g, const size_t *bytes) {
  size_t sum = 0;
  for (int r = 0; r < g->size; r++) sum += r == g->rank ? 0 : bytes[r];
  return sum;
}

/* ---- reductions ---- */

static void combine_words(void *inout, const void *in, size_t bytes, void *context) {
  const grid_reduction op = *(const grid_reduction *)context;
  uint64_t *a = inout;
  const uint64_t *b = in;
  for (size_t k = 0; k < bytes / 8; k++)
    a[k] = op == GRID_SUM   ? a[k] + b[k]
           : op == GRID_MAX ? (a[k] > b[k] ? a[k] : b[k])
           : op == GRID_MIN ? (a[k] < b[k] ? a[k] : b[k])
                            : a[k] | b[k];
}

static GrB_Info allreduce(grid_set set, uint64_t *v, size_t n, grid_reduction op) {
  if (n == 0 || n > GRID_TWO_LEVEL_REDUCE / 8 || choose_method(set, REDUCE, n * 8) == FLAT)
    return flat->allreduce(set, v, n, op);
  count_traffic(n * 8);
  return grid_two_level_reduce(&levels.group[set], v, n * 8, combine_words, &op);
}

static GrB_Info allreduce_with(grid_set set, void *buf, size_t bytes, grid_combine_fn f, void *context) {
  if (bytes == 0 || bytes > GRID_TWO_LEVEL_REDUCE || choose_method(set, REDUCE, bytes) == FLAT)
    return flat->allreduce_with(set, buf, bytes, f, context);
  count_traffic(bytes);
  return grid_two_level_reduce(&levels.group[set], buf, bytes, f, context);
}

/* ---- gathers: in rounds that fit the leaders' buffers ---- */

static GrB_Info gather_rounds(grid_machine_group *g, const char *local, const size_t *bytes,
                              const size_t *off, char *all) {
  const size_t S = (size_t)g->size, share = grid_two_level_share(g, true);
  size_t *now = g->round, *from = now + S, *to = from + S, longest = 0;
  GrB_Info info = GrB_SUCCESS;
  for (size_t r = 0; r < S; r++)
    if (bytes[r] > longest) longest = bytes[r];
  for (size_t at = 0; at < longest && info == GrB_SUCCESS; at += share) {
    const size_t rest = bytes[g->rank] > at ? bytes[g->rank] - at : 0;
    for (size_t r = 0; r < S; r++) now[r] = rest < share ? rest : share, from[r] = at, to[r] = off[r] + at;
    info = grid_two_level_alltoallv(
        g, &(grid_two_level_call){.send = local, .bytes = now, .off = from, .recv = all, .recv_off = to});
  }
  return info;
}

static GrB_Info allgather(grid_set set, const void *send, size_t bytes, void *recv) {
  grid_machine_group *g = &levels.group[set];
  if (bytes == 0 || choose_method(set, REPLICATED, bytes) == FLAT)
    return flat->allgather(set, send, bytes, recv);
  size_t *lengths = g->round + 3 * (size_t)g->size, *off = lengths + g->size;
  for (size_t r = 0; r < (size_t)g->size; r++) lengths[r] = bytes, off[r] = r * bytes;
  count_traffic(bytes * (size_t)(g->size - 1));
  return gather_rounds(g, send, lengths, off, recv);
}

static bool gather_long(const void *local, const size_t *bytes, const size_t *off, void *all) {
  grid_machine_group *g = &levels.group[GRID_SET_ALL];
  size_t longest = 0;
  for (int r = 0; r < g->size && g->open; r++)
    if (bytes[r] > longest) longest = bytes[r];
  if (longest == 0 || choose_method(GRID_SET_ALL, REPLICATED, longest) == FLAT)
    return flat->gather_long(local, bytes, off, all);
  count_traffic(bytes[g->rank] * (size_t)(g->size - 1));
  return gather_rounds(g, local, bytes, off, all) == GrB_SUCCESS;
}

/* ---- alltoalls ---- */

static GrB_Info exchange_long(grid_set set, const void *sendbuf, const size_t *sendbytes,
                              const size_t *sendoff, void *recvbuf, const size_t *recvbytes,
                              const size_t *recvoff, size_t longest) {
  grid_machine_group *g = &levels.group[set];
  if (longest == 0 || choose_method(set, PERSONAL, longest) == FLAT)
    return flat->exchange_long(set, sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff, longest);
  const size_t S = (size_t)g->size, share = grid_two_level_share(g, false);
  size_t *now = g->round, *from = now + S, *to = from + S;
  GrB_Info info = GrB_SUCCESS;
  count_traffic(sum_for_others(g, sendbytes));
  for (size_t at = 0; at < longest && info == GrB_SUCCESS; at += share) {
    for (size_t r = 0; r < S; r++) {
      const size_t rest = sendbytes[r] > at ? sendbytes[r] - at : 0;
      now[r] = rest < share ? rest : share, from[r] = sendoff[r] + at, to[r] = recvoff[r] + at;
    }
    info = grid_two_level_alltoallv(
        g,
        &(grid_two_level_call){.send = sendbuf, .bytes = now, .off = from, .recv = recvbuf, .recv_off = to});
  }
  return info;
}

/* No process knows the lengths of all segments, so the choice is that for half of the large size. */
static message_method replicated_method(grid_set set) {
  return choose_method(set, REPLICATED, measured_bytes[LARGE] / 2);
}

static GrB_Info alltoallv_nocounts(grid_set set, const void *sendbuf, const size_t *sendbytes,
                                   const size_t *sendoff, grid_recv_buffer *in) {
  grid_machine_group *g = &levels.group[set];
  if ((in->heads && in->head > GRID_MAX_HEAD) || replicated_method(set) == FLAT)
    return flat->alltoallv_nocounts(set, sendbuf, sendbytes, sendoff, in);
  count_traffic(sum_for_others(g, sendbytes));
  return grid_two_level_alltoallv(
      g, &(grid_two_level_call){.send = sendbuf, .bytes = sendbytes, .off = sendoff, .in = in});
}

/* ---- calls with one method ---- */

static GrB_Info bcast(grid_set set, void *buf, size_t bytes, int root) {
  return flat->bcast(set, buf, bytes, root);
}
static GrB_Info exchange(grid_set set, const void *sendbuf, const size_t *sendbytes, const size_t *sendoff,
                         void *recvbuf, const size_t *recvbytes, const size_t *recvoff) {
  return flat->exchange(set, sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff);
}
static char *shared_buffer(grid_set set, size_t bytes) {
  return flat->shared_buffer(set, bytes);
}
static void barrier(grid_set set) {
  flat->barrier(set);
}

const grid_transport grid_transport_two_level = {
    "MPI, two levels", allreduce,     allreduce_with, bcast,       allgather,          exchange,
    exchange_long,     shared_buffer, barrier,        gather_long, alltoallv_nocounts,
};

/* ---- measuring ---- */

typedef struct {
  _Alignas(8) char send[4096 + 8];
  size_t *bytes, *off;
  grid_recv_buffer in;
} sample;

static GrB_Info run_sample(grid_set set, message_method m, message_kind kind, size_t bytes, sample *x) {
  grid_machine_group *g = &levels.group[set];
  const uint64_t length = bytes;
  grid_reduction op = GRID_MAX;
  if (kind == REDUCE)
    return m == FLAT ? flat->allreduce(set, (uint64_t *)(void *)x->send, 8, op)
                     : grid_two_level_reduce(g, x->send, 64, combine_words, &op);
  /* two segments, of which neighbours get different ones, begin with the length */
  memcpy(x->send, &length, sizeof length);
  memcpy(x->send + 8, &length, sizeof length);
  for (int k = 0; k < g->size; k++) {
    const int r = g->member[k];
    x->bytes[r] = bytes, x->off[r] = kind == PERSONAL ? 8 * (size_t)(k % 2) : 0;
  }
  if (m == FLAT) return flat->alltoallv_nocounts(set, x->send, x->bytes, x->off, &x->in);
  return grid_two_level_alltoallv(
      g, &(grid_two_level_call){.send = x->send, .bytes = x->bytes, .off = x->off, .in = &x->in});
}

/* The slowest process's time, in the fastest of some turns. */
static GrB_Info time_sample(grid_set set, message_method m, message_kind kind, size_t bytes, sample *x,
                            double *seconds) {
  enum { TURNS = 5 };
  uint64_t least = UINT64_MAX, took = 0;
  GrB_Info info = GrB_SUCCESS;
  for (int k = 0; k < TURNS && info == GrB_SUCCESS; k++) {
    info = flat->allreduce(set, &took, 1, GRID_MAX); /* all begin together */
    const double from = omp_get_wtime();
    if (info == GrB_SUCCESS) info = run_sample(set, m, kind, bytes, x);
    took = (uint64_t)(1e9 * (omp_get_wtime() - from));
    if (info == GrB_SUCCESS) info = flat->allreduce(set, &took, 1, GRID_MAX);
    if (took < least) least = took;
  }
  *seconds = 1e-9 * (double)least;
  return info;
}

static GrB_Info measure_set(grid_set set) {
  grid_machine_group *g = &levels.group[set];
  const size_t S = (size_t)g->size, capacity = S * sizeof((sample *)0)->send;
  sample x = {.bytes = g->round, .off = g->round + S};
  x.in = (grid_recv_buffer){
      grid_malloc(capacity, 1), capacity, x.off + S, x.off + 2 * S, x.off + 3 * S, NULL, 0};
  uint64_t failed = !x.in.buf;
  GrB_Info info = flat->allreduce(set, &failed, 1, GRID_MAX);
  if (info == GrB_SUCCESS && failed) info = grid_fail_memory(NULL, "a measurement", capacity, 1);
  for (int kind = 0; kind < KINDS; kind++)
    for (int size = 0; size < SIZES; size++)
      for (int m = 0; m < METHODS && info == GrB_SUCCESS; m++)
        info = time_sample(set, (message_method)m, (message_kind)kind, measured_bytes[size], &x,
                           &levels.seconds[set][m][kind][size]);
  grid_free(x.in.buf);
  return info;
}

GrB_Info grid_two_level_measure(void) {
  const grid_traffic before = grid_traffic_now;
  GrB_Info info = GrB_SUCCESS;
  const bool forced = grid_tune_method("messages") != NULL;
  for (int s = 0; s < GRID_NSETS && info == GrB_SUCCESS && !forced; s++)
    if (levels.group[s].open) info = measure_set((grid_set)s);
  levels.started = info == GrB_SUCCESS;
  grid_traffic_now = before;
  return info;
}

/* ---- open and close ---- */

bool grid_two_level_open(void) {
  uint64_t opened = 0;
  levels.started = false;
  for (int s = 0; s < GRID_NSETS; s++)
    opened |= grid_machine_group_open(&levels.group[s], *(const MPI_Comm *)grid_mpi_set_comm((grid_set)s),
                                      (grid_set)s, grid_mpi_machine());
  return flat->allreduce(GRID_SET_ALL, &opened, 1, GRID_MAX) == GrB_SUCCESS && opened;
}

void grid_two_level_close(void) {
  if (grid_mpi_is_finalized()) return;
  for (int s = 0; s < GRID_NSETS; s++) grid_machine_group_close(&levels.group[s]);
}

bool grid_two_level_is_open(grid_set set) {
  return levels.group[set].open;
}

int grid_two_level_machines(grid_set set) {
  return replicated_method(set) == FLAT ? 0 : levels.group[set].machines;
}
