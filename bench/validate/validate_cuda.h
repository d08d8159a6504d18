/* The checks of validate.h on a GPU, for trees and graphs that the CPU could not check in reasonable time:
 * the same rules and texts. Parents are held in 32 bits, so a graph has fewer than 2^32 - 2 vertices. The
 * tuples come in segments from the host, or those of an R-MAT graph are generated again on the GPU.
 *
 * Order of the calls for one tree: clear, parents (and get and set, where several processes hold parts of the
 * tree), tree, levels, edges or rmat, tree_edges. Each returns whether there was no error; result->rule is
 * then 0, else the broken rule, or VALIDATE_TROUBLE when the GPU failed. Local, no communication. */
#ifndef GRID_VALIDATE_CUDA_H
#define GRID_VALIDATE_CUDA_H
#include "bench/validate/validate.h"
#include "gridblas_rmat.h"

enum { VALIDATE_TROUBLE = -1 };

typedef struct validate_cuda validate_cuda;

/* On GPU number `gpu`; [first, first + share) are the vertices whose levels this process will compare. NULL
 * on failure, with the reason in *why (static). */
validate_cuda *validate_cuda_open(int gpu, uint64_t n, uint64_t first, uint64_t share, bool directed,
                                  const char **why);
void validate_cuda_close(validate_cuda *c);

/* No vertex is reached. */
bool validate_cuda_clear(validate_cuda *c, validate_result *result);
/* parent(at[k]) = value[k]; rule 1 if that is no vertex. */
bool validate_cuda_parents(validate_cuda *c, const uint64_t *at, const int64_t *value, uint64_t count,
                           validate_result *result);
/* The parents of [first, first + count) as stored on the GPU, to and from host memory. */
bool validate_cuda_get(validate_cuda *c, uint32_t *to, uint64_t first, uint64_t count,
                       validate_result *result);
bool validate_cuda_set(validate_cuda *c, uint64_t first, const uint32_t *from, uint64_t count,
                       validate_result *result);

/* Rules 1 and 2, and the depths. */
bool validate_cuda_tree(validate_cuda *c, uint64_t root, int64_t limit, validate_result *result);
/* Rule 2 for the levels of the process's vertices, all in one call. */
bool validate_cuda_levels(validate_cuda *c, const uint64_t *at, const int32_t *value, uint64_t count,
                          validate_result *result);
/* Rules 3 and 4 over some of the tuples: the given ones, or the numbers [first, first + count) of an R-MAT
 * graph. */
bool validate_cuda_edges(validate_cuda *c, const uint64_t *rows, const uint64_t *cols, uint64_t count,
                         uint64_t *inside, validate_result *result);
bool validate_cuda_rmat(validate_cuda *c, const Grid_Rmat *g, uint64_t first, uint64_t count,
                        uint64_t *inside, validate_result *result);
/* From now on (until clear) edges and rmat only count the tuples inside, and need no tree. */
void validate_cuda_count_only(validate_cuda *c);
/* The flags of rule 5, 32 vertices a word, to host memory, and another process's flags combined with them. */
uint64_t validate_cuda_words(const validate_cuda *c);
bool validate_cuda_marks(validate_cuda *c, uint32_t *to, validate_result *result);
bool validate_cuda_merge_marks(validate_cuda *c, const uint32_t *marks, validate_result *result);
bool validate_cuda_tree_edges(validate_cuda *c, validate_result *result);

/* All depths, -1 where not reached, to host memory. */
bool validate_cuda_depths(validate_cuda *c, int32_t *to, validate_result *result);

/* Seconds that the GPU takes to generate the tuples; < 0: it failed. */
double validate_cuda_generate(validate_cuda *c, const Grid_Rmat *g, uint64_t first, uint64_t count);

/* Pinned host memory; NULL: none. */
void *validate_cuda_host(uint64_t bytes);
void validate_cuda_host_free(void *p);
#endif
