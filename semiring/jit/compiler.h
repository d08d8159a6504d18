/* A C compiler found at run time: GRID_JIT_COMPILER of jit_settings.h ($GRIDBLAS_CC), else cc, gcc or clang
 * on the path. Compiles a text to a shared object in the background, in a private directory that is removed
 * afterwards. A missing or failing compiler is no error for the program: there is no kernel then. */
#ifndef GRID_COMPILER_H
#define GRID_COMPILER_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What the code depends on besides the text: the compiler's version, its options, this processor's
 * features. One line. NULL: there is no compiler (the result is cached until grid_compiler_forget). */
const char *grid_compiler_fingerprint(void);
void grid_compiler_forget(void);
/* Reports once that $TMPDIR is not used, because others may write to it or to a directory above. */
void grid_compiler_report(void (*report)(const char *what));
/* The command that compiles; "" if there is none. */
const char *grid_compiler_name(void);

/* A compilation in progress. */
typedef struct {
  pid_t pid;
  char folder[128];
  int64_t since; /* start time in milliseconds */
} grid_compilation;

typedef enum {
  GRID_COMPILER_BUSY,
  GRID_COMPILER_DONE,
  GRID_COMPILER_FAILED,
  GRID_COMPILER_NO_MEMORY
} grid_compiler_outcome;

/* Starts a compilation: BUSY, or it could not start. */
grid_compiler_outcome grid_compiler_start(grid_compilation *c, const char *text);
/* Polls a compilation; wait: until it has ended. DONE: *code, from grid_malloc. FAILED: why (`capacity`
 * bytes) has the compiler's output. */
grid_compiler_outcome grid_compiler_poll(grid_compilation *c, bool wait, void **code, size_t *bytes,
                                         char *why, size_t capacity);
/* Kills a compilation and removes its files. */
void grid_compiler_stop(grid_compilation *c);

/* Loads code into this process and finds a symbol; NULL: why has the reason. */
typedef struct {
  void *library;
  int fd;
} grid_loaded;
void *grid_compiler_load(grid_loaded *l, const void *code, size_t bytes, const char *symbol, char *why,
                         size_t capacity);
void grid_compiler_unload(grid_loaded *l);
#endif
