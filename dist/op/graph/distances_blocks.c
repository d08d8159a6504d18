/* See distances_blocks.h. The words of all vertices lie in memory that the processes share. The neighbors of
 * a block's vertices are the columns of a symmetric matrix, and else the rows, which are not contiguous. In
 * that case words are ordered by the grid rows of their chunks. So a neighbor's words are found by its local
 * index. */
#include "dist/op/graph/distances_blocks.h"

#include "spmat/convert/lmat_format.h"
#include "spmat/cpu/matrix/lmat_distances.h"

typedef struct {
  grid_distance_job job;
  grid_expanded_lmat block;
  grid_vertex_range *rows, *columns; /* of the block; one array */
  void *memory;                      /* on one process */
} block_searches;

static void free_searches(block_searches *s) {
  grid_distance_job_free(&s->job);
  grid_expanded_lmat_free(&s->block);
  grid_free(s->rows);
  grid_free(s->memory);
}

/* Of chunk k's words; k = P: the end. */
static uint64_t position_of(uint64_t n, int k, bool symmetric) {
  uint64_t at = 0;
  for (int m = 0; m < grid_ctx.P; m++) {
    const int chunk = symmetric ? m : m % grid_ctx.C * grid_ctx.R + m / grid_ctx.C;
    if (chunk == k) break;
    at += grid_chunk_padded_size(n, chunk);
  }
  return at;
}

static grid_vertex_range chunk_range(uint64_t n, bool rows, int k, bool symmetric) {
  return (grid_vertex_range){.vector = grid_chunk_offset(n, rows, k),
                             .vertex = grid_chunk_first(n, k),
                             .position = position_of(n, k, symmetric),
                             .n = grid_chunk_length(n, k)};
}

static GrB_Info list_vertices(block_searches *s, uint64_t n, bool symmetric) {
  const int R = grid_ctx.R, C = grid_ctx.C;
  const grid_vertex_range row = chunk_range(n, true, grid_block_chunk(true, 0), symmetric),
                          column = chunk_range(n, false, grid_block_chunk(false, 0), symmetric);
  grid_distance_job *job = &s->job;
  s->rows = grid_malloc((size_t)(R + C), sizeof *s->rows);
  if (!s->rows) return grid_fail_memory(NULL, "ranges of vertices", (size_t)(R + C), sizeof *s->rows);
  s->columns = s->rows + C;
  /* A process begins with a chunk that others come to later, so that these look only for what it lacks. */
  for (int m = 0; m < C; m++)
    s->rows[m] = chunk_range(n, true, grid_block_chunk(true, (grid_ctx.j + m) % C), symmetric);
  for (int m = 0; m < R; m++)
    s->columns[m] = chunk_range(n, false, grid_block_chunk(false, (grid_ctx.i + m) % R), symmetric);
  job->to_vertices = s->rows, job->to_ranges = C;
  job->from_vertices = symmetric ? s->rows : s->columns, job->from_ranges = symmetric ? C : R;
  job->chunk = s->rows[0];
  job->whole = job->from_ranges == 1;
  job->first_position = symmetric ? column.position : row.position;
  job->first_vertex = column.vertex;
  return GrB_SUCCESS;
}

/* Local. */
static GrB_Info load_block(block_searches *s, GrB_Matrix A) {
  const bool symmetric = A->properties.symmetric;
  grid_local_matrix *a = &A->block;
  GrB_Info info = GrB_SUCCESS;
  if ((a->row.ids || a->col.ids) && (!symmetric || !grid_matrix_has_short_axes(A))) return GRID_UNSUPPORTED;
  if (symmetric)
    TRY(grid_lmat_expand_hyper(&s->block, a, true));
  else
    s->block.lmat = *a;
  s->job.to = &s->block.lmat.by_row;
  s->job.from = symmetric ? s->job.to : &s->block.lmat.by_col;
  if (!grid_compressed_is_built(s->job.from)) return GRID_UNSUPPORTED;
  info = list_vertices(s, A->nrows, symmetric);
done:
  return info;
}

static void wait_for_processes(void) {
  grid_ctx.transport->barrier(GRID_SET_ALL);
}

/* Memory of all processes for the words of as many searches at a time as fit; NULL: too little, on all of
 * them. */
static void *reserve(block_searches *s) {
  grid_distance_job *job = &s->job;
  for (job->words = grid_distance_words(job->x->nsources); job->words > 0; job->words /= 2) {
    const size_t bytes = grid_distance_job_bytes(job);
    void *memory = job->wait ? grid_ctx.transport->shared_buffer(GRID_SET_ALL, bytes)
                             : (s->memory = grid_malloc(bytes, 1));
    if (memory) return memory;
  }
  return NULL;
}

GrB_Info grid_distances_by_blocks(GrB_Info info, const grid_distance_operands *x, GrB_Matrix A) {
  block_searches s = {.job = {.x = x,
                              .positions = position_of(A->nrows, grid_ctx.P, true),
                              .entries = A->nvals / (uint64_t)grid_ctx.C,
                              .processes = grid_ctx.P,
                              .process = grid_ctx.k,
                              .wait = grid_ctx.P > 1 ? wait_for_processes : NULL}};
  void *const memory = reserve(&s);
  if (info == GrB_SUCCESS) info = load_block(&s, A);
  if (info == GrB_SUCCESS) info = memory ? grid_distance_job_make(&s.job, memory) : GRID_UNSUPPORTED;
  info = grid_agree_supported(NULL, info);
  const uint64_t pass = s.job.words * (uint64_t)GRID_SEARCHES_PER_WORD;
  for (uint64_t first = 0; info == GrB_SUCCESS && first < x->nsources; first += pass) {
    Grid_progress_set(first, x->nsources);
    grid_distance_job_run(&s.job, first, x->nsources - first < pass ? x->nsources - first : pass);
  }
  free_searches(&s);
  return info;
}
