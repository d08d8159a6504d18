/* gridblas motif-counts. count[Grid_MOTIF_...]: the numbers. */
#include <inttypes.h>

#include "bench/algorithm/algorithm.h"
#include "bench/check/structure/check_motif_counts.h"

static const char *const names[CHECK_MOTIFS] = {"path_3", "triangle", "star_4",  "path_4",
                                                "paw",    "cycle_4",  "diamond", "clique_4"};

static GrB_Info run(job *j) {
  GrB_Vector count = NULL;
  GrB_Info info = Grid_motif_counts(&count, j->g->A);
  for (int k = 0; info == GrB_SUCCESS && k < CHECK_MOTIFS; k++)
    info = GrB_Vector_extractElement_UINT64(&j->count[k], count, (GrB_Index)k);
  GrB_Vector_free(&count);
  return info;
}

static int report_results(job *j) {
  for (int k = 0; k < CHECK_MOTIFS; k++) report_count(j->r, names[k], j->count[k]);
  return STATUS_OK;
}

static const char *check(const job *j, const gathered_answer *e, char *text, size_t capacity) {
  return check_motif_counts(&e->graph, j->count, text, capacity);
}

static int write(output *out, const job *j) {
  bool written = true;
  for (int k = 0; out->f != NULL && k < CHECK_MOTIFS; k++)
    written = fprintf(out->f, "%s %" PRIu64 "\n", names[k], j->count[k]) > 0 && written;
  return fail_on_any(STATUS_INPUT, written ? NULL : output_error(out));
}

const algorithm algorithm_motif_counts = {
    .command =
        {.name = "motif-counts",
         .example = "motif-counts GRAPH",
         .summary = "the numbers of connected subgraphs of 3 and 4 vertices",
         .about = "Motifs: how many sets of 3 or 4 vertices are connected by the edges of each small graph: "
                  "paths, triangles, stars, cycles, paws (a triangle with one more vertex), diamonds (two "
                  "triangles with a common edge) and cliques. Edges count in both directions, and once.",
         .answer = "`name count` for each of the 8 graphs",
         .accepts = OPT_CHECKPOINTS | OPT_ANSWER,
         .work = WORK_PRODUCTS},
    .run = run,
    .report_results = report_results,
    .check = check,
    .write = write,
    .checked = "the numbers are those of a serial listing",
};
