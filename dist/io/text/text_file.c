/* A text file read by all processes (text_file.h). */
#include "dist/io/text/text_file.h"

#include <string.h>

#include "dist/comm/shm_pipe.h"
#include "dist/io/text/text_segments.h"
#include "semiring/support/progress.h"
#include "semiring/support/tuning.h"
#include "semiring/threads/context_section.h"

#define BLOCK_MIN ((uint64_t)1 << 12) /* shorter reads cost more than the text they return */
#define BLOCK_MAX ((uint64_t)1 << 20) /* fits a thread's cache */

/* ---- opening ---- */

/* Small files have several blocks per process, large ones blocks of a fixed size. */
static uint64_t block_size(const grid_text *t) {
  uint64_t text = t->packing ? 4 * t->file.size : t->file.size, b = text / (8 * (uint64_t)grid_ctx.P);
  if (grid_tune.text_block) return grid_tune.text_block;
  return b < BLOCK_MIN ? BLOCK_MIN : b > BLOCK_MAX ? BLOCK_MAX : b;
}

GrB_Info grid_text_open(grid_text *t, const grid_file *f) {
  GrB_Info info = GrB_SUCCESS;
  memset(t, 0, sizeof *t);
  t->file = *f;
  t->packing = grid_packing_of(f->magic);
  t->block = block_size(t);
  t->line_max = GRID_LINE_MAX;
  t->text_max = grid_unpack_limit(f->size);
  if (t->packing) t->in = grid_malloc(GRID_TEXT_IN_SIZE, 1);
  if (t->packing && !t->in) info = grid_fail_memory(NULL, "reading a packed file", GRID_TEXT_IN_SIZE, 1);
  if (info == GrB_SUCCESS) info = grid_text_rewind(t, false);
  info = grid_agree(NULL, info);
  if (info != GrB_SUCCESS)
    grid_text_close(t);
  else
    t->piped = t->packing && grid_pipe_open();
  return info;
}

void grid_text_close(grid_text *t) {
  grid_progress(0, 0);
  if (t->piped) grid_pipe_close();
  t->piped = false;
  grid_unpack_end(&t->unpacker);
  grid_free(t->in);
  grid_free(t->carry);
  t->in = NULL;
  t->carry = NULL;
}

GrB_Info grid_text_rewind(grid_text *t, bool all) {
  t->next = 0;
  if (!t->packing) {
    uint64_t blocks = t->file.size / t->block + (t->file.size % t->block != 0), P = (uint64_t)grid_ctx.P,
             k = (uint64_t)grid_ctx.k;
    uint64_t per_process = blocks / P, more = blocks % P;
    t->next = all ? 0 : per_process * k + (k < more ? k : more);
    t->last = all ? blocks : per_process * (k + 1) + (k + 1 < more ? k + 1 : more);
    t->first = t->next;
    return GrB_SUCCESS;
  }
  t->ended = false;
  t->in_offset = t->out_offset = 0;
  t->carry_length = 0;
  return grid_unpack_start(&t->unpacker, t->packing, false, t->file.path);
}

/* ---- plain files ---- */

/* Reads beyond p's `got` bytes, which end at `at` in the file, up to the end of a line. */
static int finish_line(const grid_text *t, grid_text_segment *p, size_t *got, uint64_t at) {
  size_t step = 256, beyond = 0;
  while (at < t->file.size && beyond <= t->line_max) {
    size_t n = step < t->file.size - at ? step : (size_t)(t->file.size - at);
    int error = grid_text_reserve(p, *got + n);
    if (!error) error = grid_file_bytes(&t->file, p->buffer + *got, n, at);
    if (error) return error;
    const char *newline = memchr(p->buffer + *got, '\n', n);
    if (newline) {
      *got = (size_t)(newline + 1 - p->buffer);
      return 0;
    }
    *got += n;
    at += n;
    beyond += n;
    step *= 2;
  }
  return 0;
}

/* Reads the lines that start in block b. They lie between the first line end at or after the byte before the
 * block and the first one at or after its last byte. */
static int read_block(const grid_text *t, uint64_t b, grid_text_segment *p) {
  uint64_t begin = b * t->block, end = t->file.size - begin < t->block ? t->file.size : begin + t->block;
  uint64_t from = begin ? begin - 1 : 0;
  size_t got = (size_t)(end - from), skip = 0;
  p->number = b;
  p->offset = begin;
  p->length = 0;
  int error = grid_text_reserve(p, got);
  p->text = p->buffer;
  if (!error) error = grid_file_bytes(&t->file, p->buffer, got, from);
  if (error) return error;
  if (b > 0) {
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): no block is empty, so the buffer exists */
    const char *newline = memchr(p->buffer, '\n', got - 1);
    if (!newline) return 0; /* the block is inside one long line */
    skip = (size_t)(newline + 1 - p->buffer);
  }
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): as above */
  if (p->buffer[got - 1] != '\n') error = finish_line(t, p, &got, end);
  p->text = p->buffer + skip;
  p->length = got - skip;
  p->offset = from + skip;
  return error;
}

static GrB_Info read_blocks(grid_text *t, grid_text_segment *p, int max, int *n) {
  int error = 0;
  uint64_t left = t->last - t->next;
  int count = left < (uint64_t)max ? (int)left : max;
  const uintptr_t context = grid_context_distance;
#pragma omp parallel for schedule(dynamic, 1) num_threads(grid_ctx.threads) if (count > 1)
  for (int q = 0; q < count; q++) {
    GRID_WORKER_SCOPE(context);
    int block_error = read_block(t, t->next + (uint64_t)q, &p[q]);
    if (block_error) {
#pragma omp atomic write
      error = block_error;
    }
  }
  t->next += (uint64_t)count;
  *n = count;
  grid_progress(t->next - t->first, t->last - t->first);
  return grid_text_outcome(t, error);
}

/* ---- entry points ---- */

GrB_Info grid_text_read(grid_text *t, bool all, grid_text_segment *p, int max, int *n,
                        grid_parse_error *flaw) {
  if (!t->packing) return read_blocks(t, p, max, n);
  if (t->piped && !all && !grid_pipe_writes()) return grid_text_take(t, p, max, n);
  return grid_text_unpack(t, all, p, max, n, flaw);
}

void grid_text_stop_reading(grid_text *t) {
  if (t->piped) grid_pipe_leave();
}

uint64_t grid_text_line(grid_text *t, uint64_t offset) {
  grid_text_segment p = {0};
  grid_parse_error flaw = {.offset = GRID_NO_PARSE_ERROR};
  uint64_t line = 1;
  int n = 1;
  GrB_Info info = grid_text_rewind(t, true);
  while (info == GrB_SUCCESS && n) {
    info = grid_text_read(t, true, &p, 1, &n, &flaw);
    if (info != GrB_SUCCESS || !n || p.offset >= offset) break;
    size_t upto = offset - p.offset < p.length ? (size_t)(offset - p.offset) : p.length;
    for (size_t k = 0; k < upto; k++) line += p.text[k] == '\n';
  }
  grid_free(p.buffer);
  return info == GrB_SUCCESS ? line : 0;
}
