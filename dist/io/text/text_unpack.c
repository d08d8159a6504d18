/* Segments of a compressed text file (text_segments.h). */
#include <string.h>

#include "dist/comm/shm_pipe.h"
#include "dist/io/text/text_segments.h"
#include "semiring/support/progress.h"

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

/* Refuses a text that is longer than its file justifies, at the same byte on all processes. */
static GrB_Info fail_expanding(const grid_text *t, grid_text_segment *p, grid_parse_error *flaw) {
  p->length = (size_t)(t->text_max - t->out_offset);
  flaw->offset = t->text_max;
  flaw->whole = true;
  grid_parse_error_set(flaw, "%s", grid_unpack_refusal(t->file.size).text);
  return GrB_SUCCESS;
}

/* Reads compressed bytes when the unpacker has none left, or few where a member begins. */
static GrB_Info refill_unpacker(grid_text *t) {
  grid_unpacker *u = &t->unpacker;
  const uint64_t rest = t->file.size - t->in_offset;
  const size_t left = u->in_left, least = u->in_member ? 1 : GRID_TEXT_IN_SIZE / 2;
  if (left >= least || !rest) return GrB_SUCCESS;
  const size_t n = rest < GRID_TEXT_IN_SIZE - left ? (size_t)rest : GRID_TEXT_IN_SIZE - left;
  if (left) memmove(t->in, u->in, left);
  GrB_Info info = grid_text_outcome(t, grid_file_bytes(&t->file, t->in + left, n, t->in_offset));
  if (info != GrB_SUCCESS) return info;
  u->in = t->in;
  u->in_left = left + n;
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
    if (p->length > t->text_max - t->out_offset) return fail_expanding(t, p, flaw);
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
    GrB_Info info = grid_text_outcome(t, grid_text_reserve(p, target));
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

GrB_Info grid_text_unpack(grid_text *t, bool all, grid_text_segment *p, int max, int *n,
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
static GrB_Info receive_segment(const grid_text *t, grid_text_segment *p, bool wait, bool *more) {
  const char *bytes;
  uint64_t got = 0;
  *more = false;
  do {
    const grid_pipe_fragment *fragment = grid_pipe_get(wait, &bytes);
    if (!fragment) return GrB_SUCCESS;
    GrB_Info info = grid_text_outcome(t, grid_text_reserve(p, fragment->length));
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

GrB_Info grid_text_take(const grid_text *t, grid_text_segment *p, int max, int *n) {
  bool more = true;
  for (*n = 0; *n < max; ++*n) {
    GrB_Info info = receive_segment(t, &p[*n], *n == 0, &more);
    if (info != GrB_SUCCESS || !more) return info;
  }
  return GrB_SUCCESS;
}
