/* Arrays of NetworkX's dictionaries {node: {neighbor: {attribute: value}}} and of pairs of nodes, and lists
 * of paths, for gridblas/nx/dictionaries.py.
 *
 * ctypes.PyDLL calls these functions, which holds the interpreter's lock. They use functions of the stable
 * ABI alone, declared here: no header of Python is needed, and every CPython of version 3 loads the library.
 * A function returns -1 where an object is of another type than expected; the caller reads it in Python then.
 * Comparisons of nodes may run code that changes a dictionary, so each loop checks the length of its array.
 */
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct _object PyObject;
extern PyObject PyDict_Type, PyLong_Type, PyFloat_Type, PyTuple_Type;
int PyDict_Next(PyObject *dict, ptrdiff_t *position, PyObject **key, PyObject **value);
ptrdiff_t PyDict_Size(PyObject *dict);
PyObject *PyDict_GetItemWithError(PyObject *dict, PyObject *key);
long long PyLong_AsLongLongAndOverflow(PyObject *number, int *overflow);
double PyFloat_AsDouble(PyObject *number);
PyObject *PyObject_Type(PyObject *object);
int PyType_IsSubtype(PyObject *type, PyObject *of);
PyObject *PyTuple_GetItem(PyObject *tuple, ptrdiff_t k);
ptrdiff_t PyTuple_Size(PyObject *tuple);
PyObject *PyList_New(ptrdiff_t length);
PyObject *PyList_GetItem(PyObject *list, ptrdiff_t k);
PyObject *PyList_GetSlice(PyObject *list, ptrdiff_t low, ptrdiff_t high);
int PyList_SetItem(PyObject *list, ptrdiff_t k, PyObject *item);
PyObject *PySequence_Concat(PyObject *a, PyObject *b);
void Py_IncRef(PyObject *object);
void Py_DecRef(PyObject *object);
PyObject *PyErr_Occurred(void);
void PyErr_Clear(void);

#define EXPORT __attribute__((visibility("default")))
EXPORT int64_t count_arcs(PyObject *adjacency, int64_t n, int64_t *counts);
EXPORT int read_arcs(PyObject *adjacency, PyObject *index, int64_t n, int64_t arcs, bool directed,
                     int64_t *heads, PyObject *attribute, PyObject *missing, void *values);
EXPORT int read_pairs(PyObject *pairs, PyObject *index, int64_t n, int64_t count, int64_t *numbers);
EXPORT int mirror_values(int64_t n, const int64_t *begin, const int64_t *heads, int64_t *values);
EXPORT PyObject *make_paths(PyObject *names, int64_t n, const int64_t *before, bool backwards);

static bool is_of(PyObject *object, PyObject *type) {
  PyObject *its = PyObject_Type(object);
  Py_DecRef(its); /* the object has a reference, too */
  return its == type;
}

static bool is_float(PyObject *object) {
  PyObject *its = PyObject_Type(object);
  Py_DecRef(its);
  return its == &PyFloat_Type || PyType_IsSubtype(its, &PyFloat_Type);
}

static bool as_int(int64_t *x, PyObject *object) {
  int overflow = 0;
  if (object == NULL || !is_of(object, &PyLong_Type)) return false;
  *x = PyLong_AsLongLongAndOverflow(object, &overflow);
  return overflow == 0;
}

/* counts[0..n) become the numbers of neighbors. Returns their sum. */
int64_t count_arcs(PyObject *adjacency, int64_t n, int64_t *counts) {
  PyObject *row;
  ptrdiff_t at = 0;
  int64_t k = 0, sum = 0;
  while (PyDict_Next(adjacency, &at, NULL, &row)) {
    if (k == n || !is_of(row, &PyDict_Type)) return -1;
    sum += counts[k++] = PyDict_Size(row);
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

/* values[k] becomes an object's number; if that is the first which is not whole, those before it become FP64.
 */
static bool column_set(column *values, int64_t k, PyObject *object) {
  int64_t whole;
  if (as_int(&whole, object)) {
    if (values->real)
      values->at[k].real = (double)whole;
    else
      values->at[k].whole = whole;
    return true;
  }
  if (!is_float(object)) return false;
  for (int64_t i = 0; !values->real && i < k; i++) values->at[i].real = (double)values->at[i].whole;
  values->real = true;
  values->at[k].real = PyFloat_AsDouble(object);
  return true;
}

/* What is read. */
typedef struct {
  PyObject *index;     /* {node: number}; NULL: nodes are numbers */
  PyObject *attribute; /* of edges */
  PyObject *missing;   /* where an edge has no such attribute */
  int64_t n, arcs;     /* nodes, and the length of heads and values */
  bool directed;
  int64_t *heads;
  column values;
} reader;

static bool head_read(reader *r, int64_t arc, PyObject *node) {
  int64_t *head = &r->heads[arc];
  if (r->index != NULL) node = PyDict_GetItemWithError(r->index, node);
  return as_int(head, node) && *head >= 0 && *head < r->n;
}

static bool value_read(reader *r, int64_t arc, PyObject *data) {
  if (!is_of(data, &PyDict_Type)) return false;
  PyObject *value = PyDict_GetItemWithError(data, r->attribute);
  if (value == NULL && PyErr_Occurred() != NULL) return false;
  return column_set(&r->values, arc, value == NULL ? r->missing : value);
}

/* heads[0..arcs) become the numbers of neighbors, and values[0..arcs), if not NULL, an attribute of edges: an
 * undirected edge's at the first of its two arcs alone, 0 at the other. Returns 0: the values are INT64, 1:
 * FP64. */
int read_arcs(PyObject *adjacency, PyObject *index, int64_t n, int64_t arcs, bool directed, int64_t *heads,
              PyObject *attribute, PyObject *missing, void *values) {
  reader r = {index, attribute, missing, n, arcs, directed, heads, {.at = values}};
  PyObject *row, *node, *data;
  int64_t arc = 0, tail = 0;
  for (ptrdiff_t at = 0; PyDict_Next(adjacency, &at, NULL, &row); tail++)
    for (ptrdiff_t in = 0; PyDict_Next(row, &in, &node, &data); arc++) {
      bool right = arc < arcs && head_read(&r, arc, node);
      if (right && values != NULL && (directed || heads[arc] >= tail)) right = value_read(&r, arc, data);
      if (!right) return PyErr_Clear(), -1;
    }
  return arc == arcs ? r.values.real : -1;
}

/* numbers[2 k] and numbers[2 k + 1] become the numbers of the nodes of pairs[k], a tuple, for k < count.
 * Returns 0. */
int read_pairs(PyObject *pairs, PyObject *index, int64_t n, int64_t count, int64_t *numbers) {
  reader r = {.index = index, .n = n, .heads = numbers};
  for (int64_t k = 0; k < count; k++) {
    PyObject *pair = PyList_GetItem(pairs, k);
    if (pair == NULL || !is_of(pair, &PyTuple_Type) || PyTuple_Size(pair) != 2 ||
        !head_read(&r, 2 * k, PyTuple_GetItem(pair, 0)) ||
        !head_read(&r, 2 * k + 1, PyTuple_GetItem(pair, 1)))
      return PyErr_Clear(), -1;
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

/* A list of n paths: that of before[k] < k and names[k] behind it (backwards: before it); names[k] alone
 * where before[k] < 0. NULL: an error of Python's is set. */
PyObject *make_paths(PyObject *names, int64_t n, const int64_t *before, bool backwards) {
  PyObject *made = PyList_New(n), *none = PyList_New(0), *end = PyList_GetSlice(names, 0, 1);
  bool right = made != NULL && none != NULL && end != NULL;
  for (int64_t k = 0; right && k < n; k++) {
    PyObject *name = PyList_GetItem(names, k), *path = before[k] < 0 ? none : PyList_GetItem(made, before[k]);
    right = name != NULL && path != NULL;
    if (!right) break;
    Py_IncRef(name);
    PyList_SetItem(end, 0, name); /* takes the reference */
    path = backwards ? PySequence_Concat(end, path) : PySequence_Concat(path, end);
    right = path != NULL && PyList_SetItem(made, k, path) == 0;
  }
  if (none != NULL) Py_DecRef(none);
  if (end != NULL) Py_DecRef(end);
  if (right || made == NULL) return made;
  Py_DecRef(made);
  return NULL;
}
