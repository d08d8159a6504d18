/* gridblas mis. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/trees_and_sets/check_mis.h"

static GrB_Info run(job *j) {
  return Grid_mis(answer_vector(j, 0, "member", false), j->g->A, j->o->seed);
}

static int report_results(job *j) {
  uint64_t members = 0;
  const GrB_Info info = GrB_Vector_nvals(&members, j->answer[0].v);
  report_count(j->r, "members", members);
  return info == GrB_SUCCESS ? STATUS_OK : fail_library("measuring the answer");
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  (void)j;
  return check_mis(&e->graph, e->value[0], text, capacity);
}

const algorithm algorithm_mis = {
    .command = {.name = "mis",
                .example = "mis GRAPH",
                .summary = "a maximal independent set",
                .about = "A maximal independent set: vertices of which no two have an edge, while all others "
                         "have one with a member. Edges count both ways. Which set it is depends on --seed, "
                         "and not on the number of processes.",
                .answer = "`vertex 1` for every member",
                .accepts = OPT_ANSWER | OPT_SEED,
                .work = WORK_PRODUCTS},
    .run = run,
    .report_results = report_results,
    .check = check,
    .checked = "no two members have an edge, all others have one with a member",
};
