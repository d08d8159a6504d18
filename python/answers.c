/* Lists, tuples and NetworkX's dictionaries made of arrays, for gridblas/nx/dictionaries.py.
 *
 * ctypes.PyDLL calls these functions, which holds the interpreter's lock. NULL or -1: an error of Python's is
 * set. Tuples of plain objects, such as numbers and strings, are not tracked by the collector of cycles.
 * Lists are: a program may append to them what refers to them.
 */
#include "abi.h"

/* Nodes of a search, and for each those before it: before[begin[k]..begin[k + 1]) for names[k]. */
typedef struct {
  PyObject *names;
  const int64_t *begin, *before;
  int64_t sources; /* the first nodes */
} predecessors;

EXPORT PyObject *make_list(PyObject *items, int64_t n, const int64_t *at);
EXPORT PyObject *make_lists(PyObject *items, int64_t n, const int64_t *begin, const int64_t *at);
EXPORT PyObject *make_triples(PyObject *pairs, int64_t n, const void *values, bool real);
EXPORT PyObject *make_paths(PyObject *names, int64_t n, const int64_t *before, bool backwards);
EXPORT void count_paths(const predecessors *p, int64_t n, double *paths);
EXPORT PyObject *make_all_paths(const predecessors *p, int64_t first, int64_t last, int64_t *stack,
                                int64_t *next, bool *on_stack);
EXPORT int add_edges(PyObject *from, PyObject *names, int64_t count, const int64_t *tails,
                     const int64_t *heads, PyObject *rows, PyObject *back);

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

/* A tuple of both items of a pair, and a value. */
static PyObject *make_triple(PyObject *pair, PyObject *value) {
  PyObject *made = PyTuple_New(3);
  bool plain = true;
  for (int k = 0; made != NULL && k < 2; k++) {
    PyObject *item = referenced(PyTuple_GetItem(pair, k));
    if (item == NULL) return Py_DecRef(made), Py_DecRef(value), NULL;
    plain = plain && !PyObject_GC_IsTracked(item);
    PyTuple_SetItem(made, k, item); /* takes the reference */
  }
  if (made == NULL) return Py_DecRef(value), NULL;
  PyTuple_SetItem(made, 2, value);
  if (plain) PyObject_GC_UnTrack(made);
  return made;
}

/* A list of n tuples: pairs[k], which is a tuple, and values[k], FP64 (real) or INT64. */
PyObject *make_triples(PyObject *pairs, int64_t n, const void *values, bool real) {
  PyObject *made = PyList_New(n);
  for (int64_t k = 0; made != NULL && k < n; k++) {
    PyObject *value = real ? PyFloat_FromDouble(((const double *)values)[k])
                           : PyLong_FromLongLong(((const int64_t *)values)[k]);
    PyObject *triple = value == NULL ? NULL : make_triple(PyList_GetItem(pairs, k), value);
    if (triple != NULL && PyList_SetItem(made, k, triple) == 0) continue;
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

/* Appends all paths from a source to one node, in the order of NetworkX's search from the node backwards. */
static bool append_paths(const predecessors *p, PyObject *paths, int64_t node, int64_t *stack, int64_t *next,
                         bool *on_stack) {
  int64_t top = 0;
  bool right = true;
  stack[0] = node, next[0] = p->begin[node], on_stack[node] = true;
  while (right && top >= 0) {
    node = stack[top];
    if (node < p->sources) {
      PyObject *path = path_of(p->names, stack, top);
      right = path != NULL && PyList_Append(paths, path) == 0;
      if (path != NULL) Py_DecRef(path);
    }
    if (next[top] == p->begin[node + 1]) {
      on_stack[node] = false, top--;
      continue;
    }
    node = p->before[next[top]++];
    if (on_stack[node]) continue;
    on_stack[node] = true, top++;
    stack[top] = node, next[top] = p->begin[node];
  }
  return right;
}

/* paths[k] becomes the number of paths to node k if those before it have smaller numbers, else at most that.
 */
void count_paths(const predecessors *p, int64_t n, double *paths) {
  for (int64_t k = 0; k < n; k++) {
    paths[k] = k < p->sources;
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

static PyObject *item_of(PyObject *dict, PyObject *key) {
  return dict == NULL || key == NULL ? NULL : PyDict_GetItemWithError(dict, key);
}

/* rows[u][v] and back[v][u] become copies of from[u][v], one dictionary, for the nodes u = names[tails[k]]
 * and v = names[heads[k]], k < count. Returns 1 where there is no such edge, or no row. */
int add_edges(PyObject *from, PyObject *names, int64_t count, const int64_t *tails, const int64_t *heads,
              PyObject *rows, PyObject *back) {
  PyObject *type = PyObject_Type(from);
  bool copied = type == &PyDict_Type;
  Py_DecRef(type);
  PyObject *row = NULL, *source = NULL;
  for (int64_t k = 0; k < count; k++) {
    PyObject *u = PyList_GetItem(names, tails[k]), *v = PyList_GetItem(names, heads[k]);
    if (k == 0 || tails[k] != tails[k - 1]) row = item_of(rows, u), source = copied ? item_of(from, u) : NULL;
    PyObject *other = item_of(back, v), *data = copied ? item_of(source, v) : u;
    if (row == NULL || other == NULL || data == NULL) return PyErr_Occurred() != NULL ? -1 : 1;
    PyObject *copy = copied ? PyDict_Copy(data) : PyDict_New();
    if (copy == NULL) return -1;
    bool right = PyDict_SetItem(row, v, copy) == 0 && PyDict_SetItem(other, u, copy) == 0;
    Py_DecRef(copy);
    if (!right) return -1;
  }
  return 0;
}
