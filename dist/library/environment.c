/* Misspelt names of settings in the environment are reported, with the setting that was meant. Other unknown
 * names are not: those of module systems, such as GRIDBLAS_ROOT, and of tests. */
#include <stdio.h>
#include <string.h>

#include "dist/library/library.h"

extern char **environ;

#define PREFIX "GRIDBLAS_"
/* docs/settings.md; without the prefix, so that tests/settings.sh compares all three. */
static const char *const settings[] = {"BURBLE",        "CACHE",   "CC",      "CHECK",         "DEVICE",
                                       "DEVICE_MEMORY", "GRID",    "KERNELS", "LIBRARY",       "MEMORY",
                                       "MPI",           "NETWORK", "NVRTC",   "PAGES_FOLDERS", "PYTHON",
                                       "SHARE_GPU",     "TIMEOUT", "TUNE"};
enum { SETTINGS = sizeof settings / sizeof *settings };

/* Is it n characters of text that `known` has? */
static bool is_same(const char *known, const char *text, size_t n) {
  return strlen(known) == n && memcmp(known, text, n) == 0;
}

/* Does one letter make the difference: one too many, missing, or another, or two that are swapped? */
static bool is_similar(const char *known, const char *text, size_t n) {
  while (*known && n > 0 && *known == *text) known++, text++, n--;
  if (n > 0 && (is_same(known, text + 1, n - 1) || (*known && is_same(known + 1, text + 1, n - 1))))
    return true;
  if (*known && is_same(known + 1, text, n)) return true;
  return n > 1 && known[0] == text[1] && known[1] == text[0] && is_same(known + 2, text + 2, n - 2);
}

/* text: n characters, without the prefix. */
static void check_name(const char *text, size_t n) {
  const char *meant = NULL;
  for (int k = 0; k < SETTINGS; k++) {
    if (is_same(settings[k], text, n)) return;
    if (is_similar(settings[k], text, n)) meant = settings[k];
  }
  if (meant)
    fprintf(stderr, "gridblas: " PREFIX "%.*s in the environment is no setting: did you mean " PREFIX "%s?\n",
            (int)n, text, meant);
}

void grid_environment_check(void) {
  for (char **entry = environ; entry && *entry; entry++)
    if (strncmp(*entry, PREFIX, strlen(PREFIX)) == 0) {
      const char *name = *entry + strlen(PREFIX);
      check_name(name, strcspn(name, "="));
    }
}
