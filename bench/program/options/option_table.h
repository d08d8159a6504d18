/* The options of all commands: one table, with how each is read (option_table.c). */
#ifndef GRID_OPTION_TABLE_H
#define GRID_OPTION_TABLE_H
#include "bench/program/program.h"

enum { THE_TASK = 1, METHOD, REPORT, LAST }; /* groups */

typedef struct option_choice option_choice;
typedef enum { FLAG, COUNT64, SIGNED64, COUNT32, REAL, TEXT, CHOICE, OTHER } option_kind;

/* One option. */
typedef struct {
  uint64_t accepts; /* commands with one of these bits have it; 0: all have */
  int group;
  const char *name, *arg, *doc;
  option_kind kind;
  size_t at;            /* the field of options */
  uint64_t least, most; /* for integers */
  double low, high;     /* for real numbers */
  const option_choice *choices;
  bool (*read)(options *o, const char *text); /* OTHER */
  const char *wants;                          /* the error for an invalid value */
} option_row;

enum { MOST_OPTIONS = 100 };
extern const option_row option_rows[];
extern const int option_row_count;

/* Stores an option's value in its field; false: invalid. */
bool option_store(options *o, const option_row *r, const char *text);
/* The possible values of an option, in `text`. */
void option_words(char *text, size_t capacity, const option_row *r);
/* The value of --device or GRIDBLAS_DEVICE; false: it is no device. */
bool option_store_device(options *o, const char *text);
#endif
