/* GxB_Matrix_pack, unpack, import and export in their eight forms. */
#include "dist/extensions/pack/packed_call.h"
#include "dist/object/burble.h"

typedef struct {
  int form;
  bool by_column;
  unsigned has;
} shape;

static GrB_Info pack(GrB_Matrix A, const shape *s, const grid_packed_pointers *at, grid_packed a,
                     bool jumbled, GrB_Descriptor desc, const char *call) {
  GrB_Info info;
  TRY(grid_check_matrix(A, call, "A"));
  TRY(grid_packed_check(&A->head, at, s->has, false, desc, call));
  a.form = s->form, a.by_column = s->by_column, a.sorted = !jumbled;
  grid_packed_take(&a, at, desc);
  TRY(grid_matrix_pack(A, &a, call));
  grid_packed_release(at);
done:
  return info;
}

static GrB_Info unpack(GrB_Matrix A, const shape *s, const grid_packed_pointers *at, GrB_Descriptor desc,
                       const char *call) {
  grid_packed a = {.form = s->form, .by_column = s->by_column};
  GrB_Info info;
  TRY(grid_check_matrix(A, call, "A"));
  TRY(grid_packed_check(&A->head, at, s->has, true, desc, call));
  a.i_least = A->hints.packed_i, a.x_least = A->hints.packed_x;
  TRY(grid_matrix_unpack(&a, A, at->iso, call));
  grid_matrix_drop(A);
  grid_packed_give(at, &a);
done:
  return info;
}

static GrB_Info import(GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols, const shape *s,
                       const grid_packed_pointers *at, grid_packed a, bool jumbled, GrB_Descriptor desc,
                       const char *call) {
  GrB_Matrix made = NULL;
  GrB_Info info = grid_check_initialized(call);
  if (info == GrB_SUCCESS && !A) info = grid_fail(NULL, GrB_NULL_POINTER, "%s: argument A is NULL", call);
  TRY(info);
  TRY(GrB_Matrix_new(&made, type, nrows, ncols));
  TRY(pack(made, s, at, a, jumbled, desc, call));
  *A = made;
  made = NULL;
done:
  GrB_Matrix_free(&made);
  return info;
}

static GrB_Info export(GrB_Matrix *A, GrB_Type *type, GrB_Index *nrows, GrB_Index *ncols, const shape *s,
                       const grid_packed_pointers *at, GrB_Descriptor desc, const char *call) {
  GrB_Info info = grid_check_initialized(call);
  TRY(info);
  if (!A || !type || !nrows || !ncols)
    TRY(grid_fail(NULL, GrB_NULL_POINTER, "%s: argument %s is NULL", call,
                  !A       ? "A"
                  : !type  ? "type"
                  : !nrows ? "nrows"
                           : "ncols"));
  TRY(unpack(*A, s, at, desc, call));
  *type = (*A)->type, *nrows = (*A)->nrows, *ncols = (*A)->ncols;
  GrB_Matrix_free(A);
done:
  return info;
}

/* The four calls of a form. PARAMETERS: the program's arrays; SIZES, OUT_SIZES: their sizes; FLAGS,
 * OUT_FLAGS: what else; AT, AT_OUT: members of grid_packed_pointers; GIVEN: members of grid_packed. */
#define ARGUMENTS(...) __VA_ARGS__
#define CALLS(FORM, SHAPE, PARAMETERS, SIZES, OUT_SIZES, FLAGS, OUT_FLAGS, AT, AT_OUT, GIVEN, JUMBLED)       \
  static const shape shape_##FORM = {SHAPE};                                                                 \
  GrB_Info GxB_Matrix_pack_##FORM(GrB_Matrix A, PARAMETERS, SIZES, FLAGS, const GrB_Descriptor desc) {       \
    return GRID_TRACE_CALL("GxB_Matrix_pack_" #FORM,                                                         \
                           pack(A, &shape_##FORM, &(grid_packed_pointers){AT}, (grid_packed){GIVEN},         \
                                JUMBLED, desc, "GxB_Matrix_pack_" #FORM),                                    \
                           A);                                                                               \
  }                                                                                                          \
  GrB_Info GxB_Matrix_unpack_##FORM(GrB_Matrix A, PARAMETERS, OUT_SIZES, OUT_FLAGS,                          \
                                    const GrB_Descriptor desc) {                                             \
    return GRID_TRACE_CALL(                                                                                  \
        "GxB_Matrix_unpack_" #FORM,                                                                          \
        unpack(A, &shape_##FORM, &(grid_packed_pointers){AT, AT_OUT}, desc, "GxB_Matrix_unpack_" #FORM), A); \
  }                                                                                                          \
  GrB_Info GxB_Matrix_import_##FORM(GrB_Matrix *A, GrB_Type type, GrB_Index nrows, GrB_Index ncols,          \
                                    PARAMETERS, SIZES, FLAGS, const GrB_Descriptor desc) {                   \
    return GRID_TRACE_NEW_CALL("GxB_Matrix_import_" #FORM, nrows > ncols ? nrows : ncols,                    \
                               import(A, type, nrows, ncols, &shape_##FORM, &(grid_packed_pointers){AT},     \
                                      (grid_packed){GIVEN}, JUMBLED, desc, "GxB_Matrix_import_" #FORM),      \
                               A, NULL);                                                                     \
  }                                                                                                          \
  GrB_Info GxB_Matrix_export_##FORM(GrB_Matrix *A, GrB_Type *type, GrB_Index *nrows, GrB_Index *ncols,       \
                                    PARAMETERS, OUT_SIZES, OUT_FLAGS, const GrB_Descriptor desc) {           \
    return GRID_TRACE_CALL("GxB_Matrix_export_" #FORM,                                                       \
                           export(A, type, nrows, ncols, &shape_##FORM, &(grid_packed_pointers){AT, AT_OUT}, \
                                  desc, "GxB_Matrix_export_" #FORM),                                         \
                           NULL);                                                                            \
  }

#define SPARSE(FORM, BY_COLUMN)                                                                             \
  CALLS(FORM, ARGUMENTS(GxB_SPARSE, BY_COLUMN, GRID_HAS_P | GRID_HAS_I),                                    \
        ARGUMENTS(GrB_Index **Ap, GrB_Index **Ai, void **Ax),                                               \
        ARGUMENTS(GrB_Index Ap_size, GrB_Index Ai_size, GrB_Index Ax_size),                                 \
        ARGUMENTS(GrB_Index *Ap_size, GrB_Index *Ai_size, GrB_Index *Ax_size),                              \
        ARGUMENTS(bool iso, bool jumbled), ARGUMENTS(bool *iso, bool *jumbled),                             \
        ARGUMENTS(.p = Ap, .i = Ai, .x = Ax),                                                               \
        ARGUMENTS(.p_size = Ap_size, .i_size = Ai_size, .x_size = Ax_size, .iso = iso, .jumbled = jumbled), \
        ARGUMENTS(.p_size = Ap_size, .i_size = Ai_size, .x_size = Ax_size, .iso = iso), jumbled)
SPARSE(CSR, false)
SPARSE(CSC, true)

#define HYPER(FORM, BY_COLUMN)                                                                               \
  CALLS(FORM, ARGUMENTS(GxB_HYPERSPARSE, BY_COLUMN, GRID_HAS_P | GRID_HAS_H | GRID_HAS_I),                   \
        ARGUMENTS(GrB_Index **Ap, GrB_Index **Ah, GrB_Index **Ai, void **Ax),                                \
        ARGUMENTS(GrB_Index Ap_size, GrB_Index Ah_size, GrB_Index Ai_size, GrB_Index Ax_size),               \
        ARGUMENTS(GrB_Index *Ap_size, GrB_Index *Ah_size, GrB_Index *Ai_size, GrB_Index *Ax_size),           \
        ARGUMENTS(bool iso, GrB_Index nvec, bool jumbled),                                                   \
        ARGUMENTS(bool *iso, GrB_Index *nvec, bool *jumbled), ARGUMENTS(.p = Ap, .h = Ah, .i = Ai, .x = Ax), \
        ARGUMENTS(.p_size = Ap_size, .h_size = Ah_size, .i_size = Ai_size, .x_size = Ax_size, .iso = iso,    \
                  .nvec = nvec, .jumbled = jumbled),                                                         \
        ARGUMENTS(.p_size = Ap_size, .h_size = Ah_size, .i_size = Ai_size, .x_size = Ax_size, .iso = iso,    \
                  .nvec = nvec),                                                                             \
        jumbled)
HYPER(HyperCSR, false)
HYPER(HyperCSC, true)

#define BITMAP(FORM, BY_COLUMN)                                                                  \
  CALLS(FORM, ARGUMENTS(GxB_BITMAP, BY_COLUMN, GRID_HAS_B | GRID_HAS_NVALS),                     \
        ARGUMENTS(int8_t **Ab, void **Ax), ARGUMENTS(GrB_Index Ab_size, GrB_Index Ax_size),      \
        ARGUMENTS(GrB_Index *Ab_size, GrB_Index *Ax_size), ARGUMENTS(bool iso, GrB_Index nvals), \
        ARGUMENTS(bool *iso, GrB_Index *nvals), ARGUMENTS(.b = Ab, .x = Ax),                     \
        ARGUMENTS(.b_size = Ab_size, .x_size = Ax_size, .iso = iso, .nvals = nvals),             \
        ARGUMENTS(.b_size = Ab_size, .x_size = Ax_size, .iso = iso, .nvals = nvals), false)
BITMAP(BitmapR, false)
BITMAP(BitmapC, true)

#define FULL(FORM, BY_COLUMN)                                                                         \
  CALLS(FORM, ARGUMENTS(GxB_FULL, BY_COLUMN, 0), ARGUMENTS(void **Ax), ARGUMENTS(GrB_Index Ax_size),  \
        ARGUMENTS(GrB_Index *Ax_size), ARGUMENTS(bool iso), ARGUMENTS(bool *iso), ARGUMENTS(.x = Ax), \
        ARGUMENTS(.x_size = Ax_size, .iso = iso), ARGUMENTS(.x_size = Ax_size, .iso = iso), false)
FULL(FullR, false)
FULL(FullC, true)
