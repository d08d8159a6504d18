/* A file as text that all processes read at once (text.h). */
#include "dist/read/text.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

size_t grid_text_block = 0;

#define BLOCK_MIN ((uint64_t)1 << 12) /* below it a read costs more than the text it brings */
#define BLOCK_MAX ((uint64_t)1 << 20) /* a thread's text stays in its cache */
#define IN_SIZE   ((size_t)1 << 16)   /* compressed bytes read at once */

/* ---- open ---- */

/* Opens for this process alone; what is wrong goes to `why`. */
static void open_here(grid_text *t, char *why, size_t room) {
  struct stat st;
  /* Looked at before it is opened: opening a pipe would block, opening a device may act on it. */
  if (stat(t->path, &st) != 0) {
    snprintf(why, room, "cannot open: %s", strerror(errno));
  } else if (S_ISDIR(st.st_mode)) {
    snprintf(why, room, "is a directory");
  } else if (!S_ISREG(st.st_mode)) {
    snprintf(why, room, "is not a regular file");
  } else if ((t->fd = open(t->path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)) < 0) {
    snprintf(why, room, "cannot open: %s", strerror(errno));
  } else if (fstat(t->fd, &st) != 0) {
    snprintf(why, room, "cannot open: %s", strerror(errno));
  } else if (st.st_size == 0) {
    snprintf(why, room, "is empty");
  } else {
    unsigned char magic[2] = {0, 0};
    t->size = (uint64_t)st.st_size;
    if (pread(t->fd, magic, 2, 0) < 0) snprintf(why, room, "cannot read: %s", strerror(errno));
    t->gzip = magic[0] == 0x1f && magic[1] == 0x8b;
  }
}

/* All processes must have opened the same file: at least one of the same size and kind. */
static GrB_Info agree_on_file(grid_text *t, const char *why) {
  uint64_t bad = *why != 0;
  GrB_Info info = grid_here.transport->allreduce(GRID_SET_ALL, &bad, 1, GRID_SUM);
  if (info != GrB_SUCCESS) return info;
  if (*why && bad == (uint64_t)grid_here.P) {
    info = grid_fail(NULL, GrB_INVALID_VALUE, "%s: %s", t->path, why);
  } else if (*why) {
    info = grid_fail(NULL, GrB_INVALID_VALUE, "%s: %s (on %llu of %d processes, process %d the first)",
                     t->path, why, (unsigned long long)bad, grid_here.P, grid_here.k);
  }
  if (bad) return grid_agree(NULL, info);
  uint64_t v[4] = {t->size, ~t->size, t->gzip, !t->gzip};
  info = grid_here.transport->allreduce(GRID_SET_ALL, v, 4, GRID_MAX);
  if (info == GrB_SUCCESS && (v[0] != ~v[1] || v[2] == v[3]))
    info = grid_fail(NULL, GrB_INVALID_VALUE,
                     "%s: differs between processes (%llu bytes on one, %llu on another)", t->path,
                     (unsigned long long)~v[1], (unsigned long long)v[0]);
  return info;
}

static void *z_alloc(void *opaque, unsigned count, unsigned size) {
  (void)opaque;
  return grid_calloc(count, size);
}
static void z_free(void *opaque, void *p) {
  (void)opaque;
  grid_free(p);
}

static GrB_Info start_inflating(grid_text *t) {
  t->in = grid_malloc(IN_SIZE, 1);
  t->z.zalloc = z_alloc;
  t->z.zfree = z_free;
  if (!t->in) return grid_fail_memory(NULL, "reading a gzip file", IN_SIZE, 1);
  int z = inflateInit2(&t->z, 15 + 16);
  if (z == Z_MEM_ERROR) return grid_fail_memory(NULL, "reading a gzip file", 1, 40000);
  if (z != Z_OK) return grid_fail(NULL, GrB_PANIC, "%s: zlib does not start (code %d)", t->path, z);
  t->inflating = true;
  return GrB_SUCCESS;
}

/* Small files in several pieces for every process, large ones in pieces of a fixed size. */
static uint64_t block_size(const grid_text *t) {
  uint64_t text = t->gzip ? 4 * t->size : t->size, b = text / (8 * (uint64_t)grid_here.P);
  if (grid_text_block) return grid_text_block;
  return b < BLOCK_MIN ? BLOCK_MIN : b > BLOCK_MAX ? BLOCK_MAX : b;
}

GrB_Info grid_text_open(grid_text *t, const char *path) {
  char why[256] = "";
  memset(t, 0, sizeof *t);
  t->path = path;
  t->fd = -1;
  open_here(t, why, sizeof why);
  GrB_Info info = agree_on_file(t, why);
  if (info == GrB_SUCCESS) {
    t->block = block_size(t);
    if (t->gzip) info = start_inflating(t);
    if (info == GrB_SUCCESS) info = grid_text_rewind(t, false);
    info = grid_agree(NULL, info);
  }
  if (info != GrB_SUCCESS) grid_text_close(t);
  return info;
}

void grid_text_close(grid_text *t) {
  if (t->inflating) inflateEnd(&t->z);
  if (t->fd >= 0) close(t->fd);
  grid_free(t->in);
  grid_free(t->carry);
  memset(t, 0, sizeof *t);
  t->fd = -1;
}

GrB_Info grid_text_rewind(grid_text *t, bool all) {
  t->next = 0;
  if (!t->gzip) {
    uint64_t blocks = t->size / t->block + (t->size % t->block != 0), P = (uint64_t)grid_here.P,
             k = (uint64_t)grid_here.k;
    uint64_t each = blocks / P, more = blocks % P;
    t->next = all ? 0 : each * k + (k < more ? k : more);
    t->last = all ? blocks : each * (k + 1) + (k + 1 < more ? k + 1 : more);
    return GrB_SUCCESS;
  }
  if (inflateReset(&t->z) != Z_OK)
    return grid_fail(NULL, GrB_PANIC, "%s: zlib does not start again", t->path);
  t->z.avail_in = 0;
  t->ended = false;
  t->in_offset = t->out_offset = 0;
  t->carry_length = 0;
  return GrB_SUCCESS;
}

/* ---- plain files ---- */

/* The functions below run in several threads and return an errno (ENODATA: the file ended early); this words
 * it. */
static GrB_Info read_outcome(const grid_text *t, int error) {
  if (error == 0) return GrB_SUCCESS;
  if (error == ENOMEM) return grid_fail_memory(NULL, "a piece of a file's text", t->block, 1);
  if (error == ENODATA)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: became shorter while it was read", t->path);
  return grid_fail(NULL, GrB_INVALID_VALUE, "%s: cannot read: %s", t->path, strerror(error));
}

/* Reads exactly n bytes at `offset`. */
static int read_bytes(const grid_text *t, void *buf, size_t n, uint64_t offset) {
  for (size_t done = 0; done < n;) {
    ssize_t got = pread(t->fd, (char *)buf + done, n - done, (off_t)(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return errno;
    if (got == 0) return ENODATA;
    done += (size_t)got;
  }
  return 0;
}

static int make_room(grid_piece *p, size_t room) {
  if (p->room >= room) return 0;
  char *more = grid_realloc(p->buffer, room, 1);
  if (!more) return ENOMEM;
  p->buffer = more;
  p->room = room;
  return 0;
}

/* Reads on from p's `got` bytes, which end at `at` in the file, until a line ends there. */
static int finish_line(const grid_text *t, grid_piece *p, size_t *got, uint64_t at) {
  size_t step = 256, beyond = 0;
  while (at < t->size && beyond <= GRID_LINE_MAX) {
    size_t n = step < t->size - at ? step : (size_t)(t->size - at);
    int error = make_room(p, *got + n);
    if (!error) error = read_bytes(t, p->buffer + *got, n, at);
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

/* The lines that start in block b: from the first line end at or after the byte before the block to the first
 * one at or after its last byte. */
static int read_block(const grid_text *t, uint64_t b, grid_piece *p) {
  uint64_t begin = b * t->block, end = t->size - begin < t->block ? t->size : begin + t->block;
  uint64_t from = begin ? begin - 1 : 0;
  size_t got = (size_t)(end - from), skip = 0;
  p->number = b;
  p->offset = begin;
  p->length = 0;
  int error = make_room(p, got);
  p->text = p->buffer;
  if (!error) error = read_bytes(t, p->buffer, got, from);
  if (error) return error;
  if (b > 0) {
    /* NOLINTNEXTLINE(clang-analyzer-core.NonNullParamChecker): no block is empty, so there is room */
    const char *newline = memchr(p->buffer, '\n', got - 1);
    if (!newline) return 0; /* inside one long line */
    skip = (size_t)(newline + 1 - p->buffer);
  }
  /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): as above */
  if (p->buffer[got - 1] != '\n') error = finish_line(t, p, &got, end);
  p->text = p->buffer + skip;
  p->length = got - skip;
  p->offset = from + skip;
  return error;
}

static GrB_Info read_blocks(grid_text *t, grid_piece *p, int max, int *n) {
  int error = 0;
  uint64_t left = t->last - t->next;
  int count = left < (uint64_t)max ? (int)left : max;
#pragma omp parallel for schedule(dynamic, 1) num_threads(grid_here.threads) if (count > 1)
  for (int q = 0; q < count; q++) {
    int mine = read_block(t, t->next + (uint64_t)q, &p[q]);
    if (mine) {
#pragma omp atomic write
      error = mine;
    }
  }
  t->next += (uint64_t)count;
  *n = count;
  return read_outcome(t, error);
}

/* ---- gzip files ---- */

static int damaged(const grid_text *t, size_t length, grid_flaw *flaw, const char *what) {
  flaw->offset = t->out_offset + length;
  flaw->whole = true;
  return grid_flaw_say(flaw, "%s after %llu bytes of text", what, (unsigned long long)flaw->offset);
}

/* Brings compressed bytes to z when it has none left. */
static GrB_Info feed(grid_text *t) {
  if (t->z.avail_in || t->in_offset == t->size) return GrB_SUCCESS;
  size_t n = t->size - t->in_offset < IN_SIZE ? (size_t)(t->size - t->in_offset) : IN_SIZE;
  GrB_Info info = read_outcome(t, read_bytes(t, t->in, n, t->in_offset));
  if (info != GrB_SUCCESS) return info;
  t->z.next_in = t->in;
  t->z.avail_in = (unsigned)n;
  t->in_offset += n;
  return GrB_SUCCESS;
}

/* A member of the file ended: another may follow, or zeros that fill a tape's block. */
static GrB_Info next_member(grid_text *t) {
  for (;;) {
    GrB_Info info = feed(t);
    if (info != GrB_SUCCESS) return info;
    if (t->z.avail_in == 0) {
      t->ended = true;
      return GrB_SUCCESS;
    }
    if (*t->z.next_in) break;
    t->z.next_in++;
    t->z.avail_in--;
  }
  inflateReset(&t->z);
  return GrB_SUCCESS;
}

/* Inflates until the piece holds `target` bytes, the stream ends, or a flaw is found. */
static GrB_Info inflate_to(grid_text *t, grid_piece *p, size_t target, grid_flaw *flaw) {
  while (p->length < target && !t->ended) {
    GrB_Info info = feed(t);
    if (info != GrB_SUCCESS) return info;
    size_t want = target - p->length;
    unsigned out = want < (1u << 30) ? (unsigned)want : 1u << 30;
    t->z.next_out = (unsigned char *)p->buffer + p->length;
    t->z.avail_out = out;
    bool starved = t->z.avail_in == 0;
    int z = inflate(&t->z, Z_NO_FLUSH);
    p->length += out - t->z.avail_out;
    if (z == Z_STREAM_END) {
      info = next_member(t);
      if (info != GrB_SUCCESS) return info;
    } else if (z == Z_MEM_ERROR) {
      return grid_fail_memory(NULL, "reading a gzip file", 1, 40000);
    } else if (z == Z_BUF_ERROR && starved) {
      damaged(t, p->length, flaw, "truncated: the gzip data ends");
      return GrB_SUCCESS;
    } else if (z != Z_OK && z != Z_BUF_ERROR) {
      damaged(t, p->length, flaw, "corrupt gzip data");
      return GrB_SUCCESS;
    }
  }
  return GrB_SUCCESS;
}

/* Keeps what follows the piece's last line for the next piece. */
static GrB_Info set_aside(grid_text *t, grid_piece *p, size_t cut) {
  size_t rest = p->length - cut;
  if (t->carry_room < rest) {
    char *more = grid_realloc(t->carry, rest + 256, 1);
    if (!more) return grid_fail_memory(NULL, "a line of a file's text", rest + 256, 1);
    t->carry = more;
    t->carry_room = rest + 256;
  }
  if (rest) memcpy(t->carry, p->text + cut, rest);
  t->carry_length = rest;
  p->length = cut;
  return GrB_SUCCESS;
}

/* Where a piece ends: after its last whole line, unless the text ends there or the line is too long anyway. A
 * damaged stream's last piece is cut too: lines that were bad before the damage are reported first, however
 * large pieces are. */
static size_t piece_end(const grid_text *t, const grid_piece *p, bool damage) {
  const char *newline = t->ended ? NULL : memrchr(p->text, '\n', p->length);
  size_t cut = newline ? (size_t)(newline + 1 - p->text) : 0;
  return t->ended || ((damage || !newline) && p->length - cut > GRID_LINE_MAX) ? p->length : cut;
}

/* The next piece of the inflated text. Where pieces end depends on the text alone, so all processes cut
 * alike. */
static GrB_Info inflate_piece(grid_text *t, grid_piece *p, bool *more, grid_flaw *flaw) {
  size_t target = t->carry_length + (size_t)t->block, cut = 0;
  bool damage = false;
  p->number = t->next;
  p->offset = t->out_offset;
  p->length = 0;
  for (; !cut && !damage; target += target) {
    GrB_Info info = read_outcome(t, make_room(p, target));
    if (info != GrB_SUCCESS) return info;
    p->text = p->buffer;
    if (p->length == 0 && t->carry_length) memcpy(p->buffer, t->carry, p->length = t->carry_length);
    info = inflate_to(t, p, target, flaw);
    if (info != GrB_SUCCESS) return info;
    damage = flaw->offset != GRID_NO_FLAW;
    cut = piece_end(t, p, damage);
    if (t->ended) break;
  }
  *more = cut > 0;
  GrB_Info info = set_aside(t, p, cut);
  t->out_offset += cut;
  t->next++;
  return info;
}

static GrB_Info inflate_pieces(grid_text *t, bool all, grid_piece *p, int max, int *n, grid_flaw *flaw) {
  *n = 0;
  while (*n < max && flaw->offset == GRID_NO_FLAW) {
    bool more = false, mine = all || t->next % (uint64_t)grid_here.P == (uint64_t)grid_here.k;
    GrB_Info info = inflate_piece(t, &p[*n], &more, flaw);
    if (info != GrB_SUCCESS || !more) return info;
    *n += mine;
  }
  return GrB_SUCCESS;
}

/* ---- both ---- */

GrB_Info grid_text_read(grid_text *t, bool all, grid_piece *p, int max, int *n, grid_flaw *flaw) {
  return t->gzip ? inflate_pieces(t, all, p, max, n, flaw) : read_blocks(t, p, max, n);
}

uint64_t grid_text_line(grid_text *t, uint64_t offset) {
  grid_piece p = {0};
  grid_flaw flaw = {.offset = GRID_NO_FLAW};
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
