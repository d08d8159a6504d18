/* line_device.c: see line_device.h. */
#include "dist/op/matrix/line_device.h"

#include "dist/grid/device_transport.h"
#include "spmat/backend.h"

/* What a block has of a line: a bitmap and values over its columns (rows), which are whole words. */
typedef struct {
  GrB_Matrix A;
  bool row, mine;     /* mine: this process's block has a piece of it */
  uint64_t v, dim, n; /* the line's number in the block; the other dimension, and the block's share */
  grid_set set;       /* who shares the piece's places; of them, */
  int owner;          /* this one has the piece */
  uint64_t *bits;
  void *val;
} piece;

static piece piece_of(GrB_Matrix A, bool row, uint64_t v) {
  const int chunk = grid_chunk_of(row ? A->nrows : A->ncols, v),
            home = row ? chunk % grid_here.R : chunk / grid_here.R;
  return (piece){.A = A,
                 .row = row,
                 .mine = home == (row ? grid_here.i : grid_here.j),
                 .v = row ? grid_local_row(A->nrows, v) : grid_local_col(A->ncols, v),
                 .dim = row ? A->ncols : A->nrows,
                 .n = row ? A->block.col.dim : A->block.row.dim,
                 .set = row ? GRID_SET_COL : GRID_SET_ROW,
                 .owner = home};
}

static void piece_free(piece *x) {
  grid_device_free(x->bits);
  grid_device_free(x->val);
}

/* No axis is so long that offsets, or a line's places, are dear. The same on all processes. */
static bool may_be_there(GrB_Matrix A) {
  enum { LONG = 1 << 26 };
  return A->block.row.dim <= LONG && A->block.col.dim <= LONG && A->type->size <= GRID_DEVICE_VALUE &&
         grid_parts_may_go;
}

/* No room there is no error: the host has it. */
static GrB_Info or_elsewhere(GrB_Info info) {
  return info == GrB_OUT_OF_MEMORY ? GRID_NOT_HERE : info;
}

static GrB_Info make_room(piece *x) {
  if (!x->mine) return GrB_SUCCESS;
  x->bits = grid_device_malloc(grid_words(x->n), sizeof *x->bits);
  x->val = grid_device_malloc(x->n, x->A->type->size);
  if (!x->bits || !x->val) return GRID_NOT_HERE;
  return grid_device_zero(x->bits, grid_words(x->n) * sizeof *x->bits);
}

/* Between the owner and those who share the places, chunk by chunk: dealt out to c, or put together from it.
 * Neither bits nor values of c are missing. */
static GrB_Info exchange(piece *x, grid_chunk *c, bool out) {
  const grid_device_transport *way;
  const size_t S = (size_t)grid_set_size(x->set), sizes[2] = {0, x->A->type->size};
  void *const whole[2] = {x->bits, x->val}, *const own[2] = {c->bits, c->val};
  size_t *w = grid_calloc(8 * S, sizeof *w);
  GrB_Info info = w ? GrB_SUCCESS : grid_fail_memory(NULL, "message sizes", 8 * S, sizeof *w);
  TRY(grid_agree(&x->A->head, info));
  TRY(grid_device_transport_get(&way));
  info = way->begin(); /* the others wait for all messages, whatever fails here */
  for (int k = 0; k < 2; k++) {
    size_t *many = w + 4 * (size_t)k * S, *at = many + S, *one = at + S, *none = one + S;
    for (size_t s = 0; s < S && x->mine; s++) {
      const int chunk = grid_block_chunk(!x->row, (int)s);
      const uint64_t n = grid_chunk_length(x->dim, chunk), from = grid_block_place(x->dim, !x->row, (int)s);
      many[s] = k ? n * sizes[k] : grid_words(n) * sizeof(uint64_t);
      at[s] = k ? from * sizes[k] : from / 8;
    }
    one[x->owner] = k ? c->n * sizes[k] : grid_words(c->n) * sizeof(uint64_t);
    info = grid_first_failure(info, out ? way->exchange(x->set, whole[k], many, at, own[k], one, none)
                                        : way->exchange(x->set, own[k], one, none, whole[k], many, at));
  }
  info = grid_first_failure(info, way->end());
done:
  grid_free(w);
  return info;
}

/* ---- reading ---- */

static GrB_Info read_here(piece *x) {
  const grid_part *p = &x->A->block;
  grid_lifted l;
  GrB_Info info = make_room(x);
  if (info != GrB_SUCCESS || !x->mine || p->nvals == 0) return info;
  TRY(grid_parts_lift(&l, p, false));
  info = grid_cuda->parts->line(x->bits, x->val, l.p, x->row, x->v);
  grid_lifted_free(&l);
done:
  return info;
}

/* c has its bits and values. */
static GrB_Info settle(grid_chunk *c) {
  uint64_t count = 0;
  GrB_Info info =
      c->n ? grid_cuda->chunks->combine(NULL, c->bits, c->bits, GRID_AND, c->n, &count) : GrB_SUCCESS;
  c->nvals = info == GrB_SUCCESS ? count : 0;
  c->format = c->nvals == 0 ? GRID_LIST : c->nvals == c->n ? GRID_FULL : GRID_BITMAP;
  return info;
}

GrB_Info grid_line_read_device(GrB_Vector u, GrB_Matrix A, bool row, uint64_t v) {
  piece x = piece_of(A, row, v);
  grid_chunk *c = &u->chunk;
  GrB_Info info = may_be_there(A) ? read_here(&x) : GRID_NOT_HERE;
  if (info == GrB_SUCCESS) info = grid_chunk_reserve_device(c, true, false);
  TRY(grid_agree_here(&A->head, or_elsewhere(info)));
  info = exchange(&x, c, true);
  info = grid_agree(&A->head, info == GrB_SUCCESS ? settle(c) : info);
done:
  if (info != GrB_SUCCESS) grid_chunk_free(c);
  piece_free(&x);
  return info;
}

/* ---- writing ---- */

/* A bitmap on the device, with values for all places. */
static GrB_Info spell_out(grid_chunk *c) {
  GrB_Info info;
  if (!grid_chunk_may_move(c)) return GRID_NOT_HERE;
  TRY(grid_chunk_to_device(c));
  TRY(grid_chunk_to_bitmap(c));
  TRY(grid_chunk_not_iso(c));
  if (c->nvals == 0) TRY(grid_chunk_reserve_device(c, true, false));
done:
  return info;
}

/* The owner's: the piece as a part. */
static GrB_Info make_part(grid_part *t, const piece *x) {
  grid_chunk c = {
      .n = x->n, .type = x->A->type, .format = GRID_BITMAP, .device = true, .bits = x->bits, .val = x->val};
  GrB_Info info = GrB_SUCCESS;
  if (!x->mine) return info;
  TRY(grid_cuda->chunks->combine(NULL, c.bits, c.bits, GRID_AND, c.n, &c.nvals));
  if (c.nvals == 0) return info;
  t->device = true;
  info = grid_cuda->parts->diagonal(t, &c, x->row ? x->v : 0, x->row ? 0 : x->v,
                                    x->row ? GRID_ONTO_ROW : GRID_ONTO_COL);
done:
  return info;
}

GrB_Info grid_line_part_device(grid_part *t, GrB_Matrix C, GrB_Vector w, bool row, uint64_t v) {
  piece x = piece_of(C, row, v);
  grid_part_init(t, C->type, C->block.row.dim, C->block.col.dim);
  GrB_Info info = may_be_there(C) ? make_room(&x) : GRID_NOT_HERE;
  if (info == GrB_SUCCESS) info = spell_out(&w->chunk);
  TRY(grid_agree_here(&C->head, or_elsewhere(info)));
  info = exchange(&x, &w->chunk, false);
  info = grid_agree_here(&C->head, info == GrB_SUCCESS ? or_elsewhere(make_part(t, &x)) : info);
done:
  if (info != GrB_SUCCESS) grid_part_free(t);
  piece_free(&x);
  return info;
}
