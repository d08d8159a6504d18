/* A C compiler found at run time: $GRIDBLAS_CC, else cc, gcc or clang on the path. A text becomes a shared
 * object, in the background, in a folder of the user's own that is removed afterwards. Nothing here is an
 * error to a program: where there is no compiler, or it fails, there is no kernel. */
#ifndef GRID_COMPILER_H
#define GRID_COMPILER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What, beside a text, the code depends on: the compiler's version, its options, this processor's abilities.
 * One line. NULL: there is no compiler (looked for once, until grid_compiler_forget). */
const char *grid_compiler_fingerprint(void);
void grid_compiler_forget(void);

/* A compilation under way. */
typedef struct {
  pid_t pid;
  char folder[128];
  int64_t since; /* milliseconds */
} grid_compilation;

typedef enum {
  GRID_COMPILER_BUSY,
  GRID_COMPILER_DONE,
  GRID_COMPILER_FAILED,
  GRID_COMPILER_NO_MEMORY
} grid_compiler_outcome;

/* Starts it: BUSY, else it could not. */
grid_compiler_outcome grid_compiler_start(grid_compilation *c, const char *text);
/* Looks how it stands; wait: until it has ended, whichever way. DONE: *code, grid_malloc'ed. FAILED: why, of
 * `room` bytes, has the compiler's words. */
grid_compiler_outcome grid_compiler_poll(grid_compilation *c, bool wait, void **code, size_t *bytes,
                                         char *why, size_t capacity);
/* Ends it, whatever it was doing. */
void grid_compiler_stop(grid_compilation *c);

/* Code as part of this process, and a symbol of it; NULL: why says what is wrong. */
typedef struct {
  void *library;
  int fd;
} grid_loaded;
void *grid_compiler_load(grid_loaded *l, const void *code, size_t bytes, const char *symbol, char *why,
                         size_t capacity);
void grid_compiler_unload(grid_loaded *l);
#endif
