/* What messages cost: see network.h. */
#include "dist/grid/network.h"

#include "dist/grid/near.h"

#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "semiring/jit/cache.h"

static Grid_Network known;

void grid_network_forget(void) {
  known = (Grid_Network){.how = NULL};
}

static GrB_Info meet(uint64_t *v, size_t n) {
  return grid_here.transport->allreduce(GRID_SET_ALL, v, n, GRID_MAX);
}

/* ---- measuring ---- */

static int by_size(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}
/* A third takes no longer: what is measured is kept, and others' load on the machine should not be. */
static double quiet(double *t, size_t n) {
  qsort(t, n, sizeof *t, by_size);
  return t[n / 3];
}

/* Looks at entries of rows whose columns are drawn, in a bitmap that fits a cache next to the core. */
enum { LOOKED = 1 << 16, BITS = 1 << 20, ROUNDS = 8, LOOKS_A_ROUND = 24 };

static void draw_entries(uint32_t *idx, uint64_t *bits) {
  uint64_t x = 88172645463325252u;
  for (size_t k = 0; k < LOOKED; k++) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    idx[k] = (uint32_t)(x % BITS);
    if (x >> 60 == 0) bits[idx[k] >> 6] |= UINT64_C(1) << (idx[k] & 63);
  }
}

/* All processes at once: some may share a core, so that one begins when another has ended. *ns: from the
 * first one's beginning to the last one's end, in the quickest round. */
static GrB_Info look(const uint32_t *idx, const uint64_t *bits, uint64_t *ns) {
  uint64_t hits = 0;
  GrB_Info info = meet(&hits, 1);
  const double from = omp_get_wtime();
  for (int turn = 0; turn < LOOKS_A_ROUND; turn++)
    for (size_t k = 0; k < LOOKED; k++) hits += bits[idx[k] >> 6] >> (idx[k] & 63) & 1;
  hits += hits == 0; /* the loop must not go */
  if (info == GrB_SUCCESS) info = meet(&hits, 1);
  uint64_t took = (uint64_t)(1e9 * (omp_get_wtime() - from));
  if (info == GrB_SUCCESS) info = meet(&took, 1);
  if (took < *ns) *ns = took;
  return info;
}

static GrB_Info measure_rate(double *rate) {
  uint32_t *idx = grid_malloc(LOOKED, sizeof *idx);
  uint64_t *bits = grid_calloc(BITS / 64, sizeof *bits), least = UINT64_MAX;
  GrB_Info info = idx && bits ? GrB_SUCCESS : grid_fail_memory(NULL, "a measurement", LOOKED, sizeof *idx);
  TRY(grid_agree(NULL, info));
  draw_entries(idx, bits);
  for (int round = 0; round < ROUNDS; round++) TRY(look(idx, bits, &least));
  *rate = 1e9 * LOOKED * LOOKS_A_ROUND / (double)(least + 1) * grid_here.threads;
done:
  grid_free(idx);
  grid_free(bits);
  return info;
}

/* A delivery of so many bytes to everybody. */
enum { TURNS = 24 };

typedef struct {
  char *send;
  size_t *bytes, *off; /* 5 P: sent and received, sizes and places, and what the transport wants */
  grid_inbox in;
} letters;

static GrB_Info deliver(letters *l, size_t bytes) {
  const uint64_t length = bytes;
  if (bytes) memcpy(l->send, &length, sizeof length);
  for (int r = 0; r < grid_here.P; r++) l->bytes[r] = r == grid_here.k ? 0 : bytes;
  return grid_here.transport->deliver(GRID_SET_ALL, l->send, l->bytes, l->off, &l->in);
}

/* A delivery and an agreement, one after the other, as in a level. */
static GrB_Info measure_latency(letters *l, double *latency) {
  double t[TURNS] = {0};
  uint64_t v[12] = {0};
  GrB_Info info = meet(v, 1);
  for (int k = 0; k < TURNS && info == GrB_SUCCESS; k++) {
    const double from = omp_get_wtime();
    info = deliver(l, 0);
    if (info == GrB_SUCCESS)
      info = grid_here.transport->allreduce(GRID_SET_ALL, v, sizeof v / sizeof *v, GRID_SUM);
    t[k] = (omp_get_wtime() - from) / 2;
  }
  *latency = quiet(t, TURNS);
  return info;
}

/* What the slowest takes for `bytes` to each once all have met: without that, some begin early, and what went
 * before is still under way. The least: of many processes one is disturbed in most turns. */
static GrB_Info time_delivery(letters *l, size_t bytes, size_t turns, double *seconds) {
  uint64_t took = 0, least = UINT64_MAX;
  GrB_Info info = GrB_SUCCESS;
  for (size_t k = 0; k < turns && info == GrB_SUCCESS; k++) {
    info = meet(&took, 1);
    const double from = omp_get_wtime();
    if (info == GrB_SUCCESS) info = deliver(l, bytes);
    took = (uint64_t)(1e9 * (omp_get_wtime() - from));
    if (info == GrB_SUCCESS) info = meet(&took, 1);
    if (took < least) least = took;
    took = 0;
  }
  *seconds = 1e-9 * (double)least;
  return info;
}

/* From what a level of a small search has to what a product that sees every entry has. */
static const double LEAST = 4096, TIMES = 8; /* of a size the next */
static double size_of(int k) {
  return LEAST * pow(TIMES, k);
}
enum { MOST = 1 << 21, FEW_TURNS = 8 };
/* Where so many seconds were taken for a size, the next one is not tried: it takes as many times as long. */
static const double SLOW = 10e-3;

static GrB_Info measure_bandwidth(letters *l, Grid_Network *n) {
  const double others = grid_here.P - 1;
  double nothing, took, before = 0;
  GrB_Info info = time_delivery(l, 0, TURNS, &nothing);
  for (int k = 0; k < Grid_NETWORK_SIZES && info == GrB_SUCCESS; k++) {
    const size_t each = (size_t)(size_of(k) / others) / 8 * 8;
    took = nothing + before * TIMES;
    if (before < SLOW) info = time_delivery(l, each < 64 ? 64 : each, k < 2 ? TURNS : FEW_TURNS, &took);
    before = n->passes[k] = fmax(took - nothing, before + 1e-9);
  }
  n->bandwidth = size_of(Grid_NETWORK_SIZES - 1) / before;
  return info;
}

/* ---- by it ---- */

double grid_network_seconds(const Grid_Network *n, double bytes) {
  double size = 0, seconds = 0;
  if (n->passes[Grid_NETWORK_SIZES - 1] <= 0) return bytes / n->bandwidth;
  for (int k = 0; k < Grid_NETWORK_SIZES; k++) {
    if (bytes <= size_of(k)) return seconds + (n->passes[k] - seconds) * (bytes - size) / (size_of(k) - size);
    size = size_of(k), seconds = n->passes[k];
  }
  return bytes / n->bandwidth;
}

double grid_network_bytes(const Grid_Network *n, double seconds) {
  double size = 0, before = 0;
  if (n->passes[Grid_NETWORK_SIZES - 1] <= 0) return seconds * n->bandwidth;
  for (int k = 0; k < Grid_NETWORK_SIZES; k++) {
    if (seconds <= n->passes[k])
      return size + (size_of(k) - size) * (seconds - before) / (n->passes[k] - before);
    size = size_of(k), before = n->passes[k];
  }
  return seconds * n->bandwidth;
}

enum { SETTLE = 20000 }; /* microseconds */

static GrB_Info measure_messages(Grid_Network *n) {
  const size_t P = (size_t)grid_here.P;
  double again;
  letters l = {.send = grid_calloc(MOST, 1), .bytes = grid_calloc(5 * P, sizeof *l.bytes)};
  l.in.room = MOST + 64 * (uint64_t)P; /* all that ever comes: no delivery fails on one process alone */
  l.in.buf = grid_malloc(l.in.room, 1);
  GrB_Info info =
      l.send && l.bytes && l.in.buf ? GrB_SUCCESS : grid_fail_memory(NULL, "a measurement", MOST, 1);
  TRY(grid_agree(NULL, info));
  l.off = l.bytes + P;
  l.in.bytes = l.off + P, l.in.off = l.in.bytes + P, l.in.left = l.in.off + P;
  usleep(SETTLE); /* what went before has left the links */
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

/* The slowest process's numbers are everybody's; in billionths. (What deliveries took is by now.) */
static GrB_Info take_slowest(Grid_Network *n) {
  uint64_t v[2] = {(uint64_t)(1e9 * n->latency), (uint64_t)(1e18 / n->rate)};
  GrB_Info info = meet(v, 2);
  for (int k = 0; k < 2; k++) v[k] += v[k] == 0;
  n->latency = 1e-9 * (double)v[0], n->rate = 1e18 / (double)v[1];
  return info;
}

/* One process has nobody to wait for. */
static const double ALONE = 1e12;

static GrB_Info measure_all(Grid_Network *n, bool messages) {
  GrB_Info info = GrB_SUCCESS;
  TRY(measure_rate(&n->rate));
  if (grid_here.P == 1) {
    if (messages) n->latency = 0, n->bandwidth = ALONE;
    return info;
  }
  if (messages) TRY(measure_messages(n));
  TRY(take_slowest(n));
done:
  return info;
}

/* ---- what was told, or measured before ---- */

static bool read_cost(const char *text, Grid_Network *n) {
  char *comma;
  n->latency = strtod(text, &comma);
  if (comma == text || *comma != ',') return false;
  n->bandwidth = strtod(comma + 1, NULL);
  return n->latency >= 0 && n->bandwidth > 0;
}

GrB_Info grid_network_is_told(bool *told) {
  Grid_Network n;
  const char *text = grid_here.k == 0 ? getenv("GRIDBLAS_NETWORK") : NULL;
  *told = text && read_cost(text, &n);
  return grid_here.transport->bcast(GRID_SET_ALL, told, sizeof *told, 0);
}

/* What all processes have from process 0. */
typedef struct {
  Grid_Network cost;
  bool told, kept;
} start;

enum { NAME = 64 };

/* Which hosts, and how many processes and threads on each: a text; NULL: no memory. */
static char *name_hosts(const char *names) {
  const size_t room = 64 + (size_t)grid_here.P * (NAME + 1);
  char *key = grid_malloc(room, 1);
  size_t at = key ? (size_t)snprintf(key, room, "network 2, %d threads", grid_here.threads) : 0;
  for (int r = 0; r < grid_here.P && key; r++)
    at += (size_t)snprintf(key + at, room - at, "\n%.*s", NAME, names + (size_t)r * NAME);
  return key;
}

enum { KEPT = 3 + Grid_NETWORK_SIZES };

static void get_kept(const char *key, start *s) {
  size_t bytes = 0;
  double *kept = grid_jit_cache_get(key, &bytes);
  bool fine = kept && bytes == KEPT * sizeof *kept;
  for (int k = 0; fine && k < KEPT; k++) fine = kept[k] > (k > 3 ? kept[k - 1] : 0); /* times ascend */
  if (fine) {
    s->cost = (Grid_Network){.latency = kept[0], .bandwidth = kept[1], .rate = kept[2]}, s->kept = true;
    memcpy(s->cost.passes, kept + 3, sizeof s->cost.passes);
  }
  grid_free(kept);
}

static void keep(const char *key, const Grid_Network *n) {
  double x[KEPT] = {n->latency, n->bandwidth, n->rate};
  memcpy(x + 3, n->passes, sizeof n->passes);
  grid_jit_cache_put(key, x, sizeof x);
}

GrB_Info grid_network_cost(Grid_Network *n) {
  char *names = NULL, *key = NULL, mine[NAME] = "";
  const char *text = grid_here.k == 0 ? getenv("GRIDBLAS_NETWORK") : NULL;
  start s = {.told = false};
  GrB_Info info = GrB_SUCCESS;
  *n = known;
  if (known.how) return info;
  gethostname(mine, sizeof mine - 1);
  names = grid_malloc((uint64_t)grid_here.P * NAME, 1);
  TRY(grid_agree(NULL, names ? GrB_SUCCESS : grid_fail_memory(NULL, "names of hosts", NAME, 1)));
  TRY(grid_here.transport->allgather(GRID_SET_ALL, mine, NAME, names));
  if (grid_here.k == 0) key = name_hosts(names);
  s.told = text && read_cost(text, &s.cost);
  if (key && !s.told && !(text && strcmp(text, "measure") == 0)) get_kept(key, &s);
  TRY(grid_here.transport->bcast(GRID_SET_ALL, &s, sizeof s, 0));
  *n = s.cost;
  if (!s.kept) TRY(measure_all(n, !s.told));
  if (!s.kept && !s.told && key) keep(key, n);
  n->how = s.told ? "told" : s.kept ? "read" : "measured";
  n->shared = s.told || grid_here.local_size < grid_here.P ? 0 : GRID_NEAR_MOST;
  known = *n;
done:
  grid_free(names);
  grid_free(key);
  return info;
}

GrB_Info Grid_network(Grid_Network *n, bool measure) {
  static const char call[] = "Grid_network";
  GrB_Info info = measure ? grid_check_ready(call) : grid_check_alive(call);
  if (info != GrB_SUCCESS) return info;
  if (!n) return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument n is NULL", call);
  *n = known;
  return measure ? grid_network_cost(n) : info;
}
