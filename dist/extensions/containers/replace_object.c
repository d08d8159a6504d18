/* See replace_object.h. */
#include "dist/extensions/containers/replace_object.h"

#include "dist/grid/layout.h"
#include "dist/matrix/storage/matrix_host_resident.h"

void grid_vector_replace(GrB_Vector v, uint64_t n, grid_chunk *c) {
  grid_pending_free(&v->pending);
  if (v->read_cache.copied) grid_chunk_free(&v->read_cache.all);
  v->read_cache = (grid_read_cache){0};
  grid_chunk_free(&v->chunk);
  grid_chunk_free(&v->reusable);
  v->type = c->type, v->n = n;
  v->chunk = *c;
  grid_chunk_init(&v->reusable, v->type, v->chunk.n);
  grid_chunk_init(c, v->type, 0);
  grid_vector_invalidate_cache(v);
}

void grid_matrix_replace(GrB_Matrix A, GrB_Matrix from) {
  grid_matrix_drop(A);
  grid_block_pages_free(from);
  grid_comm_buffers_free(&A->cached.buffers);
  A->type = from->type;
  A->nrows = from->nrows, A->ncols = from->ncols, A->nvals = from->nvals;
  A->block = from->block;
  A->bitmap = from->bitmap;
  A->pages = from->pages;
  A->placement.on_device = from->placement.on_device;
  A->properties = from->properties;
  grid_lmat_init(&from->block, from->type, 0, 0);
  grid_chunk_init(&from->bitmap.chunk, from->type, 0);
  from->bitmap.present = from->bitmap.only = from->bitmap.is_iso = false;
  from->pages = NULL;
  from->nvals = 0;
}
