/* What GxB_print prints with: text, titles and values (print.c, print_objects.c). */
#ifndef GRID_PRINTER_H
#define GRID_PRINTER_H
#include <stdio.h>

#include "semiring/semiring.h"

/* Output stream and level; `failed` after a failed fprintf. */
typedef struct {
  FILE *f;
  int level;
  bool failed;
} grid_printer;

/* Checks the object, and starts with f, or standard output. */
GrB_Info grid_print_start(grid_printer *p, const void *object, grid_kind kind, int level, FILE *f,
                          const char *call);
GrB_Info grid_print_end(grid_printer *p, grid_head *h, const char *call);
void grid_print_text(grid_printer *p, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* The name that the program calls the object by, and the object's own. */
void grid_print_title(grid_printer *p, const char *name, const grid_head *h);
void grid_print_value(grid_printer *p, GrB_Type t, const void *x);
#endif
