/* The device transport over windows: short pieces go as mail (spmat/window.h), a kernel of a few microseconds
 * where NCCL's takes some twenty; all others, reductions and what is sent aside are NCCL's. Which way a piece
 * goes hangs on its length and on its place in a group alone, so sender and receiver know it alike. */
#include <string.h>

#include "dist/grid/device_transport.h"
#include "dist/grid/grid.h"
#include "dist/grid/window.h"
#include "spmat/backend.h"

static struct {
  bool group;                /* between begin and end */
  bool any;                  /* ... in which there was a message between several */
  grid_set set;              /* of that */
  uint32_t turn[GRID_NSETS]; /* of the mail of each set */
  grid_mail mail;            /* not sent yet */
} post;

/* Two streams would take turns in no order: what goes aside is not mail. */
static bool has_windows(grid_set set) {
  return grid_set_size(set) > 1 && grid_window_all() && !grid_device_is_aside();
}

static bool is_short(size_t bytes) {
  return bytes <= GRID_MAIL_MOST && post.mail.pieces < GRID_MAIL_PIECES;
}

/* Process number of a set's rank. */
static int process_of(grid_set set, int rank) {
  if (grid_set_size(set) == grid_here.P) return rank;
  return set == GRID_SET_ROW ? rank * grid_here.R + grid_here.i : grid_here.j * grid_here.R + rank;
}

/* The others of a set, each beginning with the next. */
static int other_of(grid_set set, int d) {
  return (grid_set_rank(set) + 1 + d) % grid_set_size(set);
}

static GrB_Info post_mail(void) {
  const grid_set set = post.set;
  grid_mail *m = &post.mail;
  const int me = grid_set_rank(set);
  uint32_t *turn = &post.turn[grid_set_size(set) == grid_here.P ? GRID_SET_ALL : set];
  if (!post.any) return GrB_SUCCESS;
  if (++*turn == 0) *turn = 2; /* even again */
  const int half = (int)(*turn & 1);
  m->turn = *turn;
  m->peers = grid_set_size(set) - 1;
  for (int d = 0; d < m->peers; d++) {
    const int r = other_of(set, d), other = process_of(set, r);
    grid_mail_peer *p = &m->peer[d];
    p->box = grid_window_box(other, set, half, me), p->flag = grid_window_flags(other, set, half, me);
    p->own_box = grid_window_box(grid_here.k, set, half, r);
    p->own_flag = grid_window_flags(grid_here.k, set, half, r);
  }
  GrB_Info info = grid_cuda->windows->mail(m);
  memset(m, 0, sizeof *m);
  post.any = false;
  return info;
}

/* A call's short pieces are in the mail. */
static GrB_Info add_call(grid_set set) {
  post.any = true;
  post.set = set;
  post.mail.pieces++;
  return post.group ? GrB_SUCCESS : post_mail();
}

static void add_piece(int d, const void *from, size_t out, void *to, size_t in) {
  const int k = post.mail.pieces;
  post.mail.peer[d].piece[k].from = from, post.mail.peer[d].piece[k].out = (uint32_t)out;
  post.mail.peer[d].piece[k].to = to, post.mail.peer[d].piece[k].in = (uint32_t)in;
}

static GrB_Info windows_allgather(grid_set set, const void *send, size_t bytes, void *recv) {
  if (!has_windows(set) || !is_short(bytes)) return grid_nccl.at->allgather(set, send, bytes, recv);
  char *all = recv, *own = all + (size_t)grid_set_rank(set) * bytes;
  if (bytes == 0) return GrB_SUCCESS;
  GrB_Info info = own == send ? GrB_SUCCESS : grid_device_copy(own, send, bytes);
  if (info != GrB_SUCCESS) return info;
  for (int d = 0; d + 1 < grid_set_size(set); d++)
    add_piece(d, send, bytes, all + (size_t)other_of(set, d) * bytes, bytes);
  return add_call(set);
}

static GrB_Info windows_exchange(grid_set set, const void *sendbuf, const size_t *sendbytes,
                                 const size_t *sendoff, void *recvbuf, const size_t *recvbytes,
                                 const size_t *recvoff) {
  const grid_device_transport *nccl = grid_nccl.at;
  if (!has_windows(set) || post.mail.pieces == GRID_MAIL_PIECES)
    return nccl->exchange(set, sendbuf, sendbytes, sendoff, recvbuf, recvbytes, recvoff);
  size_t out[GRID_WINDOWS], in[GRID_WINDOWS], longs = 0; /* what is NCCL's, the own piece among it */
  const int S = grid_set_size(set), me = grid_set_rank(set);
  memcpy(out, sendbytes, (size_t)S * sizeof *out);
  memcpy(in, recvbytes, (size_t)S * sizeof *in);
  for (int d = 0; d + 1 < S; d++) {
    const int r = other_of(set, d);
    const size_t o = is_short(out[r]) ? out[r] : 0, i = is_short(in[r]) ? in[r] : 0;
    add_piece(d, (const char *)sendbuf + sendoff[r], o, (char *)recvbuf + recvoff[r], i);
    out[r] -= o, in[r] -= i;
    longs += out[r] + in[r];
  }
  GrB_Info info =
      longs ? nccl->exchange(set, sendbuf, out, sendoff, recvbuf, in, recvoff)
            : grid_device_copy((char *)recvbuf + recvoff[me], (const char *)sendbuf + sendoff[me], out[me]);
  return info == GrB_SUCCESS ? add_call(set) : info;
}

static GrB_Info windows_allreduce(grid_set set, uint64_t *v, size_t n, grid_reduction op) {
  return grid_nccl.at->allreduce(set, v, n, op);
}
static GrB_Info windows_bcast(grid_set set, void *buf, size_t bytes, int root) {
  return grid_nccl.at->bcast(set, buf, bytes, root);
}

static GrB_Info windows_begin(void) {
  GrB_Info info = grid_nccl.at->begin();
  post.group = info == GrB_SUCCESS;
  return info;
}
static GrB_Info windows_end(void) {
  GrB_Info info = grid_nccl.at->end();
  post.group = false;
  GrB_Info posted = post_mail();
  return info == GrB_SUCCESS ? posted : info;
}

const grid_device_transport grid_transport_windows = {
    "NCCL, and windows for short messages",
    windows_allgather,
    windows_exchange,
    windows_allreduce,
    windows_bcast,
    windows_begin,
    windows_end,
};
