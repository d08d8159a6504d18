/* Messages through shared memory; see shm_exchange.h. All processes own it together, as areas that are used
 * in turn, by all at the same time: an area is filled, all meet, it is read, and the next takes another one.
 * Who fills an area again has met those who have read it since. */
#include "dist/comm/transport/shm/shm_exchange.h"

#include <string.h>
#include <unistd.h>

#include "dist/comm/mpi/mpi_calls.h"
#include "dist/comm/transport/shm/shm_mailbox.h"
#include "dist/comm/transport/shm/shm_segment.h"
#include "semiring/support/context_section.h"

#define CACHE_LINE ((size_t)64)
#define SEGMENT    ((size_t)1 << 16) /* bytes that a thread copies at a time */
#define AREAS      ((size_t)4)
/* bytes of an area at first; larger ones replace it when a vector needs them */
#define FIRST ((size_t)8 << 20)
/* shared memory may be scarce: an area takes at most this part of the machine's */
#define PART_OF_MEMORY ((size_t)64)

static struct {
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
} default_shm_state GRID_OF_CONTEXT;
#define shm_state GRID_IN_CONTEXT(default_shm_state)

/* ---- open and close ---- */

static void divide_area(size_t bytes) {
  shm_state.share = (bytes + (size_t)shm_state.size - 1) / (size_t)shm_state.size;
  shm_state.share = (shm_state.share + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
  shm_state.slot = shm_state.share / (size_t)(shm_state.size - 1) / CACHE_LINE * CACHE_LINE;
}

bool grid_shm_exchange_open(const void *comm, int size, int local_size) {
  if (shm_state.state != UNTRIED || local_size != size) return shm_state.state == OPEN;
  shm_state.size = size;
  shm_state.turn = 0; /* an earlier grid may have left another value */
  MPI_Comm_rank(*(const MPI_Comm *)comm, &shm_state.rank);
  shm_state.refused = 0;
  divide_area(FIRST);
  const bool made = grid_mailbox_is_open(GRID_SET_ALL) && shm_state.slot > 0 &&
                    grid_shm_open(&shm_state.memory, comm, AREAS, shm_state.share);
  shm_state.state = made ? OPEN : REFUSED;
  return made;
}

/* Frees replaced areas that nobody reads any more; all: in any case. */
static void free_replaced(bool all) {
  for (size_t k = 0; k < AREAS; k++)
    if (shm_state.replaced[k].memory.at && (all || shm_state.rounds >= shm_state.replaced[k].until))
      grid_shm_close(&shm_state.replaced[k].memory);
}

size_t grid_shm_most_bytes(void) {
  const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
  size_t most = FIRST;
  while (pages > 0 && page > 0 && 2 * most <= (size_t)pages / PART_OF_MEMORY * (size_t)page) most *= 2;
  return most;
}

/* Replaces the areas by larger ones. The same answer everywhere. */
static bool grow(const void *comm, size_t bytes) {
  size_t area = FIRST, k = 0;
  grid_shm larger;
  while (area < bytes && area < grid_shm_most_bytes()) area *= 2;
  if (area < bytes || (shm_state.refused && area >= shm_state.refused)) return false;
  while (k < AREAS && shm_state.replaced[k].memory.at) k++;
  const size_t share = shm_state.share;
  divide_area(area);
  if (k < AREAS && grid_shm_open(&larger, comm, AREAS, shm_state.share)) {
    shm_state.replaced[k].memory = shm_state.memory;
    shm_state.replaced[k].until = shm_state.rounds + AREAS;
    shm_state.memory = larger;
    return true;
  }
  divide_area(share * (size_t)shm_state.size);
  shm_state.refused = area;
  return false;
}

void grid_shm_exchange_close(void) {
  free_replaced(true);
  if (shm_state.state == OPEN) grid_shm_close(&shm_state.memory);
  shm_state.state = UNTRIED;
}

/* ---- one area for all ---- */

uint64_t grid_shm_rounds(void) {
  return shm_state.rounds;
}

static char *next_area(void) {
  shm_state.rounds++;
  free_replaced(false);
  shm_state.turn = (shm_state.turn + 1) % AREAS;
  return shm_state.memory.at + shm_state.turn * (shm_state.share * (size_t)shm_state.size);
}

char *grid_shm_buffer(const void *comm, size_t bytes) {
  const bool fits = bytes <= shm_state.share * (size_t)shm_state.size || grow(comm, bytes);
  return fits ? next_area() : NULL;
}

void grid_shm_barrier(void) {
  grid_mailbox_exchange(GRID_SET_ALL, NULL, 0); /* orders the writes before it and the reads after it */
}

/* ---- segments, round by round ---- */

/* Address in an area of the slot for messages from `from` to `to`. */
static char *slot(char *area, int from, int to) {
  const size_t number = (size_t)(to < from ? to : to - 1);
  return area + (size_t)from * shm_state.share + number * shm_state.slot;
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
static void copy_round(char *buf, const size_t *bytes, const size_t *off, size_t at, char *area, bool in,
                       size_t longest) {
  const size_t segments = (shm_state.slot + SEGMENT - 1) / SEGMENT, all = (size_t)shm_state.size * segments;
  const uintptr_t context = grid_context_distance;
#pragma omp parallel for schedule(static) if (longest > SEGMENT)
  for (size_t k = 0; k < all; k++) {
    GRID_WORKER_SCOPE(context);
    const int r = (int)(k / segments), me = shm_state.rank;
    if (r != me)
      copy_segment(buf + off[r], bytes[r], at, in ? slot(area, me, r) : slot(area, r, me), shm_state.slot,
                   k % segments * SEGMENT, in);
  }
}

void grid_shm_exchange(const char *sendbuf, const size_t *sendbytes, const size_t *sendoff, char *recvbuf,
                       const size_t *recvbytes, const size_t *recvoff, size_t longest) {
  for (size_t at = 0; at < longest; at += shm_state.slot) {
    char *area = next_area();
    copy_round((char *)(uintptr_t)sendbuf, sendbytes, sendoff, at, area, true, longest);
    grid_shm_barrier();
    copy_round(recvbuf, recvbytes, recvoff, at, area, false, longest);
  }
}

void grid_shm_allgather(const char *mine, const size_t *bytes, const size_t *off, char *all) {
  const size_t segments = (shm_state.share + SEGMENT - 1) / SEGMENT, P = (size_t)shm_state.size;
  const size_t me = (size_t)shm_state.rank;
  const uintptr_t context = grid_context_distance;
  size_t longest = 0;
  for (size_t r = 0; r < P; r++)
    if (bytes[r] > longest) longest = bytes[r];
  for (size_t at = 0; at < longest; at += shm_state.share) {
    char *area = next_area();
#pragma omp parallel for schedule(static) if (longest > SEGMENT)
    for (size_t k = 0; k < segments; k++) {
      GRID_WORKER_SCOPE(context);
      copy_segment((char *)(uintptr_t)mine, bytes[me], at, area + me * shm_state.share, shm_state.share,
                   k * SEGMENT, true);
    }
    grid_shm_barrier();
#pragma omp parallel for schedule(static) if (longest > SEGMENT)
    for (size_t k = 0; k < P * segments; k++) {
      GRID_WORKER_SCOPE(context);
      const size_t r = k / segments;
      copy_segment(all + off[r], bytes[r], at, area + r * shm_state.share, shm_state.share,
                   k % segments * SEGMENT, false);
    }
  }
}
