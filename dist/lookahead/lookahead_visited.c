/* The mask of a run: the vertices visited at the start, and the entries that it gets. A mask of few entries
 * stays a list: the engine reads it and fills the arrays as the run ends, without a pass for them before and
 * after it. */
#include <string.h>

#include "dist/lookahead/lookahead_run.h"
#include "dist/grid/layout.h"
#include "spmat/backend.h"

bool grid_lookahead_is_short_list(const grid_chunk *c) {
  return !c->device && c->format == GRID_LIST && c->nvals <= GRID_SEARCH_SHORT_LIST;
}

GrB_Info grid_lookahead_make_dense(grid_chunk *c) {
  GrB_Info info = GrB_SUCCESS;
  /* on the device an iso value would be written to all indices */
  if (grid_lookahead_is_short_list(c)) TRY(grid_chunk_expand_iso(c));
  TRY(grid_chunk_to_device(c));
  TRY(grid_chunk_to_bitmap(c)); /* if it was full */
  TRY(grid_chunk_expand_iso(c));
  TRY(grid_chunk_reserve_device(c, true, false)); /* an empty chunk may have no values yet */
done:
  return info;
}

static bool are_all_true(const grid_chunk *v) {
  for (uint64_t k = 0; k < v->nvals; k++)
    if (!grid_is_true(v->type, (const char *)v->val + (v->iso ? 0 : k * v->type->size))) return false;
  return true;
}

static bool has_word_size(size_t size) {
  return size == 1 || size == 2 || size == 4 || size == 8;
}

/* Moves the entries of v to run->list; v gets arrays on the device, which are undefined. */
static GrB_Info move_to_list(grid_lookahead_run *run, grid_chunk *v) {
  GrB_Info info = grid_chunk_expand_iso(v);
  grid_chunk dense;
  if (info != GrB_SUCCESS) return info;
  grid_chunk_init(&dense, v->type, v->n);
  info = grid_chunk_can_move(v) ? grid_chunk_reserve_device(&dense, true, false) : GRID_UNSUPPORTED;
  if (info != GrB_SUCCESS) {
    grid_chunk_free(&dense);
    return info;
  }
  dense.format = GRID_BITMAP;
  dense.nvals = v->nvals;
  grid_chunk_swap(v, &dense);
  run->list = dense;
  run->listed = true;
  return info;
}

/* Some entries that are not true are not visited: run->visited_before. */
static GrB_Info copy_true_bits(grid_lookahead_run *run, grid_chunk *v) {
  grid_mask m = {0};
  uint64_t count;
  GrB_Info info = grid_mask_read(&m, v, v->n, false, true);
  run->visited_before = info == GrB_SUCCESS ? m.owned_bits : NULL;
  if (!run->visited_before) return info;
  info = grid_cuda->chunks->combine(NULL, run->visited_before, NULL, GRID_AND, v->n, &count);
  if (info != GrB_SUCCESS || count < v->nvals) return info;
  grid_device_free(run->visited_before); /* all of its entries are true */
  run->visited_before = NULL;
  return info;
}

GrB_Info grid_lookahead_prepare_visited(grid_lookahead_run *run, grid_chunk *v, const grid_search_engine *e) {
  GrB_Info info = grid_chunk_wait(v);
  if (info != GrB_SUCCESS) return info;
  const bool is_base = grid_lookahead_is_short_list(v) && (!run->by_value || are_all_true(v));
  run->nbase = is_base ? (uint32_t)v->nvals : UINT32_MAX;
  if (is_base && v->nvals) memcpy(run->base, v->idx, v->nvals * sizeof *v->idx);
  /* all vertices are visited; of several processes, those of one may be */
  if (v->format == GRID_FULL && !run->by_value && grid_ctx.P == 1) return GRID_UNSUPPORTED;
  if (is_base && e->fills_visited && has_word_size(v->type->size)) return move_to_list(run, v);
  info = grid_lookahead_make_dense(v);
  return info == GrB_SUCCESS && run->by_value && !is_base ? copy_true_bits(run, v) : info;
}

GrB_Info grid_lookahead_agree_on_visited(grid_lookahead_run *run, const grid_lookahead_product_call *c,
                                         GrB_Info info) {
  grid_chunk *v = &c->mask->chunk;
  const uint64_t words = grid_words(v->n);
  uint64_t flags[2] = {info == GRID_UNSUPPORTED, run->visited_before != NULL};
  if (grid_ctx.P == 1 || !run->by_value) return info;
  info = grid_agree_sum(&c->A->head, flags[0] ? GrB_SUCCESS : info, flags, 2);
  if (info != GrB_SUCCESS || flags[0]) return info == GrB_SUCCESS ? GRID_UNSUPPORTED : info;
  if (flags[1] == 0 || run->visited_before) return info;
  info = grid_lookahead_restore_visited(run, v);
  if (info != GrB_SUCCESS) return info;
  run->visited_before = grid_device_malloc(words, sizeof *run->visited_before);
  if (!run->visited_before)
    return grid_device_fail_memory(NULL, "visited vertices", words, sizeof *run->visited_before);
  return grid_device_copy(run->visited_before, v->bits, words * sizeof *run->visited_before);
}

void grid_lookahead_request_visited(const grid_lookahead_run *run, const grid_chunk *v,
                                    grid_search_visited *after) {
  *after = (grid_search_visited){.bits = v->bits, .values = v->val, .size = v->type->size};
  for (uint64_t k = 0; k < run->list.nvals; k++)
    memcpy(&after->value[k], (const char *)run->list.val + k * v->type->size, v->type->size);
}

GrB_Info grid_lookahead_restore_visited(grid_lookahead_run *run, grid_chunk *v) {
  const grid_chunk *l = &run->list;
  if (!run->listed) return GrB_SUCCESS;
  const GrB_Info info = grid_cuda->chunks->scatter_short_list(v->bits, v->val, v->n, l->idx, l->val,
                                                              (uint32_t)l->nvals, v->type->size);
  grid_lookahead_drop_list(run);
  return info;
}

void grid_lookahead_drop_list(grid_lookahead_run *run) {
  if (run->listed) grid_chunk_free(&run->list);
  run->listed = false;
}
