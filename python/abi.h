/* Functions of Python's stable ABI that dictionaries.c and answers.c use, declared here: no header of Python
 * is needed, and every CPython of version 3 loads the library.
 */
#ifndef GRIDBLAS_PYTHON_ABI_H
#define GRIDBLAS_PYTHON_ABI_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef struct _object PyObject;
struct _object { /* the stable ABI has it; interpreters with another one do not load the library */
  ptrdiff_t references;
  PyObject *type;
};
extern PyObject PyDict_Type, PyLong_Type, PyFloat_Type, PyTuple_Type, PyUnicode_Type;
int PyDict_Next(PyObject *dict, ptrdiff_t *position, PyObject **key, PyObject **value);
ptrdiff_t PyDict_Size(PyObject *dict);
PyObject *PyDict_GetItemWithError(PyObject *dict, PyObject *key);
PyObject *PyDict_New(void);
PyObject *PyDict_Copy(PyObject *dict);
int PyDict_SetItem(PyObject *dict, PyObject *key, PyObject *value);
long long PyLong_AsLongLongAndOverflow(PyObject *number, int *overflow);
PyObject *PyLong_FromLongLong(long long x);
double PyFloat_AsDouble(PyObject *number);
PyObject *PyFloat_FromDouble(double x);
int PyType_IsSubtype(PyObject *type, PyObject *of);
PyObject *PyTuple_GetItem(PyObject *tuple, ptrdiff_t k);
ptrdiff_t PyTuple_Size(PyObject *tuple);
PyObject *PyTuple_Pack(ptrdiff_t length, ...);
PyObject *PyList_New(ptrdiff_t length);
ptrdiff_t PyList_Size(PyObject *list);
PyObject *PyList_GetItem(PyObject *list, ptrdiff_t k);
PyObject *PyList_GetSlice(PyObject *list, ptrdiff_t low, ptrdiff_t high);
int PyList_SetItem(PyObject *list, ptrdiff_t k, PyObject *item);
int PyList_Append(PyObject *list, PyObject *item);
PyObject *PySequence_Concat(PyObject *a, PyObject *b);
int PyObject_GC_IsTracked(PyObject *object);
void PyObject_GC_UnTrack(void *object);
void Py_IncRef(PyObject *object);
void Py_DecRef(PyObject *object);
PyObject *PyErr_Occurred(void);
int PyErr_CheckSignals(void);
void PyErr_Clear(void);

#define EXPORT __attribute__((visibility("default")))

#endif
