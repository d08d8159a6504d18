/* See printer.h. */
#include "dist/interchange/printer.h"

#include <math.h>
#include <string.h>

#include "dist/grid/process_grid.h"

void grid_print_text(grid_printer *p, const char *fmt, ...) {
  va_list args;
  if (p->level <= GxB_SILENT) return;
  va_start(args, fmt);
  if (vfprintf(p->f, fmt, args) < 0) p->failed = true;
  va_end(args);
}

GrB_Info grid_print_start(grid_printer *p, const void *object, grid_kind kind, int level, FILE *f,
                          const char *call) {
  *p = (grid_printer){.f = f ? f : stdout, .level = level};
  return grid_check_local_handle(object, kind, call, "object");
}

GrB_Info grid_print_end(grid_printer *p, grid_head *h, const char *call) {
  if (p->failed || (p->level > GxB_SILENT && fflush(p->f) != 0))
    return grid_fail(h, GrB_INVALID_VALUE, "%s: the file cannot be written: %s", call, strerror(errno));
  return GrB_SUCCESS;
}

/* With GRIDBLAS_PREFIXED_NAMES the macro GxB_print passes the prefixed link name of a predefined object. */
void grid_print_title(grid_printer *p, const char *name, const grid_head *h) {
  static const char prefix[] = "grid_";
  if (name && (strncmp(name, "grid_GrB_", 9) == 0 || strncmp(name, "grid_GxB_", 9) == 0))
    name += strlen(prefix);
  grid_print_text(p, "%s: ", name && *name ? name : "object");
  if (h->name) grid_print_text(p, "\"%s\", ", h->name);
}

/* ---- values ---- */

static void print_bytes(grid_printer *p, const unsigned char *x, size_t size) {
  grid_print_text(p, "0x");
  for (size_t k = 0; k < size && k < 32; k++) grid_print_text(p, "%02x", x[k]);
  if (size > 32) grid_print_text(p, "...");
}

void grid_print_value(grid_printer *p, GrB_Type t, const void *x) {
  const bool verbose = p->level >= GxB_SHORT_VERBOSE;
  double real;
  grid_any_value part;
  int64_t whole;
  uint64_t natural;
  switch (t->code) {
    case GRID_T_UDT:
      print_bytes(p, x, t->size);
      break;
    case GRID_T_BOOL:
      grid_print_text(p, "%s", grid_is_true(t, x) ? "true" : "false");
      break;
    case GRID_T_FC32:
    case GRID_T_FC64:
      grid_cast_array(&part, GxB_FC64, x, t, 1, 1);
      grid_print_text(p, verbose ? "%.15g %c %.15gi" : "%g %c %gi", part.part[0],
                      signbit(part.part[1]) ? '-' : '+', fabs(part.part[1]));
      break;
    case GRID_T_FP32:
    case GRID_T_FP64:
      grid_cast_array(&real, GrB_FP64, x, t, 1, 1);
      grid_print_text(p, verbose ? "%.15g" : "%g", real);
      break;
    case GRID_T_UINT8:
    case GRID_T_UINT16:
    case GRID_T_UINT32:
    case GRID_T_UINT64:
      grid_cast_array(&natural, GrB_UINT64, x, t, 1, 1);
      grid_print_text(p, "%" PRIu64, natural);
      break;
    default:
      grid_cast_array(&whole, GrB_INT64, x, t, 1, 1);
      grid_print_text(p, "%" PRId64, whole);
  }
}
