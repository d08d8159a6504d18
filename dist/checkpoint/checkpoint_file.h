/* The file of a part: written so that a crash at any moment leaves it out or whole. */
#ifndef GRID_CHECKPOINT_FILE_H
#define GRID_CHECKPOINT_FILE_H
#include "dist/checkpoint/checkpoint_image.h"
#include "semiring/support/error.h"

enum { GRID_CHECKPOINT_PATH = 4096, GRID_CHECKPOINT_TEXT = GRID_CHECKPOINT_PATH + 200 };

/* Which one: part `process` of `processes` of a step. */
typedef struct {
  uint64_t step;
  int processes, process;
} grid_checkpoint_file;

/* Its path in `folder` (of GRID_CHECKPOINT_PATH bytes); false: it would be longer. */
bool grid_checkpoint_path(char *path, const char *folder, grid_checkpoint_file name);
/* What a file in such a folder is called after. *left: it was being written when its process ended. */
bool grid_checkpoint_parse_name(grid_checkpoint_file *name, bool *is_partial, const char *file);

/* An image that begins at a multiple of this goes by direct I/O if it is long. */
enum { GRID_CHECKPOINT_BLOCK = 4096 };
/* Writes the image as `path` in `folder`: under another name, synced, renamed, the folder synced. On failure,
 * which leaves the old file if there was one, text (of GRID_CHECKPOINT_TEXT bytes) says why. */
bool grid_checkpoint_write_file(const char *path, const char *folder, const char *image, uint64_t size,
                                char *text);
/* All of it into *image (grid_free it). Errors: GrB_INVALID_VALUE, GrB_OUT_OF_MEMORY, worded. */
GrB_Info grid_checkpoint_read_file(char **image, uint64_t *size, const char *path, const char *call);

enum { GRID_CHECKPOINT_STEPS = 6 };
#endif
