/* The tables that gridblas plan prints: a row for each layout, the fastest search first; of GPUs a row for
 * each number of them. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "bench/command/plan.h"

typedef struct {
  const Grid_Layout *layout;
  double matrix_bytes;
} row;

/* Where a layout cannot be stored it comes last. */
static int by_seconds(const void *x, const void *y) {
  const row *a = x, *b = y;
  const bool no_a = !isfinite(a->matrix_bytes), no_b = !isfinite(b->matrix_bytes);
  if (no_a != no_b) return no_a ? 1 : -1;
  return (a->layout->seconds > b->layout->seconds) - (a->layout->seconds < b->layout->seconds);
}

/* The product on the grid of so many columns; NULL: none. */
static const Grid_Layout *product_on(const plan_answer *a, int C) {
  for (int k = 0; k < a->product.count; k++)
    if (a->product.layout[k].C == C) return &a->product.layout[k];
  return NULL;
}

/* "2.63 KB" */
static const char *bytes_text(char text[16], double bytes) {
  static const char *const units[] = {"B", "KB", "MB", "GB", "TB", "PB"};
  size_t k = 0;
  for (; bytes >= 999.5 && k + 1 < sizeof units / sizeof *units; k++) bytes /= 1000;
  snprintf(text, 16, "%.3g %s", bytes, units[k]);
  return text;
}

static void print_cost(const Grid_Layout *l, int P, FILE *f) {
  char sent[16];
  fprintf(f, " %12.*f %12s", l->seconds < 1 ? 3 : 0, 1e3 * l->seconds, bytes_text(sent, l->bytes / P));
}

static void print_row(const plan_answer *a, const row *of, FILE *f) {
  const Grid_Layout *product = product_on(a, of->layout->C);
  char matrix[16];
  fprintf(f, "%-20s", of->layout->name);
  print_cost(of->layout, a->P, f);
  if (product != NULL) print_cost(product, a->P, f);
  fprintf(f, "%*s %12s\n", product != NULL ? 0 : 26, "",
          isfinite(of->matrix_bytes) ? bytes_text(matrix, of->matrix_bytes) : "too large");
}

void plan_print(const plan_answer *a, FILE *f) {
  row sorted[Grid_LAYOUTS];
  if (Grid_rank() != 0) return;
  fprintf(f, "%s: %" PRIu64 " vertices, %.0f entries, on %d process%s\n", a->graph, a->n, a->entries, a->P,
          a->P == 1 ? "" : "es");
  fprintf(
      f, "network: %.4g us a call; a process receives %.4g MB and inspects %.4g million entries a second\n\n",
      1e6 * a->net.latency, 1e-6 * a->net.bandwidth, 1e-6 * a->net.rate);
  fprintf(f, "%-20s %25s %25s %12s\n", "", "one search", "one product", "matrix");
  fprintf(f, "%-20s %12s %12s %12s %12s\n", "layout", "ms", "sent", "ms", "sent");
  for (int k = 0; k < a->search.count; k++) sorted[k] = (row){&a->search.layout[k], a->matrix_bytes[k]};
  qsort(sorted, (size_t)a->search.count, sizeof *sorted, by_seconds);
  for (int k = 0; k < a->search.count; k++) print_row(a, &sorted[k], f);
  fprintf(f, "\nBytes are those of one process. The fastest product is on %s.\n",
          a->product.layout[a->product.best].name);
}

void plan_print_gpus(const plan_answer *a, FILE *f) {
  char matrix[16];
  if (Grid_rank() != 0) return;
  fprintf(f, "%s: %" PRIu64 " vertices, %.0f entries, on NVIDIA H200s of one machine with NVLink\n\n",
          a->graph, a->n, a->entries);
  fprintf(f, "%-20s %12s %12s %12s %22s\n", "GPUs", "search, ms", "product, ms", "matrix", "faster from");
  for (int k = 0; k < PLANNED_GPUS; k++) {
    const plan_gpus *g = &a->gpus[k];
    fprintf(f, "%-20d %12.3f %12.3f %12s", g->number, 1e3 * g->search, 1e3 * g->product,
            isfinite(g->matrix_bytes) ? bytes_text(matrix, g->matrix_bytes) : "too large");
    if (g->number > 1) fprintf(f, " %13s2^%d vertices", "", g->least_scale);
    fprintf(f, "\n");
  }
  fprintf(f, "\nBytes are those of one GPU. A product has a full vector in FP32. \"Faster\" is a search.\n");
}
