/* See push_messages.h. */
#include "dist/product/exchange/push_messages.h"

#include <omp.h>
#include <string.h>

#include "dist/comm/transport/varint.h"
#include "dist/matrix/transfer/matrix_route.h"

enum { HEAD = 8 }; /* bytes of the head of a segment sent without counts: its size, for the alltoallv */

/* ---- axes and offsets ---- */

static const grid_compressed *target_vectors(const grid_push_messages *d) {
  const grid_local_matrix *b = &d->p->A->block;
  return d->from_rows ? &b->by_row : &b->by_col;
}
static const grid_axis *target_axis(const grid_push_messages *d, bool targets) {
  const grid_local_matrix *b = &d->p->A->block;
  return d->from_rows != targets ? &b->row : &b->col;
}

/* The first vertex of the block of process s of the set. */
static uint64_t first_vertex(const grid_push_messages *d, int s) {
  return grid_chunk_first(d->p->in.n, d->from_rows ? s : s * grid_ctx.R);
}

static grid_index_map vertex_map(const grid_push_messages *d) {
  grid_index_map x = d->from_rows ? grid_block_row_map(d->p->A) : grid_block_col_map(d->p->A);
  x.axis = target_axis(d, false);
  return x;
}

/* Local id of the first target of process s. */
static uint64_t target_offset(const grid_push_messages *d, int s) {
  return grid_block_offset(d->p->in.n, !d->from_rows, s);
}

grid_push_local grid_push_local_of(const grid_push_messages *d) {
  const grid_axis *axis = target_axis(d, true);
  const int me = grid_set_rank(grid_push_owner_set(d->from_rows));
  const uint64_t first = target_offset(d, me);
  return (grid_push_local){.vectors = target_vectors(d),
                           .targets = axis,
                           .vertices = vertex_map(d),
                           .low = grid_axis_bound(axis, first),
                           .high = grid_axis_bound(axis, target_offset(d, me + 1)),
                           .first = first};
}

/* ---- writing ---- */

typedef struct {
  const grid_push_messages *d;
  const grid_compressed *c;
  const grid_axis *axis;    /* of targets */
  grid_index_map index_map; /* of vertices */
  bool parents;             /* vertices' numbers are sent, */
  uint64_t first;           /* less this */
  int S, me;
  uint64_t *start; /* S + 1: local ids at which the targets of each process begin */
  int slices;      /* consecutive parts of the vertices, one for each thread */
  uint64_t *at;    /* slices x S: bytes of a slice for a process, then offsets of them in the send buffer */
} target_writer;

/* Writes x at to + *at, or (to NULL) counts its bytes. */
static inline void write_varint(uint64_t *at, uint8_t *to, uint64_t x) {
  uint8_t *next = to ? to + *at : NULL;
  if (to) grid_varint_write(&next, x);
  *at = to ? (uint64_t)(next - to) : *at + grid_varint_size(x);
}

static int find_owner(const target_writer *w, uint64_t u) {
  int low = 0, high = w->S - 1;
  while (low < high) {
    const int middle = (low + high + 1) / 2;
    if (w->start[middle] <= u)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

/* Writes or counts the targets of vector k: at[s] advances by the bytes for process s. */
static void write_vector(const target_writer *w, uint64_t k, uint64_t *at, uint8_t *to) {
  const uint64_t *left_out = w->d->left_out, local_begin = w->start[w->me], local_end = w->start[w->me + 1];
  uint64_t last = 0, end = 0; /* the end of the targets of process s */
  int s = -1;
  for (uint64_t e = grid_vector_start(w->c, k); e < grid_vector_start(w->c, k + 1); e++) {
    const uint64_t u = grid_axis_id(w->axis, w->c->idx[e]);
    if ((u >= local_begin && u < local_end) || (left_out && grid_bit(left_out, w->c->idx[e]))) continue;
    if (s < 0 || u >= end) {
      if (s >= 0) write_varint(&at[s], to, 0);
      s = find_owner(w, u);
      end = w->start[s + 1];
      if (w->parents) write_varint(&at[s], to, grid_index_map_at(&w->index_map, k) - w->first);
      write_varint(&at[s], to, u - w->start[s]);
    } else {
      write_varint(&at[s], to, u - last);
    }
    last = u;
  }
  if (s >= 0) write_varint(&at[s], to, 0);
}

static void write_slices(const target_writer *w, uint8_t *to) {
  const grid_push_messages *d = w->d;
#pragma omp parallel for schedule(static, 1) num_threads(w->slices) if (w->slices > 1)
  for (int s = 0; s < w->slices; s++)
    for (uint64_t k = d->n * (uint64_t)s / (uint64_t)w->slices;
         k < d->n * (uint64_t)(s + 1) / (uint64_t)w->slices; k++)
      write_vector(w, d->list ? d->list[k] : k, w->at + (uint64_t)s * (uint64_t)w->S, to);
}

/* Turns byte counts into offsets: process by process, slice by slice, each segment that is not empty behind
 * its head. Returns the total size. */
static uint64_t assign_offsets(const target_writer *w, size_t *size, size_t *off) {
  const uint64_t S = (uint64_t)w->S, counts = w->d->head, head = counts ? counts : HEAD;
  uint64_t sum = 0;
  for (uint64_t k = 0; k < S; k++) {
    uint64_t bytes = 0;
    for (uint64_t s = 0; s < (uint64_t)w->slices; s++) {
      const uint64_t message_bytes = w->at[s * S + k];
      w->at[s * S + k] = sum + head + bytes;
      bytes += message_bytes;
    }
    size[k] = bytes ? head + bytes : counts;
    off[k] = sum;
    sum += (size[k] + 7) / 8 * 8;
  }
  return sum;
}

static GrB_Info write_segments(target_writer *w) {
  grid_product *p = w->d->p;
  grid_comm_buffers *work = &p->A->cached.buffers;
  size_t *size = work->counts, *off = size + w->S;
  if (w->d->n && p->A->block.nvals) write_slices(w, NULL);
  GrB_Info info = grid_comm_buffers_reserve(work, assign_offsets(w, size, off));
  if (info != GrB_SUCCESS) return info;
  if (w->d->n && p->A->block.nvals) write_slices(w, (uint8_t *)work->send);
  for (int s = 0; s < w->S; s++) {
    const uint64_t bytes = size[s];
    if (bytes) memcpy(work->send + off[s], &bytes, sizeof bytes);
    p->stats.fold_bytes += bytes - w->d->head;
  }
  return GrB_SUCCESS;
}

GrB_Info grid_push_write(const grid_push_messages *d) {
  const grid_set set = grid_push_owner_set(d->from_rows);
  grid_product *p = d->p;
  target_writer w = {.d = d,
                     .c = target_vectors(d),
                     .axis = target_axis(d, true),
                     .index_map = vertex_map(d),
                     .parents = !p->values.structural,
                     .S = grid_set_size(set),
                     .me = grid_set_rank(set),
                     .slices = d->n > 1 << 8 ? omp_get_max_threads() : 1};
  const uint64_t S = (uint64_t)w.S;
  w.first = first_vertex(d, d->from_rows ? grid_ctx.i : grid_ctx.j);
  w.start = grid_malloc(S + 1, sizeof *w.start);
  w.at = grid_calloc((uint64_t)w.slices * S, sizeof *w.at);
  GrB_Info info =
      w.start && w.at ? GrB_SUCCESS : grid_fail_memory(NULL, "offsets of targets", S, sizeof *w.at);
  for (int s = 0; s <= w.S && info == GrB_SUCCESS; s++) w.start[s] = target_offset(d, s);
  if (info == GrB_SUCCESS) info = write_segments(&w);
  grid_free(w.start);
  grid_free(w.at);
  return info;
}

GrB_Info grid_push_messages_exchange(const grid_push_messages *d, GrB_Info info, grid_received *got) {
  if (d->prefetched) {
    *got = d->p->prefetched.got;
    return info == GrB_SUCCESS ? d->p->prefetched.info : info;
  }
  if (info == GrB_SUCCESS) info = grid_push_write(d);
  return grid_alltoall_packed(&d->p->A->cached.buffers, grid_push_owner_set(d->from_rows), info, got);
}

/* ---- reading ---- */

static bool next_segment(grid_push_reader *t) {
  const grid_set set = grid_push_owner_set(t->d->from_rows);
  for (; t->next < grid_set_size(set); t->next++) {
    const size_t bytes = t->got->bytes[t->next];
    if (t->next == grid_set_rank(set) || bytes == 0) continue;
    const size_t head = t->d->prefetched ? 0 : HEAD;
    t->at = (const uint8_t *)t->got->buf + t->got->off[t->next] + head;
    t->end = t->at + (bytes - head);
    t->low = first_vertex(t->d, t->next++);
    return true;
  }
  return false;
}

bool grid_push_reader_next(grid_push_reader *t) {
  while (true) {
    if (t->open) {
      const uint64_t more = grid_varint_get(&t->at);
      t->open = more != 0;
      t->r += more;
    } else if (t->at < t->end) {
      t->u = t->low + (t->d->p->values.structural ? 0 : grid_varint_get(&t->at));
      t->r = grid_varint_get(&t->at);
      t->open = true;
    } else if (!next_segment(t)) {
      return false;
    }
    if (t->open) return true;
  }
}
