/* checkpoint.c: Grid_checkpoint. What is kept is copied into the image of this process's part while the
 * program waits, and written by a thread while it goes on; the next call that has to do with checkpoints
 * learns how that ended, on all processes together. */
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "dist/keep/keep.h"
#include "dist/object/burble.h"
#include "dist/object/vector.h"
#include "semiring/mem.h"

enum { LONGEST_NAME = 63 };

/* The computation whose checkpoints are written; the same on every process but for what the thread has. */
static struct {
  bool known;                  /* folder, run and step are */
  char folder[GRID_KEEP_PATH]; /* of its checkpoints */
  uint64_t run, next;          /* its mark; the least step that may come now */
  uint64_t step;               /* that is being written */
  bool writing, threaded;
  pthread_t thread;
  char *memory, *image, path[GRID_KEEP_PATH]; /* the image, at a whole block of its memory */
  uint64_t room;                              /* bytes of it */
  grid_image_head head;
  bool fine;
  bool drop; /* steps before `whole` are still there, of which this process is to remove its share */
  uint64_t whole;
  char text[GRID_KEEP_TEXT];
} keeper;

/* ---- arguments ---- */

static GrB_Info check_kept(const Grid_Kept *k, const char *call) {
  const int kinds = (k->vector != NULL) + (k->scalar != NULL) + (k->bytes != NULL);
  if (!k->name) return grid_fail(NULL, GrB_NULL_POINTER, "%s: an object has no name", call);
  if (!k->name[0] || strlen(k->name) > LONGEST_NAME)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: the name \"%.70s\" does not have 1 to %d bytes", call,
                     k->name, LONGEST_NAME);
  if (kinds != 1)
    return grid_fail(NULL, kinds ? GrB_INVALID_VALUE : GrB_NULL_POINTER,
                     "%s: \"%s\" must be a vector, a scalar or bytes, and is %s", call, k->name,
                     kinds ? "more than one of them" : "none of them");
  if (k->bytes && !k->size)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: \"%s\" has 0 bytes", call, k->name);
  if (k->scalar) return grid_check_scalar(k->scalar, NULL, call, k->name);
  return k->vector ? grid_check_vector(k->vector, call, k->name) : GrB_SUCCESS;
}

GrB_Info grid_keep_check(const char *folder, const Grid_Kept *kept, uint64_t n, const char *call) {
  char path[GRID_KEEP_PATH];
  GrB_Info info = grid_check_ready(call);
  if (info != GrB_SUCCESS) return info;
  if (!folder || (!kept && n))
    return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument %s is NULL", call, folder ? "kept" : "folder");
  if (!folder[0] || !grid_kept_path(path, folder, (grid_kept_part){UINT64_MAX, grid_here.P, grid_here.P}))
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: the folder's name is %s", call,
                     folder[0] ? "too long" : "empty");
  for (uint64_t k = 0; k < n; k++) {
    info = check_kept(&kept[k], call);
    for (uint64_t j = 0; info == GrB_SUCCESS && j < k; j++)
      if (strcmp(kept[j].name, kept[k].name) == 0)
        info = grid_fail(NULL, GrB_INVALID_VALUE, "%s: two objects are named \"%s\"", call, kept[k].name);
    if (info != GrB_SUCCESS) return info;
  }
  return GrB_SUCCESS;
}

/* ---- the thread ---- */

static void drop_older(void) {
  if (keeper.drop) grid_keep_drop(keeper.folder, keeper.whole);
  keeper.drop = false;
}

static void *write_part(void *unused) {
  (void)unused;
  omp_set_num_threads(1); /* the program has the others */
  drop_older();
  grid_image_seal(keeper.image, keeper.head);
  keeper.fine = grid_kept_write(keeper.path, keeper.folder, keeper.image, keeper.head.size, keeper.text);
  return NULL;
}

/* The program's signals are not for the thread. Where none can be had the part is written at once. */
static void start_writing(void) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  keeper.threaded = !pthread_create(&keeper.thread, NULL, write_part, NULL);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  const int threads = omp_get_max_threads();
  if (!keeper.threaded) write_part(NULL);
  omp_set_num_threads(threads);
}

static void free_image(void) {
  grid_free(keeper.memory);
  keeper.memory = NULL, keeper.room = 0;
}

void grid_keep_close(void) {
  if (keeper.writing && keeper.threaded) pthread_join(keeper.thread, NULL);
  free_image();
  memset(&keeper, 0, sizeof keeper);
}

/* The last step is written, or was not; its memory stays, and so do older steps, since removing a large file
 * takes longer than copying what is kept. */
static GrB_Info finish(const char *call) {
  GrB_Info info = GrB_SUCCESS;
  if (!keeper.writing) return info;
  if (keeper.threaded) pthread_join(keeper.thread, NULL);
  keeper.writing = false;
  if (!keeper.fine)
    info = grid_fail(NULL, GrB_INVALID_VALUE, "%s: the checkpoint of step %llu was not written: %s", call,
                     (unsigned long long)keeper.step, keeper.text);
  info = grid_agree(NULL, info);
  if (info != GrB_SUCCESS) {
    keeper.next = keeper.step; /* it may be tried again */
    return info;
  }
  if (grid_here.k == 0) grid_keep_tidy(keeper.folder);
  keeper.drop = true, keeper.whole = keeper.step;
  return info;
}

GrB_Info grid_keep_finish(const char *call) {
  const GrB_Info info = finish(call);
  drop_older();
  free_image();
  return info;
}

void grid_keep_continue(const char *folder, uint64_t run, uint64_t next) {
  drop_older(); /* of the folder before */
  snprintf(keeper.folder, sizeof keeper.folder, "%s", folder);
  keeper.known = true, keeper.run = run, keeper.next = next;
}

/* ---- a checkpoint begins ---- */

static uint64_t draw_mark(void) {
  uint64_t mark;
  if (getrandom(&mark, sizeof mark, GRND_NONBLOCK) == (ssize_t)sizeof mark) return mark;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000007) + (uint64_t)now.tv_nsec;
}

/* On process 0: the folder has nothing that a later start would take for newer than this computation's. */
static GrB_Info open_folder(uint64_t *run, const char *folder, uint64_t step, const char *call) {
  grid_kept_step *steps = NULL;
  uint64_t n = 0, newest = 0;
  GrB_Info info = grid_keep_make(folder, call);
  if (info == GrB_SUCCESS) info = grid_keep_list(&steps, &n, &newest, folder, call);
  if (info == GrB_SUCCESS && n && newest >= step)
    info = grid_fail(NULL, GrB_INVALID_VALUE,
                     "%s: %s has step %llu of another computation: restore it, or keep this one elsewhere",
                     call, folder, (unsigned long long)newest);
  grid_free(steps);
  *run = draw_mark();
  return info;
}

/* The computation is known in this folder, and comes to a later step. */
static GrB_Info begin(const char *folder, uint64_t step, const char *call) {
  uint64_t run = 0;
  GrB_Info info = GrB_SUCCESS;
  if (keeper.known && strcmp(folder, keeper.folder) == 0) {
    if (step >= keeper.next) return info;
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: step %llu does not come after step %llu", call,
                     (unsigned long long)step, (unsigned long long)keeper.next - 1);
  }
  if (grid_here.k == 0) info = open_folder(&run, folder, step, call);
  TRY(grid_agree(NULL, info));
  TRY(grid_here.transport->bcast(GRID_SET_ALL, &run, sizeof run, 0));
  grid_keep_continue(folder, run, 0);
done:
  return info;
}

/* ---- the copy ---- */

static grid_kept_entry describe(const Grid_Kept *k) {
  grid_kept_entry e = {.name = k->name, .type = ""};
  if (k->vector) {
    const grid_chunk *c = &k->vector->chunk;
    e.kind = GRID_KEPT_VECTOR;
    e.n = k->vector->n;
    e.first = grid_chunk_first(e.n, grid_here.k), e.count = c->n;
    e.nvals = c->nvals, e.listed = c->nvals < c->n;
    e.type = c->type->name, e.size = c->type->size;
  } else if (k->scalar) {
    e.kind = GRID_KEPT_SCALAR;
    e.nvals = k->scalar->present;
    e.type = k->scalar->type->name, e.size = k->scalar->type->size;
  } else {
    e.kind = GRID_KEPT_BYTES;
    e.nvals = 1, e.size = k->size;
  }
  return e;
}

static GrB_Info copy_values(const grid_kept_entry *e, const Grid_Kept *k) {
  if (k->vector)
    return grid_vec_tuples(e->listed ? (uint64_t *)(void *)e->idx : NULL, e->val, k->vector->type,
                           &k->vector->chunk, e->first);
  if (e->nvals) memcpy(e->val, k->scalar ? k->scalar->val : k->bytes, e->size);
  return GrB_SUCCESS;
}

/* Memory for an image of `size` bytes: that of the step before, if it is as long, since touching new memory
 * takes four times as long as the copy. */
static GrB_Info image_room(uint64_t size) {
  const uint64_t room = size + GRID_KEEP_BLOCK;
  if (room != keeper.room) {
    free_image();
    keeper.memory = grid_malloc(room, 1);
    if (!keeper.memory) return grid_fail_memory(NULL, "the copy of what is kept", size, 1);
    keeper.room = room;
  }
  keeper.image = keeper.memory + (GRID_KEEP_BLOCK - (uintptr_t)keeper.memory % GRID_KEEP_BLOCK);
  return GrB_SUCCESS;
}

static GrB_Info make_image(const Grid_Kept *kept, uint64_t n, uint64_t step) {
  uint64_t size = sizeof(grid_image_head);
  for (uint64_t k = 0; k < n; k++) {
    const grid_kept_entry e = describe(&kept[k]);
    size += grid_image_bytes(&e);
  }
  keeper.head = (grid_image_head){.size = size,
                                  .step = step,
                                  .run = keeper.run,
                                  .processes = (uint32_t)grid_here.P,
                                  .process = (uint32_t)grid_here.k};
  GrB_Info info = image_room(size);
  if (info != GrB_SUCCESS) return info;
  char *at = keeper.image + sizeof(grid_image_head);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < n; k++) {
    grid_kept_entry e = describe(&kept[k]);
    at = grid_image_put(at, &e);
    info = copy_values(&e, &kept[k]);
  }
  return info;
}

static GrB_Info checkpoint(const char *folder, uint64_t step, const Grid_Kept *kept, uint64_t n) {
  static const char call[] = "Grid_checkpoint";
  GrB_Info info = grid_keep_check(folder, kept, n, call);
  if (info != GrB_SUCCESS) return info;
  TRY(finish(call));
  TRY(begin(folder, step, call));
  TRY(grid_agree(NULL, make_image(kept, n, step)));
  grid_kept_path(keeper.path, folder, (grid_kept_part){step, grid_here.P, grid_here.k});
  keeper.step = step, keeper.next = step + 1, keeper.writing = true;
  start_writing();
done:
  if (info != GrB_SUCCESS) drop_older(), free_image();
  return info;
}

GrB_Info Grid_checkpoint(const char *folder, uint64_t step, const Grid_Kept *kept, uint64_t n) {
  return GRID_TOLD("Grid_checkpoint", checkpoint(folder, step, kept, n), NULL);
}

GrB_Info Grid_checkpoint_wait(void) {
  GRID_CALL_SCOPE;
  static const char call[] = "Grid_checkpoint_wait";
  const GrB_Info info = grid_check_ready(call);
  return info == GrB_SUCCESS ? grid_keep_finish(call) : info;
}
