/* Messages through shared memory; see shm_exchange.h. The processes of a set own it together, as areas that
 * are used in turn, by all at the same time. An area is filled, all meet, it is read, and the next takes
 * another one. Who fills an area again has met those who have read it since. */
#include "dist/comm/transport/shm/shm_exchange.h"

#include <string.h>
#include <unistd.h>

#include "dist/comm/mpi/mpi_calls.h"
#include "dist/comm/transport/shm/shm_mailbox.h"
#include "dist/comm/transport/shm/shm_segment.h"
#include "semiring/threads/context_section.h"

#define CACHE_LINE ((size_t)64)
#define SEGMENT    ((size_t)1 << 16) /* bytes that a thread copies at a time */
#define AREAS      ((size_t)4)
/* bytes of an area at first, of all processes and of a row or column; larger ones replace it when a vector
 * needs them. A container may have 64 MB of shared memory in all. */
#define FIRST         ((size_t)8 << 20)
#define FIRST_OF_PART ((size_t)1 << 20)
/* shared memory may be scarce: an area takes at most this part of the machine's */
#define PART_OF_MEMORY ((size_t)64)

typedef struct {
  enum { UNTRIED, OPEN, REFUSED } state;
  grid_shm memory; /* the areas, contiguous */
  struct {         /* smaller areas, which may still be read until `rounds` is this; one a round at most */
    grid_shm memory;
    uint64_t until;
  } replaced[AREAS];
  size_t refused;  /* areas of so many bytes could not be made; 0: none were refused */
  uint64_t rounds; /* areas taken since the program started */
  size_t turn;
  size_t slot, share; /* bytes of an area: per pair of processes, per process */
  int rank, size;
} shm_exchange;

static shm_exchange default_exchanges[GRID_NSETS] GRID_OF_CONTEXT;

static shm_exchange *exchange_of(grid_set set) {
  return &GRID_IN_CONTEXT(default_exchanges)[set];
}

/* ---- open and close ---- */

static void divide_area(shm_exchange *x, size_t bytes) {
  x->share = (bytes + (size_t)x->size - 1) / (size_t)x->size;
  x->share = (x->share + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
  x->slot = x->share / (size_t)(x->size - 1) / CACHE_LINE * CACHE_LINE;
}

static bool make_areas(shm_exchange *x, grid_set set, const void *comm) {
  MPI_Comm_size(*(const MPI_Comm *)comm, &x->size);
  MPI_Comm_rank(*(const MPI_Comm *)comm, &x->rank);
  x->turn = 0; /* an earlier grid may have left another value */
  x->refused = 0;
  divide_area(x, set == GRID_SET_ALL ? FIRST : FIRST_OF_PART);
  return x->slot > 0 && grid_shm_open(&x->memory, comm, AREAS, x->share);
}

bool grid_shm_exchange_open(grid_set set, const void *comm) {
  shm_exchange *x = exchange_of(set);
  if (x->state == UNTRIED) x->state = grid_mailbox_is_open(set) && make_areas(x, set, comm) ? OPEN : REFUSED;
  return x->state == OPEN;
}

/* Frees replaced areas that nobody reads any more; all: in any case. */
static void free_replaced(shm_exchange *x, bool all) {
  for (size_t k = 0; k < AREAS; k++)
    if (x->replaced[k].memory.at && (all || x->rounds >= x->replaced[k].until))
      grid_shm_close(&x->replaced[k].memory);
}

size_t grid_shm_most_bytes(void) {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  size_t most = FIRST;
  while (pages > 0 && page > 0 && 2 * most <= (size_t)pages / PART_OF_MEMORY * (size_t)page) most *= 2;
  return most;
}

/* Replaces the areas by larger ones. The same answer on all processes of the set. */
static bool grow(shm_exchange *x, const void *comm, size_t bytes) {
  size_t area = FIRST_OF_PART, k = 0;
  grid_shm larger;
  while (area < bytes && area < grid_shm_most_bytes()) area *= 2;
  if (area < bytes || (x->refused && area >= x->refused)) return false;
  while (k < AREAS && x->replaced[k].memory.at) k++;
  const size_t share = x->share;
  divide_area(x, area);
  if (k < AREAS && grid_shm_open(&larger, comm, AREAS, x->share)) {
    x->replaced[k].memory = x->memory;
    x->replaced[k].until = x->rounds + AREAS;
    x->memory = larger;
    return true;
  }
  divide_area(x, share * (size_t)x->size);
  x->refused = area;
  return false;
}

void grid_shm_exchange_close(void) {
  for (int set = 0; set < GRID_NSETS; set++) {
    shm_exchange *x = exchange_of((grid_set)set);
    free_replaced(x, true);
    if (x->state == OPEN) grid_shm_close(&x->memory);
    x->state = UNTRIED;
  }
}

/* ---- one area for all ---- */

uint64_t grid_shm_rounds(grid_set set) {
  return exchange_of(set)->rounds;
}

static char *next_area(shm_exchange *x) {
  x->rounds++;
  free_replaced(x, false);
  x->turn = (x->turn + 1) % AREAS;
  return x->memory.at + x->turn * (x->share * (size_t)x->size);
}

char *grid_shm_buffer(grid_set set, const void *comm, size_t bytes) {
  shm_exchange *x = exchange_of(set);
  const bool fits = bytes <= x->share * (size_t)x->size || grow(x, comm, bytes);
  return fits ? next_area(x) : NULL;
}

void grid_shm_barrier(grid_set set) {
  grid_mailbox_exchange(set, NULL, 0); /* orders the writes before it and the reads after it */
}

/* ---- segments, round by round ---- */

/* Address in an area of the slot for messages from `from` to `to`. */
static char *slot(const shm_exchange *x, char *area, int from, int to) {
  const size_t number = (size_t)(to < from ? to : to - 1);
  return area + (size_t)from * x->share + number * x->slot;
}

/* Copies between buf[at ..), of `bytes` bytes in all, and slot_at, which holds `capacity` bytes: the
 * segment at offset `from` of this round. in: into the slot. */
static void copy_segment(char *buf, size_t bytes, size_t at, char *slot_at, size_t capacity, size_t from,
                         bool in) {
  const size_t round = bytes <= at ? 0 : bytes - at < capacity ? bytes - at : capacity;
  if (from >= round) return;
  const size_t n = round - from < SEGMENT ? round - from : SEGMENT;
  if (in)
    memcpy(slot_at + from, buf + at + from, n);
  else
    memcpy(buf + at + from, slot_at + from, n);
}

/* Copies one round, bytes [at, at + slot) of each message to or from another process, into the slots (in)
 * or out of them. All threads. */
static void copy_round(const shm_exchange *x, char *buf, const size_t *bytes, const size_t *off, size_t at,
                       char *area, bool in, size_t longest) {
  const size_t segments = (x->slot + SEGMENT - 1) / SEGMENT, all = (size_t)x->size * segments;
  const uintptr_t context = grid_context_distance;
#pragma omp parallel for schedule(static) if (longest > SEGMENT)
  for (size_t k = 0; k < all; k++) {
    GRID_WORKER_SCOPE(context);
    const int r = (int)(k / segments), me = x->rank;
    if (r != me)
      copy_segment(buf + off[r], bytes[r], at, in ? slot(x, area, me, r) : slot(x, area, r, me), x->slot,
                   k % segments * SEGMENT, in);
  }
}

void grid_shm_exchange(grid_set set, const char *sendbuf, const size_t *sendbytes, const size_t *sendoff,
                       char *recvbuf, const size_t *recvbytes, const size_t *recvoff, size_t longest) {
  shm_exchange *x = exchange_of(set);
  for (size_t at = 0; at < longest; at += x->slot) {
    char *area = next_area(x);
    copy_round(x, (char *)(uintptr_t)sendbuf, sendbytes, sendoff, at, area, true, longest);
    grid_shm_barrier(set);
    copy_round(x, recvbuf, recvbytes, recvoff, at, area, false, longest);
  }
}

void grid_shm_allgather(grid_set set, const char *local, const size_t *bytes, const size_t *off, char *all) {
  shm_exchange *x = exchange_of(set);
  const size_t segments = (x->share + SEGMENT - 1) / SEGMENT, P = (size_t)x->size;
  const size_t me = (size_t)x->rank;
  const uintptr_t context = grid_context_distance;
  size_t longest = 0;
  for (size_t r = 0; r < P; r++)
    if (bytes[r] > longest) longest = bytes[r];
  for (size_t at = 0; at < longest; at += x->share) {
    char *area = next_area(x);
#pragma omp parallel for schedule(static) if (longest > SEGMENT)
    for (size_t k = 0; k < segments; k++) {
      GRID_WORKER_SCOPE(context);
      copy_segment((char *)(uintptr_t)local, bytes[me], at, area + me * x->share, x->share, k * SEGMENT,
                   true);
    }
    grid_shm_barrier(set);
#pragma omp parallel for schedule(static) if (longest > SEGMENT)
    for (size_t k = 0; k < P * segments; k++) {
      GRID_WORKER_SCOPE(context);
      const size_t r = k / segments;
      copy_segment(all + off[r], bytes[r], at, area + r * x->share, x->share, k % segments * SEGMENT, false);
    }
  }
}
