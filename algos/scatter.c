/* The opposite of Grid_Vector_gather: each process sends what its own entries name. */
#include "algos/scatter.h"

#include <stdlib.h>

GrB_Info grid_scatter(GrB_Vector w, GrB_Vector to, GrB_Vector value, GrB_Type type, size_t size,
                      GrB_BinaryOp dup, const char *call) {
  char text[80];
  GrB_Index n = UINT64_MAX, same; /* any number: they are only counted */
  GrB_Info info = Grid_Vector_extractLocal(NULL, NULL, &n, to);
  GrB_Index *place = malloc((n + 1) * sizeof *place);
  void *sent = value == NULL ? NULL : malloc((n + 1) * size);
  same = n;
  snprintf(text, sizeof text, "%s: no memory for %llu values", call, (unsigned long long)n);
  if (info == GrB_SUCCESS && (place == NULL || (value != NULL && sent == NULL))) info = GrB_OUT_OF_MEMORY;
  /* places are not negative: a GrB_Index where the library writes an int64_t */
  if (info == GrB_SUCCESS) info = Grid_Vector_extractLocal(NULL, place, &n, to);
  if (info == GrB_SUCCESS && value != NULL) info = Grid_Vector_extractLocal(NULL, sent, &same, value);
  TRY(Grid_agree(info, info == GrB_OUT_OF_MEMORY ? text : NULL));
  TRY(GrB_Vector_clear(w));
  TRY(Grid_Vector_build(w, place, sent, value == NULL ? NULL : type, n, value == NULL ? NULL : dup));
out:
  free(place);
  free(sent);
  return info;
}
