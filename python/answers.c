/* Lists, tuples and NetworkX's dictionaries made of arrays, for gridblas/nx/dictionaries.py.
 *
 * ctypes.PyDLL calls these functions, which holds the interpreter's lock. NULL or -1: an error of Python's is
 * set. Tuples of plain objects, such as numbers and strings, are not tracked by the collector of cycles.
 * Lists are: a program may append to them what refers to them.
 */
#include "abi.h"

/* Nodes of a search from the first one, and for each those before it: before[begin[k]..begin[k + 1]) for
 * names[k]. */
typedef struct {
  PyObject *names;
  const int64_t *begin, *before;
} predecessors;

EXPORT PyObject *make_list(PyObject *items, int64_t n, const int64_t *at);
EXPORT PyObject *make_lists(PyObject *items, int64_t n, const int64_t *begin, const int64_t *at);
EXPORT PyObject *make_edges(PyObject *names, const int64_t *tails, const int64_t *heads, PyObject *kinds,
                            const int64_t *at, int64_t first, int64_t last);
EXPORT PyObject *make_triples(PyObject *pairs, const void *values, bool real, int64_t first, int64_t last);
EXPORT PyObject *make_paths(PyObject *names, int64_t n, const int64_t *before, bool backwards);
EXPORT void count_paths(const predecessors *p, int64_t n, double *paths);
EXPORT PyObject *make_all_paths(const predecessors *p, int64_t first, int64_t last, int64_t *stack,
                                int64_t *next, bool *on_stack);
EXPORT int copy_attributes(PyObject *adjacency, int64_t arcs, const int64_t *at, PyObject *copies);
EXPORT PyObject *make_adjacency(PyObject *names, PyObject *data, int64_t n, const int64_t *begin,
                                const int64_t *heads, const int64_t *at);

static PyObject *referenced(PyObject *object) {
  if (object != NULL) Py_IncRef(object);
  return object;
}

/* A list of items[at[k]] for k < n. */
PyObject *make_list(PyObject *items, int64_t n, const int64_t *at) {
  PyObject *made = PyList_New(n);
  for (int64_t k = 0; made != NULL && k < n; k++) {
    PyObject *item = referenced(PyList_GetItem(items, at[k]));
    if (item != NULL && PyList_SetItem(made, k, item) == 0) continue; /* takes the reference */
    Py_DecRef(made);
    made = NULL;
  }
  return made;
}

/* A list of n lists: of items[at[j]] for begin[k] <= j < begin[k + 1]. */
PyObject *make_lists(PyObject *items, int64_t n, const int64_t *begin, const int64_t *at) {
  PyObject *made = PyList_New(n);
  for (int64_t k = 0; made != NULL && k < n; k++) {
    PyObject *list = make_list(items, begin[k + 1] - begin[k], at + begin[k]);
    if (list != NULL && PyList_SetItem(made, k, list) == 0) continue;
    Py_DecRef(made);
    made = NULL;
  }
  return made;
}

/* An object that the collector of cycles need not look at. */
static bool is_plain(PyObject *object) {
  return object->type == &PyLong_Type || object->type == &PyUnicode_Type || !PyObject_GC_IsTracked(object);
}

/* The tuple (u, v), or (u, v, last), which is not tracked where its items are plain. */
static PyObject *make_tuple(PyObject *u, PyObject *v, PyObject *last) {
  if (u == NULL || v == NULL) return NULL;
  PyObject *made = last == NULL ? PyTuple_Pack(2, u, v) : PyTuple_Pack(3, u, v, last);
  if (made != NULL && is_plain(u) && is_plain(v)) PyObject_GC_UnTrack(made); /* last: a number or a string */
  return made;
}

/* A list of the tuples first..last-1: pairs[k], which is a tuple, and values[k], FP64 (real) or INT64. */
PyObject *make_triples(PyObject *pairs, const void *values, bool real, int64_t first, int64_t last) {
  PyObject *made = PyList_New(last - first);
  for (int64_t k = first; made != NULL && k < last; k++) {
    PyObject *value = real ? PyFloat_FromDouble(((const double *)values)[k])
                           : PyLong_FromLongLong(((const int64_t *)values)[k]);
    PyObject *pair = PyList_GetItem(pairs, k), *triple = NULL;
    if (value != NULL && pair != NULL)
      triple = make_tuple(PyTuple_GetItem(pair, 0), PyTuple_GetItem(pair, 1), value);
    if (value != NULL) Py_DecRef(value);
    if (triple != NULL && PyList_SetItem(made, k - first, triple) == 0) continue;
    Py_DecRef(made);
    made = NULL;
  }
  return made;
}

/* A list of the tuples first..last-1: names[tails[k]] and names[heads[k]], and where at is not NULL
 * kinds[at[k]], a string. */
PyObject *make_edges(PyObject *names, const int64_t *tails, const int64_t *heads, PyObject *kinds,
                     const int64_t *at, int64_t first, int64_t last) {
  PyObject *made = PyList_New(last - first);
  for (int64_t k = first; made != NULL && k < last; k++) {
    PyObject *kind = at == NULL ? NULL : PyList_GetItem(kinds, at[k]);
    PyObject *edge = make_tuple(PyList_GetItem(names, tails[k]), PyList_GetItem(names, heads[k]), kind);
    if (edge != NULL && PyList_SetItem(made, k - first, edge) == 0) continue;
    Py_DecRef(made);
    made = NULL;
  }
  return made;
}

/* A list of n paths: that of before[k] < k and names[k] behind it (backwards: before it); names[k] alone
 * where before[k] < 0. NULL: an error of Python's is set. */
PyObject *make_paths(PyObject *names, int64_t n, const int64_t *before, bool backwards) {
  PyObject *made = PyList_New(n), *none = PyList_New(0), *end = PyList_GetSlice(names, 0, 1);
  bool right = made != NULL && none != NULL && end != NULL;
  for (int64_t k = 0; right && k < n; k++) {
    PyObject *name = referenced(PyList_GetItem(names, k));
    PyObject *path = before[k] < 0 ? none : PyList_GetItem(made, before[k]);
    right = name != NULL && path != NULL;
    if (!right) break;
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

/* The names of stack[top], ..., stack[0]. */
static PyObject *path_of(PyObject *names, const int64_t *stack, int64_t top) {
  PyObject *path = PyList_New(top + 1);
  for (int64_t k = 0; path != NULL && k <= top; k++) {
    PyObject *name = PyList_GetItem(names, stack[top - k]);
    Py_IncRef(name);
    PyList_SetItem(path, k, name); /* takes the reference */
  }
  return path;
}

enum { STEPS = 1 << 16 }; /* of a search until interrupts are seen */

/* Appends all paths from the source to one node, in the order of NetworkX's search from the node backwards.
 */
static bool append_paths(const predecessors *p, PyObject *paths, int64_t node, int64_t *stack, int64_t *next,
                         bool *on_stack) {
  int64_t top = 0;
  bool right = true;
  stack[0] = node, next[0] = p->begin[node], on_stack[node] = true;
  for (int64_t steps = 1; right && top >= 0; steps++) {
    node = stack[top];
    if (steps % STEPS == 0 && PyErr_CheckSignals() != 0) return false;
    const bool at_source = node == 0;
    if (at_source) { /* again after each node before it, from which edges of weight 0 lead */
      PyObject *path = path_of(p->names, stack, top);
      right = path != NULL && PyList_Append(paths, path) == 0;
      if (path != NULL) Py_DecRef(path);
    }
    if (next[top] == p->begin[node + 1]) {
      on_stack[node] = false, top--;
      continue;
    }
    node = p->before[next[top]++];
    if (at_source || on_stack[node]) continue;
    on_stack[node] = true, top++;
    stack[top] = node, next[top] = p->begin[node];
  }
  return right;
}

/* paths[k] becomes the number of paths to node k if those before it have smaller numbers, else at most that.
 */
void count_paths(const predecessors *p, int64_t n, double *paths) {
  for (int64_t k = 0; k < n; k++) {
    paths[k] = k == 0;
    for (int64_t at = p->begin[k]; at < p->begin[k + 1]; at++)
      if (p->before[at] < k) paths[k] += paths[p->before[at]];
  }
}

/* A list of all shortest paths for each of the nodes first..last-1. Room for an integer a node: stack, next;
 * for a flag, false at first: on_stack. */
PyObject *make_all_paths(const predecessors *p, int64_t first, int64_t last, int64_t *stack, int64_t *next,
                         bool *on_stack) {
  PyObject *made = PyList_New(last - first);
  for (int64_t k = first; made != NULL && k < last; k++) {
    PyObject *paths = PyList_New(0);
    bool right = paths != NULL && append_paths(p, paths, k, stack, next, on_stack);
    if (paths != NULL) PyList_SetItem(made, k - first, paths);
    if (right) continue;
    Py_DecRef(made);
    made = NULL;
  }
  return made;
}

/* copies[at[arc]] becomes a copy of the attributes of each arc with at[arc] >= 0, in the order of NetworkX's
 * dictionary of arcs. Returns 1 where it has other arcs. */
int copy_attributes(PyObject *adjacency, int64_t arcs, const int64_t *at, PyObject *copies) {
  PyObject *row, *data;
  int64_t arc = 0;
  for (ptrdiff_t i = 0; PyDict_Next(adjacency, &i, NULL, &row);) {
    if (row->type != &PyDict_Type) return 1;
    for (ptrdiff_t j = 0; PyDict_Next(row, &j, NULL, &data); arc++) {
      if (arc == arcs || data->type != &PyDict_Type) return 1;
      if (at[arc] < 0) continue;
      PyObject *copy = PyDict_Copy(data);
      if (copy == NULL || PyList_SetItem(copies, at[arc], copy) != 0) return -1;
    }
  }
  return arc != arcs;
}

/* The dictionary {names[heads[j]]: data[at[j]]} of the arcs first <= j < last. */
static PyObject *make_row(PyObject *names, PyObject *data, int64_t first, int64_t last, const int64_t *heads,
                          const int64_t *at) {
  PyObject *row = PyDict_New();
  for (int64_t j = first; row != NULL && j < last; j++) {
    PyObject *head = PyList_GetItem(names, heads[j]), *edge = PyList_GetItem(data, at[j]);
    if (head != NULL && edge != NULL && PyDict_SetItem(row, head, edge) == 0) continue;
    Py_DecRef(row);
    row = NULL;
  }
  return row;
}

/* NetworkX's dictionary of arcs: {names[k]: row} for k < n, whose arcs are begin[k] <= j < begin[k + 1]. */
PyObject *make_adjacency(PyObject *names, PyObject *data, int64_t n, const int64_t *begin,
                         const int64_t *heads, const int64_t *at) {
  PyObject *made = PyDict_New();
  for (int64_t k = 0; made != NULL && k < n; k++) {
    PyObject *row = make_row(names, data, begin[k], begin[k + 1], heads, at);
    bool right = row != NULL && PyDict_SetItem(made, PyList_GetItem(names, k), row) == 0;
    if (row != NULL) Py_DecRef(row);
    if (right) continue;
    Py_DecRef(made);
    made = NULL;
  }
  return made;
}
