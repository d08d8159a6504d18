/* The first step of a write: the method is chosen, and its memory allocated (chunk_write.c describes the
 * methods).
 */
#include "spmat/vector/backend.h"
#include "spmat/vector/chunk_write_steps.h"

/* Will every entry of the result have the value p->x? */
static bool result_is_iso(const grid_write *p) {
  const grid_chunk *c = p->c;
  const size_t size = c->type->size;
  if (p->t->nvals == 0) return c->iso && !p->replaces_all; /* no value is written */
  if (!p->t->iso) return false;
  if (p->replaces_all) return true;
  if (!c->iso || memcmp(grid_chunk_iso_value(c), p->x, size) != 0) return false;
  if (!p->accum) return true;
  if (size > GRID_SMALL_VALUE) return false;
  _Alignas(16) char z[GRID_SMALL_VALUE];
  grid_binary_apply(&p->op, z, grid_chunk_iso_value(c), grid_chunk_iso_value(p->t));
  return memcmp(z, p->x, size) == 0;
}

static GrB_Info plan_move(grid_write *p) {
  GrB_Info info = GrB_SUCCESS;
  grid_chunk *t = p->owned_t;
  p->path = GRID_WRITE_MOVE;
  if (t->format == GRID_FULL && !p->masked) TRY(grid_chunk_to_bitmap(t));
  if (p->copy.cast && t->nvals)
    TRY(grid_chunk_reserve_val(&p->out, t->iso ? 1 : t->format == GRID_LIST ? t->nvals : t->n));
done:
  return info;
}

static GrB_Info plan_merge(grid_write *p) {
  p->path = GRID_WRITE_MERGE;
  return grid_chunk_reserve_list(&p->out, (p->replaces_all ? 0 : p->c->nvals) + p->t->nvals, p->iso);
}

static GrB_Info plan_words(grid_write *p) {
  GrB_Info info = GrB_SUCCESS;
  grid_chunk *c = p->c;
  p->path = GRID_WRITE_WORDS;
  bool deletes = p->replace || (!p->accum && p->t->format != GRID_FULL);
  if (c->format == GRID_LIST || (c->format == GRID_FULL && deletes)) TRY(grid_chunk_to_bitmap(c));
  if (c->nvals == 0) {
    c->iso = p->iso;
    TRY(grid_chunk_reserve_dense(c, p->iso));
  } else if (!p->iso) {
    TRY(grid_chunk_expand_iso(c));
  }
done:
  return info;
}

/* c has one value at all indices, and t, which c may take over, several: t becomes the sum of both in place,
 * so that c needs no array of its own. */
static bool sum_fits_in_t(const grid_write *p) {
  return grid_write_is_full_sum(p) && p->c->iso && !p->t->iso && p->owned_t && !p->copy.cast;
}

/* A full iso chunk without a mask needs no array, whatever its length. */
static GrB_Info plan_scalar(grid_write *p) {
  GrB_Info info = GrB_SUCCESS;
  if (p->c->n > GRID_DENSE_LENGTH_MAX)
    return grid_fail_memory(NULL, "vector values", p->c->n, p->c->type->size);
  p->path = GRID_WRITE_MOVE;
  TRY(grid_chunk_reserve_val(&p->out, 1));
  memcpy(p->out.val, p->x, p->c->type->size);
  p->out.format = GRID_FULL, p->out.iso = true, p->out.nvals = p->c->n;
  p->owned_t = &p->out;
  p->copy = grid_copier_bind(p->c->type, p->c->type);
done:
  return info;
}

/* c is its own operand: without replace nothing changes. */
static GrB_Info plan_filter(grid_write *p) {
  if (!p->replace) return GrB_SUCCESS;
  p->path = GRID_WRITE_FILTER;
  return p->c->format == GRID_FULL ? grid_chunk_to_bitmap(p->c) : GrB_SUCCESS;
}

/* Is the result a short list, if t is one of nt entries? */
static bool merges(const grid_write *p, uint64_t nt) {
  const grid_chunk *c = p->c;
  const bool is_short = c->n > GRID_DENSE_LENGTH_MAX || c->nvals + nt <= c->n / GRID_LIST_SHARE;
  return p->replaces_all || (c->format == GRID_LIST && is_short);
}

/* t, which is full, becomes a list of what it has at the mask's indices. */
static GrB_Info restrict_to_list(grid_write *p) {
  const grid_mask *m = &p->mask;
  const grid_chunk *t = p->t;
  const size_t size = t->type->size;
  p->view = *t;
  p->view.format = GRID_LIST, p->view.idx = (uint64_t *)(uintptr_t)m->list, p->view.nvals = m->nlist;
  p->t = &p->view;
  if (t->iso) return GrB_SUCCESS;
  p->view.val = p->view_values = grid_malloc(m->nlist, size);
  if (!p->view_values) return grid_fail_memory(NULL, "vector values", m->nlist, size);
  for (uint64_t k = 0; k < m->nlist; k++)
    grid_value_copy((char *)p->view.val + k * size, (const char *)t->val + m->list[k] * size, size);
  return GrB_SUCCESS;
}

static GrB_Info choose(grid_write *p) {
  GrB_Info info = GrB_SUCCESS;
  const grid_mask *m = &p->mask;
  const grid_chunk *c = p->c, *t = p->t;
  /* nothing can change */
  if (c->n == 0 || (grid_write_mask_is_list(m) && m->nlist == 0 && !p->replace)) return GrB_SUCCESS;
  if (t == c) return plan_filter(p);
  const bool at_list = t->format == GRID_FULL && grid_write_mask_is_list(m);
  if (at_list && (t->iso || (!p->owned_t && merges(p, m->nlist)))) {
    TRY(restrict_to_list(p));
    t = p->t;
  } else if (p->owned_t && (p->replaces_all || sum_fits_in_t(p))) {
    return plan_move(p);
  } else if (p->replaces_all && t->format == GRID_FULL && t->iso && m->all) {
    return plan_scalar(p);
  }
  info = t->format == GRID_LIST && merges(p, t->nvals) ? plan_merge(p) : plan_words(p);
done:
  return info;
}

/* ---- choice of memory ---------------------------------------------------------------------------------- */

/* Such a t needs no arrays on the device: it is empty, or full and iso, and is then borrowed. */
static bool is_empty_or_iso_full(const grid_chunk *t) {
  return t->nvals == 0 || (t->format == GRID_FULL && t->iso);
}

/* Moves t and the mask to the device; c follows when the method is chosen. */
static GrB_Info to_device(grid_write *p) {
  GrB_Info info = GrB_SUCCESS;
  if (!grid_chunk_can_move(p->c) || !grid_chunk_can_move(p->t)) return GRID_UNSUPPORTED;
  TRY(grid_mask_to_device(&p->mask));
  if (!is_empty_or_iso_full(p->t)) TRY(grid_chunk_to_device(p->t));
  p->device = true;
done:
  return info;
}

/* The mask moves first: it may borrow from c or t. */
static GrB_Info to_host(grid_write *p) {
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_mask_to_host(&p->mask));
  TRY(grid_chunk_to_host(p->c));
  TRY(grid_chunk_to_host(p->t));
  p->device = false;
done:
  return info;
}

/* Plans what depends on where the values lie. */
static void plan_values(grid_write *p) {
  const grid_chunk *t = p->t;
  if (t->iso && t->nvals) {
    p->x = grid_chunk_iso_value(t);
    if (p->copy.cast) p->copy.cast(&p->cast, p->x, p->c->type->size), p->x = &p->cast;
  } else {
    p->x = grid_chunk_iso_value(p->c);
  }
  p->iso = result_is_iso(p);
}

/* GRID_UNSUPPORTED: the CPU must do it. */
static GrB_Info plan_on_device(grid_write *p) {
  GrB_Info info = to_device(p);
  if (info != GrB_SUCCESS) return info;
  plan_values(p);
  return grid_cuda->chunks->write_plan(p);
}

GrB_Info grid_write_prepare(grid_write *p, grid_chunk *c, const grid_mask *mask, GrB_BinaryOp accum,
                            bool replace, const grid_chunk *t, grid_chunk *owned_t, bool masked) {
  GrB_Info info = GrB_SUCCESS;
  *p = (grid_write){.c = c, .t = t, .owned_t = owned_t, .mask = *mask, .path = GRID_WRITE_NONE};
  p->mask.owned_bits = p->mask.owned_list = NULL;
  p->accum = accum != NULL;
  p->replace = replace && !mask->all;
  p->masked = masked || mask->all;
  p->replaces_all = c->nvals == 0 || (!accum && (mask->all || replace));
  p->copy = grid_copier_bind(c->type, t->type);
  grid_chunk_init(&p->out, c->type, c->n);
  if (accum) TRY(grid_binary_bind(&p->op, accum, c->type, c->type, t->type));
  if (grid_device_is_on()) {
    info = plan_on_device(p);
    if (info != GRID_UNSUPPORTED) goto done;
    grid_report_fallback(accum ? "write-back with an accumulator" : "write-back");
  }
  TRY(to_host(p));
  plan_values(p);
  TRY(choose(p));
done:
  if (info != GrB_SUCCESS) grid_write_cancel(p);
  return info;
}

void grid_write_cancel(grid_write *p) {
  grid_binary_free(&p->op);
  grid_mask_free(&p->mask);
  grid_chunk_free(&p->out);
  grid_free(p->view_values);
}
