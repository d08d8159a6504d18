/* Counts the groups of vertices with the same label. */
#include "bench/algorithm/label_groups.h"

int groups_report(job *j, const char *group, const char *groups) {
  char largest[64], single[64];
  GrB_Vector size = NULL, of_one_vertex = NULL, one = NULL, label = j->answer[0].v;
  uint64_t n = j->g->n, count = 0, singletons = 0;
  int64_t most = 0;
  GrB_Info info = GrB_Vector_new(&size, GrB_INT64, n);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&of_one_vertex, GrB_BOOL, n);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&one, GrB_INT64, n);
  if (info == GrB_SUCCESS) info = GrB_Vector_assign_INT64(one, NULL, NULL, 1, GrB_ALL, n, NULL);
  if (info == GrB_SUCCESS) info = Grid_Vector_scatter(size, NULL, NULL, GrB_PLUS_INT64, one, label, NULL);
  if (info == GrB_SUCCESS) info = GrB_Vector_nvals(&count, size);
  if (info == GrB_SUCCESS) info = GrB_Vector_reduce_INT64(&most, NULL, GrB_MAX_MONOID_INT64, size, NULL);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_apply_BinaryOp2nd_INT64(of_one_vertex, NULL, NULL, GrB_EQ_INT64, size, 1, NULL);
  if (info == GrB_SUCCESS)
    info = GrB_Vector_reduce_UINT64(&singletons, NULL, GrB_PLUS_MONOID_UINT64, of_one_vertex, NULL);
  snprintf(largest, sizeof largest, "largest_%s", group);
  snprintf(single, sizeof single, "%s_of_one_vertex", groups);
  report_count(j->r, groups, count);
  report_count(j->r, largest, (uint64_t)most);
  report_count(j->r, single, singletons);
  GrB_Vector_free(&size);
  GrB_Vector_free(&of_one_vertex);
  GrB_Vector_free(&one);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}
