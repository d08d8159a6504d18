/* See matrix_host_resident.h. */
#include "dist/matrix/storage/matrix_host_resident.h"

#include <stdlib.h>

#include "dist/matrix/matrix_require.h"
#include "dist/matrix/properties/cached_properties.h"
#include "semiring/support/tuning.h"
#include "spmat/convert/page_staging.h"
#include "spmat/vector/chunk.h"

static bool can_be_host_resident(GrB_Matrix A) {
  const grid_local_matrix *b = &A->block;
  return grid_device_is_on() && grid_cuda->paging && !A->delegates.split && b->nvals &&
         grid_compressed_is_built(&b->by_row) && !b->row.ids && !b->col.ids &&
         grid_device_can_index(A->nrows, A->ncols) && grid_device_can_hold(A->type);
}

bool grid_offsets64_on_device(GrB_Matrix A) {
  const grid_local_matrix *b = &A->block;
  return grid_ctx.P == 1 && !A->delegates.split && (A->properties.symmetric || b->shared) && !b->row.ids &&
         !b->col.ids && grid_has_degrees(A, true) && grid_has_degrees(A, false);
}

/* Bytes of the block with all its forms in device memory. */
static uint64_t device_bytes(GrB_Matrix A) {
  const grid_local_matrix *b = &A->block;
  const uint64_t entry = sizeof *b->by_row.idx + (b->iso ? 0 : A->type->size),
                 offset = grid_lmat_has_offsets64(b) ? sizeof(uint64_t) + sizeof(uint32_t) : sizeof(uint32_t),
                 vector = offset + sizeof(uint32_t) + 1, both = A->properties.symmetric || b->shared ? 1 : 2;
  return both * b->nvals * entry + (A->nrows + (both - 1) * A->ncols) * vector;
}

/* Is the block on the device, where it gets what forms it lacks when products read them? Columns of one with
 * 64-bit offsets are made on the host. */
static bool is_settled(GrB_Matrix A) {
  const bool late = grid_matrix_makes_forms_late(A) && !grid_lmat_has_offsets64(&A->block);
  return A->block.device && (late || grid_matrix_has_device_forms(A));
}

/* A block on the device stays there unless the limit is exceeded. A block that is to move leaves a quarter of
 * the free memory to vectors, and half as much is granted after each shortage. */
static bool fits_on_device(GrB_Matrix A) {
  const uint64_t limit = grid_device_get_limit(), held = grid_device_bytes_in_use();
  if (grid_tune.device_page_entries || (grid_lmat_has_offsets64(&A->block) && !grid_offsets64_on_device(A)))
    return false;
  if (is_settled(A)) return !limit || held <= limit;
  const uint64_t wanted = device_bytes(A), block_bytes = A->block.device ? grid_lmat_bytes(&A->block) : 0,
                 left = block_bytes + grid_device_free_bytes();
  const unsigned squeezes = grid_device_memory_pressure();
  return wanted <= (limit ? left / 4 * 3 >> squeezes : squeezes ? left / 2 : left);
}

GrB_Info grid_block_is_host_resident(GrB_Matrix A, bool *host_resident) {
  *host_resident = A->block.host_resident;
  if (grid_ctx.P > 1 || A->block.host_resident ||
      (is_settled(A) && !grid_tune.device_page_entries && !grid_device_get_limit()))
    return GrB_SUCCESS;
  if (!can_be_host_resident(A) || !grid_has_degrees(A, true) || !grid_has_degrees(A, false) ||
      fits_on_device(A))
    return GrB_SUCCESS;
  grid_cached_free(A); /* search workspaces on the device */
  GrB_Info info = grid_lmat_to_host(&A->block);
  if (info == GrB_SUCCESS) *host_resident = A->block.host_resident = true;
  return info;
}

void grid_block_make_host_resident(GrB_Matrix A) {
  if (grid_ctx.P > 1 || A->block.device || !can_be_host_resident(A)) return;
  if (!grid_has_degrees(A, true) || !grid_has_degrees(A, false)) return;
  grid_cached_free(A);
  A->block.host_resident = true;
}

GrB_Info grid_blocks_agree_host_resident(GrB_Matrix A) {
  if (grid_ctx.P == 1 ||
      !(grid_device_get_limit() || grid_tune.device_page_entries || A->block.host_resident))
    return GrB_SUCCESS;
  const bool may = can_be_host_resident(A) || (A->block.nvals == 0 && !A->delegates.split);
  uint64_t v[2] = {A->block.nvals && may && (A->block.host_resident || !fits_on_device(A)), !may};
  GrB_Info info = grid_agree_sum(&A->head, GrB_SUCCESS, v, 2);
  if (info != GrB_SUCCESS) return info;
  const bool resident = v[0] && !v[1];
  if (A->block.host_resident && !resident) grid_block_pages_free(A);
  if (!resident || A->block.host_resident) return GrB_SUCCESS;
  grid_cached_free(A);
  info = grid_agree(&A->head, grid_lmat_to_host(&A->block));
  if (info == GrB_SUCCESS) A->block.host_resident = true;
  return info;
}

/* Entries of a page, such that page buffers take at most about a sixteenth of the limit. BYTES: what an entry
 * takes on the device, encoded in each slot and decoded; likewise a vector. */
static uint64_t page_entries(GrB_Matrix A, uint64_t vectors) {
  enum { BYTES = 17, SHARE = 16, LEAST = 1 << 12, MOST = 1 << 23 };
  const uint64_t nvals = A->block.nvals ? A->block.nvals : 1, most = vectors < nvals ? vectors : nvals,
                 entry_bytes =
                     BYTES + BYTES * most / nvals + (A->block.iso ? 0 : GRID_PAGE_SLOTS * A->type->size);
  uint64_t n = MOST;
  if (grid_tune.device_page_entries) return grid_tune.device_page_entries;
  while (n > LEAST && grid_device_get_limit() && n * entry_bytes > grid_device_get_limit() / SHARE) n /= 2;
  return n;
}

GrB_Info grid_block_pages(grid_host_pages **g, GrB_Matrix A, bool rows) {
  const grid_local_matrix *b = &A->block;
  grid_host_pages **of = rows || b->shared ? &A->placement.row_pages : &A->placement.col_pages;
  const uint64_t vectors = rows ? b->row.n : b->col.n;
  GrB_Info info = GrB_SUCCESS;
  if (!*of)
    info = grid_host_pages_make(of, rows ? &b->by_row : &b->by_col, vectors, b->nvals,
                                b->iso ? 0 : A->type->size, page_entries(A, vectors));
  if (info == GrB_SUCCESS && *of && grid_tune.device_page_entries)
    (*of)->cache_limit = (*of)->page[(*of)->n].at / 4;
  *g = *of;
  return info;
}

void grid_block_pages_free(GrB_Matrix A) {
  grid_host_pages_free(A->placement.row_pages);
  grid_host_pages_free(A->placement.col_pages);
  grid_page_staging_free(A->placement.staging);
  A->placement.staging = NULL;
  grid_free(A->placement.cpu_share);
  A->placement.row_pages = A->placement.col_pages = NULL;
  A->placement.cpu_share = NULL;
  A->block.host_resident = false;
}

uint64_t Grid_Matrix_bytes_sent(uint64_t *all, uint64_t *cached, GrB_Matrix A) {
  uint64_t sum[3] = {0};
  const bool live = A && grid_is_live(A);
  for (int k = 0; k < 2 && live; k++) {
    const grid_host_pages *g = k ? A->placement.col_pages : A->placement.row_pages;
    if (!g) continue;
    sum[0] += g->page[g->n].at, sum[1] += g->cached, sum[2] += g->sent;
  }
  if (all) *all = sum[0];
  if (cached) *cached = sum[1];
  return sum[2];
}
