/* The process grid: start, stop, agreement on outcomes, and the exchanges built on the transport. */
#include "dist/grid/grid.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "dist/ahead/ahead.h"
#include "dist/grid/device_transport.h"
#include "dist/grid/mpi_start.h"
#include "dist/grid/layout.h"
#include "semiring/mem_cache.h"
#include "spmat/backend.h"
#include "spmat/device/device.h"
#include "spmat/device/times.h"

grid_state grid_here = {.R = 1, .C = 1, .P = 1, .threads = 1};

/* ---- start and stop ---- */

/* R x C with C at most half the root of P: few grid columns, since each of c processes that share a row looks
 * for a hit of its own (docs/design.md, "Layout"; measured: 1.6 times the entries for c = 2, 2.5 for c = 4),
 * while R, the number of those who gather an input, stays near 2 * root(P) where P has the divisors. */
static void default_shape(int P, int *R, int *C) {
  int c = 1;
  for (int d = 1; 4 * d <= P / d; d++)
    if (P % d == 0) c = d;
  *C = c;
  *R = P / c;
}

/* GRIDBLAS_GRID=RxC in the environment overrides the default, for programs that do not ask their user for a
 * shape. */
static GrB_Info shape_from_environment(int P, int *R, int *C) {
  const char *text = getenv("GRIDBLAS_GRID");
  int end = 0;
  if (!text || !*text) {
    default_shape(P, R, C);
  } else if (sscanf(text, "%dx%d%n", R, C, &end) != 2 || text[end] != '\0') {
    return grid_fail(NULL, GrB_INVALID_VALUE, "Grid_init: GRIDBLAS_GRID is \"%s\", not ROWSxCOLUMNS", text);
  }
  return GrB_SUCCESS;
}

static int default_threads(int local_size) {
  if (getenv("OMP_NUM_THREADS")) return omp_get_max_threads();
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  int share = (int)(cores / local_size), allowed = omp_get_num_procs();
  if (share > allowed) share = allowed;
  return share > 0 ? share : 1;
}

/* A second Grid_init after a bad shape finds the processes open already: MPI starts only once. */
static struct {
  bool open;
  int rank, local_size;
} started;

static GrB_Info open_processes(const void *comm, int *rank, int *local_size) {
  if (started.open) {
    *rank = started.rank;
    *local_size = started.local_size;
    return GrB_SUCCESS;
  }
  *rank = grid_here.local_rank = 0;
  *local_size = 1;
  grid_here.P = 1;
  grid_here.transport = &grid_transport_self;
  if (comm || grid_mpi_wanted()) {
    GrB_Info info = grid_mpi_open(comm, rank, &grid_here.P, &grid_here.local_rank, local_size);
    if (info != GrB_SUCCESS) return info;
    if (grid_here.P > 1) grid_here.transport = &grid_transport_mpi;
  }
  started.open = true;
  started.rank = *rank;
  started.local_size = *local_size;
  return GrB_SUCCESS;
}

GrB_Info Grid_init(int mode, const void *comm, int R, int C) {
  if (grid_here.ready)
    return grid_fail(NULL, GrB_INVALID_VALUE, "Grid_init: the library is initialised already");
  if (mode != GrB_BLOCKING && mode != GrB_NONBLOCKING)
    return grid_fail(NULL, GrB_INVALID_VALUE,
                     "Grid_init: mode %d is neither GrB_BLOCKING nor GrB_NONBLOCKING", mode);
  int rank, local_size;
  GrB_Info info = open_processes(comm, &rank, &local_size);
  if (info != GrB_SUCCESS) return info;
  grid_here.k = rank;
  if (R == 0 && C == 0 && (info = shape_from_environment(grid_here.P, &R, &C)) != GrB_SUCCESS) return info;
  if (R < 1 || C < 1 || (long long)R * C != grid_here.P) /* MPI stays up, for a call with another shape */
    return grid_fail(NULL, GrB_INVALID_VALUE, "Grid_init: a grid of %d x %d does not fit %d process%s", R, C,
                     grid_here.P, grid_here.P == 1 ? "" : "es");
  grid_here.R = R;
  grid_here.C = C;
  grid_here.i = rank % R;
  grid_here.j = rank / R;
  grid_here.blocking = mode == GrB_BLOCKING;
  grid_lap_process(grid_here.P > 1 ? rank : -1);
  grid_here.local_size = local_size;
  grid_here.threads = default_threads(local_size);
  omp_set_num_threads(grid_here.threads);
  if (grid_here.P > 1) info = grid_mpi_split(grid_here.i, grid_here.j, rank);
  if (info != GrB_SUCCESS) return info;
  grid_semiring_init();
  grid_backend_register(grid_backend_cuda);
  grid_here.ready = true;
  info = grid_device_from_environment();
  grid_here.ready = info == GrB_SUCCESS;
  return info;
}

GrB_Info GrB_init(GrB_Mode mode) {
  return Grid_init((int)mode, NULL, 0, 0);
}

GrB_Info GrB_finalize(void) {
  GrB_Info info = grid_check_ready("GrB_finalize");
  if (info != GrB_SUCCESS) return info;
  grid_here.ready = false;
  Grid_trace(NULL, NULL);
  grid_device_transport_close();
  grid_device_close();
  grid_semiring_finalize();
  grid_cache_drop();
  grid_mpi_close();
  started.open = false;
  return GrB_SUCCESS;
}

GrB_Info GrB_getVersion(unsigned int *version, unsigned int *subversion) {
  if (!version || !subversion)
    return grid_fail(NULL, GrB_NULL_POINTER, "GrB_getVersion: an argument is NULL");
  *version = GRB_VERSION;
  *subversion = GRB_SUBVERSION;
  return GrB_SUCCESS;
}

GrB_Info grid_check_alive(const char *call) {
  if (grid_here.ready) return GrB_SUCCESS;
  return grid_fail(NULL, GrB_PANIC, "%s: the library is not initialised (call GrB_init first)", call);
}

GrB_Info grid_check_local(const void *object, const char *call, const char *what) {
  GrB_Info info = grid_check_alive(call);
  return info == GrB_SUCCESS ? grid_check_object(object, NULL, call, what) : info;
}

GrB_Info grid_check_ready(const char *call) {
  GrB_Info info = grid_check_alive(call);
  return info == GrB_SUCCESS ? grid_ahead_materialize() : info;
}

/* ---- who am I ---- */

int Grid_rank(void) {
  return grid_here.k;
}
int Grid_size(void) {
  return grid_here.P;
}

void Grid_shape(int *R, int *C) {
  *R = grid_here.R;
  *C = grid_here.C;
}

int Grid_threads(int n) {
  if (n >= 1) {
    grid_here.threads = n;
    omp_set_num_threads(n);
  }
  return grid_here.threads;
}

const char *Grid_last_error(void) {
  return grid_last_error();
}
const char *Grid_info_name(int info) {
  return grid_info_name(info);
}

/* ---- agreement ---- */

/* Spreads the text of the failing process `from`, so that GrB_error says the same everywhere. */
static GrB_Info spread_failure(grid_head *head, int from, GrB_Info info) {
  char text[1024] = "";
  if (grid_here.k == from) snprintf(text, sizeof text, "%s", grid_last_error());
  GrB_Info sent = grid_here.transport->bcast(GRID_SET_ALL, text, sizeof text, from);
  if (sent != GrB_SUCCESS) return sent;
  return grid_fail(head, info, "%s", text);
}

/* A failing process is told apart by one number: the lowest rank that failed, and its code beside it. One
 * that only heard of a failure sorts below all that failed themselves. */
static uint64_t failure_word(GrB_Info info) {
  if (info == GrB_SUCCESS) return 0;
  if (info == GRID_ELSEWHERE) return 1;
  uint64_t before = (uint64_t)(grid_here.P - grid_here.k); /* larger for lower ranks: the maximum wins */
  return before << 16 | (uint64_t)(uint16_t)(int16_t)info;
}

static GrB_Info judge(grid_head *head, uint64_t word) {
  if (word == 0) return GrB_SUCCESS;
  if (word == 1) return grid_fail(head, GrB_PANIC, "a process failed and did not say so");
  int from = grid_here.P - (int)(word >> 16);
  return spread_failure(head, from, (GrB_Info)(int16_t)(uint16_t)(word & 0xffff));
}

/* One process agrees with itself; the object gets the text as it does from several. */
static GrB_Info agree_alone(grid_head *head, GrB_Info info) {
  return info == GrB_SUCCESS || !head ? info : grid_fail(head, info, "%s", grid_last_error());
}

GrB_Info grid_agree(grid_head *head, GrB_Info info) {
  if (grid_here.P == 1) return agree_alone(head, info);
  uint64_t word = failure_word(info);
  GrB_Info moved = grid_here.transport->allreduce(GRID_SET_ALL, &word, 1, GRID_MAX);
  return moved != GrB_SUCCESS ? moved : judge(head, word);
}

GrB_Info grid_agree_sum(grid_head *head, GrB_Info info, uint64_t *v, size_t n) {
  if (grid_here.P == 1) return agree_alone(head, info);
  /* One message: the counters are summed, and so is the number of failures; only a failure costs a second
   * one. */
  uint64_t packed[16];
  if (n > 15) return grid_fail(head, GrB_PANIC, "grid_agree_sum: %zu counters are more than 15", n);
  packed[0] = info != GrB_SUCCESS;
  memcpy(packed + 1, v, n * sizeof *v);
  GrB_Info moved = grid_here.transport->allreduce(GRID_SET_ALL, packed, n + 1, GRID_SUM);
  if (moved != GrB_SUCCESS) return moved;
  memcpy(v, packed + 1, n * sizeof *v);
  return packed[0] == 0 ? GrB_SUCCESS : grid_agree(head, info);
}

GrB_Info grid_agree_here(grid_head *head, GrB_Info info) {
  uint64_t absent = info == GRID_NOT_HERE;
  info = grid_agree_sum(head, absent ? GrB_SUCCESS : info, &absent, 1);
  return info == GrB_SUCCESS && absent ? GRID_NOT_HERE : info;
}

GrB_Info Grid_agree(int info, const char *text) {
  GrB_Info ready = grid_check_ready("Grid_agree");
  if (ready != GrB_SUCCESS) return ready;
  if (info != GrB_SUCCESS && text) grid_fail(NULL, (GrB_Info)info, "%s", text);
  return grid_agree(NULL, (GrB_Info)info);
}

static GrB_Info reduce_public(const char *call, uint64_t *v, size_t n, grid_reduction op) {
  GrB_Info info = grid_check_ready(call);
  if (info != GrB_SUCCESS) return info;
  if (!v && n) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument v is NULL", call);
  return grid_here.transport->allreduce(GRID_SET_ALL, v, n, op);
}

GrB_Info Grid_sum(uint64_t *v, size_t n) {
  return reduce_public("Grid_sum", v, n, GRID_SUM);
}
GrB_Info Grid_max(uint64_t *v, size_t n) {
  return reduce_public("Grid_max", v, n, GRID_MAX);
}

GrB_Info Grid_bcast(void *buf, size_t bytes, int root) {
  GrB_Info info = grid_check_ready("Grid_bcast");
  if (info != GrB_SUCCESS) return info;
  if (!buf && bytes) return grid_fail(NULL, GrB_NULL_POINTER, "Grid_bcast: argument buf is NULL");
  if (root < 0 || root >= grid_here.P)
    return grid_fail(NULL, GrB_INVALID_VALUE, "Grid_bcast: root %d is not one of %d processes", root,
                     grid_here.P);
  return grid_here.transport->bcast(GRID_SET_ALL, buf, bytes, root);
}

GrB_Info Grid_share(GrB_Index n, GrB_Index *first, GrB_Index *count) {
  GrB_Info info = grid_check_alive("Grid_share");
  if (info != GrB_SUCCESS) return info;
  if (!first || !count) return grid_fail(NULL, GrB_NULL_POINTER, "Grid_share: an argument is NULL");
  uint64_t from = grid_chunk_first(n, grid_here.k);
  *count = grid_chunk_length(n, grid_here.k);
  *first = from;
  return GrB_SUCCESS;
}

uint64_t Grid_memory(uint64_t *peak, bool reset) {
  if (peak) *peak = grid_mem_peak();
  if (reset) grid_mem_reset_peak();
  return grid_mem_bytes();
}

/* ---- exchanges ---- */

GrB_Info grid_exchange_alloc(grid_set set, const void *sendbuf, const size_t *sendbytes,
                             const size_t *sendoff, void **recvbuf, size_t *recvbytes, size_t *recvoff) {
  size_t size = (size_t)grid_set_size(set), total = 0, *every = grid_malloc(size * size, sizeof *every);
  *recvbuf = NULL;
  GrB_Info info = every ? GrB_SUCCESS : grid_fail_memory(NULL, "message sizes", size * size, sizeof *every);
  TRY(grid_agree(NULL, info));
  TRY(grid_here.transport->allgather(set, sendbytes, size * sizeof *every, every));
  for (size_t r = 0; r < size; r++) {
    recvbytes[r] = every[r * size + (size_t)grid_set_rank(set)];
    recvoff[r] = total;
    total += recvbytes[r];
  }
  *recvbuf = grid_malloc(total, 1);
  TRY(grid_agree(NULL, *recvbuf ? GrB_SUCCESS : grid_fail_memory(NULL, "received messages", total, 1)));
  TRY(grid_here.transport->exchange(set, sendbuf, sendbytes, sendoff, *recvbuf, recvbytes, recvoff));
done:
  grid_free(every);
  if (info != GrB_SUCCESS) {
    grid_free(*recvbuf);
    *recvbuf = NULL;
  }
  return info;
}

/* Both forms below: sizes and offsets are elements until here. */
static GrB_Info exchange_all(const void *send, size_t *bytes, size_t size, void **recv, uint64_t *n) {
  size_t P = (size_t)grid_here.P, *off = bytes + P, *in = off + P, *inoff = in + P;
  for (size_t r = 0; r < P; r++) {
    bytes[r] *= size;
    off[r] *= size;
  }
  GrB_Info info = grid_exchange_alloc(GRID_SET_ALL, send, bytes, off, recv, in, inoff);
  if (info == GrB_SUCCESS && n) *n = (inoff[P - 1] + in[P - 1]) / size;
  return info;
}

static GrB_Info alloc_sizes(size_t **w) {
  size_t P = (size_t)grid_here.P;
  *w = grid_calloc(4 * P, sizeof **w);
  return grid_agree(NULL, *w ? GrB_SUCCESS : grid_fail_memory(NULL, "message sizes", 4 * P, sizeof **w));
}

GrB_Info grid_exchange_elements(const void *send, const uint64_t *count, size_t size, void **recv,
                                uint64_t *n) {
  size_t P = (size_t)grid_here.P, *w, at = 0;
  GrB_Info info = alloc_sizes(&w);
  *recv = NULL;
  for (size_t r = 0; r < P && info == GrB_SUCCESS; r++) {
    w[r] = count[r];
    w[P + r] = at;
    at += count[r];
  }
  if (info == GrB_SUCCESS) info = exchange_all(send, w, size, recv, n);
  grid_free(w);
  return info;
}

GrB_Info grid_gather_elements(const void *mine, uint64_t count, size_t size, void **all) {
  size_t P = (size_t)grid_here.P, *w;
  GrB_Info info = alloc_sizes(&w);
  *all = NULL;
  for (size_t r = 0; r < P && info == GrB_SUCCESS; r++) w[r] = count; /* all pieces begin at offset 0 */
  if (info == GrB_SUCCESS) info = exchange_all(mine, w, size, all, NULL);
  grid_free(w);
  return info;
}
