/* Makes a delegate split of a block in device memory (delegate_split_make.c has the steps common to both
 * memories). Degrees, entries and matrices remain on the device; the host receives counts, and the delegates.
 *
 * Peak memory in bytes, for E entries of the block, or of this process after the exchange if they are more
 * (without a mirrored dn): 4 E for the block, which is freed last, and 8 E for keys, twice for the kind that
 * is being sent. Then what building and orienting the largest matrix takes (lmat_build.cu: 8 for each of its
 * entries; lmat_orient.cu: 20, when the keys have been freed and each entry takes 4). In total at most 28 for
 * each entry, and 12 for each row and column of the block. */
#include "dist/comm/device_transport.h"
#include "dist/delegates/delegate_split.h"
#include "spmat/backend.h"
#include "spmat/device/phase_times.h"
#include "spmat/sort/radix.h"

/* ---- choice of the memory ---- */

/* Can the device split this block? A pattern, without hypersparse axes unless it is empty. */
static bool can_split(GrB_Matrix A) {
  const grid_local_matrix *b = &A->block;
  return grid_device_can_index(A->nrows, A->ncols) && b->iso && b->by_row.ptr &&
         (b->nvals == 0 || (!b->row.ids && !b->col.ids)) &&
         grid_division_bins((uint64_t)grid_ctx.P) <= GRID_DIVISION_BINS;
}

/* Moves the block to the device, and computes t->local. */
static GrB_Info stage_split(GrB_Matrix A, grid_split_device *t) {
  const uint64_t refusals = grid_device_oom_count();
  GrB_Info info = grid_lmat_to_device(&A->block);
  if (info == GrB_SUCCESS) info = grid_degrees_combine(A, &t->local, &t->sum);
  return grid_device_oom_to_unsupported(info, refusals);
}

GrB_Info grid_split_device_begin(GrB_Matrix A, grid_split_device *t) {
  *t = (grid_split_device){0};
  if (!grid_device_is_on()) return GrB_SUCCESS;
  if (grid_partition_of(A->nrows)) {
    grid_report_fallback("splitting a matrix with an uneven partition by delegates");
    return GrB_SUCCESS;
  }
  const GrB_Info info = grid_agree_supported(&A->head, can_split(A) ? stage_split(A, t) : GRID_UNSUPPORTED);
  t->on = info == GrB_SUCCESS;
  return info == GRID_UNSUPPORTED ? GrB_SUCCESS : info;
}

void grid_split_device_end(grid_split_device *t) {
  grid_device_free(t->sum);
  *t = (grid_split_device){0};
}

/* ---- delegates ---- */

GrB_Info grid_split_device_delegates(GrB_Matrix A, const grid_split_device *t, uint32_t threshold,
                                     uint64_t **keys, uint64_t *n) {
  uint64_t *device = NULL, *tmp = NULL;
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_cuda->division->find_high_degree(t->local, grid_chunk_length(A->nrows, grid_ctx.k), threshold, 0,
                                            &device, n));
  *keys = grid_malloc(*n, sizeof **keys);
  tmp = grid_malloc(*n, sizeof *tmp);
  if (!*keys || !tmp) TRY(grid_fail_memory(NULL, "delegates", *n, sizeof **keys));
  TRY(grid_device_get(*keys, device, *n * sizeof **keys));
  for (uint64_t k = 0; k < *n; k++) { /* ordered by index, not by degree */
    const uint64_t key = (*keys)[k];
    (*keys)[k] = key << 32 | (UINT32_MAX - (key >> 32));
  }
  grid_radix_sort(*keys, NULL, *n, 0, 0, 0, tmp, NULL);
done:
  grid_device_free(device);
  grid_free(tmp);
  return info;
}

/* ---- scattering entries into bins ---- */

/* Keys of each kind and destination: bins as in spmat/matrix/split_by_delegates.h. */
typedef struct {
  uint64_t *key[GRID_KINDS], n[GRID_KINDS];
  uint64_t *count, *first; /* of each bin; one allocation with `all` */
  uint64_t *all;           /* the counts of all processes */
  uint32_t *row, *col;     /* delegate numbers */
} binned;

static void free_binned(binned *d) {
  for (int k = 0; k < GRID_KINDS; k++) grid_device_free(d->key[k]);
  grid_device_free(d->row);
  grid_device_free(d->col);
  grid_free(d->count);
}

/* Numbers the delegates among the block's rows and columns, and counts the bins. */
static GrB_Info count_bins(grid_division *D, const grid_split *s, binned *d) {
  const uint64_t rows = D->block->row.dim, cols = D->block->col.dim;
  GrB_Info info = GrB_SUCCESS;
  d->row = grid_device_malloc(rows, sizeof *d->row);
  d->col = grid_device_malloc(cols, sizeof *d->col);
  if (!d->row || !d->col) TRY(grid_device_fail_memory(NULL, "delegate numbers", rows + cols, sizeof *d->row));
  TRY(grid_device_zero(d->row, rows * sizeof *d->row));
  TRY(grid_device_zero(d->col, cols * sizeof *d->col));
  TRY(grid_cuda->division->number(D, s->device.vertices.ids, s->d, d->row, d->col));
  D->row = d->row;
  D->col = d->col;
  TRY(grid_cuda->division->count(D, d->count));
done:
  return info;
}

static GrB_Info bin_entries(const grid_division *D, binned *d) {
  GrB_Info info = GrB_SUCCESS;
  for (uint64_t b = 0; b < grid_division_bins(D->P); b++) {
    uint64_t *n = &d->n[b / D->P];
    d->first[b] = *n;
    *n += d->count[b];
  }
  for (int k = 0; k < GRID_KINDS; k++) {
    d->key[k] = grid_device_malloc(d->n[k], sizeof *d->key[k]);
    if (!d->key[k]) TRY(grid_device_fail_memory(NULL, "entries to split off", d->n[k], sizeof *d->key[k]));
  }
  TRY(grid_cuda->division->bin_entries(D, d->first, d->key));
done:
  return info;
}

/* Sends the keys of each kind to their owners, and replaces them by those received. */
static GrB_Info send_all(GrB_Matrix A, binned *d) {
  const size_t P = (size_t)grid_ctx.P, bins = grid_division_bins(P);
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_ctx.transport->allgather(GRID_SET_ALL, d->count, bins * sizeof *d->count, d->all));
  for (size_t k = 0; k < GRID_NN; k++) {
    const grid_key_groups g = {d->first + k * P, d->all + k * P, bins, "entries of delegates"};
    TRY(grid_send_keys(&A->head, &g, &d->key[k], &d->n[k]));
  }
done:
  return info;
}

/* ---- matrices ---- */

/* Builds a matrix from its keys. None is hypersparse: their indices are those of a chunk, delegate numbers,
 * or those of the block. */
static GrB_Info build(GrB_Matrix A, grid_local_matrix *lmat, binned *d, grid_entry_kind kind, uint64_t rows,
                      uint64_t cols) {
  grid_lmat_init(lmat, A->type, rows, cols);
  lmat->row.n = rows;
  lmat->col.n = cols;
  uint64_t *key = d->key[kind];
  d->key[kind] = NULL;
  GrB_Info info = grid_lmat_build_device(lmat, key, 32, d->n[kind], A->block.iso_val);
  if (info != GRID_UNSUPPORTED) return info;
  grid_device_free(key);
  return grid_fail(NULL, GrB_OUT_OF_MEMORY,
                   "the delegates' part of a matrix has %llu entries, too many for one device",
                   (unsigned long long)d->n[kind]);
}

static GrB_Info orient(grid_local_matrix *lmat, const uint32_t *row, const uint32_t *col) {
  return lmat->nvals ? grid_lmat_orient(lmat, row, col, false, false) : GrB_SUCCESS;
}

static GrB_Info build_lmats(GrB_Matrix A, const grid_split_device *t, grid_split *s, binned *d,
                            grid_local_matrix *nn) {
  const uint64_t q = grid_even_size(A->nrows);
  uint32_t *degree;
  GrB_Info info = GrB_SUCCESS;
  TRY(grid_device_send(&degree, s->degree, s->d, sizeof *degree, "degrees of delegates"));
  TRY(build(A, nn, d, GRID_NN, A->block.row.dim, A->block.col.dim));
  TRY(build(A, &s->nd, d, GRID_ND, q, s->d));
  TRY(build(A, &s->dn, d, GRID_DN, s->d, q));
  TRY(build(A, &s->dd, d, GRID_DD, s->d, s->d));
  grid_lap_record("build matrices");
  TRY(orient(&s->nd, t->local, degree));
  TRY(orient(&s->dn, degree, t->local));
  TRY(orient(&s->dd, degree, degree));
  grid_lap_record("orient matrices");
done:
  grid_device_free(degree);
  return info;
}

/* ---- all steps ---- */

GrB_Info grid_split_device_make(GrB_Matrix A, const grid_split_device *t, grid_split *s,
                                grid_local_matrix *nn) {
  const uint64_t P = (uint64_t)grid_ctx.P, bins = grid_division_bins(P);
  grid_division D = {.block = &A->block,
                     .q = grid_even_size(A->nrows),
                     .P = P,
                     .R = (uint64_t)grid_ctx.R,
                     .i = (uint64_t)grid_ctx.i,
                     .j = (uint64_t)grid_ctx.j,
                     .mirrored = s->mirrored};
  binned d = {.count = grid_calloc((2 + P) * bins, sizeof *d.count)};
  GrB_Info info = d.count ? GrB_SUCCESS : grid_fail_memory(NULL, "counts of entries", (2 + P) * bins, 8);
  if (info == GrB_SUCCESS) {
    d.first = d.count + bins;
    d.all = d.first + bins;
    info = grid_split_make_tables(A, s);
  }
  if (info == GrB_SUCCESS) info = count_bins(&D, s, &d);
  if (info == GrB_SUCCESS) info = bin_entries(&D, &d);
  TRY(grid_agree(&A->head, info));
  grid_lap_record("scatter entries into bins");
  TRY(send_all(A, &d));
  grid_lap_record("send entries");
  TRY(grid_agree(&A->head, build_lmats(A, t, s, &d, nn)));
done:
  free_binned(&d);
  return info;
}
