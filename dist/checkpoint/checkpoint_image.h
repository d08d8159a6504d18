/* One process's part of a checkpoint as the bytes of its file (checkpoint.h). */
#ifndef GRID_CHECKPOINT_IMAGE_H
#define GRID_CHECKPOINT_IMAGE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The image consists of 64-bit words, little-endian, with padded sections: the header, then for each
 * object its header, name, type name, the indices of a list, the values. */
typedef struct {
  uint64_t magic, size, step;
  uint64_t checksum; /* at the position that grid_blob_checksum skips */
  uint64_t run;      /* random id, the same in all parts of one run */
  uint32_t processes, process;
  uint64_t version, reserved; /* 0 */
} grid_image_head;

typedef enum {
  GRID_CHECKPOINT_VECTOR,
  GRID_CHECKPOINT_SCALAR,
  GRID_CHECKPOINT_BYTES,
  GRID_CHECKPOINT_KINDS
} grid_checkpoint_kind;

typedef struct {
  grid_checkpoint_kind kind;
  bool is_list;   /* idx has the indices; else all indices from `first` on have a value */
  uint64_t size;  /* bytes of a value; of GRID_CHECKPOINT_BYTES, all bytes */
  uint64_t n;     /* a vector's length */
  uint64_t first; /* the process owns indices first .. first + count */
  uint64_t count;
  uint64_t nvals;          /* number of values */
  const char *name, *type; /* zero-terminated */
  char *idx, *val;         /* in the image */
} grid_checkpoint_entry;

uint64_t grid_image_bytes(const grid_checkpoint_entry *e);
/* Writes all but indices and values at `at`, sets e->idx and e->val to their destinations, and returns the
 * end. */
char *grid_image_write_entry(char *at, grid_checkpoint_entry *e);
/* Writes the header last. size: of the image, header included. */
void grid_image_seal(char *image, grid_image_head head);

/* Verifies header and checksum. NULL: a complete part; else the reason. */
const char *grid_image_open(grid_image_head *head, const char *image, uint64_t size);
/* Reads the object at *at (at first sizeof(grid_image_head)), which moves behind it. NULL, or the error. */
const char *grid_image_next(grid_checkpoint_entry *e, uint64_t *at, char *image, uint64_t size);
#endif
