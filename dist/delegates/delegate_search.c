/* A split for the search engine of the GPUs of one grid column (Pan et al., section III). Rows are whole. Of
 * the entries only those between two delegates leave the block: as bit rows on every GPU. A delegate's entry
 * with its hub neighbor stays, in the rows of both, so that a pull still tests it first.
 *
 * Each GPU also has, for every delegate, the own vertices in whose rows it is. With these and the bits it
 * pushes from the delegates of all GPUs to its own vertices, without a message.
 *
 * Peak memory in bytes, for E entries of the block: 4 E for the block, 8 E for keys, the bits, and what
 * building takes (delegate_split_device.c). */
#include <string.h>

#include "dist/comm/device_transport.h"
#include "dist/comm/peer_windows.h"
#include "dist/delegates/delegate_division.h"
#include "spmat/device/phase_times.h"
#include "spmat/vector/bitmap_words.h"

bool grid_split_suits_search(GrB_Matrix A) {
  return grid_device_is_on() && !grid_ctx.blocking && grid_ctx.C == 1 && grid_ctx.P > 1 &&
         !grid_partition_of(A->nrows) && A->properties.symmetric && A->block.iso &&
         A->hints.direction != Grid_DIRECTION_PUSH && A->nrows <= GRID_SEARCH_VERTICES &&
         grid_tune.delegate_bits_share > 0 && grid_window_addresses();
}

/* ---- making it ---- */

/* *hub = each delegate's hub neighbor among the delegates. Collective, agreed on. */
static GrB_Info find_hubs(GrB_Matrix A, grid_division *D, uint64_t d, uint64_t **hub) {
  const uint64_t none = UINT64_MAX;
  const grid_device_transport *transport;
  GrB_Info info;
  TRY(grid_device_transport_get(&transport));
  *hub = grid_device_malloc(d, sizeof **hub);
  info = *hub ? grid_cuda->chunks->fill(*hub, &none, sizeof none, d)
              : grid_device_fail_memory(NULL, "hubs of delegates", d, sizeof **hub);
  if (info == GrB_SUCCESS) info = grid_cuda->division->find_hubs(D, *hub);
  TRY(grid_agree(&A->head, info));
  TRY(transport->allreduce(GRID_SET_ALL, *hub, d, GRID_MIN));
  D->hub = *hub;
done:
  return info;
}

/* *smaller: is dd smaller as bits? Collective, agreed on. */
static GrB_Info count_bits(GrB_Matrix A, const grid_division *D, const grid_split *s, grid_delegate_bins *d,
                           bool *smaller) {
  GrB_Info info = grid_cuda->division->count(D, d->count);
  uint64_t entries = info == GrB_SUCCESS ? A->block.nvals - d->count[GRID_NN * D->P] : 0;
  info = grid_agree_sum(&A->head, info, &entries, 1);
  const double bits = 8.0 * (double)D->P * (double)s->d * (double)grid_words(s->d);
  *smaller = grid_split_bits_are_smaller(bits, 4.0 * (double)entries);
  return info;
}

/* Each process marks the entries in its own rows; the OR is on all. Collective, agreed on. */
static GrB_Info make_bits(GrB_Matrix A, const grid_division *D, grid_split *s) {
  const uint64_t words = grid_words(s->d), all = s->d * words;
  const grid_device_transport *transport;
  GrB_Info info;
  TRY(grid_device_transport_get(&transport));
  s->search.bits = grid_device_malloc(all, sizeof *s->search.bits);
  s->dd_value = grid_malloc(1, A->type->size);
  info = s->search.bits ? grid_device_zero(s->search.bits, all * sizeof *s->search.bits)
                        : grid_device_fail_memory(NULL, "delegate bits", all, sizeof *s->search.bits);
  if (info == GrB_SUCCESS && !s->dd_value) info = grid_fail_memory(NULL, "delegate bits", 1, A->type->size);
  if (info == GrB_SUCCESS) info = grid_cuda->division->mark(D, s->search.bits, words, &s->search.entries);
  TRY(grid_agree(&A->head, info));
  memcpy(s->dd_value, A->block.iso_val, A->type->size);
  TRY(transport->allreduce(GRID_SET_ALL, s->search.bits, all, GRID_BOR));
done:
  return info;
}

/* What the engine reads of this process's delegates. */
static GrB_Info send_own(GrB_Matrix A, grid_split *s) {
  grid_split_search *t = &s->search;
  const uint64_t words = grid_words(grid_own_padded_size(A->nrows)), from = s->start[grid_ctx.k],
                 n = s->start[grid_ctx.k + 1] - from;
  uint32_t *before = grid_malloc(2 * words, sizeof *before), sum = 0;
  GrB_Info info = before ? GrB_SUCCESS : grid_fail_memory(NULL, "delegates", 2 * words, sizeof *before);
  for (uint64_t w = 0; w < words && before; w++) {
    before[2 * w] = sum;
    before[2 * w + 1] = sum + grid_popcount(s->own_bits[w] & UINT32_MAX);
    sum += grid_popcount(s->own_bits[w]);
  }
  TRY(info);
  TRY(grid_device_send(&t->own_bits, s->own_bits, words, sizeof *s->own_bits, "delegates"));
  TRY(grid_device_send(&t->own_before, before, 2 * words, sizeof *before, "delegates"));
  TRY(grid_device_send(&t->own_number, s->order + from, n, sizeof *s->order, "delegates"));
  TRY(grid_device_send(&t->own_numbers, s->own_numbers, grid_words(s->d), 8, "delegates"));
done:
  grid_free(before);
  return info;
}

/* The own vertices in whose rows each delegate is. Local. */
static GrB_Info make_reach(GrB_Matrix A, grid_division *D, grid_split *s) {
  const uint64_t bins = grid_division_bins(D->P);
  grid_delegate_bins d = {.count = grid_calloc(2 * bins, sizeof *d.count)};
  GrB_Info info = d.count ? GrB_SUCCESS : grid_fail_memory(NULL, "counts of entries", 2 * bins, 8);
  if (d.count) d.first = d.count + bins;
  D->reach = true;
  TRY(info);
  TRY(grid_cuda->division->count(D, d.count));
  TRY(grid_delegate_bins_scatter(D, &d));
  TRY(grid_delegate_bins_build(A, &s->search.reach, &d, GRID_ND, s->d, grid_even_size(A->nrows)));
done:
  D->reach = false;
  grid_delegate_bins_free(&d);
  return info;
}

static GrB_Info make_matrices(GrB_Matrix A, grid_division *D, grid_split *s, grid_delegate_bins *d,
                              grid_local_matrix *nn) {
  const uint64_t q = grid_even_size(A->nrows);
  GrB_Info info = GrB_SUCCESS;
  TRY(make_reach(A, D, s));
  TRY(grid_delegate_bins_scatter(D, d));
  TRY(grid_delegate_bins_build(A, nn, d, GRID_NN, A->block.row.dim, A->block.col.dim));
  grid_lmat_init(&s->nd, A->type, q, s->d);
  grid_lmat_init(&s->dn, A->type, s->d, q);
  grid_lmat_init(&s->dd, A->type, s->d, s->d);
  TRY(send_own(A, s));
done:
  return info;
}

GrB_Info grid_split_search_make(GrB_Matrix A, grid_split *s, grid_local_matrix *nn, bool *smaller) {
  grid_division D;
  grid_delegate_bins d;
  uint64_t *hub = NULL;
  GrB_Info info = grid_agree(&A->head, grid_delegate_bins_begin(A, s, &D, &d));
  *smaller = false;
  TRY(info);
  TRY(find_hubs(A, &D, s->d, &hub));
  TRY(count_bits(A, &D, s, &d, smaller));
  if (!*smaller) goto done;
  TRY(make_bits(A, &D, s));
  grid_lap_record("bits between delegates");
  TRY(grid_agree(&A->head, make_matrices(A, &D, s, &d, nn)));
  s->for_search = s->whole = true;
  grid_lap_record("build matrices");
done:
  grid_device_free(hub);
  grid_delegate_bins_free(&d);
  return info;
}

/* ---- other operations ---- */

/* As in other splits, process c mod P gets column c. */
GrB_Info grid_split_add_indices(GrB_Matrix A, grid_split *s) {
  uint32_t *degree = NULL;
  uint64_t *keys = NULL, n;
  grid_local_matrix dd;
  GrB_Info info = GrB_SUCCESS;
  grid_lmat_init(&dd, A->type, s->d, s->d);
  if (s->search.has_indices) return info;
  TRY(grid_split_bits_to_device(s));
  TRY(grid_cuda->division->list_bits(s->search.bits, s->d, grid_words(s->d), (uint64_t)grid_ctx.k,
                                     (uint64_t)grid_ctx.P, &keys, &n));
  dd.row.n = dd.col.n = s->d;
  info = grid_lmat_build_device(&dd, keys, 32, n, s->dd_value);
  if (info != GRID_UNSUPPORTED) keys = NULL;
  TRY(info);
  TRY(grid_device_send(&degree, s->degree, s->d, sizeof *degree, "degrees of delegates"));
  if (n) TRY(grid_lmat_orient(&dd, degree, degree, false, false));
  s->dd = dd;
  s->search.has_indices = true;
  grid_lmat_init(&dd, A->type, 0, 0);
done:
  grid_device_free(keys);
  grid_device_free(degree);
  grid_lmat_free(&dd);
  return info;
}

grid_search_split grid_split_describe(const grid_split *s) {
  const grid_split_search *t = &s->search;
  return (grid_search_split){.d = s->d,
                             .words = grid_words(s->d),
                             .bits = t->bits,
                             .vertex = s->device.vertices.ids,
                             .own_bits = t->own_bits,
                             .own_before = t->own_before,
                             .own_number = t->own_number,
                             .own_numbers = t->own_numbers,
                             .reach_ptr = t->reach.by_row.ptr,
                             .reach_idx = t->reach.by_row.idx,
                             .reach_nvals = t->reach.nvals};
}
