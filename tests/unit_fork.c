/* Children that a process forks between its calls, with other threads inside theirs, use their copies of its
 * objects (docs/threads.md, "fork"). A timer's signals interrupt parent and children all the time. */
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>
#include "tests/unit.h"
#include "gridblas.h"
#include "gridblas_gxb_objects.h"

enum { N = 3000, CHILDREN = 12, ALARM_US = 500 };

#define OK(call) assert_int_equal((call), GrB_SUCCESS)

static GrB_Matrix A; /* a ring */
static atomic_bool ends;
static atomic_int rounds, wrong;
static atomic_int signals; /* in any thread */

static void count_signal(int number) {
  (void)number;
  atomic_fetch_add(&signals, 1);
}

/* The sum of A's product with a vector of ones. */
static bool product_is_right(void) {
  GrB_Vector v = NULL, w = NULL;
  int64_t sum = 0;
  bool ok =
      GrB_Vector_new(&v, GrB_INT64, N) == GrB_SUCCESS && GrB_Vector_new(&w, GrB_INT64, N) == GrB_SUCCESS;
  ok = ok && GrB_Vector_assign_INT64(v, NULL, NULL, 1, GrB_ALL, N, NULL) == GrB_SUCCESS &&
       GrB_mxv(w, NULL, NULL, GrB_PLUS_TIMES_SEMIRING_INT64, A, v, NULL) == GrB_SUCCESS &&
       GrB_Vector_reduce_INT64(&sum, NULL, GrB_PLUS_MONOID_INT64, w, NULL) == GrB_SUCCESS;
  GrB_Vector_free(&v), GrB_Vector_free(&w);
  return ok && sum == 3 * N;
}

static void *compute(void *unused) {
  while (!atomic_load(&ends)) {
    if (!product_is_right()) atomic_store(&wrong, 1);
    atomic_fetch_add(&rounds, 1);
  }
  return unused;
}

/* Timers are not inherited. */
static void run_child(void) {
  const struct itimerval often = {{0, ALARM_US}, {0, ALARM_US}};
  setitimer(ITIMER_REAL, &often, NULL);
  const bool ok = product_is_right() && GrB_Matrix_clear(A) == GrB_SUCCESS;
  _exit(ok ? 0 : 1);
}

static void children_compute(void **state) {
  pthread_t thread[2];
  for (int t = 0; t < 2; t++) assert_int_equal(pthread_create(&thread[t], NULL, compute, NULL), 0);
  for (int c = 0; c < CHILDREN; c++) {
    for (const int before = atomic_load(&rounds); atomic_load(&rounds) == before && !atomic_load(&wrong);)
      usleep(100);
    int status = -1;
    const pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) run_child();
    while (waitpid(child, &status, 0) < 0) continue;
    assert_int_equal(status, 0);
    assert_true(product_is_right()); /* the parent's objects are unchanged */
  }
  atomic_store(&ends, true);
  for (int t = 0; t < 2; t++) pthread_join(thread[t], NULL);
  assert_int_equal(atomic_load(&wrong), 0);
  assert_true(atomic_load(&signals) > 0);
}

/* Checkpoints are the parent's: a child has no part in them. */
static void run_checkpoint_child(const char *folder, const Grid_Checkpoint_Item *item) {
  const bool refused = Grid_checkpoint(folder, 2, item, 1) == GrB_INVALID_VALUE &&
                       strstr(Grid_last_error(), "uses the checkpoints in"),
             waited = Grid_checkpoint_wait() == GrB_SUCCESS;
  _exit(refused && waited && GrB_finalize() == GrB_SUCCESS ? 0 : 1);
}

static void children_do_not_checkpoint(void **state) {
  static char bytes[1 << 20];
  const Grid_Checkpoint_Item item = {.name = "bytes", .bytes = bytes, .size = sizeof bytes};
  char folder[] = "/tmp/grid_fork.XXXXXX", command[64];
  assert_non_null(mkdtemp(folder));
  OK(Grid_checkpoint(folder, 1, &item, 1)); /* still being written when the process forks */
  int status = -1;
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) run_checkpoint_child(folder, &item);
  while (waitpid(child, &status, 0) < 0) continue;
  assert_int_equal(status, 0);
  OK(Grid_checkpoint_wait());
  OK(Grid_checkpoint(folder, 2, &item, 1));
  OK(Grid_checkpoint_wait());
  snprintf(command, sizeof command, "rm -r %s", folder);
  assert_int_equal(system(command), 0);
}

/* A child has one thread, also where it asks for more and after it has started the library again. */
static void children_have_one_thread(void **state) {
  const int before = Grid_threads(0);
  int status = -1;
  assert_int_equal(Grid_threads(2), 2);
  const pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    unsetenv("OMP_NUM_THREADS"); /* as many as there are cores */
    const bool alone = Grid_threads(2) == 1 && GrB_finalize() == GrB_SUCCESS;
    _exit(alone && GrB_init(GrB_BLOCKING) == GrB_SUCCESS && Grid_threads(0) == 1 ? 0 : 1);
  }
  while (waitpid(child, &status, 0) < 0) continue;
  assert_int_equal(status, 0);
  Grid_threads(before);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(children_compute),
                                     cmocka_unit_test(children_do_not_checkpoint),
                                     cmocka_unit_test(children_have_one_thread)};
  const struct sigaction action = {.sa_handler = count_signal}; /* without SA_RESTART */
  const struct itimerval often = {{0, ALARM_US}, {0, ALARM_US}}, never = {{0, 0}, {0, 0}};
  if (GrB_init(GrB_NONBLOCKING) != GrB_SUCCESS || Grid_size() > 1) return 1;
  pthread_atfork(GxB_atfork_prepare, GxB_atfork_parent, GxB_atfork_child);
  sigaction(SIGALRM, &action, NULL);
  GrB_Matrix_new(&A, GrB_INT64, N, N);
  for (GrB_Index i = 0; i < N; i++) GrB_Matrix_setElement_INT64(A, 3, i, (i + 1) % N);
  if (GrB_Matrix_wait(A, GrB_COMPLETE) != GrB_SUCCESS) return 1;
  setitimer(ITIMER_REAL, &often, NULL);
  const int failed = cmocka_run_group_tests(tests, NULL, NULL);
  setitimer(ITIMER_REAL, &never, NULL);
  GrB_Matrix_free(&A);
  return failed || GrB_finalize() != GrB_SUCCESS || Grid_memory(NULL, false) ? 1 : 0;
}
