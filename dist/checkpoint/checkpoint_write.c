/* Grid_checkpoint. The objects are copied into the image of this process's part during the call, and a
 * thread writes it while the program continues. The next checkpoint call reports the outcome, agreed on by
 * all processes. */
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <time.h>

#include "dist/checkpoint/checkpoint.h"
#include "dist/object/burble.h"
#include "dist/vector/vector.h"
#include "semiring/support/mem.h"
#include "semiring/threads/context_section.h"

enum { MAX_NAME = 63 };
#define MAX_BYTES ((size_t)1 << 60) /* of an item: sums of sizes do not wrap around */

/* State of the run whose checkpoints are written; the same on every process except the thread's members. */
static struct {
  bool has_target;                   /* folder, run and next are set */
  char folder[GRID_CHECKPOINT_PATH]; /* of its checkpoints */
  uint64_t run, next;                /* run id; lowest step accepted next */
  uint64_t step;                     /* being written */
  bool writing, threaded;
  pthread_t thread;
  char *memory, *image, path[GRID_CHECKPOINT_PATH]; /* the image, block-aligned in `memory` */
  uint64_t memory_size;                             /* bytes of `memory` */
  grid_image_head head;
  bool succeeded;
  grid_checkpoint_lock lock, next_lock; /* on process 0: of the folder; of that which comes next */
  bool has_lock;                        /* `lock` is of the folder that comes next, too */
  bool has_old_steps; /* steps before complete_step exist, of which this process must remove its share */
  uint64_t complete_step;
  char text[GRID_CHECKPOINT_TEXT];
} default_writer GRID_OF_CONTEXT;
#define writer GRID_IN_CONTEXT(default_writer)

/* ---- arguments ---- */

static GrB_Info check_items(const Grid_Checkpoint_Item *k, const char *call) {
  const int kinds = (k->vector != NULL) + (k->scalar != NULL) + (k->bytes != NULL);
  if (!k->name) return grid_fail(NULL, GrB_NULL_POINTER, "%s: an object has no name", call);
  if (!k->name[0] || strlen(k->name) > MAX_NAME)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: the name \"%.70s\" does not have 1 to %d bytes", call,
                     k->name, MAX_NAME);
  if (kinds != 1)
    return grid_fail(NULL, kinds ? GrB_INVALID_VALUE : GrB_NULL_POINTER,
                     "%s: \"%s\" must be a vector, a scalar or bytes, and is %s", call, k->name,
                     kinds ? "more than one of them" : "none of them");
  if (k->bytes && (!k->size || k->size > MAX_BYTES))
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: \"%s\" has %zu bytes", call, k->name, k->size);
  if (k->scalar) return grid_check_scalar(k->scalar, NULL, call, k->name);
  return k->vector ? grid_check_vector(k->vector, call, k->name) : GrB_SUCCESS;
}

static GrB_Info check_local(const char *folder, const Grid_Checkpoint_Item *items, uint64_t n,
                            const char *call) {
  char path[GRID_CHECKPOINT_PATH];
  GrB_Info info = GrB_SUCCESS;
  if (!folder || (!items && n))
    return grid_fail(NULL, GrB_NULL_POINTER, "%s: argument %s is NULL", call, folder ? "items" : "folder");
  if (!folder[0] ||
      !grid_checkpoint_path(path, folder, (grid_checkpoint_file){UINT64_MAX, grid_ctx.P, grid_ctx.P}))
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: the folder's name is %s", call,
                     folder[0] ? "too long" : "empty");
  for (uint64_t k = 0; k < n; k++) {
    info = check_items(&items[k], call);
    for (uint64_t j = 0; info == GrB_SUCCESS && j < k; j++)
      if (strcmp(items[j].name, items[k].name) == 0)
        info = grid_fail(NULL, GrB_INVALID_VALUE, "%s: two objects are named \"%s\"", call, items[k].name);
    if (info != GrB_SUCCESS) return info;
  }
  return GrB_SUCCESS;
}

GrB_Info grid_checkpoint_check(const char *folder, uint64_t step, const Grid_Checkpoint_Item *items,
                               uint64_t n, const char *call) {
  GrB_Info info = grid_check_initialized(call);
  if (info != GrB_SUCCESS) return info;
  const grid_argument same[] = {{"folder", grid_text_value(folder)}, {"step", step}, {"n", n}};
  return grid_agree_equal(NULL, check_local(folder, items, n, call), same, 3, call);
}

/* ---- the thread ---- */

static void drop_older(void) {
  if (writer.has_old_steps) grid_checkpoint_remove_before(writer.folder, writer.complete_step);
  writer.has_old_steps = false;
}

static void *write_rank_file(void *context) {
  GRID_WORKER_SCOPE((uintptr_t)context);
  omp_set_num_threads(1); /* the program uses the other cores */
  drop_older();
  grid_image_seal(writer.image, writer.head);
  writer.succeeded =
      grid_checkpoint_write_file(writer.path, writer.folder, writer.image, writer.head.size, writer.text);
  return NULL;
}

/* The thread blocks signals. Without a thread the part is written here. */
static void start_writing(void) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  writer.threaded = !pthread_create(&writer.thread, NULL, write_rank_file, (void *)grid_context_distance);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  const int threads = omp_get_max_threads();
  if (!writer.threaded) write_rank_file((void *)grid_context_distance);
  omp_set_num_threads(threads);
}

static void free_image(void) {
  grid_free(writer.memory);
  writer.memory = NULL, writer.memory_size = 0;
}

void grid_checkpoint_finish_write(void) {
  if (writer.writing && writer.threaded) pthread_join(writer.thread, NULL);
  writer.threaded = false;
}

void grid_checkpoint_forget(void) {
  free_image();
  grid_checkpoint_unlock(&writer.lock, writer.folder);
  memset(&writer, 0, sizeof writer);
}

void grid_checkpoint_close(void) {
  grid_checkpoint_finish_write();
  grid_checkpoint_forget();
}

/* Waits for the last write. Its buffer is reused; older steps are removed later, since removing a large
 * file takes longer than copying the objects. */
static GrB_Info finish(const char *call) {
  GrB_Info info = GrB_SUCCESS;
  if (!writer.writing) return info;
  if (writer.threaded) pthread_join(writer.thread, NULL);
  writer.writing = false;
  if (!writer.succeeded)
    info = grid_fail(NULL, GrB_INVALID_VALUE, "%s: the checkpoint of step %llu was not written: %s", call,
                     (unsigned long long)writer.step, writer.text);
  info = grid_agree(NULL, info);
  if (info != GrB_SUCCESS) {
    writer.next = writer.step; /* allows another try */
    return info;
  }
  if (grid_ctx.k == 0) grid_checkpoint_remove_partial(writer.folder);
  writer.has_old_steps = true, writer.complete_step = writer.step;
  return info;
}

GrB_Info grid_checkpoint_wait(const char *call) {
  const GrB_Info info = finish(call);
  drop_older();
  free_image();
  return info;
}

GrB_Info grid_checkpoint_begin(const char *folder, const char *call) {
  GrB_Info info = GrB_SUCCESS;
  writer.has_lock = grid_checkpoint_is_locked(&writer.lock, folder);
  if (grid_ctx.k == 0 && !writer.has_lock)
    info = grid_checkpoint_lock_folder(&writer.next_lock, folder, call);
  return grid_agree(NULL, info);
}

void grid_checkpoint_abandon(const char *folder) {
  grid_checkpoint_unlock(&writer.next_lock, folder);
}

void grid_checkpoint_continue(const char *folder, uint64_t run, uint64_t next) {
  drop_older(); /* of the previous folder */
  if (!writer.has_lock) {
    grid_checkpoint_unlock(&writer.lock, writer.folder);
    writer.lock = writer.next_lock;
    writer.next_lock.pid = 0;
  }
  snprintf(writer.folder, sizeof writer.folder, "%s", folder);
  writer.has_target = true, writer.run = run, writer.next = next;
}

/* ---- start of a checkpoint ---- */

static uint64_t draw_run_id(void) {
  uint64_t id;
  if (getrandom(&id, sizeof id, GRND_NONBLOCK) == (ssize_t)sizeof id) return id;
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  return (uint64_t)now.tv_sec * UINT64_C(1000000007) + (uint64_t)now.tv_nsec;
}

/* On process 0: checks that the folder has no newer step of another run. */
static GrB_Info open_folder(uint64_t *run, const char *folder, uint64_t step, const char *call) {
  grid_checkpoint_step *steps = NULL;
  uint64_t n = 0, newest = 0;
  GrB_Info info = grid_checkpoint_list_steps(&steps, &n, &newest, folder, call);
  if (info == GrB_SUCCESS && n && newest >= step)
    info = grid_fail(NULL, GrB_INVALID_VALUE,
                     "%s: %s has step %llu of another computation: restore it, or use another folder", call,
                     folder, (unsigned long long)newest);
  grid_free(steps);
  *run = draw_run_id();
  return info;
}

/* Continues the run in this folder, or starts one. */
static GrB_Info begin(const char *folder, uint64_t step, const char *call) {
  uint64_t run = 0;
  GrB_Info info = GrB_SUCCESS;
  if (step == UINT64_MAX)
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: step %llu has no next one", call,
                     (unsigned long long)step);
  if (writer.has_target && strcmp(folder, writer.folder) == 0) {
    if (step >= writer.next) return info;
    return grid_fail(NULL, GrB_INVALID_VALUE, "%s: step %llu does not come after step %llu", call,
                     (unsigned long long)step, (unsigned long long)writer.next - 1);
  }
  if (grid_ctx.k == 0) info = grid_checkpoint_make_folder(folder, call);
  TRY(grid_agree(NULL, info));
  TRY(grid_checkpoint_begin(folder, call));
  if (grid_ctx.k == 0) info = open_folder(&run, folder, step, call);
  TRY(grid_agree(NULL, info));
  TRY(grid_ctx.transport->bcast(GRID_SET_ALL, &run, sizeof run, 0));
  grid_checkpoint_continue(folder, run, 0);
done:
  grid_checkpoint_abandon(folder);
  return info;
}

/* ---- the copy ---- */

static grid_checkpoint_entry describe(const Grid_Checkpoint_Item *k) {
  grid_checkpoint_entry e = {.name = k->name, .type = ""};
  if (k->vector) {
    const grid_chunk *c = &k->vector->chunk;
    e.kind = GRID_CHECKPOINT_VECTOR;
    e.n = k->vector->n;
    e.first = grid_chunk_first(e.n, grid_ctx.k), e.count = c->n;
    e.nvals = c->nvals, e.is_list = c->nvals < c->n;
    e.type = c->type->name, e.size = c->type->size;
  } else if (k->scalar) {
    e.kind = GRID_CHECKPOINT_SCALAR;
    e.nvals = k->scalar->present;
    e.type = k->scalar->type->name, e.size = k->scalar->type->size;
  } else {
    e.kind = GRID_CHECKPOINT_BYTES;
    e.nvals = 1, e.size = k->size;
  }
  return e;
}

static GrB_Info copy_values(const grid_checkpoint_entry *e, const Grid_Checkpoint_Item *k) {
  if (k->vector)
    return grid_vec_tuples(e->is_list ? (uint64_t *)(void *)e->idx : NULL, e->val, k->vector->type,
                           &k->vector->chunk, e->first);
  if (e->nvals) memcpy(e->val, k->scalar ? k->scalar->val : k->bytes, e->size);
  return GrB_SUCCESS;
}

/* Allocates an image of `size` bytes, or reuses the previous one if equally long: first-touch faults take
 * four times as long as the copy. */
static GrB_Info allocate_image(uint64_t size) {
  const uint64_t memory_size = size + GRID_CHECKPOINT_BLOCK;
  if (memory_size != writer.memory_size) {
    free_image();
    writer.memory = grid_malloc(memory_size, 1);
    if (!writer.memory) return grid_fail_memory(NULL, "the image of a checkpoint", size, 1);
    writer.memory_size = memory_size;
  }
  writer.image = writer.memory + (GRID_CHECKPOINT_BLOCK - (uintptr_t)writer.memory % GRID_CHECKPOINT_BLOCK);
  return GrB_SUCCESS;
}

static GrB_Info make_image(const Grid_Checkpoint_Item *items, uint64_t n, uint64_t step) {
  uint64_t size = sizeof(grid_image_head);
  for (uint64_t k = 0; k < n; k++) {
    const grid_checkpoint_entry e = describe(&items[k]);
    size += grid_image_bytes(&e);
  }
  writer.head = (grid_image_head){.size = size,
                                  .step = step,
                                  .run = writer.run,
                                  .processes = (uint32_t)grid_ctx.P,
                                  .process = (uint32_t)grid_ctx.k};
  GrB_Info info = allocate_image(size);
  if (info != GrB_SUCCESS) return info;
  char *at = writer.image + sizeof(grid_image_head);
  for (uint64_t k = 0; info == GrB_SUCCESS && k < n; k++) {
    grid_checkpoint_entry e = describe(&items[k]);
    at = grid_image_write_entry(at, &e);
    info = copy_values(&e, &items[k]);
  }
  return info;
}

static GrB_Info checkpoint(const char *folder, uint64_t step, const Grid_Checkpoint_Item *items, uint64_t n) {
  static const char call[] = "Grid_checkpoint";
  GrB_Info info = grid_checkpoint_check(folder, step, items, n, call);
  if (info != GrB_SUCCESS) return info;
  TRY(finish(call));
  TRY(begin(folder, step, call));
  TRY(grid_agree(NULL, make_image(items, n, step)));
  grid_checkpoint_path(writer.path, folder, (grid_checkpoint_file){step, grid_ctx.P, grid_ctx.k});
  writer.step = step, writer.next = step + 1, writer.writing = true;
  start_writing();
done:
  if (info != GrB_SUCCESS) drop_older(), free_image();
  return info;
}

GrB_Info Grid_checkpoint(const char *folder, uint64_t step, const Grid_Checkpoint_Item *items, uint64_t n) {
  return GRID_TRACE_CALL("Grid_checkpoint", checkpoint(folder, step, items, n), NULL);
}

GrB_Info Grid_checkpoint_wait(void) {
  GRID_CALL_SCOPE;
  static const char call[] = "Grid_checkpoint_wait";
  const GrB_Info info = grid_check_initialized(call);
  return info == GrB_SUCCESS ? grid_checkpoint_wait(call) : info;
}
