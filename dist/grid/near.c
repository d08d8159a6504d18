/* Messages through shared memory; see near.h. All processes own it together, as areas that are used in turn,
 * by all at the same time: an area is filled, all meet, it is read, and the next takes another one. Who fills
 * an area again has met those who have read it since. */
#include "dist/grid/near.h"

#include <mpi.h>
#include <string.h>

#include "dist/grid/board.h"
#include "dist/grid/shm.h"

#define LINE  ((size_t)64)
#define PIECE ((size_t)1 << 16) /* what a thread copies at a time */
#define AREAS ((size_t)4)
/* Of an area: shared memory may be scarce. */
#define MOST ((size_t)GRID_NEAR_MOST)

size_t grid_near_from = (size_t)1 << 10;
uint64_t grid_near_turns;

static struct {
  enum { UNTRIED, OPEN, REFUSED } state;
  grid_shm memory; /* the areas, one behind the other */
  size_t turn;
  size_t slot, share; /* of an area: what one process sends another, what it shows all */
  int rank, size;
} near_by;

/* ---- life ---- */

bool grid_near_open(const void *comm, int size, int local_size) {
  if (near_by.state != UNTRIED || local_size != size) return near_by.state == OPEN;
  near_by.size = size;
  near_by.turn = 0; /* processes that come from other grids had other numbers of turns */
  MPI_Comm_rank(*(const MPI_Comm *)comm, &near_by.rank);
  near_by.share = MOST / (size_t)size / LINE * LINE;
  near_by.slot = near_by.share / (size_t)(size - 1) / LINE * LINE;
  const bool made = grid_board_is_open(GRID_SET_ALL) && near_by.slot > 0 &&
                    grid_shm_open(&near_by.memory, comm, AREAS, near_by.share);
  near_by.state = made ? OPEN : REFUSED;
  return made;
}

void grid_near_close(void) {
  if (near_by.state == OPEN) grid_shm_close(&near_by.memory);
  near_by.state = UNTRIED;
}

/* ---- one area for all ---- */

static char *next_area(void) {
  grid_near_turns++;
  near_by.turn = (near_by.turn + 1) % AREAS;
  return near_by.memory.at + near_by.turn * (near_by.share * (size_t)near_by.size);
}

char *grid_near_room(size_t bytes) {
  return bytes <= near_by.share * (size_t)near_by.size ? next_area() : NULL;
}

void grid_near_meet(void) {
  grid_board_meet(GRID_SET_ALL, NULL, 0); /* orders what was written before and is read behind it */
}

/* ---- pieces, round by round ---- */

/* Where what `from` sends to `to` stands in an area. */
static char *slot(char *area, int from, int to) {
  const size_t number = (size_t)(to < from ? to : to - 1);
  return area + (size_t)from * near_by.share + number * near_by.slot;
}

/* A piece in `buf` of `bytes` bytes, of which those from `at` on, `room` at most, are copied to or from
 * `there`. */
static void copy_piece(char *buf, size_t bytes, size_t at, char *there, size_t room, size_t from, bool in) {
  const size_t round = bytes <= at ? 0 : bytes - at < room ? bytes - at : room;
  if (from >= round) return;
  const size_t n = round - from < PIECE ? round - from : PIECE;
  if (in)
    memcpy(there + from, buf + at + from, n);
  else
    memcpy(buf + at + from, there + from, n);
}

/* What lies in the bytes of a round, [at, at + slot), of messages to or from all others: into the slots, or
 * out of them. All threads. */
static void copy_round(char *buf, const size_t *bytes, const size_t *off, size_t at, char *area, bool in,
                       size_t longest) {
  const size_t pieces = (near_by.slot + PIECE - 1) / PIECE, all = (size_t)near_by.size * pieces;
#pragma omp parallel for schedule(static) if (longest > PIECE)
  for (size_t k = 0; k < all; k++) {
    const int r = (int)(k / pieces), me = near_by.rank;
    if (r != me)
      copy_piece(buf + off[r], bytes[r], at, in ? slot(area, me, r) : slot(area, r, me), near_by.slot,
                 k % pieces * PIECE, in);
  }
}

void grid_near_exchange(const char *sendbuf, const size_t *sendbytes, const size_t *sendoff, char *recvbuf,
                        const size_t *recvbytes, const size_t *recvoff, size_t longest) {
  for (size_t at = 0; at < longest; at += near_by.slot) {
    char *area = next_area();
    copy_round((char *)(uintptr_t)sendbuf, sendbytes, sendoff, at, area, true, longest);
    grid_near_meet();
    copy_round(recvbuf, recvbytes, recvoff, at, area, false, longest);
  }
}

void grid_near_gather(const char *mine, const size_t *bytes, const size_t *off, char *all) {
  const size_t pieces = (near_by.share + PIECE - 1) / PIECE, P = (size_t)near_by.size;
  const size_t me = (size_t)near_by.rank;
  size_t longest = 0;
  for (size_t r = 0; r < P; r++)
    if (bytes[r] > longest) longest = bytes[r];
  for (size_t at = 0; at < longest; at += near_by.share) {
    char *area = next_area();
#pragma omp parallel for schedule(static) if (longest > PIECE)
    for (size_t k = 0; k < pieces; k++)
      copy_piece((char *)(uintptr_t)mine, bytes[me], at, area + me * near_by.share, near_by.share, k * PIECE,
                 true);
    grid_near_meet();
#pragma omp parallel for schedule(static) if (longest > PIECE)
    for (size_t k = 0; k < P * pieces; k++) {
      const size_t r = k / pieces;
      copy_piece(all + off[r], bytes[r], at, area + r * near_by.share, near_by.share, k % pieces * PIECE,
                 false);
    }
  }
}
