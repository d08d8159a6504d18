/* GxB_Vector_pack, unpack, import and export in their three forms. */
#include "dist/extensions/pack/packed_call.h"
#include "dist/extensions/pack/vector_arrays.h"
#include "dist/object/burble.h"

static unsigned parts_of(int form) {
  return form == GxB_SPARSE   ? GRID_HAS_I | GRID_HAS_NVALS
         : form == GxB_BITMAP ? GRID_HAS_B | GRID_HAS_NVALS
                              : 0;
}

static GrB_Info pack(GrB_Vector v, int form, const grid_packed_pointers *at, grid_packed a, bool jumbled,
                     GrB_Descriptor desc, const char *call) {
  GrB_Info info;
  TRY(grid_check_vector(v, call, "v"));
  TRY(grid_packed_check(&v->head, at, parts_of(form), false, desc, call));
  a.form = form, a.sorted = !jumbled;
  grid_packed_take(&a, at, desc);
  TRY(grid_vector_pack(v, &a, call));
  grid_packed_release(at);
done:
  return info;
}

static GrB_Info unpack(GrB_Vector v, int form, const grid_packed_pointers *at, GrB_Descriptor desc,
                       const char *call) {
  grid_packed a = {.form = form};
  GrB_Info info;
  TRY(grid_check_vector(v, call, "v"));
  TRY(grid_packed_check(&v->head, at, parts_of(form), true, desc, call));
  TRY(grid_vector_unpack(&a, v, at->iso, GrB_INVALID_VALUE, call));
  grid_chunk_empty(&v->chunk);
  grid_packed_give(at, &a);
done:
  return info;
}

static GrB_Info import(GrB_Vector *v, GrB_Type type, GrB_Index n, int form, const grid_packed_pointers *at,
                       grid_packed a, bool jumbled, GrB_Descriptor desc, const char *call) {
  GrB_Vector made = NULL;
  GrB_Info info = grid_check_initialized(call);
  if (info == GrB_SUCCESS && !v) info = grid_fail(NULL, GrB_NULL_POINTER, "%s: argument v is NULL", call);
  TRY(info);
  TRY(GrB_Vector_new(&made, type, n));
  TRY(pack(made, form, at, a, jumbled, desc, call));
  *v = made;
  made = NULL;
done:
  GrB_Vector_free(&made);
  return info;
}

static GrB_Info export(GrB_Vector *v, GrB_Type *type, GrB_Index *n, int form, const grid_packed_pointers *at,
                       GrB_Descriptor desc, const char *call) {
  GrB_Info info = grid_check_initialized(call);
  TRY(info);
  if (!v || !type || !n)
    TRY(grid_fail(NULL, GrB_NULL_POINTER, "%s: argument %s is NULL", call, !v ? "v" : !type ? "type" : "n"));
  TRY(unpack(*v, form, at, desc, call));
  *type = (*v)->type, *n = (*v)->n;
  GrB_Vector_free(v);
done:
  return info;
}

/* The four calls of a form, as in matrix_pack_calls.c. */
#define ARGUMENTS(...) __VA_ARGS__
#define CALLS(NAME, FORM, PARAMETERS, SIZES, OUT_SIZES, FLAGS, OUT_FLAGS, AT, AT_OUT, GIVEN, JUMBLED)      \
  GrB_Info GxB_Vector_pack_##NAME(GrB_Vector v, PARAMETERS, SIZES, FLAGS, const GrB_Descriptor desc) {     \
    return GRID_TRACE_CALL("GxB_Vector_pack_" #NAME,                                                       \
                           pack(v, FORM, &(grid_packed_pointers){AT}, (grid_packed){GIVEN}, JUMBLED, desc, \
                                "GxB_Vector_pack_" #NAME),                                                 \
                           v);                                                                             \
  }                                                                                                        \
  GrB_Info GxB_Vector_unpack_##NAME(GrB_Vector v, PARAMETERS, OUT_SIZES, OUT_FLAGS,                        \
                                    const GrB_Descriptor desc) {                                           \
    return GRID_TRACE_CALL(                                                                                \
        "GxB_Vector_unpack_" #NAME,                                                                        \
        unpack(v, FORM, &(grid_packed_pointers){AT, AT_OUT}, desc, "GxB_Vector_unpack_" #NAME), v);        \
  }                                                                                                        \
  GrB_Info GxB_Vector_import_##NAME(GrB_Vector *v, GrB_Type type, GrB_Index n, PARAMETERS, SIZES, FLAGS,   \
                                    const GrB_Descriptor desc) {                                           \
    return GRID_TRACE_NEW_CALL("GxB_Vector_import_" #NAME, n,                                              \
                               import(v, type, n, FORM, &(grid_packed_pointers){AT}, (grid_packed){GIVEN}, \
                                      JUMBLED, desc, "GxB_Vector_import_" #NAME),                          \
                               v, NULL);                                                                   \
  }                                                                                                        \
  GrB_Info GxB_Vector_export_##NAME(GrB_Vector *v, GrB_Type *type, GrB_Index *n, PARAMETERS, OUT_SIZES,    \
                                    OUT_FLAGS, const GrB_Descriptor desc) {                                \
    return GRID_TRACE_CALL(                                                                                \
        "GxB_Vector_export_" #NAME,                                                                        \
        export(v, type, n, FORM, &(grid_packed_pointers){AT, AT_OUT}, desc, "GxB_Vector_export_" #NAME),   \
        NULL);                                                                                             \
  }

CALLS(CSC, GxB_SPARSE, ARGUMENTS(GrB_Index **vi, void **vx), ARGUMENTS(GrB_Index vi_size, GrB_Index vx_size),
      ARGUMENTS(GrB_Index *vi_size, GrB_Index *vx_size), ARGUMENTS(bool iso, GrB_Index nvals, bool jumbled),
      ARGUMENTS(bool *iso, GrB_Index *nvals, bool *jumbled), ARGUMENTS(.i = vi, .x = vx),
      ARGUMENTS(.i_size = vi_size, .x_size = vx_size, .iso = iso, .nvals = nvals, .jumbled = jumbled),
      ARGUMENTS(.i_size = vi_size, .x_size = vx_size, .iso = iso, .nvals = nvals), jumbled)
CALLS(Bitmap, GxB_BITMAP, ARGUMENTS(int8_t **vb, void **vx), ARGUMENTS(GrB_Index vb_size, GrB_Index vx_size),
      ARGUMENTS(GrB_Index *vb_size, GrB_Index *vx_size), ARGUMENTS(bool iso, GrB_Index nvals),
      ARGUMENTS(bool *iso, GrB_Index *nvals), ARGUMENTS(.b = vb, .x = vx),
      ARGUMENTS(.b_size = vb_size, .x_size = vx_size, .iso = iso, .nvals = nvals),
      ARGUMENTS(.b_size = vb_size, .x_size = vx_size, .iso = iso, .nvals = nvals), false)
CALLS(Full, GxB_FULL, ARGUMENTS(void **vx), ARGUMENTS(GrB_Index vx_size), ARGUMENTS(GrB_Index *vx_size),
      ARGUMENTS(bool iso), ARGUMENTS(bool *iso), ARGUMENTS(.x = vx), ARGUMENTS(.x_size = vx_size, .iso = iso),
      ARGUMENTS(.x_size = vx_size, .iso = iso), false)
