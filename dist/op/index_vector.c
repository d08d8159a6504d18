/* See index_vector.h. */
#include "dist/op/index_vector.h"

#include "gridblas_gxb_operations.h"

/* GxB_USE_VALUES, ... */
static GrB_Info read_field(int32_t *how, GrB_Descriptor desc, grid_list_field field, const char *call) {
  grid_desc d;
  const GrB_Info info = grid_desc_get(desc, call, &d);
  *how = info == GrB_SUCCESS && desc ? desc->option[GRID_DESC_ROWINDEX_LIST + (int)field] : GxB_USE_VALUES;
  return info;
}

GrB_Info grid_tuple_vector_read(grid_tuple_vector *x, GrB_Vector v, GrB_Type type, GrB_Descriptor desc,
                                grid_list_field field, grid_head *out, const char *call, const char *what) {
  int32_t how;
  *x = (grid_tuple_vector){0};
  GrB_Info info = grid_check_operand(v, out, call, what);
  if (info == GrB_SUCCESS) info = read_field(&how, desc, field, call);
  if (info != GrB_SUCCESS) return info;
  const bool indices = how == GxB_USE_INDICES;
  if (how == GxB_IS_STRIDE)
    return grid_fail(out, GrB_INVALID_VALUE, "%s: the descriptor says that %s is a stride", call, what);
  x->type = indices ? GrB_UINT64 : type ? type : v->type;
  if (!indices) TRY(grid_check_cast(x->type, v->type, out, call, what, "the list"));
  grid_entry_counts n;
  TRY(grid_vector_count_each(&n, v));
  x->n = n.nvals;
  x->val = grid_malloc(x->n, x->type->size);
  TRY(grid_agree(out, x->val ? info : grid_fail_memory(NULL, "a list from a vector", x->n, x->type->size)));
  info = grid_vector_tuples(indices ? x->val : NULL, indices ? NULL : x->val, x->type, v, &n);
done:
  return info;
}

/* A stride of INT64 as the three unsigned numbers of a range. */
static GrB_Info convert_stride(grid_index_vector *x, int64_t begin, int64_t end, int64_t step, grid_head *out,
                               const char *call, const char *what) {
  const bool up = step > 0;
  const uint64_t size = up ? (uint64_t)step : UINT64_C(0) - (uint64_t)step,
                 way = up ? (uint64_t)end - (uint64_t)begin : (uint64_t)begin - (uint64_t)end;
  x->I = x->stride, x->n = up ? GxB_STRIDE : GxB_BACKWARDS;
  x->stride[GxB_INC] = size;
  if (step == 0 || (up ? begin > end : begin < end)) { /* no indices */
    x->stride[GxB_INC] = 0;
    return GrB_SUCCESS;
  }
  const int64_t last =
      (int64_t)(up ? (uint64_t)begin + way / size * size : (uint64_t)begin - way / size * size);
  if (begin < 0 || last < 0)
    return grid_fail(out, GrB_INDEX_OUT_OF_BOUNDS, "%s: the stride %s from %lld to %lld has negative indices",
                     call, what, (long long)begin, (long long)end);
  x->stride[GxB_BEGIN] = (uint64_t)begin, x->stride[GxB_END] = (uint64_t)last;
  return GrB_SUCCESS;
}

static GrB_Info read_stride(grid_index_vector *x, GrB_Vector v, grid_head *out, const char *call,
                            const char *what) {
  int64_t s[3] = {0};
  grid_entry_counts n;
  GrB_Info info = grid_check_cast(GrB_INT64, v->type, out, call, what, "a stride");
  if (info == GrB_SUCCESS) info = grid_vector_count_each(&n, v);
  if (info != GrB_SUCCESS) return info;
  if (n.nvals != 3)
    return grid_fail(out, GrB_INVALID_VALUE, "%s: %s has %llu entries; a stride has begin, end and step",
                     call, what, (unsigned long long)n.nvals);
  info = grid_vector_tuples(NULL, s, GrB_INT64, v, &n);
  return info == GrB_SUCCESS ? convert_stride(x, s[GxB_BEGIN], s[GxB_END], s[GxB_INC], out, call, what)
                             : info;
}

GrB_Info grid_index_vector_read(grid_index_vector *x, GrB_Vector v, uint64_t all, GrB_Descriptor desc,
                                grid_list_field field, grid_head *out, const char *call, const char *what) {
  grid_tuple_vector list;
  int32_t how;
  *x = (grid_index_vector){.I = GrB_ALL, .n = all};
  GrB_Info info = read_field(&how, desc, field, call);
  if (info != GrB_SUCCESS || !v) return info;
  if (how == GxB_IS_STRIDE) {
    info = grid_check_operand(v, out, call, what);
    return info == GrB_SUCCESS ? read_stride(x, v, out, call, what) : info;
  }
  info = grid_tuple_vector_read(&list, v, GrB_INT64, desc, field, out, call, what);
  x->memory = list.val; /* a negative index is one far beyond the size */
  x->I = x->memory, x->n = list.n;
  return info;
}
