/* Product kernels of any semiring, user-defined types and operators included: the same bodies, run through
 * function pointers. */
#include "spmat/backend.h"
#include "spmat/cpu/product_body.h"

/* The operand of the multiplier that comes from the matrix. */
static GrB_Type a_operand(const grid_job *J) {
  return J->flip ? J->s->mul->y : J->s->mul->x;
}

static bool a_used(const grid_job *J) {
  return J->flip ? J->s->mul->uses_y : J->s->mul->uses_x;
}

static body_ops ops_of(const grid_job *J) {
  GrB_BinaryOp mul = J->s->mul;
  body_ops o = {.mul = mul->f,
                .add = J->s->add->op->f,
                .size = mul->z->size,
                .any = J->s->add->any,
                .positional = mul->f == NULL,
                .terminal = J->s->add->terminal};
  if (a_used(J) && a_operand(J) != J->a_type) {
    o.cast = grid_cast(a_operand(J), J->a_type);
    o.a_size = a_operand(J)->size;
  }
  return o;
}

/* Room per thread: a value, a product and a cast operand, each aligned for every type. */
static size_t room(const body_ops *o) {
  size_t largest = o->size > o->a_size ? o->size : o->a_size;
  return 3 * ((largest + 15) / 16 * 16);
}

static GrB_Info run(grid_job *J, bool pull) {
  body_ops o = ops_of(J);
  size_t step = room(&o), threads = (size_t)omp_get_max_threads();
  char *heap = grid_malloc(threads, step);
  if (!heap) return grid_fail_memory(NULL, "room for operands", threads, step);
  GrB_Info info = GrB_SUCCESS;
  if (pull)
    pull_body(J, o, heap, step);
  else
    info = push_body(J, o, heap, step);
  grid_free(heap);
  return info;
}

static GrB_Info pull_generic(grid_job *J) {
  return run(J, true);
}
static GrB_Info push_generic(grid_job *J) {
  return run(J, false);
}
const grid_kernels grid_cpu_generic = {pull_generic, push_generic};

const grid_kernels *grid_cpu_kernels(const grid_job *J, bool structural) {
  if (structural) return &grid_cpu_structural;
  if (J->s->kernel >= 0 && (!a_used(J) || a_operand(J) == J->a_type)) return &grid_cpu_builtin[J->s->kernel];
  return &grid_cpu_generic;
}

uint64_t grid_push_edges(const grid_compressed *m, const uint32_t *list, uint64_t n) {
  uint64_t sum = 0;
  for (uint64_t f = 0; f < n; f++) {
    uint64_t k = list ? list[f] : f;
    sum += grid_vector_start(m, k + 1) - grid_vector_start(m, k);
  }
  return sum;
}

const grid_backend grid_backend_cpu = {.name = "cpu", .kernels = grid_cpu_kernels};
