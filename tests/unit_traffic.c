/* The traffic that a product reports (Grid_Product, Grid_traffic), against MPI's own calls, which this
 * program intercepts and counts. Shared memory is off, so that everything goes through MPI. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "tests/grid_shapes.h"
#include "tests/assert_all.h"

/* ---- MPI's calls, counted ---- */

static struct {
  uint64_t collective; /* bytes sent in collective calls: a reduction or broadcast counts once */
  uint64_t between;    /* in messages between two */
} counted;

static int size_of(MPI_Comm comm) {
  int size;
  PMPI_Comm_size(comm, &size);
  return size;
}
static uint64_t bytes_of(int count, MPI_Datatype type) {
  int size;
  PMPI_Type_size(type, &size);
  return (uint64_t)count * (uint64_t)size;
}

int MPI_Comm_split_type(MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *to) {
  (void)type, (void)key, (void)info, (void)comm;
  return PMPI_Comm_dup(MPI_COMM_SELF, to);
}
int MPI_Allreduce(const void *send, void *recv, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  counted.collective += bytes_of(count, type);
  return PMPI_Allreduce(send, recv, count, type, op, comm);
}
int MPI_Bcast(void *buf, int count, MPI_Datatype type, int root, MPI_Comm comm) {
  int rank;
  PMPI_Comm_rank(comm, &rank);
  if (rank == root) counted.collective += bytes_of(count, type);
  return PMPI_Bcast(buf, count, type, root, comm);
}
int MPI_Allgather(const void *send, int count, MPI_Datatype type, void *recv, int got, MPI_Datatype as,
                  MPI_Comm comm) {
  counted.collective += bytes_of(count, type) * (uint64_t)(size_of(comm) - 1);
  return PMPI_Allgather(send, count, type, recv, got, as, comm);
}
int MPI_Isend(const void *buf, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
              MPI_Request *request) {
  counted.between += bytes_of(count, type);
  return PMPI_Isend(buf, count, type, to, tag, comm, request);
}

/* ---- products ---- */

static uint64_t chance_state = 1;
static uint64_t chance(uint64_t n) {
  chance_state = chance_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (chance_state >> 33) % n;
}

static struct {
  uint64_t between, all; /* counted when the product before this one had been traced */
  uint64_t products, asked, pushed;
  bool split, whole; /* whole: no delegates */
} observed;

/* What all processes counted since the last product. Not counted itself. */
static void read_traffic(uint64_t *between, uint64_t *all) {
  uint64_t v[2] = {counted.between - observed.between, counted.between + counted.collective - observed.all};
  if (Grid_size() > 1) PMPI_Allreduce(MPI_IN_PLACE, v, 2, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  *between = v[0], *all = v[1];
}
static void reset_traffic(void) {
  observed.between = counted.between, observed.all = counted.between + counted.collective;
}

/* With whole bitmaps (docs/how/communication.md): the count and x, x once more if its format was
 * wrong, the outcome. Where processes share rows, the count, x, what is pushed and the outcome; the open rows
 * of a pull and the vertices found in them are one message each. */
static uint64_t max_calls(const Grid_Product *p) {
  int R, C;
  Grid_shape(&R, &C);
  const bool columns = R > 1 && C > 1, pull = p->direction[2] == 'l';
  return !columns ? 3 : pull ? 5 : 4;
}

static void compare(const Grid_Product *p, void *context) {
  uint64_t between, all;
  const uint64_t trace = *(const uint64_t *)context; /* what its sums cost */
  read_traffic(&between, &all);
  const uint64_t payload = p->expand_bytes + p->mask_bytes + p->fold_bytes + p->delegate_bytes;
  /* a split gathers and ORs bits of delegates in collective calls */
  if (!observed.split) assert_on_all(between == payload + p->number_bytes);
  if (observed.whole) assert_on_all(p->calls > 0 && p->calls <= max_calls(p));
  assert_on_all(all == p->sent_bytes + trace);
  observed.products++;
  observed.asked += p->direction[1] == 'u' && p->direction[2] == 'l' && p->fold_bytes + p->delegate_bytes > 0;
  observed.pushed += p->direction[2] == 's' && payload > 0;
  reset_traffic();
}

/* An R-MAT graph, searched level by level with every --delegates and from several vertices. */
static void searches(void **state) {
  static const int32_t threshold[] = {Grid_DELEGATES_OFF, 20, 60};
  int R, C;
  uint64_t trace = 0, before[2], after[2];
  Grid_shape(&R, &C);
  memset(&observed, 0, sizeof observed);
  for (int t = 0; t < 3; t++) {
    GrB_Matrix A;
    observed.split = t > 0 && (C > 1 || R == 1);
    observed.whole = t == 0 && Grid_size() > 1;
    assert_on_all(GrB_Matrix_new(&A, GrB_BOOL, 1 << 12, 1 << 12) == GrB_SUCCESS &&
                  Grid_Matrix_rmat(A, 12, 8, 1, Grid_MIRROR) == GrB_SUCCESS &&
                  GrB_Matrix_set_INT32(A, threshold[t], Grid_DELEGATES) == GrB_SUCCESS);
    for (int k = 0; k < 6; k++) {
      GrB_Vector q, visited;
      const GrB_Index n = 1 << 12, source = chance(n);
      GrB_Index found = 1;
      assert_on_all(GrB_Vector_new(&q, GrB_INT64, n) == GrB_SUCCESS &&
                    GrB_Vector_new(&visited, GrB_INT64, n) == GrB_SUCCESS &&
                    GrB_Vector_setElement_INT64(q, (int64_t)source, source) == GrB_SUCCESS &&
                    GrB_Vector_setElement_INT64(visited, (int64_t)source, source) == GrB_SUCCESS &&
                    GrB_Vector_wait(q, GrB_MATERIALIZE) == GrB_SUCCESS &&
                    GrB_Vector_wait(visited, GrB_MATERIALIZE) == GrB_SUCCESS &&
                    GrB_wait(A, GrB_MATERIALIZE) == GrB_SUCCESS);
      if (k == 0) /* messages that build the matrix in the first product are not the product's */
        assert_on_all(GrB_vxm(q, visited, NULL, Grid_ANY_SECONDI_SEMIRING_INT64, q, A, GrB_DESC_SC) ==
                      GrB_SUCCESS);
      while (found > 0) {
        /* the trace's two sums: found, inspected, ... and times with the most inspected */
        Grid_traffic(&before[0], &before[1]);
        reset_traffic();
        Grid_trace(compare, &trace);
        trace = Grid_size() > 1 ? (uint64_t)Grid_size() * 17 * sizeof(uint64_t) : 0;
        assert_on_all(GrB_vxm(q, visited, NULL, Grid_ANY_SECONDI_SEMIRING_INT64, q, A, GrB_DESC_RSC) ==
                      GrB_SUCCESS);
        Grid_trace(NULL, NULL);
        Grid_traffic(&after[0], &after[1]);
        assert_on_all(Grid_size() == 1 || after[0] > before[0]);
        assert_on_all(GrB_Vector_assign(visited, q, NULL, q, GrB_ALL, n, GrB_DESC_S) == GrB_SUCCESS &&
                      GrB_Vector_nvals(&found, q) == GrB_SUCCESS);
      }
      GrB_Vector_free(&q), GrB_Vector_free(&visited);
    }
    GrB_Matrix_free(&A);
  }
  assert_on_all(observed.products > 30);
  assert_on_all(Grid_size() == 1 || observed.pushed > 0);
  if (C == 1 && R > 1) assert_on_all(observed.asked > 0);
}

/* ---- loops: no call between products that would end the piggybacked counts ----------------------------- */

static struct {
  uint64_t levels, calls, first, first_calls, most; /* of first products; of the others */
  bool is_first;
} loops;

static void count_calls(const Grid_Product *p, void *context) {
  (void)context;
  if (loops.is_first) {
    loops.first++;
    loops.first_calls += p->calls;
  } else {
    loops.levels++;
    loops.calls += p->calls;
    if (p->calls > loops.most) loops.most = p->calls;
  }
  loops.is_first = false;
}

static GrB_Info search(GrB_Matrix A, GrB_Index source, GrB_Index n) {
  GrB_Vector q = NULL, visited = NULL;
  GrB_Index found = 1;
  GrB_Info info = GrB_Vector_new(&q, GrB_INT64, n);
  if (info == GrB_SUCCESS) info = GrB_Vector_new(&visited, GrB_INT64, n);
  if (info == GrB_SUCCESS) info = GrB_Vector_setElement_INT64(q, (int64_t)source, source);
  if (info == GrB_SUCCESS) info = GrB_Vector_setElement_INT64(visited, (int64_t)source, source);
  loops.is_first = true;
  while (info == GrB_SUCCESS && found > 0) {
    info = GrB_vxm(q, visited, NULL, Grid_ANY_SECONDI_SEMIRING_INT64, q, A, GrB_DESC_RSC);
    if (info == GrB_SUCCESS) info = GrB_Vector_assign(visited, q, NULL, q, GrB_ALL, n, GrB_DESC_S);
    if (info == GrB_SUCCESS) info = GrB_Vector_nvals(&found, q);
  }
  GrB_Vector_free(&q), GrB_Vector_free(&visited);
  return info;
}

/* On one grid column, where each process has its rows whole, a level is one message: what a process found,
 * with its numbers. */
static void one_message(void **state) {
  enum { SCALE = 12, SEARCHES = 8 };
  static const int32_t variant[] = {Grid_DIRECTION_PULL, Grid_DIRECTION_AUTO};
  int R, C;
  Grid_shape(&R, &C);
  if (C > 1 || R == 1) return;
  for (int k = 0; k < 2; k++) {
    GrB_Matrix A;
    memset(&loops, 0, sizeof loops);
    assert_on_all(GrB_Matrix_new(&A, GrB_BOOL, 1 << SCALE, 1 << SCALE) == GrB_SUCCESS &&
                  Grid_Matrix_rmat(A, SCALE, 8, 1, Grid_MIRROR) == GrB_SUCCESS &&
                  GrB_Matrix_set_INT32(A, Grid_DELEGATES_OFF, Grid_DELEGATES) == GrB_SUCCESS &&
                  GrB_Matrix_set_INT32(A, variant[k], Grid_DIRECTION) == GrB_SUCCESS &&
                  search(A, 1, 1 << SCALE) == GrB_SUCCESS);
    memset(&loops, 0, sizeof loops);
    Grid_trace(count_calls, NULL);
    for (int s = 0; s < SEARCHES; s++)
      assert_on_all(search(A, chance(1 << SCALE), 1 << SCALE) == GrB_SUCCESS);
    Grid_trace(NULL, NULL);
    assert_on_all(loops.first == SEARCHES && loops.levels > SEARCHES);
    if (variant[k] == Grid_DIRECTION_PULL) { /* the direction is always clear */
      assert_on_all(loops.most == 1 && loops.first_calls == 2 * SEARCHES);
    } else {
      assert_on_all(loops.most <= 2 && 4 * loops.calls <= 5 * loops.levels);
    }
    GrB_Matrix_free(&A);
  }
}

MAIN_ON_SHAPES(start_on_shape, stop_on_shape, cmocka_unit_test(searches), cmocka_unit_test(one_message))
