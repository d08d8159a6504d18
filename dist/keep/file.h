/* The file of a part: written so that a crash at any moment leaves it out or whole. */
#ifndef GRID_KEEP_FILE_H
#define GRID_KEEP_FILE_H
#include "dist/keep/image.h"
#include "semiring/error.h"

enum { GRID_KEEP_PATH = 4096, GRID_KEEP_TEXT = GRID_KEEP_PATH + 200 };

/* Which one: part `process` of `processes` of a step. */
typedef struct {
  uint64_t step;
  int processes, process;
} grid_kept_part;

/* Its path in `folder` (of GRID_KEEP_PATH bytes); false: it would be longer. */
bool grid_kept_path(char *path, const char *folder, grid_kept_part name);
/* What a file in such a folder is called after. *left: it was being written when its process ended. */
bool grid_kept_parse(grid_kept_part *name, bool *left, const char *file);

/* An image that begins at a multiple of this goes past the system's cache if it is long. */
enum { GRID_KEEP_BLOCK = 4096 };
/* Writes the image as `path` in `folder`: under another name, synced, renamed, the folder synced. On failure,
 * which leaves the old file if there was one, text (of GRID_KEEP_TEXT bytes) says why. */
bool grid_kept_write(const char *path, const char *folder, const char *image, uint64_t size, char *text);
/* All of it into *image (grid_free it). Errors: GrB_INVALID_VALUE, GrB_OUT_OF_MEMORY, worded. */
GrB_Info grid_kept_read(char **image, uint64_t *size, const char *path, const char *call);

/* Tests: the process ends at step k of the next write, without a word (-1: never). */
extern int grid_keep_crash_at;
enum { GRID_KEEP_STEPS = 6 };
#endif
