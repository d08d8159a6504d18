/* The tuples of an R-MAT graph on several devices: each generates a share, grouped by the process whose block
 * holds the entry, and sends the groups there. */
#include "dist/device_transport.h"
#include "dist/rmat.h"
#include "spmat/backend.h"
#include "spmat/times.h"

/* Bytes and offsets of the pieces that go and come, and the numbers of keys; one block. */
typedef struct {
  size_t *out, *outoff, *in, *inoff;
  uint64_t *count, *come;
} pieces;

static GrB_Info make_pieces(pieces *p) {
  const size_t P = (size_t)grid_here.P;
  size_t *w = grid_malloc(4 * P, sizeof *w);
  uint64_t *counts = grid_malloc(2 * P, sizeof *counts);
  *p = (pieces){w, w + P, w + 2 * P, w + 3 * P, counts, counts + P};
  return w && counts ? GrB_SUCCESS : grid_fail_memory(NULL, "message sizes", P, 48);
}

static void free_pieces(pieces *p) {
  grid_free(p->out);
  grid_free(p->count);
}

/* How many come from each. */
static GrB_Info tell_counts(pieces *p) {
  for (size_t r = 0; r < (size_t)grid_here.P; r++) {
    p->out[r] = sizeof *p->count;
    p->outoff[r] = r * sizeof *p->count;
  }
  return grid_here.transport->exchange(GRID_SET_ALL, p->count, p->out, p->outoff, p->come, p->out, p->outoff);
}

/* *keys, in groups of `room`, become those that have come. */
static GrB_Info send_keys(grid_head *head, pieces *p, uint64_t room, uint64_t **keys, uint64_t *n) {
  const grid_device_transport *way;
  uint64_t *got = NULL;
  GrB_Info info;
  TRY(tell_counts(p));
  *n = 0;
  for (size_t r = 0; r < (size_t)grid_here.P; r++) {
    p->out[r] = p->count[r] * sizeof *got;
    p->outoff[r] = r * room * sizeof *got;
    p->in[r] = p->come[r] * sizeof *got;
    p->inoff[r] = *n * sizeof *got;
    *n += p->come[r];
  }
  got = grid_device_malloc(*n, sizeof *got);
  info = got ? GrB_SUCCESS : grid_device_fail_memory(NULL, "the tuples of a matrix block", *n, sizeof *got);
  TRY(grid_agree(head, info));
  TRY(grid_device_transport_get(&way));
  TRY(way->exchange(GRID_SET_ALL, *keys, p->out, p->outoff, got, p->in, p->inoff));
  grid_device_free(*keys);
  *keys = got;
  got = NULL;
  grid_lap("tuples to their blocks");
done:
  grid_device_free(got);
  return info;
}

GrB_Info grid_rmat_keys(grid_head *head, const grid_rmat_job *job, uint64_t rows, uint64_t **keys,
                        uint64_t *n) {
  uint64_t room = 0;
  pieces p;
  grid_lap_start();
  *keys = NULL;
  GrB_Info info = make_pieces(&p);
  if (info == GrB_SUCCESS) info = grid_cuda->builder->rmat(job, rows, keys, &room, p.count);
  TRY(grid_agree(head, info));
  grid_lap("generate");
  *n = p.count[0];
  if (grid_here.P > 1) TRY(send_keys(head, &p, room, keys, n));
done:
  free_pieces(&p);
  if (info != GrB_SUCCESS) {
    grid_device_free(*keys);
    *keys = NULL;
  }
  return info;
}
