/* c<mask, replace> accum= t on the device, in the two steps of spmat/vector/chunk_write.h. TAKE if no entry
 * of c remains and t has c's type: the arrays are swapped, and t's bits filtered by the mask. Else WORDS: one
 * pass over the bitmaps (kernels/vec_write.cuh), with a compiled-in kernel if values are only copied, else
 * compiled for these types. */
#include <string.h>

#include "spmat/cuda/vector/cuda_chunk.h"
#include "spmat/cuda/vector/fused.h"
#include "spmat/cuda/vector/vec_source.h"

/* ---- plan ---------------------------------------------------------------------------------------------- */

static GrB_Info plan_move(grid_write *p) {
  p->path = GRID_WRITE_MOVE;
  if (p->owned_t->format == GRID_FULL && !p->masked) return grid_chunk_to_bitmap(p->owned_t);
  return GrB_SUCCESS;
}

/* One value for all indices, whatever c was. */
static GrB_Info plan_scalar(grid_write *p) {
  GrB_Info info = GrB_SUCCESS;
  grid_chunk *o = &p->out;
  const size_t size = o->type->size;
  TRY(grid_chunk_reserve_device(o, false, true));
  TRY(grid_cuda_fill(o->val, memcpy(o->host_value, p->x, size), size, 1));
  o->format = GRID_FULL, o->iso = true, o->nvals = o->n;
  p->path = GRID_WRITE_MOVE;
done:
  return info;
}

static bool has_values_to_write(const grid_write *p) {
  return !p->iso && p->t->nvals > 0;
}

/* Does a kernel of vec_write.cu suffice? */
static bool has_only_copies(const grid_write *p) {
  const size_t size = p->c->type->size;
  if (!has_values_to_write(p)) return true;
  return !p->accum && (!p->copy.cast || p->t->iso) && size <= 16 && (size & (size - 1)) == 0;
}

static GrB_Info compile(grid_write *p) {
  grid_jit_source s;
  const GrB_BinaryOp accum = p->accum ? p->op.op : NULL;
  const grid_jit_key key = {{"write", p->c->type, p->t->type, accum}};
  if (grid_jit_find_kernel(&p->kernel, &key)) return GrB_SUCCESS;
  grid_source_write(&s, p->c->type, p->t->type, accum);
  GrB_Info info = grid_jit_kernel_or_cpu(&p->kernel, &s, "vec_write.cuh", "grid_write_words",
                                         p->c->n * (p->c->type->size + p->t->type->size));
  if (info == GrB_SUCCESS) grid_jit_store_kernel(&key, p->kernel);
  return info;
}

static GrB_Info plan_words(grid_write *p) {
  GrB_Info info = GrB_SUCCESS;
  grid_chunk *c = p->c;
  const bool deletes = p->replace || (!p->accum && p->t->format != GRID_FULL);
  p->path = GRID_WRITE_WORDS;
  if (!has_only_copies(p)) TRY(compile(p));
  if (c->nvals == 0) {
    TRY(grid_chunk_reserve_device(c, true, p->iso));
  } else {
    TRY(grid_chunk_to_device(c));
    if (!p->iso) TRY(grid_chunk_expand_iso(c));
    if (deletes && c->format == GRID_FULL) TRY(grid_chunk_to_bitmap(c));
  }
done:
  return info;
}

static GrB_Info plan(grid_write *p) {
  const grid_chunk *t = p->t;
  if (p->c->n == 0 || (!p->replace && grid_mask_is_empty(&p->mask))) return GrB_SUCCESS;
  if (p->replaces_all && t->nvals == t->n && t->iso && p->mask.all) return plan_scalar(p);
  if (p->replaces_all && p->owned_t && !p->copy.cast && (t->device || t->nvals == 0)) return plan_move(p);
  return plan_words(p);
}

/* ---- run ----------------------------------------------------------------------------------------------- */

static GrB_Info run_move(grid_write *p) {
  GrB_Info info = GrB_SUCCESS;
  grid_chunk *t = p->out.nvals ? &p->out : p->owned_t; /* from plan_scalar, or the caller's */
  const grid_mask *m = &p->mask;
  grid_tally tally;
  if (!p->masked && t->nvals && m->bits) {
    TRY(grid_cuda_tally(&tally));
    TRY(grid_cuda_combine_counted(t->bits, t->bits, m->bits, m->complement ? GRID_AND_NOT : GRID_AND, t->n,
                                  &tally));
    TRY(grid_cuda_defer_count(t, &tally));
  }
  if (!p->masked && !m->bits && !m->complement) t->nvals = 0;
  t->type = p->c->type;
  grid_chunk_swap(p->c, t);
done:
  return info;
}

static grid_write_args make_write_args(const grid_write *p) {
  const grid_chunk *c = p->c, *t = p->t;
  const bool bits = c->format != GRID_FULL || c->nvals == 0;
  return (grid_write_args){.n = c->n,
                           .c = bits ? (uint32_t *)c->bits : NULL,
                           .mask = (const uint32_t *)p->mask.bits,
                           .t = t->nvals && t->format == GRID_BITMAP ? (const uint32_t *)t->bits : NULL,
                           .old = c->nvals == 0 ? GRID_OLD_NONE
                                  : bits        ? GRID_OLD_BITS
                                                : GRID_OLD_FULL,
                           .mask_all = p->mask.all,
                           .mask_flip = p->mask.complement,
                           .t_full = t->nvals && t->format == GRID_FULL,
                           .t_values = !t->iso,
                           .accum = p->accum,
                           .replace = p->replace};
}

static GrB_Info run_words(grid_write *p) {
  GrB_Info info = GrB_SUCCESS;
  grid_chunk *c = p->c;
  const grid_chunk *t = p->t;
  const size_t size = c->type->size;
  const bool values = has_values_to_write(p);
  grid_write_step s = {.a = make_write_args(p), .c = values ? c->val : NULL, .t = t->val};
  if (t->nvals && t->iso) memcpy(s.c_iso, p->x, size);
  if (t->nvals && t->iso && p->kernel) memcpy(s.t_iso, grid_chunk_iso_value(t), t->type->size);
  void *kernel = p->kernel ? p->kernel : grid_cuda_write_kernel(values ? size : 1);
  if (s.a.c) TRY(grid_cuda_tally(&s.a.tally));
  TRY(grid_pass_run(GRID_PASS_OF(kernel, s, "writing a vector", s.c)));
  if (p->iso && p->replaces_all)
    TRY(grid_cuda_fill(c->val, memcpy(c->host_value, p->x, c->type->size), c->type->size, 1));
  c->iso = p->iso;
  if (!s.a.c) return info; /* it was full and stays so */
  c->format = GRID_BITMAP;
  TRY(grid_cuda_defer_count(c, &s.a.tally));
done:
  return info;
}

static GrB_Info run(grid_write *p) {
  return p->path == GRID_WRITE_MOVE ? run_move(p) : run_words(p);
}

const grid_device_chunks grid_cuda_chunks = {.fill = grid_cuda_fill,
                                             .scatter_short_list = grid_cuda_scatter_short_list,
                                             .scatter = grid_cuda_scatter,
                                             .list = grid_cuda_list,
                                             .copy_values = grid_cuda_copy_values,
                                             .pack = grid_cuda_pack_values,
                                             .unpack = grid_cuda_unpack_values,
                                             .entry = grid_cuda_entry,
                                             .combine = grid_cuda_combine,
                                             .select_true = grid_cuda_mark_nonzero,
                                             .wait_count = grid_cuda_wait_ticket,
                                             .write_plan = plan,
                                             .write_run = run};
