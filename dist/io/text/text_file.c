/* A text file read by all processes (text_file.h). */
#include "dist/io/text/text_file.h"
#include <errno.h>
#include <string.h>

#include "dist/comm/shm_pipe.h"
#include "semiring/support/progress.h"
#include "semiring/support/tuning.h"

#define BLOCK_MIN ((uint64_t)1 << 12) /* shorter reads cost more than the text they return */
#define BLOCK_MAX ((uint64_t)1 << 20) /* fits a thread's cache */
#define IN_SIZE   ((size_t)1 << 16)   /* compressed bytes per read */

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
  if (t->packing) t->in = grid_malloc(IN_SIZE, 1);
  if (t->packing && !t->in) info = grid_fail_memory(NULL, "reading a packed file", IN_SIZE, 1);
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
    uint64_t each = blocks / P, more = blocks % P;
    t->next = all ? 0 : each * k + (k < more ? k : more);
    t->last = all ? blocks : each * (k + 1) + (k + 1 < more ? k + 1 : more);
    t->first = t->next;
    return GrB_SUCCESS;
  }
  t->ended = false;
  t->in_offset = t->out_offset = 0;
  t->carry_length = 0;
  return grid_unpack_start(&t->unpacker, t->packing, false, t->file.path);
}

/* ---- plain files ---- */

/* The functions below run in several threads and return an errno, which this turns into an error. */
static GrB_Info read_outcome(const grid_text *t, int error) {
  if (error == ENOMEM) return grid_fail_memory(NULL, "a segment of a file's text", t->block, 1);
  return grid_file_outcome(&t->file, error);
}

static int reserve_capacity(grid_text_segment *p, size_t capacity) {
  if (p->capacity >= capacity) return 0;
  char *more = grid_realloc(p->buffer, capacity, 1);
  if (!more) return ENOMEM;
  p->buffer = more;
  p->capacity = capacity;
  return 0;
}

/* Reads beyond p's `got` bytes, which end at `at` in the file, up to the end of a line. */
static int finish_line(const grid_text *t, grid_text_segment *p, size_t *got, uint64_t at) {
  size_t step = 256, beyond = 0;
  while (at < t->file.size && beyond <= t->line_max) {
    size_t n = step < t->file.size - at ? step : (size_t)(t->file.size - at);
    int error = reserve_capacity(p, *got + n);
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

/* Reads the lines that start in block b: from the first line end at or after the byte before the block to
 * the first one at or after its last byte. */
static int read_block(const grid_text *t, uint64_t b, grid_text_segment *p) {
  uint64_t begin = b * t->block, end = t->file.size - begin < t->block ? t->file.size : begin + t->block;
  uint64_t from = begin ? begin - 1 : 0;
  size_t got = (size_t)(end - from), skip = 0;
  p->number = b;
  p->offset = begin;
  p->length = 0;
  int error = reserve_capacity(p, got);
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
#pragma omp parallel for schedule(dynamic, 1) num_threads(grid_ctx.threads) if (count > 1)
  for (int q = 0; q < count; q++) {
    int mine = read_block(t, t->next + (uint64_t)q, &p[q]);
    if (mine) {
#pragma omp atomic write
      error = mine;
    }
  }
  t->next += (uint64_t)count;
  *n = count;
  grid_progress(t->next - t->first, t->last - t->first);
  return read_outcome(t, error);
}

/* ---- compressed files ---- */

static GrB_Info fail_damaged(const grid_text *t, size_t length, grid_parse_error *flaw, bool truncated) {
  const char *name = grid_packing_name(t->packing);
  flaw->offset = t->out_offset + length;
  flaw->whole = true;
  if (truncated)
    grid_parse_error_set(flaw, "truncated: the %s data ends after %llu bytes of text", name,
                         (unsigned long long)flaw->offset);
  else
    grid_parse_error_set(flaw, "corrupt %s data after %llu bytes of text", name,
                         (unsigned long long)flaw->offset);
  return GrB_SUCCESS;
}

/* Reads compressed bytes when the unpacker has none left. */
static GrB_Info refill_unpacker(grid_text *t) {
  if (t->unpacker.in_left || t->in_offset == t->file.size) return GrB_SUCCESS;
  size_t n = t->file.size - t->in_offset < IN_SIZE ? (size_t)(t->file.size - t->in_offset) : IN_SIZE;
  GrB_Info info = read_outcome(t, grid_file_bytes(&t->file, t->in, n, t->in_offset));
  if (info != GrB_SUCCESS) return info;
  t->unpacker.in = t->in;
  t->unpacker.in_left = n;
  t->in_offset += n;
  grid_progress(t->in_offset, t->file.size);
  return GrB_SUCCESS;
}

/* After the end of a member: another may follow, or padding zeros. */
static GrB_Info next_member(grid_text *t) {
  for (;;) {
    GrB_Info info = refill_unpacker(t);
    if (info != GrB_SUCCESS) return info;
    if (t->unpacker.in_left == 0) {
      t->ended = true;
      return GrB_SUCCESS;
    }
    if (*t->unpacker.in) return GrB_SUCCESS;
    t->unpacker.in++;
    t->unpacker.in_left--;
  }
}

/* Decompresses until the segment holds `target` bytes, the stream ends, or an error is found. */
static GrB_Info unpack_to(grid_text *t, grid_text_segment *p, size_t target, grid_parse_error *flaw) {
  while (p->length < target && !t->ended) {
    GrB_Info info = refill_unpacker(t);
    if (info != GrB_SUCCESS) return info;
    size_t made = 0;
    const bool starved = t->unpacker.in_left == 0;
    const grid_unpack_outcome o = grid_unpack(&t->unpacker, p->buffer + p->length, target - p->length, &made);
    p->length += made;
    if (o == GRID_UNPACKED_MEMBER) {
      info = next_member(t);
      if (info != GrB_SUCCESS) return info;
    } else if (o == GRID_UNPACK_MEMORY) {
      return grid_fail_memory(NULL, "reading a packed file", 1, 40000);
    } else if (o == GRID_UNPACK_DAMAGED) {
      return fail_damaged(t, p->length, flaw, false);
    } else if (starved && !made) {
      return fail_damaged(t, p->length, flaw, true);
    }
  }
  return GrB_SUCCESS;
}

/* Saves the text behind the segment's last line for the next segment. */
static GrB_Info save_remainder(grid_text *t, grid_text_segment *p, size_t split_at) {
  size_t rest = p->length - split_at;
  if (t->carry_capacity < rest) {
    char *more = grid_realloc(t->carry, rest + 256, 1);
    if (!more) return grid_fail_memory(NULL, "a line of a file's text", rest + 256, 1);
    t->carry = more;
    t->carry_capacity = rest + 256;
  }
  if (rest) memcpy(t->carry, p->text + split_at, rest);
  t->carry_length = rest;
  p->length = split_at;
  return GrB_SUCCESS;
}

/* A segment ends after its last whole line, unless the text ends or the line is too long. A damaged
 * stream's last segment is cut, too: bad lines before the damage are reported first, whatever the size of
 * segments. */
static size_t segment_end(const grid_text *t, const grid_text_segment *p, bool damage) {
  const char *newline = t->ended ? NULL : memrchr(p->text, '\n', p->length);
  size_t split_at = newline ? (size_t)(newline + 1 - p->text) : 0;
  return t->ended || ((damage || !newline) && p->length - split_at > t->line_max) ? p->length : split_at;
}

/* Decompresses the next segment. Its end depends on the text alone, so all processes cut alike. */
static GrB_Info unpack_segment(grid_text *t, grid_text_segment *p, bool *more, grid_parse_error *flaw) {
  size_t target = t->carry_length + (size_t)t->block, split_at = 0;
  bool damage = false;
  p->number = t->next;
  p->offset = t->out_offset;
  p->length = 0;
  for (; !split_at && !damage; target += target) {
    GrB_Info info = read_outcome(t, reserve_capacity(p, target));
    if (info != GrB_SUCCESS) return info;
    p->text = p->buffer;
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): the buffer exists, or the outcome is an
     * error */
    if (p->length == 0 && t->carry_length) memcpy(p->buffer, t->carry, p->length = t->carry_length);
    info = unpack_to(t, p, target, flaw);
    if (info != GrB_SUCCESS) return info;
    damage = flaw->offset != GRID_NO_PARSE_ERROR;
    split_at = segment_end(t, p, damage);
    if (t->ended) break;
  }
  *more = split_at > 0;
  GrB_Info info = save_remainder(t, p, split_at);
  t->out_offset += split_at;
  t->next++;
  return info;
}

static GrB_Info unpack_segments(grid_text *t, bool all, grid_text_segment *p, int max, int *n,
                                grid_parse_error *flaw) {
  *n = 0;
  while (*n < max && flaw->offset == GRID_NO_PARSE_ERROR) {
    bool more = false;
    const int owner = (int)(t->next % (uint64_t)grid_ctx.P);
    GrB_Info info = unpack_segment(t, &p[*n], &more, flaw);
    if (info != GrB_SUCCESS || !more) return info;
    if (all || owner == grid_ctx.k)
      ++*n;
    else if (t->piped)
      grid_pipe_write(owner, p[*n].number, p[*n].offset, p[*n].text, p[*n].length);
  }
  return GrB_SUCCESS;
}

/* Receives a segment that another process has decompressed; *more: there was one. */
static GrB_Info take_segment(const grid_text *t, grid_text_segment *p, bool wait, bool *more) {
  const char *bytes;
  uint64_t got = 0;
  *more = false;
  do {
    const grid_pipe_fragment *fragment = grid_pipe_get(wait, &bytes);
    if (!fragment) return GrB_SUCCESS;
    GrB_Info info = read_outcome(t, reserve_capacity(p, fragment->length));
    if (info != GrB_SUCCESS) return info;
    memcpy(p->buffer + fragment->first, bytes, fragment->bytes);
    p->text = p->buffer;
    p->number = fragment->number;
    p->offset = fragment->offset;
    p->length = fragment->length;
    got += fragment->bytes;
    grid_pipe_next();
    wait = true; /* the rest will follow */
  } while (got < p->length);
  *more = true;
  return GrB_SUCCESS;
}

/* Waits for one segment, and takes those that have already arrived. */
static GrB_Info take_segments(const grid_text *t, grid_text_segment *p, int max, int *n) {
  bool more = true;
  for (*n = 0; *n < max; ++*n) {
    GrB_Info info = take_segment(t, &p[*n], *n == 0, &more);
    if (info != GrB_SUCCESS || !more) return info;
  }
  return GrB_SUCCESS;
}

/* ---- entry points ---- */

GrB_Info grid_text_read(grid_text *t, bool all, grid_text_segment *p, int max, int *n,
                        grid_parse_error *flaw) {
  if (!t->packing) return read_blocks(t, p, max, n);
  if (t->piped && !all && !grid_pipe_writes()) return take_segments(t, p, max, n);
  return unpack_segments(t, all, p, max, n, flaw);
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
