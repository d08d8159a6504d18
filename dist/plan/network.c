/* What messages cost: see network.h. Measured are the time of a call (an alltoallv of nothing and a sum) and
 * that of alltoallv calls of four sizes, between which times are straight lines. A process also measures the
 * rate at which it looks up entries in a bitmap. The result is stored in the cache folder, by hosts,
 * processes and threads. */
#include "dist/plan/network.h"

#include "dist/comm/transport/shm/shm_exchange.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "semiring/jit/kernel_cache.h"
#include "semiring/support/c_locale.h"
#include "semiring/threads/context_section.h"

static Grid_Network default_measured GRID_OF_CONTEXT;
#define measured GRID_IN_CONTEXT(default_measured)

void grid_network_reset(void) {
  measured = (Grid_Network){.how = NULL};
}

static GrB_Info allreduce_max(uint64_t *v, size_t n) {
  return grid_ctx.transport->allreduce(GRID_SET_ALL, v, n, GRID_MAX);
}

/* ---- measuring ---- */

static int compare_sizes(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}
/* A third of the measurements are below: other load on the machine makes measurements longer. */
static double lower_tercile(double *t, size_t n) {
  qsort(t, n, sizeof *t, compare_sizes);
  return t[n / 3];
}

/* Probes of random columns in a bitmap that fits the second-level cache. */
enum { PROBED = 1 << 16, BITS = 1 << 20, ROUNDS = 8, PROBES_PER_ROUND = 24 };

static void draw_entries(uint32_t *idx, uint64_t *bits) {
  uint64_t x = 88172645463325252u;
  for (size_t k = 0; k < PROBED; k++) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    idx[k] = (uint32_t)(x % BITS);
    if (x >> 60 == 0) bits[idx[k] >> 6] |= UINT64_C(1) << (idx[k] & 63);
  }
}

/* All processes measure at once, since processes may share a core. *ns: from the first start to the last end,
 * in the fastest round. */
static GrB_Info time_probes(const uint32_t *idx, const uint64_t *bits, uint64_t *ns) {
  uint64_t hits = 0;
  GrB_Info info = allreduce_max(&hits, 1);
  const double from = omp_get_wtime();
  for (int turn = 0; turn < PROBES_PER_ROUND; turn++)
    for (size_t k = 0; k < PROBED; k++) hits += bits[idx[k] >> 6] >> (idx[k] & 63) & 1;
  hits += hits == 0; /* the loop must not go */
  if (info == GrB_SUCCESS) info = allreduce_max(&hits, 1);
  uint64_t took = (uint64_t)(1e9 * (omp_get_wtime() - from));
  if (info == GrB_SUCCESS) info = allreduce_max(&took, 1);
  if (took < *ns) *ns = took;
  return info;
}

static GrB_Info measure_rate(double *rate) {
  uint32_t *idx = grid_malloc(PROBED, sizeof *idx);
  uint64_t *bits = grid_calloc(BITS / 64, sizeof *bits), least = UINT64_MAX;
  GrB_Info info = idx && bits ? GrB_SUCCESS : grid_fail_memory(NULL, "a measurement", PROBED, sizeof *idx);
  TRY(grid_agree(NULL, info));
  draw_entries(idx, bits);
  for (int round = 0; round < ROUNDS; round++) TRY(time_probes(idx, bits, &least));
  *rate = 1e9 * PROBED * PROBES_PER_ROUND / (double)(least + 1) * grid_ctx.threads;
done:
  grid_free(idx);
  grid_free(bits);
  return info;
}

/* An alltoallv with the same number of bytes for all processes. */
enum { TURNS = 24 };

typedef struct {
  char *send;
  size_t *bytes, *off; /* 5 P: sizes and offsets to send and to receive, and workspace of the transport */
  grid_recv_buffer in;
} test_messages;

static GrB_Info alltoallv_nocounts(test_messages *l, size_t bytes) {
  const uint64_t length = bytes;
  if (bytes) memcpy(l->send, &length, sizeof length);
  for (int r = 0; r < grid_ctx.P; r++) l->bytes[r] = r == grid_ctx.k ? 0 : bytes;
  return grid_ctx.transport->alltoallv_nocounts(GRID_SET_ALL, l->send, l->bytes, l->off, &l->in);
}

/* An alltoallv and an agreement, one after the other, as in a level. */
static GrB_Info measure_latency(test_messages *l, double *latency) {
  double t[TURNS] = {0};
  uint64_t v[12] = {0};
  GrB_Info info = allreduce_max(v, 1);
  for (int k = 0; k < TURNS && info == GrB_SUCCESS; k++) {
    const double from = omp_get_wtime();
    info = alltoallv_nocounts(l, 0);
    if (info == GrB_SUCCESS)
      info = grid_ctx.transport->allreduce(GRID_SET_ALL, v, sizeof v / sizeof *v, GRID_SUM);
    t[k] = (omp_get_wtime() - from) / 2;
  }
  *latency = lower_tercile(t, TURNS);
  return info;
}

/* The time of the slowest process for `bytes` to each, after a barrier; without it processes would start
 * early, while earlier messages are in flight. The minimum of all turns, since of many processes one is
 * disturbed in most turns. */
static GrB_Info time_alltoallv(test_messages *l, size_t bytes, size_t turns, double *seconds) {
  uint64_t took = 0, least = UINT64_MAX;
  GrB_Info info = GrB_SUCCESS;
  for (size_t k = 0; k < turns && info == GrB_SUCCESS; k++) {
    info = allreduce_max(&took, 1);
    const double from = omp_get_wtime();
    if (info == GrB_SUCCESS) info = alltoallv_nocounts(l, bytes);
    took = (uint64_t)(1e9 * (omp_get_wtime() - from));
    if (info == GrB_SUCCESS) info = allreduce_max(&took, 1);
    if (took < least) least = took;
    took = 0;
  }
  *seconds = 1e-9 * (double)least;
  return info;
}

/* From what a level of a small search has to what a product that sees every entry has. */
static const double MIN_MESSAGE = 4096, TIMES = 8; /* of a size the next */
static double message_size(int k) {
  return MIN_MESSAGE * pow(TIMES, k);
}
enum { MOST = 1 << 21, SLOW_TURNS = 8 };
/* Where so many seconds were taken for a size, the next one is not tried: it takes as many times as long. */
static const double SLOW_SECONDS = 10e-3;

static GrB_Info measure_bandwidth(test_messages *l, Grid_Network *n) {
  const double others = grid_ctx.P - 1;
  double nothing, took, before = 0;
  GrB_Info info = time_alltoallv(l, 0, TURNS, &nothing);
  for (int k = 0; k < Grid_NETWORK_SIZES && info == GrB_SUCCESS; k++) {
    const size_t segment = (size_t)(message_size(k) / others) / 8 * 8;
    took = nothing + before * TIMES;
    if (before < SLOW_SECONDS)
      info = time_alltoallv(l, segment < 64 ? 64 : segment, k < 2 ? TURNS : SLOW_TURNS, &took);
    before = n->passes[k] = fmax(took - nothing, before + 1e-9);
  }
  n->bandwidth = message_size(Grid_NETWORK_SIZES - 1) / before;
  return info;
}

/* ---- by it ---- */

double grid_network_seconds(const Grid_Network *n, double bytes) {
  double size = 0, seconds = 0;
  if (n->passes[Grid_NETWORK_SIZES - 1] <= 0) return bytes / n->bandwidth;
  for (int k = 0; k < Grid_NETWORK_SIZES; k++) {
    if (bytes <= message_size(k))
      return seconds + (n->passes[k] - seconds) * (bytes - size) / (message_size(k) - size);
    size = message_size(k), seconds = n->passes[k];
  }
  return bytes / n->bandwidth;
}

double grid_network_bytes(const Grid_Network *n, double seconds) {
  double size = 0, before = 0;
  if (n->passes[Grid_NETWORK_SIZES - 1] <= 0) return seconds * n->bandwidth;
  for (int k = 0; k < Grid_NETWORK_SIZES; k++) {
    if (seconds <= n->passes[k])
      return size + (message_size(k) - size) * (seconds - before) / (n->passes[k] - before);
    size = message_size(k), before = n->passes[k];
  }
  return seconds * n->bandwidth;
}

enum { LINK_IDLE_TIME = 20000 }; /* microseconds */

static GrB_Info measure_messages(Grid_Network *n) {
  const size_t P = (size_t)grid_ctx.P;
  double again;
  test_messages l = {.send = grid_calloc(MOST, 1), .bytes = grid_calloc(5 * P, sizeof *l.bytes)};
  l.in.capacity = MOST + 64 * (uint64_t)P; /* all that ever comes: no alltoallv fails on one process alone */
  l.in.buf = grid_malloc(l.in.capacity, 1);
  GrB_Info info =
      l.send && l.bytes && l.in.buf ? GrB_SUCCESS : grid_fail_memory(NULL, "a measurement", MOST, 1);
  TRY(grid_agree(NULL, info));
  l.off = l.bytes + P;
  l.in.bytes = l.off + P, l.in.off = l.in.bytes + P, l.in.left = l.in.off + P;
  usleep(LINK_IDLE_TIME); /* what went before has left the links */
  TRY(measure_latency(&l, &n->latency));
  TRY(measure_bandwidth(&l, n));
  TRY(measure_latency(&l, &again)); /* a link may have had a burst to get over */
  n->latency = fmin(n->latency, again);
done:
  grid_free(l.send);
  grid_free(l.bytes);
  grid_free(l.in.buf);
  return grid_agree(NULL, info);
}

/* The slowest process's numbers are everybody's; in billionths. (What alltoallv calls took is by now.) */
static GrB_Info max_over_processes(Grid_Network *n) {
  uint64_t v[2] = {(uint64_t)(1e9 * n->latency), (uint64_t)(1e18 / n->rate)};
  GrB_Info info = allreduce_max(v, 2);
  for (int k = 0; k < 2; k++) v[k] += v[k] == 0;
  n->latency = 1e-9 * (double)v[0], n->rate = 1e18 / (double)v[1];
  return info;
}

/* One process has nobody to wait for. */
static const double NO_NETWORK_RATE = 1e12;

static GrB_Info measure_all(Grid_Network *n, bool messages) {
  GrB_Info info = GrB_SUCCESS;
  TRY(measure_rate(&n->rate));
  if (grid_ctx.P == 1) {
    if (messages) n->latency = 0, n->bandwidth = NO_NETWORK_RATE;
    return info;
  }
  if (messages) TRY(measure_messages(n));
  TRY(max_over_processes(n));
done:
  return info;
}

/* ---- costs that the program set, or an earlier measurement ---- */

static bool read_cost(const char *text, Grid_Network *n) {
  char *comma;
  n->latency = grid_strtod(text, &comma);
  if (comma == text || *comma != ',') return false;
  char *end;
  n->bandwidth = grid_strtod(comma + 1, &end);
  return *end == '\0' && n->latency >= 0 && n->bandwidth > 0;
}

GrB_Info grid_network_check(const char *text) {
  Grid_Network n;
  if (!text || !*text || strcmp(text, "measure") == 0 || read_cost(text, &n)) return GrB_SUCCESS;
  return grid_fail(
      NULL, GrB_INVALID_VALUE,
      "Grid_init: GRIDBLAS_NETWORK is \"%.60s\", neither SECONDS,BYTES such as 2e-5,1e9 nor measure", text);
}

GrB_Info grid_network_is_configured(bool *configured) {
  Grid_Network n;
  const char *text = grid_ctx.k == 0 ? getenv("GRIDBLAS_NETWORK") : NULL;
  *configured = text && read_cost(text, &n);
  return grid_ctx.transport->bcast(GRID_SET_ALL, configured, sizeof *configured, 0);
}

/* What all processes have from process 0. */
typedef struct {
  Grid_Network cost;
  bool configured, cached;
} start;

enum { NAME = 64 };

/* Which hosts, and how many processes and threads on each: a text; NULL: no memory. */
static char *name_hosts(const char *names) {
  const size_t capacity = 64 + (size_t)grid_ctx.P * (NAME + 1);
  char *key = grid_malloc(capacity, 1);
  size_t at = key ? (size_t)snprintf(key, capacity, "network 2, %d threads", grid_ctx.threads) : 0;
  for (int r = 0; r < grid_ctx.P && key; r++)
    at += (size_t)snprintf(key + at, capacity - at, "\n%.*s", NAME, names + (size_t)r * NAME);
  return key;
}

enum { CACHED = 3 + Grid_NETWORK_SIZES };

static void get_cached(const char *key, start *s) {
  size_t bytes = 0;
  double *cached = grid_jit_cache_load(key, &bytes);
  bool fine = cached && bytes == CACHED * sizeof *cached;
  for (int k = 0; fine && k < CACHED; k++) fine = cached[k] > (k > 3 ? cached[k - 1] : 0); /* times ascend */
  if (fine) {
    s->cost = (Grid_Network){.latency = cached[0], .bandwidth = cached[1], .rate = cached[2]},
    s->cached = true;
    memcpy(s->cost.passes, cached + 3, sizeof s->cost.passes);
  }
  grid_free(cached);
}

static void cache_links(const char *key, const Grid_Network *n) {
  double x[CACHED] = {n->latency, n->bandwidth, n->rate};
  memcpy(x + 3, n->passes, sizeof n->passes);
  grid_jit_cache_store(key, x, sizeof x);
}

GrB_Info grid_network_cost(Grid_Network *n) {
  char *names = NULL, *key = NULL, host_name[NAME] = "";
  const char *text = grid_ctx.k == 0 ? getenv("GRIDBLAS_NETWORK") : NULL;
  start s = {.configured = false};
  GrB_Info info = GrB_SUCCESS;
  *n = measured;
  if (measured.how) return info;
  gethostname(host_name, sizeof host_name - 1);
  names = grid_malloc((uint64_t)grid_ctx.P * NAME, 1);
  TRY(grid_agree(NULL, names ? GrB_SUCCESS : grid_fail_memory(NULL, "names of hosts", NAME, 1)));
  TRY(grid_ctx.transport->allgather(GRID_SET_ALL, host_name, NAME, names));
  if (grid_ctx.k == 0) key = name_hosts(names);
  s.configured = text && read_cost(text, &s.cost);
  if (key && !s.configured && !(text && strcmp(text, "measure") == 0)) get_cached(key, &s);
  TRY(grid_ctx.transport->bcast(GRID_SET_ALL, &s, sizeof s, 0));
  *n = s.cost;
  if (!s.cached) TRY(measure_all(n, !s.configured));
  if (!s.cached && !s.configured && key) cache_links(key, n);
  n->how = s.configured ? "configured" : s.cached ? "read" : "measured";
  n->shared = s.configured || grid_ctx.local_size < grid_ctx.P ? 0 : (int64_t)grid_shm_most_bytes();
  measured = *n;
done:
  grid_free(names);
  grid_free(key);
  return info;
}

GrB_Info Grid_network(Grid_Network *n, bool measure) {
  static const char call[] = "Grid_network";
  GrB_Info info = measure ? grid_check_initialized(call) : grid_check_alive(call);
  if (info != GrB_SUCCESS) return info;
  if (!n) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument n is NULL", call);
  *n = measured;
  return measure ? grid_network_cost(n) : info;
}
