/* See checkpoint_image.h. */
#include "dist/checkpoint/checkpoint_image.h"

#include <string.h>

#include "spmat/convert/lmat_serialize.h"

enum { VERSION = 1, ENTRY_WORDS = 7 };
#define MAGIC UINT64_C(0x7065656b64697267) /* "gridkeep", of format version 1 */
_Static_assert(offsetof(grid_image_head, checksum) == GRID_BLOB_CHECKSUM * sizeof(uint64_t), "left out");

static uint64_t pad_bytes(uint64_t bytes) {
  return (bytes + 7) / 8 * 8;
}

static uint64_t text_bytes(const char *s) {
  return pad_bytes(strlen(s) + 1);
}

uint64_t grid_image_bytes(const grid_checkpoint_entry *e) {
  return ENTRY_WORDS * sizeof(uint64_t) + text_bytes(e->name) + text_bytes(e->type) +
         (e->is_list ? e->nvals * sizeof(uint64_t) : 0) + pad_bytes(e->nvals * e->size);
}

/* Zero padding, so that equal objects give equal bytes. */
static char *append_text(char *at, const char *s) {
  const uint64_t bytes = text_bytes(s);
  memset(at + bytes - 8, 0, 8);
  memcpy(at, s, strlen(s) + 1);
  return at + bytes;
}

char *grid_image_write_entry(char *at, grid_checkpoint_entry *e) {
  const uint64_t word[ENTRY_WORDS] = {(uint64_t)e->kind | (uint64_t)e->is_list << 32,
                                      text_bytes(e->name) | text_bytes(e->type) << 32,
                                      e->size,
                                      e->n,
                                      e->first,
                                      e->count,
                                      e->nvals};
  memcpy(at, word, sizeof word);
  at = append_text(append_text(at + sizeof word, e->name), e->type);
  e->idx = at;
  e->val = e->is_list ? at + e->nvals * sizeof(uint64_t) : at;
  at = e->val + pad_bytes(e->nvals * e->size);
  if (at > e->val) memset(at - 8, 0, 8);
  return at;
}

void grid_image_seal(char *image, grid_image_head head) {
  head.magic = MAGIC, head.version = VERSION;
  memcpy(image, &head, sizeof head);
  head.checksum = grid_blob_checksum(image, head.size);
  memcpy(image, &head, sizeof head);
}

const char *grid_image_open(grid_image_head *head, const char *image, uint64_t size) {
  if (size < sizeof *head) return "it is too short for a part of a checkpoint";
  memcpy(head, image, sizeof *head);
  if (head->magic != MAGIC) return "it is not a part of a checkpoint";
  if (head->version != VERSION) return "it was written by another version of the library";
  if (head->size != size) return size < head->size ? "it was cut short" : "it is longer than it should be";
  if (size % 8 || head->checksum != grid_blob_checksum(image, size)) return "its checksum is wrong";
  return NULL;
}

/* Reads a zero-terminated text of `bytes` bytes at *at. */
static const char *read_text(const char *image, uint64_t *at, uint64_t bytes) {
  const char *s = image + *at;
  *at += bytes;
  return bytes && !s[bytes - 1] ? s : NULL;
}

/* Skips count * size bytes, padded, at *at: false if they exceed the end. */
static bool read_section(uint64_t *at, uint64_t count, uint64_t size, uint64_t end) {
  uint64_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > end - *at) return false;
  *at += pad_bytes(bytes);
  return true; /* the rest is whole words */
}

static bool is_ascending(const grid_checkpoint_entry *e) {
  uint64_t last = 0, i;
  for (uint64_t k = 0; k < e->nvals; k++, last = i) {
    memcpy(&i, e->idx + k * sizeof i, sizeof i);
    if (i < e->first || i - e->first >= e->count || (k && i <= last)) return false;
  }
  return true;
}

/* Do the sections agree with the entry's header? */
static bool is_consistent(const grid_checkpoint_entry *e) {
  if (e->kind != GRID_CHECKPOINT_VECTOR) return !e->is_list && e->nvals <= 1;
  if (e->first > e->n || e->count > e->n - e->first || e->nvals > e->count) return false;
  return e->is_list ? is_ascending(e) : e->nvals == e->count;
}

const char *grid_image_next(grid_checkpoint_entry *e, uint64_t *at, char *image, uint64_t size) {
  static const char wrong[] = "its contents are inconsistent";
  uint64_t word[ENTRY_WORDS];
  if (size - *at < sizeof word) return wrong;
  memcpy(word, image + *at, sizeof word);
  *at += sizeof word;
  const uint64_t name = word[1] & UINT32_MAX, type = word[1] >> 32;
  if ((word[0] & UINT32_MAX) >= GRID_CHECKPOINT_KINDS || word[0] >> 33 || name % 8 || type % 8 ||
      name + type > size - *at)
    return wrong;
  *e = (grid_checkpoint_entry){.kind = (grid_checkpoint_kind)(word[0] & UINT32_MAX),
                               .is_list = word[0] >> 32 != 0,
                               .size = word[2],
                               .n = word[3],
                               .first = word[4],
                               .count = word[5],
                               .nvals = word[6]};
  e->name = read_text(image, at, name);
  e->type = read_text(image, at, type);
  if (!e->name || !e->type) return wrong;
  e->idx = image + *at;
  if (e->is_list && !read_section(at, e->nvals, sizeof(uint64_t), size)) return wrong;
  e->val = image + *at;
  if (!read_section(at, e->nvals, e->size, size)) return wrong;
  return is_consistent(e) ? NULL : wrong;
}
