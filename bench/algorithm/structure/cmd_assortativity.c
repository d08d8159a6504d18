/* gridblas assortativity. number[0]: the coefficient. */
#include "bench/algorithm/algorithm.h"
#include "bench/check/structure/check_assortativity.h"

static int prepare(job *j) {
  if (j->o->values != NULL) return vertex_values_read(&j->input, j->o->values, j->g);
  return j->o->labels == NULL ? STATUS_OK : vertex_groups_read(&j->groups, j->o->labels, j->g);
}

static GrB_Info run(job *j) {
  return j->o->labels != NULL ? Grid_label_assortativity(&j->number[0], j->g->A, j->groups.group)
                              : Grid_assortativity(&j->number[0], j->g->A, j->input, j->input);
}

static int report_results(job *j) {
  if (j->o->labels != NULL) report_count(j->r, "labels", j->groups.count);
  report_defined(j, "assortativity", j->number[0]);
  return STATUS_OK;
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return j->o->labels != NULL
             ? check_label_assortativity(&e->graph, e->group, j->number[0], text, capacity)
             : check_assortativity(&e->graph, e->input, e->input, j->number[0], text, capacity);
}

static int write(output *out, const job *j) {
  return write_number(out, j->number[0]);
}

const algorithm algorithm_assortativity = {
    .command =
        {.name = "assortativity",
         .example = "assortativity GRAPH",
         .summary = "whether edges connect vertices of like degrees, values or labels",
         .about = "Assortativity: the correlation of the degrees at both ends of the edges, from -1 to 1, or "
                  "of the numbers of --values; with --labels how many more edges connect equal labels than "
                  "at random. With --directed degrees are of the edges out of the first vertex and of those "
                  "into the second. It is undefined where all degrees, numbers or labels are equal.",
         .answer = "the coefficient, or `nan`",
         .accepts = OPT_DIRECTED | OPT_ANSWER | OPT_ATTRIBUTE,
         .work = WORK_PRODUCTS},
    .prepare = prepare,
    .run = run,
    .report_results = report_results,
    .check = check,
    .write = write,
    .checked = "the coefficient is that of a serial computation",
};
