/* One process's part of a checkpoint, as the bytes of its file (docs/design.md, "Checkpoints"). */
#ifndef GRID_CHECKPOINT_IMAGE_H
#define GRID_CHECKPOINT_IMAGE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* All of it is 64-bit words, little-endian as the machine is, and sections padded to them: the head, then for
 * each object its own head, its name, its type's name, the indices of a list, the values. */
typedef struct {
  uint64_t magic, size, step;
  uint64_t checksum; /* where grid_blob_checksum leaves it out */
  uint64_t run;      /* the same in all parts of one computation, drawn by chance */
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
  bool is_list;   /* idx has the indices; else all from `first` on have a value */
  uint64_t size;  /* of a value; of GRID_CHECKPOINT_BYTES, all of them */
  uint64_t n;     /* a vector's length */
  uint64_t first; /* ... and the indices from there on, `count` of them, are the process's */
  uint64_t count;
  uint64_t nvals;          /* values that follow */
  const char *name, *type; /* end with a zero */
  char *idx, *val;         /* in the image */
} grid_checkpoint_entry;

uint64_t grid_image_bytes(const grid_checkpoint_entry *e);
/* Writes all but indices and values at `at`, says where those go (e->idx, e->val), and returns the end. */
char *grid_image_write_entry(char *at, grid_checkpoint_entry *e);
/* The head, at last. size: of the image, its head included. */
void grid_image_seal(char *image, grid_image_head head);

/* Looks at the head and the checksum. NULL: it is a part that was written here, whole; else what is wrong. */
const char *grid_image_open(grid_image_head *head, const char *image, uint64_t size);
/* The object at *at (at first sizeof(grid_image_head)), which moves behind it. NULL, or what is wrong. */
const char *grid_image_next(grid_checkpoint_entry *e, uint64_t *at, char *image, uint64_t size);
#endif
