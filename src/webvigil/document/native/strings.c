/* Strings named by their number in a table (document/string_tables.py, document/reading.py). */

#include "native.h"

/* Returns 0 if an index leads to a string of a tuple; with -1 for `least` it may also be -1, which names no
 * string. */
int expect_text(PyObject *table, int32_t index, int32_t least)
{
    if (index < least || index >= PyTuple_GET_SIZE(table)) {
        PyErr_SetString(PyExc_IndexError, "an index leads outside of its table");
        return -1;
    }
    if (index >= 0 && !is_text(PyTuple_GET_ITEM(table, index))) {
        PyErr_SetString(PyExc_TypeError, "a tuple of strings is wanted");
        return -1;
    }
    return 0;
}

/* Takes a tuple and indices, which may lead anywhere. */
int take_indices(PyObject *table, PyObject *given, Array *indices)
{
    if (PyTuple_Check(table))
        return take(given, np_int32, indices);
    PyErr_SetString(PyExc_TypeError, "a tuple of strings is wanted");
    return -1;
}

/* Takes a tuple of strings and indices into it. Returns 0 if every index leads to a string; with -1 for `least` an
 * index may also be -1, which names no string. */
int take_texts(PyObject *table, PyObject *given, int32_t least, Array *indices)
{
    if (take_indices(table, given, indices))
        return -1;
    for (Py_ssize_t place = 0; place < indices->count; place++)
        if (expect_text(table, indices->at.i32[place], least)) {
            PyBuffer_Release(&indices->view);
            return -1;
        }
    return 0;
}

/* Takes a tuple of strings and indices into it (int32). Returns the length of each named string (int64).
 * Plain twin: document.reading.lengths_at. Gain: about 25 times. */
static PyObject *lengths_at(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array indices, out;
    if (expect(arguments, 2, "lengths_at") || take_texts(given[0], given[1], 0, &indices))
        return NULL;
    PyObject *made = make(indices.count, np_int64, &out);
    if (made != NULL) {
        for (Py_ssize_t place = 0; place < indices.count; place++)
            out.at.i64[place] = PyUnicode_GET_LENGTH(PyTuple_GET_ITEM(given[0], indices.at.i32[place]));
        PyBuffer_Release(&out.view);
    }
    PyBuffer_Release(&indices.view);
    return made;
}

/* Are two strings the same, character by character? */
static int equal_texts(PyObject *one, PyObject *other)
{
    Py_ssize_t size = PyUnicode_GET_LENGTH(one);
    int kind = PyUnicode_KIND(one);
    if (one == other)
        return 1;
    /* A string is never stored wider than it needs to be. */
    return size == PyUnicode_GET_LENGTH(other) && kind == (int)PyUnicode_KIND(other) &&
           memcmp(PyUnicode_DATA(one), PyUnicode_DATA(other), (size_t)size * (size_t)kind) == 0;
}

/* The first place from `place` on where two lists of indices name different strings. */
static Py_ssize_t unequal_from(Py_ssize_t place, PyObject *const *given, const Array *ours,
                               const Array *theirs)
{
    for (; place < ours->count; place++) {
        int32_t one = ours->at.i32[place], other = theirs->at.i32[place];
        if (one < 0 || other < 0) {
            if (one != other)
                break;
        } else if (!equal_texts(PyTuple_GET_ITEM(given[0], one), PyTuple_GET_ITEM(given[2], other)))
            break;
    }
    return place;
}

/* Takes two tuples of strings, each with indices into it. */
static int take_both_named(PyObject *const *given, Py_ssize_t arguments, const char *name, Array *ours,
                           Array *theirs)
{
    if (expect(arguments, 4, name) || take_texts(given[0], given[1], -1, ours))
        return -1;
    if (take_texts(given[2], given[3], -1, theirs)) {
        PyBuffer_Release(&ours->view);
        return -1;
    }
    return 0;
}

/* Takes two tuples of strings, each with indices into it (int32; -1 names no string). Returns whether both
 * lists of indices have the same length and name the same strings in the same order.
 * Plain twin: document.string_tables.same_strings. Gain: about 4 times. */
static PyObject *same_strings(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array ours, theirs;
    if (take_both_named(given, arguments, "same_strings", &ours, &theirs))
        return NULL;
    int same = ours.count == theirs.count && unequal_from(0, given, &ours, &theirs) == ours.count;
    PyBuffer_Release(&theirs.view);
    PyBuffer_Release(&ours.view);
    return PyBool_FromLong(same);
}

/* Takes the same arguments as `same_strings`, with lists of the same length. Returns the places where the
 * two lists name different strings (int64).
 * Plain twin: document.string_tables.differing. Gain: about 14 times. */
static PyObject *differing(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array ours, theirs;
    if (take_both_named(given, arguments, "differing", &ours, &theirs))
        return NULL;
    PyObject *made = NULL;
    int64_t *places = NULL;
    Py_ssize_t count = 0;
    if (ours.count != theirs.count) {
        PyErr_SetString(PyExc_ValueError, "as many indices are wanted on either side");
        goto done;
    }
    places = room(ours.count, sizeof *places);
    if (places == NULL)
        goto done;
    for (Py_ssize_t at = unequal_from(0, given, &ours, &theirs); at < ours.count;
         at = unequal_from(at + 1, given, &ours, &theirs))
        places[count++] = at;
    made = longs_of(places, count);
done:
    PyMem_Free(places);
    PyBuffer_Release(&theirs.view);
    PyBuffer_Release(&ours.view);
    return made;
}

/* Have two texts the same words, however they are spaced? */
static int reads_alike(PyObject *one, PyObject *other)
{
    Py_ssize_t size = PyUnicode_GET_LENGTH(one), length = PyUnicode_GET_LENGTH(other), i = 0, j = 0;
    int kind = PyUnicode_KIND(one), type = PyUnicode_KIND(other);
    const void *data = PyUnicode_DATA(one), *text = PyUnicode_DATA(other);
    for (;;) {
        Py_ssize_t from = i, start = j;
        while (i < size && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, i)))
            i++;
        while (j < length && Py_UNICODE_ISSPACE(PyUnicode_READ(type, text, j)))
            j++;
        if (i == size || j == length)
            return i == size && j == length;
        if (from && start && (i > from) != (j > start))
            return 0; /* a word ends on one side only */
        if (PyUnicode_READ(kind, data, i) != PyUnicode_READ(type, text, j))
            return 0;
        i++;
        j++;
    }
}

/* Takes two tuples of strings, each with indices into it (int32; -1 names no string), in lists of the same
 * length. Returns the places where the named texts have different words; white space does not count
 * (int64).
 * Plain twin: document.string_tables.reworded. Gain: about 3 times. */
static PyObject *reworded(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array ours, theirs;
    if (take_both_named(given, arguments, "reworded", &ours, &theirs))
        return NULL;
    PyObject *made = NULL, *empty = PyUnicode_New(0, 0);
    int64_t *found = empty ? room(ours.count, sizeof *found) : NULL;
    Py_ssize_t count = 0;
    if (found == NULL)
        goto done;
    if (ours.count != theirs.count) {
        PyErr_SetString(PyExc_ValueError, "as many texts on both sides are wanted");
        goto done;
    }
    for (Py_ssize_t place = 0; place < ours.count; place++) {
        int32_t here = ours.at.i32[place], there = theirs.at.i32[place];
        PyObject *one = here < 0 ? empty : PyTuple_GET_ITEM(given[0], here);
        PyObject *other = there < 0 ? empty : PyTuple_GET_ITEM(given[2], there);
        if (!reads_alike(one, other))
            found[count++] = place;
    }
    made = longs_of(found, count);
done:
    PyMem_Free(found);
    Py_XDECREF(empty);
    PyBuffer_Release(&theirs.view);
    PyBuffer_Release(&ours.view);
    return made;
}

/* May a character stand in a plain path, and, with `first`, may it begin a step of one? */
static inline int is_plain(Py_UCS1 here, int first)
{
    return (here >= '0' && here <= '9') || ((here | 32) >= 'a' && (here | 32) <= 'z') || here == '_' || here == '-' ||
           here == '%' || here == '~' || (here == '.' && !first);
}

/* Is this a path of plain steps, such as "/a/b.html" or "/a/"? */
static int is_plain_path(PyObject *text)
{
    if (!PyUnicode_IS_ASCII(text))
        return 0;
    const Py_UCS1 *at = PyUnicode_1BYTE_DATA(text);
    Py_ssize_t size = PyUnicode_GET_LENGTH(text);
    if (size < 2 || at[0] != '/' || !is_plain(at[1], 1))
        return 0;
    for (Py_ssize_t place = 2; place < size; place++) {
        int begins = at[place - 1] == '/';
        if (at[place] == '/' ? begins : !is_plain(at[place], begins))
            return 0;
    }
    return 1;
}

/* Takes what stands before a path, and a list of addresses. Returns a list with the absolute address of each plain
 * path, and None for every other address.
 * Plain twin: document.links.rooted. Gain: about 5 times. */
static PyObject *rooted(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    if (expect(arguments, 2, "rooted"))
        return NULL;
    if (!is_text(given[0]) || !PyList_Check(given[1])) {
        PyErr_SetString(PyExc_TypeError, "a string and a list of strings are wanted");
        return NULL;
    }
    PyObject *found = PyList_New(PyList_GET_SIZE(given[1]));
    for (Py_ssize_t place = 0; found && place < PyList_GET_SIZE(found); place++) {
        PyObject *address = PyList_GET_ITEM(given[1], place), *url = NULL;
        if (!is_text(address))
            PyErr_SetString(PyExc_TypeError, "a string and a list of strings are wanted");
        else if (is_plain_path(address))
            url = PyUnicode_Concat(given[0], address);
        else {
            url = Py_None;
            Py_INCREF(url);
        }
        if (url != NULL)
            PyList_SET_ITEM(found, place, url);
        else
            Py_CLEAR(found);
    }
    return found;
}

static uint8_t latin_special[256];

/* What HTML has for a character that it cannot hold as it is, in Latin-1; NULL for every other character. */
static const char *in_html(Py_UCS4 character)
{
    switch (character) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    case '\'':
        return "&#x27;";
    case '\t':
    case '\n':
        return NULL;
    }
    int is_control = character < 0x20 || (character >= 0x7F && character < 0xA0);
    int is_none = (character >= 0xD800 && character < 0xE000) || character == 0xFFFE || character == 0xFFFF;
    return is_control || is_none ? "\xB7" : NULL;
}

/* Is this a character that HTML cannot hold as it is? */
static inline int is_special(Py_UCS4 character)
{
    return character < 256 ? latin_special[character] : character >= 0xD800 && in_html(character) != NULL;
}

/* The place of the next special character, or the end. `widest` has the bits of all characters that were passed. The
 * kind is known where this is called, so that each kind gets a loop of its own. */
static inline Py_ssize_t special_from(int kind, const void *data, Py_ssize_t place, Py_ssize_t size, Py_UCS4 *widest)
{
    Py_UCS4 bits = 0;
    for (; place < size; place++) {
        Py_UCS4 character = PyUnicode_READ(kind, data, place);
        if (is_special(character))
            break;
        bits |= character;
    }
    *widest |= bits;
    return place;
}

static Py_ssize_t next_special(int kind, const void *data, Py_ssize_t place, Py_ssize_t size, Py_UCS4 *widest)
{
    if (kind == PyUnicode_1BYTE_KIND)
        return special_from(PyUnicode_1BYTE_KIND, data, place, size, widest);
    if (kind == PyUnicode_2BYTE_KIND)
        return special_from(PyUnicode_2BYTE_KIND, data, place, size, widest);
    return special_from(PyUnicode_4BYTE_KIND, data, place, size, widest);
}

/* Takes a string. Returns it with references in the place of signs that mean something in HTML, and with dots in the
 * place of control characters.
 * Plain twin: present.html_text.html_text. Gain: about 4 times, with the files that show changes. */
static PyObject *html_text(PyObject *self, PyObject *given)
{
    if (!is_text(given)) {
        PyErr_SetString(PyExc_TypeError, "a string is wanted");
        return NULL;
    }
    Py_ssize_t size = PyUnicode_GET_LENGTH(given), longer = 0, end = 0;
    int kind = PyUnicode_KIND(given);
    const void *data = PyUnicode_DATA(given);
    Py_UCS4 widest = 0;
    Py_ssize_t first = next_special(kind, data, 0, size, &widest);
    if (first == size) {
        Py_INCREF(given);
        return given;
    }
    for (Py_ssize_t place = first; place < size; place = next_special(kind, data, place + 1, size, &widest)) {
        const char *written = in_html(PyUnicode_READ(kind, data, place));
        longer += (Py_ssize_t)strlen(written) - 1;
        widest |= (Py_UCS1)written[0];
    }
    PyObject *made = PyUnicode_New(size + longer, widest > 0x10FFFF ? 0x10FFFF : widest);
    if (made == NULL)
        return NULL;
    int type = PyUnicode_KIND(made);
    char *out = PyUnicode_DATA(made);
    for (Py_ssize_t place = 0, stop = first;; stop = next_special(kind, data, place, size, &widest)) {
        if (type == kind)
            memcpy(out + end * type, (const char *)data + place * kind, (size_t)(stop - place) * (size_t)kind);
        for (Py_ssize_t step = 0; type != kind && step < stop - place; step++)
            PyUnicode_WRITE(type, out, end + step, PyUnicode_READ(kind, data, place + step));
        end += stop - place;
        if (stop == size)
            return made;
        for (const char *written = in_html(PyUnicode_READ(kind, data, stop)); *written; written++)
            PyUnicode_WRITE(type, out, end++, (Py_UCS1)*written);
        place = stop + 1;
    }
}

/* Learns which characters of Latin-1 are special. */
void learn_specials(void)
{
    for (Py_UCS4 character = 0; character < 256; character++)
        latin_special[character] = in_html(character) != NULL;
}

PyMethodDef string_functions[] = {
    MANY(rooted),
    MANY(lengths_at),
    MANY(same_strings),
    MANY(differing),
    MANY(reworded),
    ONE(html_text),
    {NULL},
};
