/* Arrays of NetworkX's dictionaries {node: {neighbor: {attribute: value}}} and of pairs of nodes, for
 * gridblas/nx/dictionaries.py.
 *
 * ctypes.PyDLL calls these functions, which holds the interpreter's lock.
 * A function returns -1 where an object is of another type than expected; the caller reads it in Python then.
 * Comparisons of nodes may run code that changes a dictionary, so each loop checks the length of its array.
 */
#include "abi.h"

/* The numbers of nodes: table[node] of those that are whole numbers from 0 to size, -1 where there is no such
 * node. Where table is NULL, they are index {node: number}; where both are, each node is its number. */
typedef struct {
  PyObject *index;
  const int64_t *table;
  int64_t size;
} numbering;

EXPORT int64_t count_arcs(PyObject *adjacency, int64_t n, int64_t *counts);
EXPORT int number_nodes(PyObject *nodes, int64_t n, int64_t size, int64_t *table);
EXPORT int read_arcs(PyObject *adjacency, const numbering *of, int64_t n, int64_t arcs, bool directed,
                     int64_t *heads, PyObject *attribute, PyObject *missing, void *values);
EXPORT int read_pairs(PyObject *pairs, const numbering *of, int64_t n, int64_t count, int64_t *numbers);
EXPORT int mirror_values(int64_t n, const int64_t *begin, const int64_t *heads, int64_t *values);

static bool is_of(const PyObject *object, const PyObject *type) {
  return object->type == type;
}

static bool as_int(int64_t *x, PyObject *object) {
  int overflow = 0;
  if (object == NULL || !is_of(object, &PyLong_Type)) return false;
  *x = PyLong_AsLongLongAndOverflow(object, &overflow);
  return overflow == 0;
}

/* Objects that are read together, after all of them have been prefetched: they are anywhere in memory. */
enum { BLOCK = 128 };

/* The next rows of a dictionary of them. */
static int next_rows(PyObject *adjacency, ptrdiff_t *at, PyObject **rows) {
  int count = 0;
  while (count < BLOCK && PyDict_Next(adjacency, at, NULL, &rows[count])) __builtin_prefetch(rows[count++]);
  return count;
}

/* counts[0..n) become the numbers of neighbors. Returns their sum. */
int64_t count_arcs(PyObject *adjacency, int64_t n, int64_t *counts) {
  PyObject *rows[BLOCK];
  ptrdiff_t at = 0;
  int64_t k = 0, sum = 0;
  for (int count; (count = next_rows(adjacency, &at, rows)) > 0;)
    for (int i = 0; i < count; i++) {
      if (k == n || !is_of(rows[i], &PyDict_Type)) return -1;
      sum += counts[k++] = PyDict_Size(rows[i]);
    }
  return k == n ? sum : -1;
}

/* Values of arcs: whole numbers until one is not. */
typedef struct {
  union {
    int64_t whole;
    double real;
  } * at;
  bool real;
} column;

static void column_set_whole(column *values, int64_t k, int64_t x) {
  if (values->real)
    values->at[k].real = (double)x;
  else
    values->at[k].whole = x;
}

/* values[k] becomes an object's number; if that is the first which is not whole, those before it become FP64.
 */
static bool column_set(column *values, int64_t k, PyObject *object) {
  PyObject *type = object->type;
  if (type == &PyLong_Type) {
    int overflow = 0;
    column_set_whole(values, k, PyLong_AsLongLongAndOverflow(object, &overflow));
    return overflow == 0;
  }
  if (type != &PyFloat_Type && !PyType_IsSubtype(type, &PyFloat_Type)) return false;
  for (int64_t i = 0; !values->real && i < k; i++) values->at[i].real = (double)values->at[i].whole;
  values->real = true;
  values->at[k].real = PyFloat_AsDouble(object);
  return true;
}

/* What is read. */
typedef struct {
  const numbering *of;
  PyObject *attribute; /* of edges */
  PyObject *missing;   /* where an edge has no such attribute */
  int64_t n, arcs;     /* nodes, and the length of heads and values */
  bool directed;
  int64_t *heads;
  column values;
  int64_t arc; /* the next one */
  int waiting; /* arcs of the block, with these heads, tails and attributes */
  PyObject *nodes[BLOCK], *data[BLOCK];
  int64_t tails[BLOCK];
} reader;

/* An object that is no number gets an error of Python's set, and -1. */
static bool head_read(reader *r, int64_t arc, PyObject *node) {
  int overflow = 0;
  if (r->of->index != NULL) node = PyDict_GetItemWithError(r->of->index, node);
  if (node == NULL) return false;
  int64_t number = PyLong_AsLongLongAndOverflow(node, &overflow);
  if (r->of->table != NULL) number = number >= 0 && number < r->of->size ? r->of->table[number] : -1;
  r->heads[arc] = number;
  return number >= 0 && number < r->n;
}

/* 0: each of n nodes is its number. 1: all are whole numbers from 0 to size, and table[node], -1 at first,
 * becomes the number. */
int number_nodes(PyObject *nodes, int64_t n, int64_t size, int64_t *table) {
  bool in_order = true;
  for (int64_t k = 0; k < n; k++) {
    int64_t node;
    if (!as_int(&node, PyList_GetItem(nodes, k)) || node < 0 || node >= size) return PyErr_Clear(), -1;
    in_order = in_order && node == k;
    table[node] = k;
  }
  return !in_order;
}

static void hold(PyObject *const *objects, int count) {
  for (int k = 0; k < count; k++) Py_IncRef(objects[k]);
}

static void release(PyObject *const *objects, int count) {
  for (int k = 0; k < count; k++) Py_DecRef(objects[k]);
}

static bool read_value(reader *r, int64_t arc, PyObject *data) {
  if (!is_of(data, &PyDict_Type)) return false;
  PyObject *value = PyDict_GetItemWithError(data, r->attribute);
  if (value == NULL && PyErr_Occurred() != NULL) return false;
  return column_set(&r->values, arc, value == NULL ? r->missing : value);
}

/* Whether the numbers of the waiting arcs' nodes are found without code of the nodes' types. */
static bool are_numbers(const reader *r) {
  bool right = r->of->index == NULL;
  for (int k = 0; right && k < r->waiting; k++) right = is_of(r->nodes[k], &PyLong_Type);
  return right;
}

/* The heads and values of the waiting arcs. Code of nodes and keys may delete objects, so they are held. */
static bool read_waiting(reader *r) {
  const bool compares = !are_numbers(r), valued = r->values.at != NULL;
  bool right = true;
  if (compares) hold(r->nodes, r->waiting);
  if (valued) hold(r->data, r->waiting);
  for (int k = 0; right && k < r->waiting; k++) right = head_read(r, r->arc + k, r->nodes[k]);
  for (int k = 0; right && valued && k < r->waiting; k++)
    if (r->directed || r->heads[r->arc + k] >= r->tails[k]) right = read_value(r, r->arc + k, r->data[k]);
  if (compares) release(r->nodes, r->waiting);
  if (valued) release(r->data, r->waiting);
  r->arc += r->waiting;
  r->waiting = 0;
  return right;
}

/* The arcs from one node. */
static bool read_row(reader *r, int64_t tail, PyObject *row) {
  for (ptrdiff_t in = 0; PyDict_Next(row, &in, &r->nodes[r->waiting], &r->data[r->waiting]);) {
    __builtin_prefetch(r->nodes[r->waiting]);
    if (r->values.at != NULL) __builtin_prefetch(r->data[r->waiting]);
    r->tails[r->waiting++] = tail;
    if (r->arc + r->waiting > r->arcs || (r->waiting == BLOCK && !read_waiting(r))) return false;
  }
  return true;
}

/* heads[0..arcs) become the numbers of neighbors, and values[0..arcs), if not NULL, an attribute of edges: an
 * undirected edge's at the first of its two arcs alone, 0 at the other. Returns 0: the values are INT64, 1:
 * FP64. */
int read_arcs(PyObject *adjacency, const numbering *of, int64_t n, int64_t arcs, bool directed,
              int64_t *heads, PyObject *attribute, PyObject *missing, void *values) {
  reader r = {.of = of,
              .attribute = attribute,
              .missing = missing,
              .n = n,
              .arcs = arcs,
              .directed = directed,
              .heads = heads,
              .values = {.at = values}};
  PyObject *rows[BLOCK];
  int64_t tail = 0;
  ptrdiff_t at = 0;
  bool right = true;
  for (int count; right && (count = next_rows(adjacency, &at, rows)) > 0;) {
    hold(rows, count);
    for (int i = 0; right && i < count; i++) right = read_row(&r, tail++, rows[i]);
    right = right && read_waiting(&r); /* while the rows hold its objects: code may have deleted rows */
    release(rows, count);
  }
  if (!right || r.arc != arcs) return PyErr_Clear(), -1;
  return r.values.real;
}

/* numbers[2 k] and numbers[2 k + 1] become the numbers of the nodes of pairs[k], a tuple, for k < count.
 * Returns 0. */
int read_pairs(PyObject *pairs, const numbering *of, int64_t n, int64_t count, int64_t *numbers) {
  reader r = {.of = of, .n = n, .heads = numbers};
  for (int64_t k = 0; k < count; k++) {
    PyObject *pair = PyList_GetItem(pairs, k);
    if (pair == NULL) return PyErr_Clear(), -1;
    hold(&pair, 1); /* code of nodes may delete it */
    const bool right = is_of(pair, &PyTuple_Type) && PyTuple_Size(pair) == 2 &&
                       head_read(&r, 2 * k, PyTuple_GetItem(pair, 0)) &&
                       head_read(&r, 2 * k + 1, PyTuple_GetItem(pair, 1));
    release(&pair, 1);
    if (!right) return PyErr_Clear(), -1;
  }
  return 0;
}

/* The other arc of each undirected edge gets its value (8 bytes). Arcs of node k: heads[begin[k]..begin[k +
 * 1]). */
int mirror_values(int64_t n, const int64_t *begin, const int64_t *heads, int64_t *values) {
  int64_t *tail = calloc((size_t)begin[n] + 1, sizeof *tail),
          *value = calloc((size_t)begin[n] + 1, sizeof *value);
  int64_t *end = calloc((size_t)n + 1, sizeof *end), *of = calloc((size_t)n + 1, sizeof *of);
  bool room = tail != NULL && value != NULL && end != NULL && of != NULL;
  for (int64_t k = 0; room && k < n; k++) {
    /* Edges from the nodes before k have been listed at begin[k] .. end[k]. */
    for (int64_t i = begin[k]; i < begin[k] + end[k]; i++) of[tail[i]] = value[i];
    for (int64_t i = begin[k]; i < begin[k + 1]; i++) {
      int64_t head = heads[i];
      if (head < k) values[i] = of[head];
      if (head <= k || begin[head] + end[head] == begin[head + 1]) continue;
      int64_t to = begin[head] + end[head]++;
      tail[to] = k, value[to] = values[i];
    }
  }
  free(tail), free(value), free(end), free(of);
  return room ? 0 : -1;
}
