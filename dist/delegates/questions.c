/* Owners and questions: see questions.h. */
#include "dist/delegates/questions.h"

#include <omp.h>
#include <string.h>

#include "dist/grid/layout.h"
#include "spmat/vector/words.h"

/* ---- when ---- */

GrB_Info grid_questions_prepare(grid_product *p) {
  GrB_Matrix A = p->A;
  p->asks = false;
  if (p->where != GRID_ON_HOST || !grid_numbered_may(A) || A->split || A->delegates == Grid_DELEGATES_OFF ||
      !(p->structural || (p->s->add->any && !p->s->mul->f)))
    return GrB_SUCCESS;
  GrB_Info info = grid_numbered_make(A);
  p->asks = info == GrB_SUCCESS && A->numbered->d > 0;
  return info;
}

void grid_questions_choose(grid_product *p) {
  if (!p->asks) return;
  if (p->pull) {
    p->asks = 4 * p->n.nx > p->A->numbered->d / 8; /* else a list of all is as short as anything */
    return;
  }
  p->asks = false;
  p->transposed = true;
  p->gather = GRID_SET_ROW;
  p->scatter = GRID_SET_COL;
}

/* ---- expand ---- */

/* Where process k's vertices begin in the block's columns, which are all. */
static uint64_t place_of(const grid_product *p, int k) {
  return grid_chunk_place(p->nin, false, k);
}

static uint64_t own_word(const grid_product *p) {
  return place_of(p, grid_here.k) / 64;
}

/* The own delegates in x, as bits over their numbers from the first own one on. */
static GrB_Info own_delegates(const grid_product *p, uint64_t **bits, grid_entries_out *e) {
  const grid_numbered *g = p->A->numbered;
  const uint64_t from = g->start[grid_here.k], n = g->start[grid_here.k + 1] - from,
                 low = place_of(p, grid_here.k);
  *e = (grid_entries_out){.n = n};
  *bits = grid_calloc(grid_words(n), sizeof **bits);
  if (!*bits) return grid_fail_memory(NULL, "bits of delegates", n / 8, 1);
  e->bits = *bits;
  for (uint64_t k = 0; k < n; k++) {
    const void *v;
    if (!grid_chunk_get(p->x, g->id[from + k] - low, &v)) continue;
    (*bits)[k >> 6] |= UINT64_C(1) << (k & 63);
    e->count++;
  }
  return GrB_SUCCESS;
}

static void set_bit(uint64_t *bits, uint64_t i) {
  bits[i >> 6] |= UINT64_C(1) << (i & 63);
}

static void put_own(const grid_product *p, uint64_t *bits) {
  const uint64_t words = grid_words(p->x->n);
  if (p->x->format == GRID_BITMAP) {
    memcpy(bits, p->x->bits, words * sizeof *bits);
  } else if (p->x->format == GRID_FULL) {
    for (uint64_t w = 0; w < words; w++) bits[w] = grid_tail(p->x->n, w);
  } else {
    for (uint64_t k = 0; k < p->x->nvals; k++) set_bit(bits, p->x->idx[k]);
  }
}

GrB_Info grid_questions_expand(grid_product *p, grid_input *in) {
  const grid_numbered *g = p->A->numbered;
  const uint64_t words = grid_block_cols(p->nin) / 64, P = (uint64_t)grid_here.P;
  uint64_t *mine = NULL;
  grid_entries_out e;
  grid_received got;
  *in = (grid_input){.bits = grid_calloc(words, sizeof *in->bits)};
  in->own_bits = in->bits;
  GrB_Info info = own_delegates(p, &mine, &e);
  if (info == GrB_SUCCESS && !in->bits) info = grid_fail_memory(NULL, "input bitmap", words, 8);
  if (info == GrB_SUCCESS) grid_count_messages(p, &e, grid_here.P - 1);
  info = grid_share(&p->A->work, p->gather, info, &e, &got, &p->stats.delegate_bytes);
  for (uint64_t k = 0; k < P && info == GrB_SUCCESS; k++) {
    grid_message m = grid_received_message(&got, k);
    for (grid_message_iter it = grid_message_begin(&m); grid_message_next(&it);)
      set_bit(in->bits, g->id[g->start[k] + it.i]);
  }
  if (info == GrB_SUCCESS) put_own(p, in->bits + own_word(p));
  grid_free(mine);
  if (info != GrB_SUCCESS) grid_input_free(in);
  return info;
}

/* ---- words for other processes: entries outside of some own rows, dealt to the owners of their columns ----
 */

typedef struct {
  const grid_compressed *c;
  const uint64_t *is;         /* the delegates */
  uint64_t n_cols, q, low, P; /* of all columns the own: q from low on */
  uint32_t *row;              /* the rows, n */
  uint64_t n;
  int slices;      /* of the rows, one after the other */
  uint64_t *at;    /* slices x P: where a slice's words for a process begin; */
  uint64_t *count; /* P: how many there are for it */
} dealing;

static inline bool is_outside(const dealing *d, uint64_t u) {
  return u - d->low >= d->q && !grid_bit(d->is, u);
}

/* Visits the entries of a row that are outside: column u, which process k owns, with its q from low on. */
typedef struct {
  uint64_t e, to, u, k, low, q;
} outside_iter;

static inline outside_iter begin_row(const dealing *d, uint64_t r) {
  return (outside_iter){.e = grid_vector_start(d->c, r), .to = grid_vector_start(d->c, r + 1)};
}

static inline void find_owner(const dealing *d, outside_iter *it) {
  uint64_t own;
  const int k = grid_owner(d->n_cols, it->u, &own);
  it->k = (uint64_t)k;
  it->low = it->u - own;
  it->q = grid_chunk_room(d->n_cols, k);
}

static inline bool next_outside(const dealing *d, outside_iter *it) {
  while (it->e < it->to) {
    it->u = d->c->idx[it->e++];
    if (!is_outside(d, it->u)) continue;
    if (it->u - it->low >= it->q) find_owner(d, it);
    return true;
  }
  return false;
}

static inline uint64_t slice_from(const dealing *d, int s) {
  return d->n * (uint64_t)s / (uint64_t)d->slices;
}

static void dealing_free(dealing *d) {
  grid_free(d->row);
  grid_free(d->at);
  grid_free(d->count);
}

static GrB_Info dealing_make(dealing *d, const grid_product *p, uint64_t most_rows) {
  const int threads = omp_get_max_threads();
  *d = (dealing){.c = &p->A->block.by_row,
                 .is = p->A->numbered->is,
                 .n_cols = p->nin,
                 .q = grid_own_room(p->nin),
                 .low = place_of(p, grid_here.k),
                 .P = (uint64_t)grid_here.P};
  d->slices = most_rows > 1 << 12 ? threads : 1;
  d->row = grid_malloc(most_rows, sizeof *d->row);
  d->at = grid_malloc((uint64_t)d->slices * d->P, sizeof *d->at);
  d->count = grid_malloc(d->P, sizeof *d->count);
  return d->row && d->at && d->count ? GrB_SUCCESS
                                     : grid_fail_memory(NULL, "rows to ask about", most_rows, sizeof *d->row);
}

/* Counts; then at says where each slice's words begin among all, process by process. */
static void deal_count(dealing *d) {
#pragma omp parallel for schedule(static, 1) num_threads(d->slices) if (d->slices > 1)
  for (int s = 0; s < d->slices; s++) {
    uint64_t *at = d->at + (uint64_t)s * d->P;
    memset(at, 0, d->P * sizeof *at);
    for (uint64_t r = slice_from(d, s); r < slice_from(d, s + 1); r++)
      for (outside_iter it = begin_row(d, d->row[r]); next_outside(d, &it);) at[it.k]++;
  }
  uint64_t sum = 0;
  for (uint64_t k = 0; k < d->P; k++) {
    const uint64_t before = sum;
    for (uint64_t s = 0; s < (uint64_t)d->slices; s++) {
      const uint64_t n = d->at[s * d->P + k];
      d->at[s * d->P + k] = sum;
      sum += n;
    }
    d->count[k] = sum - before;
  }
}

/* word[...] = the index of the column with its owner, and, two words each, the row. */
static void deal_words(dealing *d, uint32_t *word, bool with_row) {
  const uint64_t each = with_row ? 2 : 1;
#pragma omp parallel for schedule(static, 1) num_threads(d->slices) if (d->slices > 1)
  for (int s = 0; s < d->slices; s++) {
    uint64_t *at = d->at + (uint64_t)s * d->P;
    for (uint64_t r = slice_from(d, s); r < slice_from(d, s + 1); r++)
      for (outside_iter it = begin_row(d, d->row[r]); next_outside(d, &it);) {
        uint32_t *to = word + each * at[it.k]++;
        to[0] = (uint32_t)(it.u - it.low);
        if (with_row) to[1] = d->row[r];
      }
  }
}

/* ---- deliveries ---- */

typedef struct {
  uint32_t *sent, *got;
  size_t *sizes; /* P each: bytes to send, where; bytes to receive, where */
  uint64_t n;    /* words that came */
} delivery;

static void delivery_free(delivery *v) {
  grid_free(v->sent);
  grid_free(v->got);
  grid_free(v->sizes);
}

/* bytes[k] go to process k: told to it, so that from[k] come from it; offsets beside both. */
static GrB_Info tell_sizes(size_t *sizes, uint64_t P) {
  size_t *eight = sizes + 4 * P, *place = eight + P;
  for (uint64_t k = 0; k < P; k++) eight[k] = sizeof *sizes, place[k] = k * sizeof *sizes;
  return grid_here.transport->exchange(GRID_SET_ALL, sizes, eight, place, sizes + 2 * P, eight, place);
}

static size_t set_offsets(const size_t *bytes, size_t *off, uint64_t P) {
  size_t sum = 0;
  for (uint64_t k = 0; k < P; k++) {
    off[k] = sum;
    sum += bytes[k];
  }
  return sum;
}

/* The dealt words, of `each` a record, go out and come in. info: the outcome so far. Agreed on. */
static GrB_Info deliver(grid_product *p, GrB_Info info, dealing *d, uint64_t each, delivery *v) {
  const uint64_t P = d->P;
  v->sizes = grid_calloc(6 * P, sizeof *v->sizes);
  if (info == GrB_SUCCESS && !v->sizes)
    info = grid_fail_memory(NULL, "message sizes", 6 * P, sizeof *v->sizes);
  if (info == GrB_SUCCESS) {
    deal_count(d);
    for (uint64_t k = 0; k < P; k++) v->sizes[k] = d->count[k] * each * sizeof *v->sent;
    const size_t bytes = set_offsets(v->sizes, v->sizes + P, P);
    v->sent = grid_malloc(bytes, 1);
    if (!v->sent) info = grid_fail_memory(NULL, "questions", bytes, 1);
    p->stats.fold_bytes += bytes;
  }
  TRY(grid_agree(&p->A->head, info));
  deal_words(d, v->sent, each == 2);
  TRY(tell_sizes(v->sizes, P));
  const size_t bytes = set_offsets(v->sizes + 2 * P, v->sizes + 3 * P, P);
  v->n = bytes / sizeof *v->got;
  v->got = grid_malloc(bytes, 1);
  TRY(grid_agree(&p->A->head, v->got ? GrB_SUCCESS : grid_fail_memory(NULL, "questions", bytes, 1)));
  info = grid_here.transport->exchange(GRID_SET_ALL, v->sent, v->sizes, v->sizes + P, v->got,
                                       v->sizes + 2 * P, v->sizes + 3 * P);
done:
  return info;
}

/* ---- what is open ---- */

typedef struct {
  uint64_t *bits;              /* of the own rows */
  uint64_t normals, delegates; /* such rows, and the entries outside of them: */
  uint64_t of_normals, of_delegates;
} open_rows;

static GrB_Info find_open(const grid_product *p, const grid_allowed *mask, const grid_output *y,
                          open_rows *o) {
  const grid_numbered *g = p->A->numbered;
  const uint64_t *some = p->A->row_some, *is = g->is + own_word(p);
  const uint64_t words = grid_words(p->mask.n);
  o->bits = grid_calloc(words, sizeof *o->bits);
  if (!o->bits) return grid_fail_memory(NULL, "open rows", words, sizeof *o->bits);
  for (uint64_t w = 0; w < words && p->A->block.nvals; w++) {
    const uint64_t allowed = !mask->bits ? ~UINT64_C(0) : mask->complement ? ~mask->bits[w] : mask->bits[w];
    uint64_t bits = allowed & some[w] & ~y->bits[w];
    for (; bits; bits &= bits - 1) {
      const uint64_t r = 64 * w + grid_low_bit(bits), n = g->outside[r];
      if (n == 0) continue;
      set_bit(o->bits, r);
      if (grid_bit(is, r))
        o->delegates++, o->of_delegates += n;
      else
        o->normals++, o->of_normals += n;
    }
  }
  return GrB_SUCCESS;
}

/* Entries outside of the frontier's own normals. */
static uint64_t frontier_outside(const grid_product *p, uint64_t *normals) {
  const grid_numbered *g = p->A->numbered;
  const uint64_t *is = g->is + own_word(p);
  uint64_t sum = 0;
  *normals = 0;
  for (grid_iter it = grid_begin(p->x); grid_next(&it);)
    if (!grid_bit(is, it.i)) sum += g->outside[it.i], ++*normals;
  return sum;
}

/* ---- the three ways ---- */

/* Row r's product is that with vertex u. */
static void put(const grid_product *p, grid_output *y, uint64_t r, uint64_t u) {
  if (grid_bit(y->bits, r)) return;
  set_bit(y->bits, r);
  y->found++;
  if (p->structural) return;
  if (p->s->mul->z->size == sizeof(int64_t))
    ((int64_t *)y->val)[r] = (int64_t)u;
  else
    ((int32_t *)y->val)[r] = (int32_t)u;
}

static void list_rows(const uint64_t *bits, uint64_t words, const uint64_t *is, bool delegates_alone,
                      dealing *d) {
  for (uint64_t w = 0; w < words; w++)
    for (uint64_t b = bits[w] & (delegates_alone ? is[w] : ~UINT64_C(0)); b; b &= b - 1)
      d->row[d->n++] = (uint32_t)(64 * w + grid_low_bit(b));
}

/* For each question that came one bit: is the vertex in x? Process by process, in whole bytes. */
static void answer(const uint64_t *own, const delivery *v, uint8_t *reply, const size_t *reply_off,
                   uint64_t P) {
  const size_t *bytes = v->sizes + 2 * P, *off = v->sizes + 3 * P;
  for (uint64_t k = 0; k < P; k++) {
    const uint32_t *question = v->got + off[k] / sizeof *v->got;
    uint8_t *to = reply + reply_off[k];
    for (uint64_t m = 0; m < bytes[k] / sizeof *v->got; m++)
      if (grid_bit(own, question[m])) to[m >> 3] |= (uint8_t)(1 << (m & 7));
  }
}

/* A process's answers come in the order in which its questions stand in the rows. */
static void read_answers(const grid_product *p, dealing *d, const uint8_t *reply, const size_t *reply_off,
                         grid_output *y) {
  uint64_t *next = d->count; /* no longer needed */
  memset(next, 0, d->P * sizeof *next);
  for (uint64_t r = 0; r < d->n; r++)
    for (outside_iter it = begin_row(d, d->row[r]); next_outside(d, &it);) {
      const uint64_t m = next[it.k]++;
      if (reply[reply_off[it.k] + (m >> 3)] >> (m & 7) & 1) put(p, y, d->row[r], it.u);
    }
}

/* The open rows ask (those of delegates alone, or all). info: the outcome so far. Agreed on. */
static GrB_Info ask(grid_product *p, GrB_Info info, const grid_input *in, const open_rows *o,
                    bool delegates_alone, grid_output *y) {
  const uint64_t P = (uint64_t)grid_here.P;
  dealing d = {0};
  delivery v = {0};
  uint8_t *reply = NULL, *answers = NULL;
  size_t *sizes = NULL; /* of answers, as a delivery's */
  if (info == GrB_SUCCESS) info = dealing_make(&d, p, o->delegates + (delegates_alone ? 0 : o->normals));
  if (info == GrB_SUCCESS)
    list_rows(o->bits, grid_words(p->mask.n), p->A->numbered->is + own_word(p), delegates_alone, &d);
  TRY(deliver(p, info, &d, 1, &v));
  p->stats.inspected += v.n;
  sizes = grid_malloc(4 * P, sizeof *sizes);
  if (sizes) {
    for (uint64_t k = 0; k < P; k++) sizes[k] = (v.sizes[2 * P + k] / sizeof *v.got + 7) / 8;
    for (uint64_t k = 0; k < P; k++) sizes[2 * P + k] = (d.count[k] + 7) / 8;
    const size_t bytes = set_offsets(sizes, sizes + P, P);
    reply = grid_calloc(bytes, 1);
    answers = grid_malloc(set_offsets(sizes + 2 * P, sizes + 3 * P, P), 1);
    p->stats.fold_bytes += bytes;
  }
  TRY(grid_agree(&p->A->head,
                 sizes && reply && answers ? GrB_SUCCESS : grid_fail_memory(NULL, "answers", v.n / 8, 1)));
  answer(in->bits + own_word(p), &v, reply, sizes + P, P);
  TRY(grid_here.transport->exchange(GRID_SET_ALL, reply, sizes, sizes + P, answers, sizes + 2 * P,
                                    sizes + 3 * P));
  read_answers(p, &d, answers, sizes + 3 * P, y);
done:
  grid_free(sizes);
  grid_free(reply);
  grid_free(answers);
  delivery_free(&v);
  dealing_free(&d);
  return info;
}

/* The frontier's own normals push what is outside of their rows. info: the outcome so far. Agreed on. */
static GrB_Info push(grid_product *p, GrB_Info info, uint64_t normals, grid_output *y) {
  const uint64_t *is = p->A->numbered->is + own_word(p), P = (uint64_t)grid_here.P,
                 each = p->structural ? 1 : 2;
  dealing d = {0};
  delivery v = {0};
  if (info == GrB_SUCCESS) info = dealing_make(&d, p, normals);
  if (info == GrB_SUCCESS)
    for (grid_iter it = grid_begin(p->x); grid_next(&it);)
      if (!grid_bit(is, it.i)) d.row[d.n++] = (uint32_t)it.i;
  TRY(deliver(p, info, &d, each, &v));
  p->stats.inspected += v.n / each;
  for (uint64_t k = 0; k < P; k++) {
    const uint32_t *word = v.got + v.sizes[3 * P + k] / sizeof *v.got,
                   *end = word + v.sizes[2 * P + k] / sizeof *v.got;
    const uint64_t low = place_of(p, (int)k);
    for (; word < end; word += each)
      if (grid_mask_allows(&p->mask, word[0])) put(p, y, word[0], low + (each == 2 ? word[1] : 0));
  }
done:
  delivery_free(&v);
  dealing_free(&d);
  return info;
}

/* Everybody gets all of x, and tries its open rows again. info: the outcome so far. Agreed on. */
static GrB_Info send_all(grid_product *p, GrB_Info info, grid_input *in, const open_rows *o, grid_output *y) {
  const grid_part *block = &p->A->block;
  const size_t size = p->structural ? 0 : p->s->mul->z->size;
  grid_entries_out e = grid_entries_of_chunk(p->x, false);
  grid_received got;
  grid_output more = {.n = y->n};
  more.bits = more.own_bits = grid_calloc(grid_words(y->n), sizeof *more.bits);
  more.val = more.own_val = size ? grid_malloc(y->n, size) : NULL;
  if (info == GrB_SUCCESS && (!more.bits || (size && !more.val)))
    info = grid_fail_memory(NULL, "outputs of a block", y->n, size);
  if (info == GrB_SUCCESS) grid_count_messages(p, &e, grid_here.P - 1);
  info = grid_share(&p->A->work, p->gather, info, &e, &got, &p->stats.expand_bytes);
  for (uint64_t k = 0; k < (uint64_t)grid_here.P && info == GrB_SUCCESS; k++) {
    grid_message m = grid_received_message(&got, k);
    for (grid_message_iter it = grid_message_begin(&m); grid_message_next(&it);)
      set_bit(in->bits + place_of(p, (int)k) / 64, it.i);
  }
  if (info == GrB_SUCCESS)
    info = grid_run_part(p, block, false, true, in, &(grid_allowed){.bits = o->bits},
                         (grid_places){.axis = &block->col}, &more);
  TRY(grid_agree(&p->A->head, info));
  for (uint64_t w = 0; w < grid_words(y->n); w++)
    for (uint64_t b = more.bits[w] & ~y->bits[w]; b; b &= b - 1) {
      const uint64_t r = 64 * w + grid_low_bit(b);
      set_bit(y->bits, r);
      y->found++;
      if (size) memcpy((char *)y->val + r * size, (char *)more.val + r * size, size);
    }
done:
  grid_free(more.own_bits);
  grid_free(more.own_val);
  return info;
}

/* ---- the rest of a pull ---- */

GrB_Info grid_questions_settle(grid_product *p, GrB_Info info, grid_input *in, const grid_allowed *mask,
                               grid_output *y) {
  enum { OF_NORMALS, OF_DELEGATES, PUSHED, NORMALS, COUNTS };
  open_rows o = {0};
  uint64_t v[COUNTS] = {0}, normals = 0;
  if (info == GrB_SUCCESS) info = find_open(p, mask, y, &o);
  if (info == GrB_SUCCESS) {
    v[OF_NORMALS] = o.of_normals, v[OF_DELEGATES] = o.of_delegates;
    v[PUSHED] = frontier_outside(p, &normals);
    v[NORMALS] = normals;
  }
  TRY(grid_agree_sum(&p->A->head, info, v, COUNTS));
  if (v[PUSHED] == 0 || v[OF_NORMALS] + v[OF_DELEGATES] == 0) goto done; /* nobody knows more */
  /* bytes; an answer is a bit */
  const uint64_t questions = 4 * v[OF_NORMALS] + v[OF_NORMALS] / 8,
                 pushes = (p->structural ? 4 : 8) * v[PUSHED],
                 rest = 4 * v[OF_DELEGATES] + v[OF_DELEGATES] / 8, list = 4 * v[NORMALS], bitmap = p->nin / 8,
                 all = (uint64_t)grid_here.P * (list < bitmap ? list : bitmap);
  if (all < rest + (questions < pushes ? questions : pushes)) {
    info = send_all(p, info, in, &o, y);
  } else if (questions <= pushes) {
    info = ask(p, info, in, &o, false, y);
  } else {
    TRY(push(p, info, normals, y));
    if (v[OF_DELEGATES]) info = ask(p, info, in, &o, true, y);
  }
done:
  grid_free(o.bits);
  return info;
}
