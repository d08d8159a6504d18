/* Opening windows: every process makes its own, tells its name, and opens the others'. */
#include "dist/grid/window.h"

#include <stdlib.h>
#include <string.h>

#include "dist/grid/board.h"
#include "dist/grid/grid.h"
#include "spmat/backend.h"
#include "spmat/device/device.h"

static struct {
  uint64_t bytes;                              /* 0: there are none */
  uint64_t tray;                               /* bytes of a tray, also of the next windows */
  bool no_trays;                               /* there was no memory for larger ones, */
  uint32_t asked;                              /* ... and they have been asked for so often since */
  void *at[GRID_WINDOWS], *rest[GRID_WINDOWS]; /* rest: behind what meetings have */
  uint32_t turn[GRID_NSETS];                   /* of each set's last meeting */
} window;

/* ---- meetings: notes, then boxes, then trays -------------------------------------------------------------
 */

enum { NOTES = 2 * GRID_NSETS * GRID_WINDOWS };

/* A set of all processes is ALL. */
static grid_set set_of(grid_set set) {
  return grid_set_size(set) == grid_here.P ? GRID_SET_ALL : set;
}

/* Boxes of the sets before this one. */
static uint64_t boxes_before(grid_set set) {
  uint64_t boxes = 0;
  for (int s = 0; s < (int)set; s++) {
    const int S = grid_set_size((grid_set)s);
    if (S > 1 && set_of((grid_set)s) == (grid_set)s) boxes += 2 * (uint64_t)S;
  }
  return boxes;
}

static uint64_t trays_from(void) {
  return NOTES * sizeof(uint64_t) + boxes_before(GRID_NSETS) * GRID_BOX;
}

/* In front of what a search has of a window. */
static uint64_t meeting_bytes(void) {
  return trays_from() + (uint64_t)(grid_here.P - 1) * window.tray;
}

/* Process number of a set's rank. */
static int process_of(grid_set set, int rank) {
  if (grid_set_size(set) == grid_here.P) return rank;
  return set == GRID_SET_ROW ? rank * grid_here.R + grid_here.i : grid_here.j * grid_here.R + rank;
}

bool grid_window_meeting(grid_meeting *m, grid_set set, uint32_t turns) {
  const int S = grid_set_size(set);
  uint32_t *last = &window.turn[set_of(set)];
  if (!window.bytes || S == 1) return false;
  if (*last > UINT32_MAX - turns) *last &= 1; /* still even and odd by turns; 0 is nobody's */
  *m = (grid_meeting){.turn = *last + 1, .size = (uint32_t)S, .me = (uint32_t)grid_set_rank(set)};
  *last += turns;
  m->trays = trays_from(), m->tray = window.tray;
  for (int r = 0; r < S; r++) m->window[r] = window.at[process_of(set, r)];
  for (int half = 0; half < 2; half++) {
    m->notes[half] = ((uint64_t)set_of(set) * 2 + (uint64_t)half) * GRID_WINDOWS * sizeof(uint64_t);
    m->boxes[half] =
        NOTES * sizeof(uint64_t) + (boxes_before(set_of(set)) + (uint64_t)half * (uint64_t)S) * GRID_BOX;
  }
  return true;
}

/* ---- opening ------------------------------------------------------------------------------------------- */

/* No window goes before the others have closed it, and nobody closes one that its GPU may be looking into. */
static GrB_Info close_all(void) {
  (void)grid_device_wait();
  for (int p = 0; p < grid_here.P && window.bytes; p++)
    if (p != grid_here.k && window.at[p]) grid_cuda->windows->close(window.at[p]);
  GrB_Info info = grid_agree(NULL, GrB_SUCCESS);
  if (window.at[grid_here.k]) grid_cuda->windows->free(window.at[grid_here.k]);
  window.bytes = 0; /* turns go on: no note of an earlier one is in the next windows */
  memset(window.at, 0, sizeof window.at);
  return info;
}

static GrB_Info open_others(const grid_window_name *name) {
  GrB_Info info = GrB_SUCCESS;
  for (int p = 0; p < grid_here.P && info == GrB_SUCCESS; p++)
    if (p != grid_here.k) info = grid_cuda->windows->open(&window.at[p], &name[p]);
  return info;
}

/* There are none; where that fails, there are none again. */
static GrB_Info make_all(uint64_t bytes) {
  grid_window_name mine, name[GRID_WINDOWS];
  GrB_Info info = GrB_SUCCESS;
  if (grid_here.k == 0) grid_board_raise(false);
  info = grid_cuda->windows->make(&window.at[grid_here.k], meeting_bytes() + bytes, &mine);
  window.bytes = bytes;
  info = grid_agree_here(NULL, info == GrB_OUT_OF_MEMORY ? GRID_NOT_HERE : info);
  TRY(info);
  TRY(grid_here.transport->allgather(GRID_SET_ALL, &mine, sizeof mine, name));
  TRY(grid_agree_here(NULL, open_others(name)));
  for (int p = 0; p < grid_here.P; p++) window.rest[p] = (char *)window.at[p] + meeting_bytes();
done:
  if (info != GrB_SUCCESS) (void)close_all();
  return info;
}

static void without_trays(uint64_t tray) {
  window.tray = tray, window.no_trays = true, window.asked = 0;
}

GrB_Info grid_window_grow(uint64_t bytes) {
  GrB_Info info = GrB_SUCCESS;
  if (bytes <= window.bytes) return info;
  if (window.bytes) TRY(close_all());
  info = make_all(bytes);
  if (info == GRID_NOT_HERE && window.tray) { /* rather no trays than no windows */
    without_trays(0);
    info = make_all(bytes);
  }
done:
  return info;
}

GrB_Info grid_window_trays(uint64_t bytes, bool *there) {
  enum { AGAIN = 256 }; /* memory may have come free; asking costs a message */
  const uint64_t rest = window.bytes, before = window.tray;
  GrB_Info info = GrB_SUCCESS;
  *there = rest && bytes <= before;
  if (*there || !rest || bytes > GRID_TRAY_MOST) return info;
  if (window.no_trays && ++window.asked % AGAIN) return info;
  /* they stay, unless memory is wanted: vectors and blocks want most of what is left, on every process */
  uint64_t no = (uint64_t)(grid_here.P - 1) * bytes > grid_device_left() / 4;
  TRY(grid_here.transport->allreduce(GRID_SET_ALL, &no, 1, GRID_MAX));
  window.no_trays = no > 0;
  if (no) return info;
  TRY(close_all());
  window.tray = bytes;
  info = make_all(rest);
  *there = info == GrB_SUCCESS;
  if (info != GRID_NOT_HERE) return info;
  without_trays(before);
  info = make_all(rest);
done:
  return info == GRID_NOT_HERE ? GrB_SUCCESS : info;
}

GrB_Info grid_window_give_back(void) {
  const uint64_t rest = window.bytes;
  GrB_Info info = GrB_SUCCESS;
  if (!rest || !window.tray) return info;
  TRY(close_all());
  without_trays(0);
  info = make_all(rest);
done:
  return info == GRID_NOT_HERE ? GrB_SUCCESS : info;
}

GrB_Info grid_window_open(void) {
  const char *asked = getenv("GRIDBLAS_PEER");
  uint64_t no = (asked && strcmp(asked, "off") == 0) || grid_here.local_size != grid_here.P;
  if (grid_here.P > GRID_WINDOWS) return GrB_SUCCESS;
  GrB_Info info = grid_here.transport->allreduce(GRID_SET_ALL, &no, 1, GRID_MAX);
  if (info == GrB_SUCCESS && !no) info = grid_window_grow(GRID_WINDOW_LEAST);
  return info == GRID_NOT_HERE ? GrB_SUCCESS : info;
}

GrB_Info grid_window_met(grid_head *head, GrB_Info info) {
  info = grid_agree(head, info);
  if (info == GrB_SUCCESS) return info;
  if (window.bytes) grid_cuda->windows->stop();
  grid_window_close();
  return info;
}

/* A GPU that has failed will not answer, and its process cannot reach another's: the hosts tell each other.
 */
GrB_Info grid_window_watch(void) {
  if (!window.bytes || !grid_board_is_raised()) return GrB_SUCCESS;
  grid_cuda->windows->stop();
  return grid_fail(NULL, GrB_PANIC,
                   "the GPU of another process has failed, and what it was to send will not come");
}

void grid_window_lost(void) {
  if (window.bytes) grid_board_raise(true);
}

void *const *grid_window_all(void) {
  return window.bytes ? window.rest : NULL;
}

GrB_Info grid_window_wake(void) {
  return window.bytes ? grid_cuda->windows->wake(window.at, grid_here.P) : GrB_SUCCESS;
}

void grid_window_close(void) {
  if (window.bytes) (void)close_all();
}
