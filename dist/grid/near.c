/* Messages through shared memory; see near.h. Each process owns two halves of a window with a slot for every
 * other process. In a round all fill slots of one half, meet, and empty those meant for them; the next round
 * takes the other half, so that one meeting a round is enough: who fills a half again has met those who
 * emptied it. */
#include "dist/grid/near.h"

#include <mpi.h>
#include <string.h>

#include "dist/grid/board.h"

#define LINE  ((size_t)64)
#define PIECE ((size_t)1 << 16) /* what a thread copies at a time */
/* Of all windows together, and of one: shared memory may be scarce. */
#define MOST_ALL ((size_t)16 << 20)
#define MOST     ((size_t)4 << 20)
#define LEAST    ((size_t)64 << 10)

size_t grid_near_from = (size_t)4 << 10;

static struct {
  enum { UNTRIED, OPEN, REFUSED } state;
  MPI_Comm comm;
  MPI_Win window;
  char *windows;      /* of all processes, one behind the other */
  size_t bytes, slot; /* of a window, of a slot */
  int rank, size;
} near_by;

/* ---- life ---- */

/* Collective; false on the processes where it did not succeed. */
static bool make_windows(void) {
  void *mine, *first;
  MPI_Aint bytes = (MPI_Aint)near_by.bytes;
  int unit;
  if (MPI_Win_allocate_shared(bytes, 1, MPI_INFO_NULL, near_by.comm, &mine, &near_by.window) != MPI_SUCCESS)
    return false;
  if (MPI_Win_shared_query(near_by.window, 0, &bytes, &unit, &first) != MPI_SUCCESS) return false;
  near_by.windows = first;
  return MPI_Win_lock_all(MPI_MODE_NOCHECK, near_by.window) == MPI_SUCCESS;
}

bool grid_near_open(const void *comm, int size, int local_size) {
  if (near_by.state != UNTRIED || local_size != size) return near_by.state == OPEN;
  const size_t share = MOST_ALL / (size_t)size;
  near_by.bytes = (share > MOST ? MOST : share < LEAST ? LEAST : share) / LINE * LINE;
  near_by.comm = *(const MPI_Comm *)comm;
  near_by.size = size;
  MPI_Comm_rank(near_by.comm, &near_by.rank);
  near_by.slot = near_by.bytes / 2 / (size_t)(size - 1) / LINE * LINE;
  int made = grid_board_is_open(GRID_SET_ALL) && near_by.slot > 0 && make_windows(), all = 0;
  if (MPI_Allreduce(&made, &all, 1, MPI_INT, MPI_MIN, near_by.comm) != MPI_SUCCESS) all = 0;
  near_by.state = all ? OPEN : REFUSED; /* windows that only some have cannot be given back */
  return all;
}

void grid_near_close(void) {
  if (near_by.state == OPEN) {
    MPI_Win_unlock_all(near_by.window);
    MPI_Win_free(&near_by.window);
  }
  near_by.state = UNTRIED;
}

/* ---- an exchange ---- */

/* Where what `from` sends to `to` stands. */
static char *slot(int from, int to, size_t half) {
  const size_t number = (size_t)(to < from ? to : to - 1), slots = (size_t)near_by.size - 1;
  return near_by.windows + (size_t)from * near_by.bytes + (half * slots + number) * near_by.slot;
}

/* What lies in the bytes of a round, [at, at + slot), of messages to or from all others: into the slots, or
 * out of them. All threads. */
static void copy_round(char *buf, const size_t *bytes, const size_t *off, size_t at, size_t half, bool in,
                       size_t longest) {
  const size_t pieces = (near_by.slot + PIECE - 1) / PIECE, all = (size_t)near_by.size * pieces;
#pragma omp parallel for schedule(static) if (longest > PIECE)
  for (size_t k = 0; k < all; k++) {
    const int r = (int)(k / pieces);
    const size_t from = k % pieces * PIECE, round = r == near_by.rank || bytes[r] <= at ? 0
                                                    : bytes[r] - at < near_by.slot      ? bytes[r] - at
                                                                                        : near_by.slot;
    if (from >= round) continue;
    const size_t n = round - from < PIECE ? round - from : PIECE;
    char *mine = buf + off[r] + at + from;
    if (in)
      memcpy(slot(near_by.rank, r, half) + from, mine, n);
    else
      memcpy(mine, slot(r, near_by.rank, half) + from, n);
  }
}

/* All have filled their slots, and see those of the others. */
static void meet(void) {
  MPI_Win_sync(near_by.window);
  grid_board_meet(GRID_SET_ALL, NULL, 0);
  MPI_Win_sync(near_by.window);
}

void grid_near_exchange(const char *sendbuf, const size_t *sendbytes, const size_t *sendoff, char *recvbuf,
                        const size_t *recvbytes, const size_t *recvoff, size_t longest) {
  size_t half = 0;
  for (size_t at = 0; at < longest; at += near_by.slot, half = 1 - half) {
    copy_round((char *)(uintptr_t)sendbuf, sendbytes, sendoff, at, half, true, longest);
    meet();
    copy_round(recvbuf, recvbytes, recvoff, at, half, false, longest);
  }
}
