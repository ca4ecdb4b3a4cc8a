/* The events of a document while the parser gives them (document/sink.py). */

#include "native.h"

typedef struct {
    int32_t *numbers;
    Py_ssize_t count, size;
} Column;

typedef struct {
    PyObject_HEAD
    PyObject *tags, *names, *values, *texts; /* string → its number, in order of first use */
    Column tag, depth, content, owner, name, value;
    int32_t level;
} Events;

/* Adds a number at the end of a column. */
static int push(Column *column, Py_ssize_t number)
{
    if (number > INT32_MAX || column->count >= INT32_MAX) {
        PyErr_SetString(PyExc_OverflowError, "the document has too many nodes");
        return -1;
    }
    if (column->count == column->size) {
        Py_ssize_t size = column->size ? 2 * column->size : 256;
        int32_t *grown = PyMem_Realloc(column->numbers, (size_t)size * sizeof *grown);
        if (grown == NULL) {
            PyErr_NoMemory();
            return -1;
        }
        column->numbers = grown;
        column->size = size;
    }
    column->numbers[column->count++] = (int32_t)number;
    return 0;
}

/* The number of a string in its table, -1 with an error. */
static Py_ssize_t number_of(PyObject *table, PyObject *text)
{
    if (!PyUnicode_Check(text)) {
        PyErr_SetString(PyExc_TypeError, "names and texts are strings");
        return -1;
    }
    PyObject *known = PyDict_GetItemWithError(table, text);
    if (known != NULL)
        return PyLong_AsSsize_t(known);
    if (PyErr_Occurred())
        return -1;
    Py_ssize_t number = PyDict_GET_SIZE(table);
    PyObject *fresh = PyLong_FromSsize_t(number);
    if (fresh == NULL)
        return -1;
    int failed = PyDict_SetItem(table, text, fresh);
    Py_DECREF(fresh);
    return failed ? -1 : number;
}

/* Adds the number of a string at the end of a column. */
static int push_number(Column *column, PyObject *table, PyObject *text)
{
    Py_ssize_t number = number_of(table, text);
    return number < 0 ? -1 : push(column, number);
}

/* Takes the name of an element and its attributes as pairs (name, value). Adds the element and its
 * attributes, and goes one level deeper. Returns None.
 * Plain twin: document.sink.Events.start_element. Gain: about 2 times, for all events of a page together. */
static PyObject *events_start_element(Events *self, PyObject *const *given, Py_ssize_t count)
{
    if (expect(count, 2, "start_element"))
        return NULL;
    if (given[1] != Py_None) {
        PyObject *pairs = PySequence_Fast(given[1], "attributes are pairs of name and value");
        if (pairs == NULL)
            return NULL;
        Py_ssize_t node = self->tag.count;
        for (Py_ssize_t place = 0; place < PySequence_Fast_GET_SIZE(pairs); place++) {
            PyObject *pair = PySequence_Fast_GET_ITEM(pairs, place);
            if (!PyTuple_Check(pair) || PyTuple_GET_SIZE(pair) != 2) {
                PyErr_SetString(PyExc_TypeError, "attributes are pairs of name and value");
                Py_DECREF(pairs);
                return NULL;
            }
            PyObject *name = PyTuple_GET_ITEM(pair, 0), *value = PyTuple_GET_ITEM(pair, 1), *empty = NULL;
            if (value == Py_None && (value = empty = PyUnicode_New(0, 0)) == NULL) {
                Py_DECREF(pairs);
                return NULL;
            }
            int failed = push(&self->owner, node) || push_number(&self->name, self->names, name) ||
                         push_number(&self->value, self->values, value);
            Py_XDECREF(empty);
            if (failed) {
                Py_DECREF(pairs);
                return NULL;
            }
        }
        Py_DECREF(pairs);
    }
    if (push_number(&self->tag, self->tags, given[0]) || push(&self->depth, self->level))
        return NULL;
    if (self->level == INT32_MAX) {
        PyErr_SetString(PyExc_OverflowError, "the document is too deep");
        return NULL;
    }
    self->level++;
    Py_RETURN_NONE;
}

/* Takes the name of the element that ends, which is not looked at. Goes one level up. Returns None.
 * Plain twin: document.sink.Events.end_element. Gain: about 2 times, for all events of a page together. */
static PyObject *events_end_element(Events *self, PyObject *tag)
{
    if (self->level > 1)
        self->level--;
    Py_RETURN_NONE;
}

/* Takes a text. Adds a text node at the present level. Returns None.
 * Plain twin: document.sink.Events.characters. Gain: about 2 times, for all events of a page together. */
static PyObject *events_characters(Events *self, PyObject *text)
{
    /* The name of texts was added first, so its number is 0. */
    if (push(&self->tag, 0) || push(&self->depth, self->level) ||
        push_number(&self->content, self->texts, text))
        return NULL;
    Py_RETURN_NONE;
}

/* Takes the name of a leaf (a comment, for example) and its text. Adds the leaf at the present level.
 * Returns None.
 * Plain twin: document.sink.Events.leaf. Gain: about 2 times, for all events of a page together. */
static PyObject *events_leaf_of(Events *self, PyObject *const *given, Py_ssize_t count)
{
    if (expect(count, 2, "leaf") || push_number(&self->tag, self->tags, given[0]) ||
        push(&self->depth, self->level) || push_number(&self->content, self->texts, given[1]))
        return NULL;
    Py_RETURN_NONE;
}

/* The numbers of a column as a numpy array. */
static PyObject *column_of(Column *column)
{
    Array out;
    PyObject *made = make(column->count, np_int32, &out);
    if (made != NULL) {
        if (column->count)
            memcpy(out.at.i32, column->numbers, (size_t)column->count * sizeof *column->numbers);
        PyBuffer_Release(&out.view);
    }
    return made;
}

/* Takes nothing. Returns the tables and columns of all events so far: names of nodes, names of attributes,
 * values and texts (tuples); per node its name and depth, per leaf its text, per attribute its node, name
 * and value (int32).
 * Plain twin: document.sink.Events.taken. Gain: about 2 times, for all events of a page together. */
static PyObject *events_taken(Events *self, PyObject *ignored)
{
    PyObject *tables[4] = {self->tags, self->names, self->values, self->texts};
    Column *columns[6] = {&self->tag,   &self->depth, &self->content,
                          &self->owner, &self->name,  &self->value};
    PyObject *answer = PyTuple_New(10);
    for (int place = 0; answer && place < 10; place++) {
        PyObject *part;
        if (place < 4) {
            PyObject *keys = PyDict_Keys(tables[place]);
            part = keys ? PyList_AsTuple(keys) : NULL;
            Py_XDECREF(keys);
        } else {
            part = column_of(columns[place - 4]);
        }
        if (part == NULL)
            Py_CLEAR(answer);
        else
            PyTuple_SET_ITEM(answer, place, part);
    }
    return answer;
}

/* Makes an empty collector of the events of one document. Takes no arguments.
 * Plain twin: document.sink.Events. Gain: about 2 times, for all events of a page together. */
static PyObject *events_new(PyTypeObject *type, PyObject *arguments, PyObject *named)
{
    Events *self = (Events *)type->tp_alloc(type, 0);
    if (self == NULL)
        return NULL;
    self->level = 1;
    self->tags = PyDict_New();
    self->names = PyDict_New();
    self->values = PyDict_New();
    self->texts = PyDict_New();
    PyObject *text = PyUnicode_FromString("#text"), *document = PyUnicode_FromString("#document");
    int failed = !self->tags || !self->names || !self->values || !self->texts || !text || !document ||
                 number_of(self->tags, text) != 0 || number_of(self->tags, document) != 1 ||
                 push(&self->tag, 1) || push(&self->depth, 0);
    Py_XDECREF(text);
    Py_XDECREF(document);
    if (failed)
        Py_CLEAR(self);
    return (PyObject *)self;
}

/* Frees the tables and columns with their collector. */
static void events_dealloc(Events *self)
{
    Py_XDECREF(self->tags);
    Py_XDECREF(self->names);
    Py_XDECREF(self->values);
    Py_XDECREF(self->texts);
    PyMem_Free(self->tag.numbers);
    PyMem_Free(self->depth.numbers);
    PyMem_Free(self->content.numbers);
    PyMem_Free(self->owner.numbers);
    PyMem_Free(self->name.numbers);
    PyMem_Free(self->value.numbers);
    Py_TYPE(self)->tp_free((PyObject *)self);
}

static PyMethodDef events_methods[] = {
    {"start_element", (PyCFunction)(void (*)(void))events_start_element, METH_FASTCALL, NULL},
    {"end_element", (PyCFunction)events_end_element, METH_O, NULL},
    {"characters", (PyCFunction)events_characters, METH_O, NULL},
    {"leaf", (PyCFunction)(void (*)(void))events_leaf_of, METH_FASTCALL, NULL},
    {"taken", (PyCFunction)events_taken, METH_NOARGS, NULL},
    {NULL},
};

PyTypeObject events_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "webvigil.document._fast.Events",
    .tp_doc = "Takes a document as events; `taken` gives its tables and columns.",
    .tp_basicsize = sizeof(Events),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = events_new,
    .tp_dealloc = (destructor)events_dealloc,
    .tp_methods = events_methods,
};
