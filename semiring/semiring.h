/* The opaque algebraic objects. Predefined ones are generated from the table in include/gridblas_table.h. */
#ifndef GRID_SEMIRING_H
#define GRID_SEMIRING_H
#include "GraphBLAS.h"
#include "gridblas.h"
#include "semiring/support/error.h"
#include "semiring/support/mem.h"
#include "semiring/op_codes.h"

/* Type codes, in the order of the table. */
typedef enum {
  GRID_T_BOOL,
  GRID_T_INT8,
  GRID_T_INT16,
  GRID_T_INT32,
  GRID_T_INT64,
  GRID_T_UINT8,
  GRID_T_UINT16,
  GRID_T_UINT32,
  GRID_T_UINT64,
  GRID_T_FP32,
  GRID_T_FP64,
  GRID_T_FC32,
  GRID_T_FC64,
  GRID_T_UDT
} grid_tcode;
/* The real types; with the complex ones. */
#define GRID_NTYPES            11
#define GRID_NPREDEFINED_TYPES 13
/* Room for a value of any predefined type. */
typedef union {
  uint64_t word[2];
  double part[2];
} grid_any_value;

struct GrB_Type_opaque {
  grid_head head;
  grid_tcode code;
  size_t size; /* bytes of one value */
  char name[GxB_MAX_NAME_LEN];
  const char *text; /* user-defined: its definition in C, or NULL */
  bool named;       /* user-defined: `name` was given by the program */
};
#define GRID_NAME_MAX (GxB_MAX_NAME_LEN - 1) /* maximum letters of a user-defined name with a text */

typedef void (*grid_unary_fn)(void *z, const void *x);
typedef void (*grid_binary_fn)(void *z, const void *x, const void *y);
typedef void (*grid_index_fn)(void *z, const void *x, GrB_Index i, GrB_Index j, const void *y);
typedef void (*grid_index_binary_fn)(void *z, const void *x, GrB_Index ix, GrB_Index jx, const void *y,
                                     GrB_Index iy, GrB_Index jy, const void *theta);
/* z[k] = f(x[k]) for k < n; xstep = 0 repeats x[0] (iso), else 1. NULL for user-defined operators. */
typedef void (*grid_unary_loop)(void *z, const void *x, size_t xstep, size_t n);
/* z[k] = f(x[k * xstep], y[k * ystep]), steps in elements, 0 or 1. z may equal x or y. */
typedef void (*grid_binary_loop)(void *z, const void *x, size_t xstep, const void *y, size_t ystep, size_t n);
/* z[k] = f(x[k * xstep], i, 0, *y) with i = first + idx[k], or first + k when idx is NULL. */
typedef void (*grid_index_loop)(void *z, const void *x, size_t xstep, GrB_Index first, const GrB_Index *idx,
                                const void *y, size_t n);
/* z[k] = f(x[k * xstep], i[k], j[k], *y) */
typedef void (*grid_position_loop)(void *z, const void *x, size_t xstep, const GrB_Index *i,
                                   const GrB_Index *j, const void *y, size_t n);

/* The predefined types, one per row of the table (GrB_FP64 == &grid_type_FP64), and by code. */
#define GRID_TYPE_OBJECT(T, C) extern struct GrB_Type_opaque grid_type_##T;
GRID_TYPES(GRID_TYPE_OBJECT)
GRID_COMPLEX_TYPES(GRID_TYPE_OBJECT)
#undef GRID_TYPE_OBJECT
extern const GrB_Type grid_types[GRID_NPREDEFINED_TYPES];
/* The GrB_Type_Code of a type; the predefined type of such a code, or NULL. */
int32_t grid_type_code(GrB_Type t);
GrB_Type grid_type_of_code(int64_t code);
static inline bool grid_type_is_real(GrB_Type t) {
  return t->code < GRID_NTYPES;
}

/* What a positional operator gives, + shift; its f is NULL. */
typedef enum {
  GRID_NO_POSITION,
  GRID_POSITION_ROW, /* unary operators: an entry's row or column */
  GRID_POSITION_COL,
  GRID_POSITION_FIRST_I, /* binary operators: the row or column of the first or second operand */
  GRID_POSITION_FIRST_J,
  GRID_POSITION_SECOND_I,
  GRID_POSITION_SECOND_J
} grid_position;

/* `op` is an operator code of semiring/op_codes.h: GRID_OP_PLUS, ...; GRID_OP_USER for user-defined ones.
 * GRID_OP_SECONDI: the inner index of a product. */
struct GrB_UnaryOp_opaque {
  grid_head head;
  int op;
  GrB_Type z, x;
  grid_unary_fn f;
  grid_unary_loop loop; /* NULL for user-defined ones, and without a compiled loop; likewise below */
  const char *name;
  const char *text;       /* user-defined: the function as text (Grid_UnaryOp_new), or NULL; likewise below */
  uint64_t text_settings; /* grid_text_settings when it was given; likewise below */
  grid_position position;
  int shift;
};

/* What a binary operator needs that depends on the positions of its operands. */
typedef struct {
  grid_index_binary_fn f;
  GrB_Type theta_type;
  const void *theta;
} grid_index_binary;

struct GrB_BinaryOp_opaque {
  grid_head head;
  int op;
  GrB_Type z, x, y;
  grid_binary_fn f;
  grid_binary_loop loop;
  bool uses_x, uses_y; /* does the result depend on the operand? (not for FIRST, SECOND, ONEB, SECONDI) */
  const char *name;
  const char *text;
  uint64_t text_settings;
  grid_position position;
  int shift;
  const grid_index_binary
      *index; /* of an index-binary operator (dist/op/extensions/index_binary.h), else NULL */
};

struct GxB_IndexBinaryOp_opaque {
  grid_head head;
  GrB_Type z, x, y, theta;
  grid_index_binary_fn f;
  const char *name;
  const char *text;
};

struct GrB_IndexUnaryOp_opaque {
  grid_head head;
  int op;
  GrB_Type z, x, y; /* x == NULL: the value is not used */
  grid_index_fn f;
  grid_index_loop loop;         /* NULL for user-defined ones */
  grid_position_loop positions; /* the same over entries of a matrix */
  const char *name;
  const char *text;
};

struct GrB_Monoid_opaque {
  grid_head head;
  GrB_BinaryOp op;
  void *identity;  /* op->z->size bytes */
  void *terminal;  /* op->z->size bytes, or NULL */
  bool any;        /* ANY: the first value is the result */
  bool idempotent; /* x + x = x: LOR, LAND, MIN, MAX, BOR, BAND, ANY */
};

/* Is the operator's text known: predefined in gridblas_table.h, or given by the program? */
static inline bool grid_binary_has_text(GrB_BinaryOp op) {
  return op->op == GRID_OP_USER ? op->text != NULL : op->op != GRID_OP_OTHER;
}

/* A number of the C compiler's preface, flags and libraries, 0 at first. Under others a program's text may be
 * another function: kernels of it are compiled under those with which it was given. */
extern uint64_t grid_text_settings;
static inline bool grid_binary_can_compile(GrB_BinaryOp op) {
  return grid_binary_has_text(op) && (op->op != GRID_OP_USER || op->text_settings == grid_text_settings);
}

/* Positional operators. A binary one gives what FIRST or SECOND gives if that operand's values are its
 * entries' rows or columns, + shift; GRID_OP_SECONDI has kernels in products. */
static inline bool grid_position_is_row(grid_position p) {
  return p == GRID_POSITION_ROW || p == GRID_POSITION_FIRST_I || p == GRID_POSITION_SECOND_I;
}
static inline bool grid_position_is_of_first(grid_position p) {
  return p == GRID_POSITION_FIRST_I || p == GRID_POSITION_FIRST_J;
}
/* FIRST or SECOND of this type, INT32 or INT64; the index-unary operator that gives rows or columns. */
GrB_BinaryOp grid_position_operand(GrB_Type type, bool first);
GrB_IndexUnaryOp grid_position_index_op(GrB_Type type, bool rows);

/* Does a reduction often reach its result early: with any value (ANY), or with the terminal value of BOOL?
 * Terminal values of numbers are too rare to test for. */
static inline bool grid_monoid_can_stop_early(GrB_Monoid m) {
  return m->any || (m->terminal && m->op->z->code == GRID_T_BOOL);
}

/* The predefined monoid of a predefined operator, with static lifetime; NULL if it has none. */
GrB_Monoid grid_monoid_find(GrB_BinaryOp op);

struct GrB_Semiring_opaque {
  grid_head head;
  GrB_Monoid add;
  GrB_BinaryOp mul;
};

/* Options of a descriptor beside the standard's. */
enum {
  GRID_AXB_METHOD,
  GRID_SORT,
  GRID_COMPRESSION,
  GRID_IMPORT,
  GRID_DESC_ROWINDEX_LIST,
  GRID_DESC_COLINDEX_LIST,
  GRID_DESC_VALUE_LIST,
  GRID_DESCRIPTOR_OPTIONS
};

/* Is the multiplication positional, and without kernels? Those are for the inner index under ANY and MIN,
 * where every partial sum is an index. */
static inline bool grid_semiring_needs_positions(GrB_Semiring s) {
  const bool has_kernels = s->mul->op == GRID_OP_SECONDI && (s->add->any || s->add->op->op == GRID_OP_MIN);
  return s->mul->position != GRID_NO_POSITION && !has_kernels;
}

struct GrB_Descriptor_opaque {
  grid_head head;
  bool replace, complement, structure, tran0, tran1;
  int32_t option[GRID_DESCRIPTOR_OPTIONS];
};

/* Options of a matrix or vector that are stored and returned, without effect (gridblas_gxb_objects.h). */
typedef struct {
  double hyper_switch, bitmap_switch;
  int32_t sparsity_control, hyper_hash, row_bits, col_bits, offset_bits;
} grid_stored_options;

/* The library itself: its state and defaults of new objects. */
struct GrB_Global_opaque {
  grid_head head;
  int32_t orientation;    /* GrB_STORAGE_ORIENTATION_HINT of new matrices */
  bool is_initialized;    /* between GrB_init and GrB_finalize */
  bool was_finalized;     /* GrB_finalize was called, and GrB_init not since */
  char memory_budget[24]; /* the text that GrB_Global_get last returned of a budget */
  int32_t print_1based;   /* GxB_PRINT_1BASED */
  /* stored options */
  double hyper_switch, bitmap_switch[8], hyper_hash, chunk;
  int32_t row_bits, col_bits, offset_bits, readonly_statistics, use_cmake, ngpus, gpu_ids[64];
};
extern struct GrB_Global_opaque grid_global;
extern const double grid_bitmap_switch_default[8];
/* The options that a new matrix of this shape gets from GrB_GLOBAL; ncols 1: a vector. */
grid_stored_options grid_options_of_new(uint64_t nrows, uint64_t ncols);

/* Conversion of one value between two predefined types, or a copy between equal user-defined ones; NULL if
 * there is none. Where the specification (4.3, "Domains and casting") leaves it to C, SuiteSparse's rules
 * apply: to bool x != 0, floating point to integer saturates, NaN gives 0. */
typedef void (*grid_cast_fn)(void *z, const void *x, size_t size);
grid_cast_fn grid_cast(GrB_Type z, GrB_Type x);
/* z[0..n) = x[0..n), values of `size` bytes, xstep 0 or 1 element. z equals x or does not overlap it. */
void grid_copy_array(void *z, const void *x, size_t xstep, size_t size, size_t n);
/* z[0..n) = (z type) x[0..n), xstep 0 or 1 element. */
void grid_cast_array(void *z, GrB_Type zt, const void *x, GrB_Type xt, size_t xstep, size_t n);
/* Can a value of type x be cast to type z (specification 2.4: any predefined types, a UDT only to itself)? */
static inline bool grid_compatible(GrB_Type z, GrB_Type x) {
  return z == x || (z->code != GRID_T_UDT && x->code != GRID_T_UDT);
}
/* Is the value, of type t, true as a mask entry? */
bool grid_is_true(GrB_Type t, const void *x);

/* Decodes a descriptor (NULL = all defaults). */
typedef struct {
  bool replace, complement, structure, tran0, tran1;
} grid_desc;
GrB_Info grid_desc_get(GrB_Descriptor desc, const char *call, grid_desc *d);

/* Is obj a live object of its handle's kind? If not, GrB_NULL_POINTER, GrB_UNINITIALIZED_OBJECT or
 * GrB_INVALID_OBJECT with an error text; GrB_PANIC before the library is initialized. */
#define grid_check_argument(obj, call, what) grid_check_argument_handle(obj, GRID_KIND_OF(obj), call, what)
GrB_Info grid_check_argument_handle(const void *obj, grid_kind kind, const char *call, const char *what);
/* Common to all kinds of objects: GrB_K_wait and GrB_K_error. (GrB_K_free accepts NULL and freed handles;
 * it sets the handle to NULL unless the object is predefined.) */
#define grid_wait_object(object, mode, call) grid_wait_handle(object, GRID_KIND_OF(object), mode, call)
GrB_Info grid_wait_handle(void *object, grid_kind kind, GrB_WaitMode mode, const char *call);
GrB_Info grid_error_of_object(const char **text, const void *object, const char *call);
/* The C name of a type: "double"; of a user-defined one GrB_NAME, or the name given at creation, or "". */
const char *grid_type_c_name(GrB_Type t);
/* "FP64", or a user-defined type's name, for error texts. */
const char *grid_type_name(GrB_Type t);

/* Between GrB_init and GrB_finalize algebraic objects can be created; predefined ones always exist. */
void grid_semiring_init(void);
void grid_semiring_finalize(void);
GrB_Info grid_semiring_check_init(const char *call);

#endif
