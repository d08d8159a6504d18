/* Random programs: a dozen calls on a few objects, each of which is input and output in turn. A program
 * depends on one seed, and each statement on that seed and its number only, so that leaving out statements
 * changes no other (shrink.sh). A program is written as C-like text with the results. */
#ifndef GRID_RANDOM_PROGRAM_H
#define GRID_RANDOM_PROGRAM_H
#include "tests/twin/twin.h"

typedef enum { MATRIX, VECTOR, SCALAR } sort;

/* A variable of the program. A vector has ncols = 1. */
typedef struct {
  char name[16];
  sort kind;
  int t;
  GrB_Index nrows, ncols;
  GrB_Matrix a;
  GrB_Vector v;
  GrB_Scalar s;
  int bits; /* of a floating-point value, at most, from its first to its last bit: sums of few such values are
               exact in any order */
  bool unsure; /* may hold zeros whose sign depends on the order of a reduction */
  bool empty;  /* a scalar's state */
} thing;

/* Bits of values that are the same everywhere but too long for an exact sum. */
#define LONG_VALUES 64
int bits_of(const thing *x); /* by type, too */
bool is_real(int t);         /* FP32, FP64 */

/* ---- the program (random_program.c) -------------------------------------------------------------------- */

void run_program(uint64_t seed);
int run_isolated(const char *output, uint64_t first, uint64_t n); /* isolate.c */

/* Is the statement executed, or left out (TWIN_DROP)? */
bool live(void);
void number_statement(uint64_t k);
void drop(bool yes);
/* Appends to the statement's text; done() ends it. */
void log_text(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* A call whose text has been appended: executes it, with injected allocation failures if TWIN_FAIL is set,
 * then again without, and writes the code. function: for the check of the error's text. */
#define RUN(function, call)       \
  do {                            \
    if (live()) {                 \
      begin_call();               \
      GrB_Info info_;             \
      do info_ = (call);          \
      while (repeat_call(info_)); \
      end_call(info_, function);  \
    }                             \
  } while (0)
void begin_call(void);
bool repeat_call(GrB_Info info);
void end_call(GrB_Info info, const char *function);
GrB_Info last_info(void); /* of the last RUN; GrB_SUCCESS when left out */
/* Writes the variable's contents, for some statements or always. */
void look(thing *x);
void show(thing *x);

/* ---- picks (random_program_pick.c) --------------------------------------------------------------------- */

void pool_start(void);
void pool_show(void);
void pool_stop(void);
void statement_start(void); /* decides whether one argument will be wrong, and which */
void statement_stop(void);  /* frees its temporary variables */
bool spoilt(void);          /* is an argument wrong already, or will one be? */

thing *pick(sort k); /* a variable of the pool, as an output */
GrB_Index pick_dim(void);
GrB_Index random_index(GrB_Index n); /* an index below n; the same ones recur */
/* An input of these dimensions that casts to type t (ANY_TYPE: any type): from the pool, possibly the output,
 * or else a temporary one. */
#define ANY_TYPE (-1)
thing *matrix_for(int t, GrB_Index nrows, GrB_Index ncols);
thing *vector_for(int t, GrB_Index n);
thing *scalar_for(int t);
thing *temporary(sort k, int t, GrB_Index nrows, GrB_Index ncols); /* empty */
void fill(thing *x, flavour f); /* with entries, which are written as text */
/* A temporary one whose values sum exactly in type t. */
thing *exact_for(sort k, int t, GrB_Index nrows, GrB_Index ncols);
int cast_type(int t); /* t or one that casts to it */
bool casts(int from, int to);

/* c<mask> accum= ..., for results of type t. */
typedef struct {
  thing *c, *mask; /* mask: NULL if there is none */
  const binary *accum;
  GrB_BinaryOp plus;
  GrB_Matrix ma;
  GrB_Vector mv;
  descriptor d;
} goal;
goal goal_for(thing *c, int t);
/* Updates c's description: values of so many bits, zeros of uncertain sign. */
void became(const goal *g, int bits, bool unsure);
const char *mask_name(const goal *g);
const char *accum_name(const goal *g);

const unary *unary_for(int t);                       /* result casts to t */
const binary *binary_for(int t, const char *family); /* all three types cast to t and back */
const binary *any_binary_for(int t);                 /* result casts to t */
const indexed *indexed_for(int t);
const indexed *selector_for(int t); /* for values of type t */
const monoid *monoid_for(int t);
const semiring *semiring_for(int t);
bool sums_depend_on_order(const char *name); /* by name: a floating-point PLUS or TIMES */
bool divides(const char *op);                /* by the second operand: the sign of a zero matters */
/* NULL instead of an operator when that is the argument to be wrong. */
#define OPERATOR(op) (spoil_operator() ? NULL : (op))
bool spoil_operator(void);
void restrict_domains(const char *op); /* an operand that this call ignores gets no wrong type */

/* Indices for extract and assign; NULL: GrB_ALL. Written as text. */
GrB_Index *list_for(GrB_Index n, GrB_Index *ni, bool distinct);
void log_list(const GrB_Index *list, GrB_Index ni);
/* A scalar operand or a value for an assignment: of a type near t, as a C value or in a GrB_Scalar. */
typedef struct {
  thing *s; /* NULL: x, of type t */
  int t;
  value x;
} bound_scalar;
bound_scalar bound_scalar_for(int t, bool by_scalar, flavour f);
void print_bound_scalar(const bound_scalar *g);

/* ---- known differences (known_differences.c) ----------------------------------------------------------- */

bool known_select_scalar(const indexed *op, int t);
bool known_apply_equal_values(const indexed *op);
bool known_reduce_null(void);
bool known_reduce_emptied(void);
bool known_cast_of_transpose(void);
bool known_ewise_mult_in_place(void);
bool known_ewise_add_of_mask(void);
bool known_select_cast(const indexed *op, int t);
bool known_select_position(const indexed *op, GrB_Index n);
bool known_serialize_emptied(void);
bool known_empty_scalar(const goal *g);
bool known_assign_to_no_row(void);
bool known_sort_pending(void);
bool known_empty_product(const goal *g, int t, GrB_Index inner);
bool known_assign_to_deleted(void);

/* ---- statements (call_*.c) ----------------------------------------------------------------------------- */

void call_mxm(void);
void call_mxv(void);
void call_kronecker(void);
void call_ewise(void);
void call_apply(void);
void call_select(void);
void call_reduce(void);
void call_transpose(void);
void call_extract(void);
void call_assign(void);
void call_assign_scalar(void);
void call_shape(void);   /* diag, resize, dup, clear, wait */
void call_element(void); /* set, remove, extract */
void call_fill(void);
void call_exchange(void);  /* import, export, serialize */
void call_extension(void); /* what SuiteSparse adds to the standard */
void call_data(void);      /* ... arrays, containers, iterators */
void call_complex(void);   /* ... complex types */
void call_rearrange(void); /* dimensions, tiles, ranges, vectors as bytes and arrays */
#endif
