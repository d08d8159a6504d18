/* Targets. A vertex that pushes tells a process, of all that it has there, first its own number, then the
 * targets by their distances, then 0: a byte or two a target where it has many. */
#include "dist/delegates/steps.h"

#include <omp.h>
#include <string.h>

#include "dist/grid/varint.h"
#include "spmat/sort/radix.h"

enum { HEAD = 8 }; /* of a piece, for the delivery */

/* ---- writing ---- */

typedef struct {
  const grid_compressed *c;
  const uint64_t *is;         /* the delegates, if they are left out */
  uint64_t n_cols, low, q, P; /* of all columns the own: q from low on */
  bool parents;               /* is a vertex's number told? */
  const uint32_t *row;        /* the vertices, n */
  uint64_t n;
  int slices;   /* of them, one after the other */
  uint64_t *at; /* slices x P: bytes of a slice for a process; then where they go */
} pushing;

/* Columns of one process, as a row's entries pass them. */
typedef struct {
  int k;
  uint64_t low, q;
} owner;

static void find_owner(const pushing *d, uint64_t u, owner *o) {
  uint64_t own;
  o->k = grid_owner(d->n_cols, u, &own);
  o->low = u - own;
  o->q = grid_chunk_room(d->n_cols, o->k);
}

/* A number goes out, or, to NULL, is counted. */
static inline void tell(uint64_t *at, uint8_t *to, uint64_t x) {
  uint8_t *next = to ? to + *at : NULL;
  if (to) grid_varint_put(&next, x);
  *at = to ? (uint64_t)(next - to) : *at + grid_varint_size(x);
}

/* Row r: at[k] moves on by what process k is told. Returns how many entries that are. */
static uint64_t tell_row(const pushing *d, uint64_t r, uint64_t *at, uint8_t *to) {
  owner o = {.k = -1};
  uint64_t last = 0, n = 0;
  for (uint64_t e = grid_vector_start(d->c, r); e < grid_vector_start(d->c, r + 1); e++) {
    const uint64_t u = d->c->idx[e];
    if (u - d->low < d->q || (d->is && grid_bit(d->is, u))) continue;
    if (o.k < 0 || u - o.low >= o.q) {
      if (o.k >= 0) tell(&at[o.k], to, 0);
      find_owner(d, u, &o);
      if (d->parents) tell(&at[o.k], to, r);
      tell(&at[o.k], to, u - o.low);
    } else {
      tell(&at[o.k], to, u - last);
    }
    last = u;
    n++;
  }
  if (o.k >= 0) tell(&at[o.k], to, 0);
  return n;
}

static void tell_slices(const pushing *d, uint8_t *to) {
#pragma omp parallel for schedule(static, 1) num_threads(d->slices) if (d->slices > 1)
  for (int s = 0; s < d->slices; s++)
    for (uint64_t k = d->n * (uint64_t)s / (uint64_t)d->slices;
         k < d->n * (uint64_t)(s + 1) / (uint64_t)d->slices; k++)
      tell_row(d, d->row[k], d->at + (uint64_t)s * d->P, to);
}

/* Bytes become places: process by process, slice by slice, behind a head where there is anything. */
static uint64_t place_slices(pushing *d, size_t *size, size_t *off) {
  uint64_t sum = 0;
  for (uint64_t k = 0; k < d->P; k++) {
    uint64_t bytes = 0;
    for (uint64_t s = 0; s < (uint64_t)d->slices; s++) {
      const uint64_t mine = d->at[s * d->P + k];
      d->at[s * d->P + k] = sum + HEAD + bytes;
      bytes += mine;
    }
    size[k] = bytes ? HEAD + bytes : 0;
    off[k] = sum;
    sum += (size[k] + 7) / 8 * 8;
  }
  return sum;
}

/* What the vertices tell others stands ready to be sent. */
static GrB_Info write_targets(grid_product *p, const uint32_t *row, uint64_t n, bool outside) {
  grid_workspace *work = &p->A->work;
  size_t *size = work->counts, *off = size + grid_here.P;
  pushing d = {.c = &p->A->block.by_row,
               .is = outside ? p->A->numbered->is : NULL,
               .n_cols = p->nin,
               .low = grid_place_of(p, grid_here.k),
               .q = grid_own_room(p->nin),
               .P = (uint64_t)grid_here.P,
               .parents = !p->structural,
               .row = row,
               .n = n};
  d.slices = n > 1 << 8 ? omp_get_max_threads() : 1;
  d.at = grid_calloc((uint64_t)d.slices * d.P, sizeof *d.at);
  if (!d.at) return grid_fail_memory(NULL, "places of targets", d.P, sizeof *d.at);
  tell_slices(&d, NULL);
  GrB_Info info = grid_workspace_room(work, place_slices(&d, size, off));
  if (info == GrB_SUCCESS) tell_slices(&d, (uint8_t *)work->send);
  for (uint64_t k = 0; k < d.P && info == GrB_SUCCESS; k++) {
    const uint64_t bytes = size[k];
    if (bytes) memcpy(work->send + off[k], &bytes, sizeof bytes);
    p->stats.fold_bytes += bytes;
  }
  grid_free(d.at);
  return info;
}

/* ---- reading ---- */

/* Visits the targets that came: target r of this process, vertex u. */
typedef struct {
  const grid_received *got;
  bool parents;
  int next; /* process whose piece comes next */
  const uint8_t *at, *end;
  uint64_t low; /* of the vertices of the process that is read */
  bool open;    /* inside a vertex's targets */
  uint64_t r, u;
} targets;

static bool next_piece(const grid_product *p, targets *t) {
  for (; t->next < grid_here.P; t->next++) {
    const size_t bytes = t->got->bytes[t->next];
    if (t->next == grid_here.k || bytes == 0) continue;
    t->at = (const uint8_t *)t->got->buf + t->got->off[t->next] + HEAD;
    t->end = t->at + (bytes - HEAD);
    t->low = grid_place_of(p, t->next++);
    return true;
  }
  return false;
}

static bool next_target(const grid_product *p, targets *t) {
  while (true) {
    if (t->open) {
      const uint64_t more = grid_varint_get(&t->at);
      t->open = more != 0;
      t->r += more;
    } else if (t->at < t->end) {
      t->u = t->low + (t->parents ? grid_varint_get(&t->at) : 0);
      t->r = grid_varint_get(&t->at);
      t->open = true;
    } else if (!next_piece(p, t)) {
      return false;
    }
    if (t->open) return true;
  }
}

/* ---- a part of a pull: what delegates leave ---- */

/* The own vertices in x; normals alone, of which there are so many at most. */
static GrB_Info list_own(const grid_product *p, bool normals, uint32_t **row, uint64_t *n) {
  const uint64_t *is = p->A->numbered->is + grid_word_of(p, grid_here.k);
  uint32_t *to = *row = grid_malloc(p->x->nvals, sizeof *to);
  *n = 0;
  if (!to) return grid_fail_memory(NULL, "vertices that push", p->x->nvals, sizeof *to);
  if (p->A->block.nvals == 0) return GrB_SUCCESS;
  for (grid_iter it = grid_begin(p->x); grid_next(&it);)
    if (!normals || !grid_bit(is, it.i)) to[(*n)++] = (uint32_t)it.i;
  return GrB_SUCCESS;
}

GrB_Info grid_push_outside(grid_product *p, GrB_Info info, grid_output *y) {
  uint32_t *row = NULL;
  uint64_t n;
  grid_received got;
  if (info == GrB_SUCCESS) info = list_own(p, true, &row, &n);
  if (info == GrB_SUCCESS) info = write_targets(p, row, n, true);
  info = grid_send_written(&p->A->work, GRID_SET_ALL, info, &got);
  targets t = {.got = &got, .parents = !p->structural};
  while (info == GrB_SUCCESS && next_target(p, &t)) {
    p->stats.inspected++;
    if (grid_mask_allows(&p->mask, t.r)) grid_put_hit(p, y, t.r, t.u);
  }
  grid_free(row);
  return info;
}

/* ---- a whole push ---- */

/* The own columns of own rows: entries [*from, *to) of row r. */
static void own_entries(const grid_product *p, uint64_t r, uint64_t *from, uint64_t *to) {
  const grid_compressed *c = &p->A->block.by_row;
  const uint64_t low = grid_place_of(p, grid_here.k), high = low + grid_own_room(p->nin);
  uint64_t e = grid_vector_start(c, r), end = grid_vector_start(c, r + 1);
  for (uint64_t n = end - e; n > 0;) { /* the first that is not below low */
    const uint64_t half = n / 2;
    if (c->idx[e + half] < low)
      e += half + 1, n -= half + 1;
    else
      n = half;
  }
  *from = e;
  while (e < end && c->idx[e] < high) e++;
  *to = e;
}

/* What the rows have for this process itself, and what came: to y, or, pair by pair, to `pair`. */
typedef struct {
  grid_output *y;
  uint64_t *pair; /* target << 32 | vertex */
  uint64_t n;
} results;

static void take(const grid_product *p, results *to, uint64_t r, uint64_t u) {
  if (!grid_mask_allows(&p->mask, r)) return;
  if (to->pair)
    to->pair[to->n++] = r << 32 | u;
  else
    grid_put_hit(p, to->y, r, u);
}

static void take_all(grid_product *p, const uint32_t *row, uint64_t n, const grid_received *got,
                     results *to) {
  const uint64_t low = grid_place_of(p, grid_here.k);
  targets t = {.got = got, .parents = !p->structural};
  for (uint64_t k = 0; k < n; k++) {
    uint64_t e, end;
    own_entries(p, row[k], &e, &end);
    p->stats.inspected += end - e;
    for (; e < end; e++) take(p, to, p->A->block.by_row.idx[e] - low, low + row[k]);
  }
  for (; next_target(p, &t); p->stats.inspected++) take(p, to, t.r, t.u);
}

/* At most so many: every target takes a byte. */
static uint64_t most_results(const grid_product *p, const uint32_t *row, uint64_t n,
                             const grid_received *got) {
  uint64_t sum = 0;
  for (uint64_t k = 0; k < n; k++) {
    uint64_t e, end;
    own_entries(p, row[k], &e, &end);
    sum += end - e;
  }
  for (int k = 0; k < grid_here.P; k++) sum += got->bytes[k];
  return sum;
}

/* Pairs become an ascending list, each target once. */
static GrB_Info list_of_pairs(const grid_product *p, uint64_t *pair, uint64_t n, uint64_t *tmp,
                              grid_chunk *t) {
  GrB_Info info = grid_chunk_reserve_list(t, n, p->structural);
  if (info != GrB_SUCCESS) return info;
  grid_radix_sort(pair, NULL, n, 0, 0, 0, tmp, NULL);
  t->format = GRID_LIST;
  t->nvals = 0;
  for (uint64_t k = 0; k < n; k++) {
    if (k > 0 && pair[k] >> 32 == pair[k - 1] >> 32) continue;
    const uint64_t at = t->nvals++, u = pair[k] & UINT32_MAX;
    t->idx[at] = pair[k] >> 32;
    if (p->structural) continue;
    if (t->type->size == sizeof(int64_t))
      ((int64_t *)t->val)[at] = (int64_t)u;
    else
      ((int32_t *)t->val)[at] = (int32_t)u;
  }
  return GrB_SUCCESS;
}

static GrB_Info make_list(grid_product *p, const uint32_t *row, uint64_t n, const grid_received *got,
                          uint64_t most, grid_chunk *t) {
  results to = {.pair = grid_malloc(2 * most, sizeof *to.pair)};
  if (!to.pair) return grid_fail_memory(NULL, "targets", 2 * most, sizeof *to.pair);
  take_all(p, row, n, got, &to);
  GrB_Info info = list_of_pairs(p, to.pair, to.n, to.pair + most, t);
  grid_free(to.pair);
  return info;
}

static GrB_Info make_bitmap(grid_product *p, const uint32_t *row, uint64_t n, const grid_received *got,
                            grid_chunk *t) {
  GrB_Info info = grid_chunk_reserve_dense(t, p->structural);
  if (info != GrB_SUCCESS) return info;
  grid_output y = {.n = t->n, .bits = t->bits, .val = t->val};
  if (t->n) memset(t->bits, 0, grid_words(t->n) * sizeof *t->bits);
  take_all(p, row, n, got, &(results){.y = &y});
  t->format = GRID_BITMAP;
  t->nvals = y.found;
  return info;
}

GrB_Info grid_push_all(grid_product *p, grid_chunk *t) {
  uint32_t *row = NULL;
  uint64_t n;
  grid_received got;
  GrB_Info info = list_own(p, false, &row, &n);
  if (info == GrB_SUCCESS) info = write_targets(p, row, n, false);
  info = grid_send_written(&p->A->work, GRID_SET_ALL, info, &got);
  if (info == GrB_SUCCESS) {
    const uint64_t most = most_results(p, row, n, &got);
    info = most <= t->n / GRID_LIST_SHARE ? make_list(p, row, n, &got, most, t)
                                          : make_bitmap(p, row, n, &got, t);
  }
  grid_free(row);
  return info;
}
