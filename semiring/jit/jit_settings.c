/* See jit_settings.h. */
#include "semiring/jit/jit_settings.h"

#include <stdlib.h>
#include <string.h>

#include "semiring/jit/kernel_cache.h"
#include "semiring/semiring.h"
#include "semiring/support/mem.h"

static struct {
  char *text[GRID_JIT_SETTINGS]; /* NULL: as it was at first */
  int control;
} settings = {.control = GxB_JIT_ON};

static const char *initial_setting(grid_jit_setting_name which) {
  const char *text = which == GRID_JIT_COMPILER ? getenv("GRIDBLAS_CC")
                     : which == GRID_JIT_CACHE  ? getenv("GRIDBLAS_CACHE")
                                                : NULL;
  if (which == GRID_JIT_LIBRARIES) text = "-lm";
  return text ? text : "";
}

const char *grid_jit_setting(grid_jit_setting_name which) {
  return settings.text[which] ? settings.text[which] : initial_setting(which);
}

/* Of what a kernel depends on beside its text. */
static uint64_t hash_settings(const char *(*setting)(grid_jit_setting_name)) {
  uint64_t h = GRID_HASH_START;
  for (int k = GRID_JIT_FLAGS; k <= GRID_JIT_PREFACE; k++) {
    const char *text = setting((grid_jit_setting_name)k);
    h = grid_jit_hash(h, text, strlen(text) + 1);
  }
  return h;
}

bool grid_jit_setting_set(grid_jit_setting_name which, const char *text) {
  char *copy = grid_malloc(strlen(text) + 1, 1);
  if (!copy) return false;
  strcpy(copy, text);
  grid_free(settings.text[which]);
  settings.text[which] = copy;
  grid_text_settings = hash_settings(grid_jit_setting) ^ hash_settings(initial_setting);
  return true;
}

int grid_jit_control(void) {
  return settings.control;
}

void grid_jit_control_set(int control) {
  settings.control = control;
}

int grid_jit_setting_words(grid_jit_setting_name which, char *copy, size_t capacity, char **words, int most) {
  const char *text = grid_jit_setting(which);
  char *state = NULL;
  int n = 0;
  if (strlen(text) >= capacity) return -1;
  strcpy(copy, text);
  for (char *word = strtok_r(copy, " \t\n", &state); word; word = strtok_r(NULL, " \t\n", &state)) {
    if (n == most) return -1;
    words[n++] = word;
  }
  return n;
}

void grid_jit_settings_reset(void) {
  for (int k = 0; k < GRID_JIT_SETTINGS; k++) {
    grid_free(settings.text[k]);
    settings.text[k] = NULL;
  }
  settings.control = GxB_JIT_ON;
  grid_text_settings = 0;
}
