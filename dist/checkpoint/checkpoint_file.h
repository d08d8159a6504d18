/* A process's checkpoint file, written so that after a crash at any moment it is complete or absent. */
#ifndef GRID_CHECKPOINT_FILE_H
#define GRID_CHECKPOINT_FILE_H
#include "dist/checkpoint/checkpoint_image.h"
#include "semiring/support/error.h"

enum { GRID_CHECKPOINT_PATH = 4096, GRID_CHECKPOINT_TEXT = GRID_CHECKPOINT_PATH + 200 };

/* The file of process `process` of `processes` for a step. */
typedef struct {
  uint64_t step;
  int processes, process;
} grid_checkpoint_file;

/* Its path in `folder` (GRID_CHECKPOINT_PATH bytes); false: too long. */
bool grid_checkpoint_path(char *path, const char *folder, grid_checkpoint_file name);
/* Parses a file name. *is_partial: its process ended while writing it. */
bool grid_checkpoint_parse_name(grid_checkpoint_file *name, bool *is_partial, const char *file);

/* Alignment of an image for direct I/O. */
enum { GRID_CHECKPOINT_BLOCK = 4096 };
/* Writes the image as `path` in `folder`: under a temporary name, synced, renamed, the directory synced.
 * On failure an older file remains, and text (GRID_CHECKPOINT_TEXT bytes) gets the reason. */
bool grid_checkpoint_write_file(const char *path, const char *folder, const char *image, uint64_t size,
                                char *text);
/* Reads the file into *image (grid_free it). Errors, with text: GrB_INVALID_VALUE, GrB_OUT_OF_MEMORY. */
GrB_Info grid_checkpoint_read_file(char **image, uint64_t *size, const char *path, const char *call);

enum { GRID_CHECKPOINT_STEPS = 6 };
#endif
