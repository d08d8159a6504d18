/* The exchanges of a product, made for many small rounds: buffers are kept with the matrix and grow seldom. A
 * round costs one call in a set of few processes, in which a process that has failed sends nothing; in a set
 * of many one for sizes and one for contents, and a failure makes all of the set fail (GRID_ELSEWHERE on
 * those who did not fail themselves). The grid learns of it at the product's next agreement. */
#ifndef GRID_SHARE_H
#define GRID_SHARE_H
#include "dist/grid/grid.h"
#include "dist/grid/message.h"

/* More processes than this tell sizes first, in messages that pass from one to the next: most of so many have
 * nothing for most others. */
enum { GRID_MOST_DIRECT = 64 };

typedef struct {
  char *send, *recv;
  uint64_t send_room, recv_room;
  uint64_t *table; /* sizes and rooms of all processes of a set */
  size_t *counts;  /* bytes and offsets, sent and received; one more for a delivery */
  char *dense;     /* values of other processes' outputs (dist/product/open_rows.c), */
  uint64_t dense_room;
  char *heads; /* of pieces that carry numbers: the own one, then those of all */
} grid_workspace;

/* Makes the tables; once for a matrix, agreed on by the grid. */
GrB_Info grid_workspace_make(grid_workspace *w);
void grid_workspace_free(grid_workspace *w);

/* Room for so many bytes at w->send; what was there is lost. */
GrB_Info grid_workspace_room(grid_workspace *w, uint64_t bytes);

/* What arrived: message s is buf + off[s], of bytes[s] bytes. Lives until the next exchange with this
 * workspace. */
typedef struct {
  const char *buf;
  const size_t *bytes, *off;
} grid_received;
static inline grid_message grid_received_message(const grid_received *g, size_t s) {
  return grid_message_read(g->buf + g->off[s], g->bytes[s]);
}

/* Every process of the set gives one message and gets all. *sent += bytes that went to others. info: the
 * outcome so far on this process, which takes part in any case. */
GrB_Info grid_share(grid_workspace *w, grid_set set, GrB_Info info, const grid_entries_out *e,
                    grid_received *got, uint64_t *sent);
/* Every process gives message piece[s] to process s; otherwise the same. */
GrB_Info grid_send_pieces(grid_workspace *w, grid_set set, GrB_Info info, const grid_entries_out *piece,
                          grid_received *got, uint64_t *sent);
/* The same of pieces that stand at w->send: of process r w->counts[r] bytes, its length first (8 bytes), from
 * w->counts[S + r] on, S being the set's size; an empty one has no bytes. Nothing is sent, nor comes, where
 * info is a failure. */
GrB_Info grid_send_written(grid_workspace *w, grid_set set, GrB_Info info, grid_received *got);

/* ---- numbers and contents in one call ---- */

/* Can all processes, who are this set, do so? */
bool grid_tells(grid_set set);
/* Bytes that stand before the contents of a piece which takes n numbers along. */
enum { GRID_TOLD_NUMBERS = 16 };
static inline size_t grid_told_head(size_t n) {
  return (2 + n) * sizeof(uint64_t);
}
/* grid_agree_sum of n numbers, and with it a piece for each, whose contents have been written behind such a
 * head: of process r at w->send + w->counts[S + r], of w->counts[r] bytes with the head, which is filled in
 * here. written: false: this process has no contents. What comes has no heads any more. *lost: this process
 * has no memory for it, and got nothing, which is for the next agreement to say; it has the sums all the
 * same. *sent += bytes of heads that went to others. Collective, agreed on. */
GrB_Info grid_tell(grid_workspace *w, grid_head *head, GrB_Info info, uint64_t *v, size_t n, bool written,
                   grid_received *got, GrB_Info *lost, uint64_t *sent);
#endif
