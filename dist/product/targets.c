/* See targets.h. */
#include "dist/product/targets.h"

#include <omp.h>
#include <string.h>

#include "dist/grid/varint.h"
#include "dist/object/matrix/matrix_route.h"

enum { HEAD = 8 }; /* of a piece that goes alone, for the delivery */

/* ---- where things stand ---- */

static const grid_compressed *vectors(const grid_telling *d) {
  const grid_part *b = &d->p->A->block;
  return d->from_rows ? &b->by_row : &b->by_col;
}
static const grid_axis *axis_of(const grid_telling *d, bool targets) {
  const grid_part *b = &d->p->A->block;
  return d->from_rows != targets ? &b->row : &b->col;
}

/* The first vertex of the blocks of member s of the set. */
static uint64_t first_vertex(const grid_telling *d, int s) {
  return grid_chunk_first(d->p->nin, d->from_rows ? s : s * grid_here.R);
}

uint64_t grid_telling_vertex(const grid_telling *d, uint64_t k) {
  grid_places x = d->from_rows ? grid_block_row_places(d->p->A) : grid_block_col_places(d->p->A);
  x.axis = axis_of(d, false);
  return grid_place(&x, k);
}

/* Where the targets of member s begin. */
static uint64_t target_place(const grid_telling *d, int s) {
  return grid_block_place(d->p->nin, !d->from_rows, s);
}

uint64_t grid_own_target(const grid_telling *d, uint64_t e) {
  const int me = grid_set_rank(grid_targets_set(d->from_rows));
  return grid_axis_id(axis_of(d, true), vectors(d)->idx[e]) - target_place(d, me);
}

void grid_own_targets(const grid_telling *d, uint64_t k, uint64_t *from, uint64_t *to) {
  const grid_compressed *c = vectors(d);
  const grid_axis *axis = axis_of(d, true);
  const int me = grid_set_rank(grid_targets_set(d->from_rows));
  const uint64_t low = grid_axis_bound(axis, target_place(d, me)),
                 high = grid_axis_bound(axis, target_place(d, me + 1));
  *from = grid_first_entry(c->idx, grid_vector_start(c, k), grid_vector_start(c, k + 1), low);
  *to = *from;
  while (*to < grid_vector_start(c, k + 1) && c->idx[*to] < high) ++*to;
}

/* ---- writing ---- */

typedef struct {
  const grid_telling *d;
  const grid_compressed *c;
  const grid_axis *axis; /* of targets */
  grid_places places;    /* of vertices */
  bool parents;          /* is a vertex's number told? */
  uint64_t first;        /* less this */
  int S, me;
  uint64_t *start; /* where the targets of each of the set begin, and end */
  int slices;      /* of the vertices, one after the other */
  uint64_t *at;    /* slices x S: bytes of a slice for a process; then where they go */
} writing;

/* A number goes out, or, to NULL, is counted. */
static inline void tell(uint64_t *at, uint8_t *to, uint64_t x) {
  uint8_t *next = to ? to + *at : NULL;
  if (to) grid_varint_put(&next, x);
  *at = to ? (uint64_t)(next - to) : *at + grid_varint_size(x);
}

static int find_owner(const writing *w, uint64_t u) {
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

/* Vector k: at[s] moves on by what member s is told. */
static void tell_vector(const writing *w, uint64_t k, uint64_t *at, uint8_t *to) {
  const uint64_t *left_out = w->d->left_out, own = w->start[w->me], own_end = w->start[w->me + 1];
  uint64_t last = 0, end = 0; /* targets of member s end there */
  int s = -1;
  for (uint64_t e = grid_vector_start(w->c, k); e < grid_vector_start(w->c, k + 1); e++) {
    const uint64_t u = grid_axis_id(w->axis, w->c->idx[e]);
    if ((u >= own && u < own_end) || (left_out && grid_bit(left_out, u))) continue;
    if (s < 0 || u >= end) {
      if (s >= 0) tell(&at[s], to, 0);
      s = find_owner(w, u);
      end = w->start[s + 1];
      if (w->parents) tell(&at[s], to, grid_place(&w->places, k) - w->first);
      tell(&at[s], to, u - w->start[s]);
    } else {
      tell(&at[s], to, u - last);
    }
    last = u;
  }
  if (s >= 0) tell(&at[s], to, 0);
}

static void tell_slices(const writing *w, uint8_t *to) {
  const grid_telling *d = w->d;
#pragma omp parallel for schedule(static, 1) num_threads(w->slices) if (w->slices > 1)
  for (int s = 0; s < w->slices; s++)
    for (uint64_t k = d->n * (uint64_t)s / (uint64_t)w->slices;
         k < d->n * (uint64_t)(s + 1) / (uint64_t)w->slices; k++)
      tell_vector(w, d->list ? d->list[k] : k, w->at + (uint64_t)s * (uint64_t)w->S, to);
}

/* Bytes become places: process by process, slice by slice, behind a head where there is anything. */
static uint64_t place_slices(const writing *w, size_t *size, size_t *off) {
  const uint64_t S = (uint64_t)w->S, numbers = w->d->head, head = numbers ? numbers : HEAD;
  uint64_t sum = 0;
  for (uint64_t k = 0; k < S; k++) {
    uint64_t bytes = 0;
    for (uint64_t s = 0; s < (uint64_t)w->slices; s++) {
      const uint64_t mine = w->at[s * S + k];
      w->at[s * S + k] = sum + head + bytes;
      bytes += mine;
    }
    size[k] = bytes ? head + bytes : numbers;
    off[k] = sum;
    sum += (size[k] + 7) / 8 * 8;
  }
  return sum;
}

static GrB_Info write_pieces(writing *w) {
  grid_product *p = w->d->p;
  grid_workspace *work = &p->A->work;
  size_t *size = work->counts, *off = size + w->S;
  if (w->d->n && p->A->block.nvals) tell_slices(w, NULL);
  GrB_Info info = grid_workspace_room(work, place_slices(w, size, off));
  if (info != GrB_SUCCESS) return info;
  if (w->d->n && p->A->block.nvals) tell_slices(w, (uint8_t *)work->send);
  for (int s = 0; s < w->S; s++) {
    const uint64_t bytes = size[s];
    if (bytes) memcpy(work->send + off[s], &bytes, sizeof bytes);
    p->stats.fold_bytes += bytes - w->d->head;
  }
  return GrB_SUCCESS;
}

GrB_Info grid_targets_write(const grid_telling *d) {
  const grid_set set = grid_targets_set(d->from_rows);
  grid_product *p = d->p;
  writing w = {.d = d,
               .c = vectors(d),
               .axis = axis_of(d, true),
               .places = d->from_rows ? grid_block_row_places(p->A) : grid_block_col_places(p->A),
               .parents = !p->structural,
               .S = grid_set_size(set),
               .me = grid_set_rank(set),
               .slices = d->n > 1 << 8 ? omp_get_max_threads() : 1};
  const uint64_t S = (uint64_t)w.S;
  w.first = first_vertex(d, d->from_rows ? grid_here.i : grid_here.j);
  w.places.axis = axis_of(d, false);
  w.start = grid_malloc(S + 1, sizeof *w.start);
  w.at = grid_calloc((uint64_t)w.slices * S, sizeof *w.at);
  GrB_Info info =
      w.start && w.at ? GrB_SUCCESS : grid_fail_memory(NULL, "places of targets", S, sizeof *w.at);
  for (int s = 0; s <= w.S && info == GrB_SUCCESS; s++) w.start[s] = target_place(d, s);
  if (info == GrB_SUCCESS) info = write_pieces(&w);
  grid_free(w.start);
  grid_free(w.at);
  return info;
}

GrB_Info grid_targets_tell(const grid_telling *d, GrB_Info info, grid_received *got) {
  if (d->came) {
    *got = d->p->came.got;
    return info == GrB_SUCCESS ? d->p->came.info : info;
  }
  if (info == GrB_SUCCESS) info = grid_targets_write(d);
  return grid_send_written(&d->p->A->work, grid_targets_set(d->from_rows), info, got);
}

/* ---- reading ---- */

static bool next_piece(grid_targets *t) {
  const grid_set set = grid_targets_set(t->d->from_rows);
  for (; t->next < grid_set_size(set); t->next++) {
    const size_t bytes = t->got->bytes[t->next];
    if (t->next == grid_set_rank(set) || bytes == 0) continue;
    const size_t head = t->d->came ? 0 : HEAD;
    t->at = (const uint8_t *)t->got->buf + t->got->off[t->next] + head;
    t->end = t->at + (bytes - head);
    t->low = first_vertex(t->d, t->next++);
    return true;
  }
  return false;
}

bool grid_targets_next(grid_targets *t) {
  while (true) {
    if (t->open) {
      const uint64_t more = grid_varint_get(&t->at);
      t->open = more != 0;
      t->r += more;
    } else if (t->at < t->end) {
      t->u = t->low + (t->d->p->structural ? 0 : grid_varint_get(&t->at));
      t->r = grid_varint_get(&t->at);
      t->open = true;
    } else if (!next_piece(t)) {
      return false;
    }
    if (t->open) return true;
  }
}
