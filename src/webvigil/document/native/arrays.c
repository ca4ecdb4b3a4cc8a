/* Arrays in and out: what the other files share. */

#include "native.h"

PyObject *np_empty, *np_contiguous, *np_int32, *np_int64, *np_uint64, *np_bool;

/* Finds what is used of numpy; -1 with an error if there is no numpy. */
int find_numpy(void)
{
    PyObject *numpy = PyImport_ImportModule("numpy");
    if (numpy == NULL)
        return -1;
    np_empty = PyObject_GetAttrString(numpy, "empty");
    np_contiguous = PyObject_GetAttrString(numpy, "ascontiguousarray");
    np_int32 = PyObject_GetAttrString(numpy, "int32");
    np_int64 = PyObject_GetAttrString(numpy, "int64");
    np_uint64 = PyObject_GetAttrString(numpy, "uint64");
    np_bool = PyObject_GetAttrString(numpy, "bool_");
    Py_DECREF(numpy);
    return np_empty && np_contiguous && np_int32 && np_int64 && np_uint64 && np_bool ? 0 : -1;
}

/* Are the numbers of a buffer of this type, in one dimension? */
static int fits(const Py_buffer *view, PyObject *dtype)
{
    const char *format = view->format ? view->format : "B";
    if (view->ndim != 1 || format[1] != '\0')
        return 0;
    if (dtype == np_int32)
        return view->itemsize == 4 && strchr("il", format[0]) != NULL;
    if (dtype == np_int64)
        return view->itemsize == 8 && strchr("lq", format[0]) != NULL;
    if (dtype == np_uint64)
        return view->itemsize == 8 && strchr("LQ", format[0]) != NULL;
    return view->itemsize == 1 && format[0] == '?';
}

/* Gives access to the numbers of an array. An array of another type or with gaps is copied first. */
int take(PyObject *given, PyObject *dtype, Array *array)
{
    if (PyObject_GetBuffer(given, &array->view, PyBUF_CONTIG_RO | PyBUF_FORMAT) == 0) {
        if (fits(&array->view, dtype))
            goto taken;
        PyBuffer_Release(&array->view);
    }
    PyErr_Clear();
    PyObject *copy = PyObject_CallFunctionObjArgs(np_contiguous, given, dtype, NULL);
    if (copy == NULL)
        return -1;
    int failed = PyObject_GetBuffer(copy, &array->view, PyBUF_CONTIG_RO | PyBUF_FORMAT);
    Py_DECREF(copy); /* the view holds on to it */
    if (failed)
        return -1;
    if (!fits(&array->view, dtype)) {
        PyBuffer_Release(&array->view);
        PyErr_SetString(PyExc_ValueError, "an array with one dimension is wanted");
        return -1;
    }
taken:
    array->count = array->view.len / array->view.itemsize;
    array->at.u8 = array->view.buf;
    return 0;
}

/* Gives access to two arrays, or to none. */
int take_two(PyObject *const *given, PyObject *dtype, PyObject *other_dtype, Array *one, Array *other)
{
    if (take(given[0], dtype, one))
        return -1;
    if (take(given[1], other_dtype, other)) {
        PyBuffer_Release(&one->view);
        return -1;
    }
    return 0;
}

/* Makes a new numpy array and gives access to its numbers for writing. The caller releases the view. */
PyObject *make(Py_ssize_t count, PyObject *dtype, Array *array)
{
    PyObject *size = PyLong_FromSsize_t(count);
    if (size == NULL)
        return NULL;
    PyObject *made = PyObject_CallFunctionObjArgs(np_empty, size, dtype, NULL);
    Py_DECREF(size);
    if (made == NULL)
        return NULL;
    if (PyObject_GetBuffer(made, &array->view, PyBUF_CONTIG) != 0) {
        Py_DECREF(made);
        return NULL;
    }
    array->count = count;
    array->at.u8 = array->view.buf;
    return made;
}

/* Makes a numpy array of these numbers (int64). */
PyObject *longs_of(const int64_t *numbers, Py_ssize_t count)
{
    Array out;
    PyObject *made = make(count, np_int64, &out);
    if (made != NULL) {
        if (count)
            memcpy(out.at.i64, numbers, (size_t)count * sizeof *numbers);
        PyBuffer_Release(&out.view);
    }
    return made;
}

/* Makes two numpy arrays of pairs of numbers: the first of each pair and the second (int64). Both are NULL if one
 * cannot be made. */
int unzipped(const int64_t *pairs, Py_ssize_t count, PyObject **firsts, PyObject **seconds)
{
    Array one, other;
    *seconds = NULL;
    *firsts = make(count, np_int64, &one);
    if (*firsts == NULL)
        return -1;
    *seconds = make(count, np_int64, &other);
    if (*seconds == NULL) {
        PyBuffer_Release(&one.view);
        Py_CLEAR(*firsts);
        return -1;
    }
    for (Py_ssize_t pair = 0; pair < count; pair++) {
        one.at.i64[pair] = pairs[2 * pair];
        other.at.i64[pair] = pairs[2 * pair + 1];
    }
    PyBuffer_Release(&one.view);
    PyBuffer_Release(&other.view);
    return 0;
}

/* Returns memory for `count` items, at least one byte; NULL with an error set if there is not enough. */
void *room(Py_ssize_t count, size_t size)
{
    void *found = NULL;
    if ((size_t)count < PY_SSIZE_T_MAX / size)
        found = PyMem_Malloc(count ? (size_t)count * size : 1);
    return found ? found : PyErr_NoMemory();
}

/* Returns 0 if a function was given as many arguments as it takes; otherwise -1 with an error set. */
int expect(Py_ssize_t given, Py_ssize_t wanted, const char *name)
{
    if (given == wanted)
        return 0;
    PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, %zd were given", name, wanted, given);
    return -1;
}

/* Sets the error for numbers that are those of no tree. Returns NULL. */
PyObject *no_tree(void)
{
    PyErr_SetString(PyExc_ValueError, "these are not the numbers of a tree");
    return NULL;
}

/* Returns a tuple of two objects and gives both away; NULL if one of them is NULL. */
PyObject *both_or_none(PyObject *one, PyObject *other)
{
    PyObject *pair = one && other ? PyTuple_Pack(2, one, other) : NULL;
    Py_XDECREF(one);
    Py_XDECREF(other);
    return pair;
}
