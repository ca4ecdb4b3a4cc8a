/* Words and other parts of a text (document/words.py, detect/sequences.py, detect/places.py). */

#include "native.h"

enum { UNKNOWN, OTHER, LETTER, DIGIT, MARK, SINGLE, APOSTROPHE, POINT };

/* The classes of all characters, filled with what pages really contain. */
static uint8_t classes[0x110000];

/* 0 where the class cannot be told; then an error is set. */
static uint8_t class_of(PyObject *tell, Py_UCS4 character)
{
    if (classes[character])
        return classes[character];
    PyObject *text = PyUnicode_FromOrdinal((int)character);
    PyObject *told = text ? PyObject_CallOneArg(tell, text) : NULL;
    Py_XDECREF(text);
    if (told == NULL)
        return 0;
    long found = PyLong_AsLong(told);
    Py_DECREF(told);
    if (found < OTHER || found > POINT) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_ValueError, "there is no such class of characters");
        return 0;
    }
    return classes[character] = (uint8_t)found;
}

/* Words as they are found: starts and ends in turn, in memory that grows with them. */
typedef struct {
    int64_t *at;
    Py_ssize_t count, room;
} Found;

/* Makes room for more than twice as many words. */
static int more_words(Found *found)
{
    Py_ssize_t wanted = found->room < PY_SSIZE_T_MAX / 64 ? 2 * found->room + 64 : 0;
    int64_t *at = wanted ? PyMem_Realloc(found->at, 2 * (size_t)wanted * sizeof *at) : NULL;
    if (at == NULL) {
        PyErr_NoMemory();
        return -1;
    }
    found->at = at;
    found->room = wanted;
    return 0;
}

/* The same loop for each width of characters, so that reading one is no decision. */
#define FIND_WORDS(Character)                                                                                  \
    static int find_words_##Character(const Character *text, Py_ssize_t size, PyObject *tell, Found *found)    \
    {                                                                                                          \
        int inside = 0, alone = 0;                                                                             \
        uint8_t before = OTHER, here, next = size ? class_of(tell, text[0]) : OTHER;                           \
        for (Py_ssize_t place = 0; place < size; place++) {                                                    \
            here = next;                                                                                       \
            next = place + 1 < size ? class_of(tell, text[place + 1]) : OTHER;                                 \
            if (here == LETTER && inside && !alone) {                                                          \
                while (next == LETTER) {                                                                       \
                    place++;                                                                                   \
                    next = place + 1 < size ? class_of(tell, text[place + 1]) : OTHER;                         \
                }                                                                                              \
                before = LETTER;                                                                               \
                if (next == UNKNOWN)                                                                           \
                    return -1;                                                                                 \
                continue;                                                                                      \
            }                                                                                                  \
            if (here == UNKNOWN || next == UNKNOWN)                                                            \
                return -1;                                                                                     \
            uint8_t meant = here;                                                                              \
            if (here == APOSTROPHE && before == LETTER && next == LETTER)                                      \
                meant = LETTER;                                                                                \
            else if (here == POINT && before == DIGIT && next == DIGIT)                                        \
                meant = DIGIT;                                                                                 \
            before = here;                                                                                     \
            if (meant >= LETTER && meant <= SINGLE) {                                                          \
                /* A character that is a word by itself begins one; so does what follows it and its marks. */  \
                int begins = !inside || meant == SINGLE || (alone && meant != MARK);                           \
                if (begins) {                                                                                  \
                    if (inside)                                                                                \
                        found->at[2 * found->count - 1] = place;                                               \
                    if (found->count == found->room && more_words(found))                                      \
                        return -1;                                                                             \
                    found->at[2 * found->count] = place;                                                       \
                    found->count++;                                                                            \
                }                                                                                              \
                inside = 1;                                                                                    \
            } else if (inside) {                                                                               \
                found->at[2 * found->count - 1] = place;                                                       \
                inside = 0;                                                                                    \
            }                                                                                                  \
            if (meant != MARK)                                                                                 \
                alone = meant == SINGLE;                                                                       \
        }                                                                                                      \
        if (inside)                                                                                            \
            found->at[2 * found->count - 1] = size;                                                            \
        return 0;                                                                                              \
    }

FIND_WORDS(Py_UCS1)
FIND_WORDS(Py_UCS2)
FIND_WORDS(Py_UCS4)

/* Finds the words of a string, by the function for the width of its characters. */
static int find_words(PyObject *text, PyObject *tell, Found *found)
{
    Py_ssize_t size = PyUnicode_GET_LENGTH(text);
    switch (PyUnicode_KIND(text)) {
    case PyUnicode_1BYTE_KIND:
        return find_words_Py_UCS1(PyUnicode_1BYTE_DATA(text), size, tell, found);
    case PyUnicode_2BYTE_KIND:
        return find_words_Py_UCS2(PyUnicode_2BYTE_DATA(text), size, tell, found);
    default:
        return find_words_Py_UCS4(PyUnicode_4BYTE_DATA(text), size, tell, found);
    }
}

/* Takes a string and a function that tells the class of a character; the function is called once for each
 * different character. Returns where each word starts and where it ends (both int64).
 * Plain twin: document.words.word_borders. Gain: about 3.7 times. */
static PyObject *word_borders(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    if (expect(arguments, 2, "word_borders"))
        return NULL;
    PyObject *text = given[0], *first = NULL, *last = NULL;
    if (!is_text(text)) {
        PyErr_SetString(PyExc_TypeError, "a text is a string");
        return NULL;
    }
    /* A word has five letters or more, mostly, and something behind it. */
    Found found = {NULL, 0, PyUnicode_GET_LENGTH(text) / 12};
    if (more_words(&found) || find_words(text, given[1], &found)) {
        PyMem_Free(found.at);
        return NULL;
    }
    unzipped(found.at, found.count, &first, &last);
    PyMem_Free(found.at);
    return both_or_none(first, last);
}

/* Takes a text, and where parts of it start and end. */
int take_parts(PyObject *const *given, Array *starts, Array *ends)
{
    if (!is_text(given[0])) {
        PyErr_SetString(PyExc_TypeError, "a text is a string");
        return -1;
    }
    return take_two(given + 1, np_int64, np_int64, starts, ends);
}

/* Takes a string and the starts and ends of parts (int64). Returns the list of these parts.
 * Plain twin: document.words.cut_out. Gain: about 3.5 times. */
static PyObject *cut_out(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array starts, ends;
    if (expect(arguments, 3, "cut_out"))
        return NULL;
    PyObject *text = given[0], *words = NULL;
    if (take_parts(given, &starts, &ends))
        return NULL;
    int64_t size = PyUnicode_GET_LENGTH(text);
    int ascii = PyUnicode_IS_ASCII(text);
    if (starts.count == ends.count)
        words = PyList_New(starts.count);
    else
        PyErr_SetString(PyExc_ValueError, "as many starts as ends are wanted");
    for (Py_ssize_t word = 0; words && word < starts.count; word++) {
        int64_t start = starts.at.i64[word], end = ends.at.i64[word];
        PyObject *part = NULL;
        if (start < 0 || end < start || end > size) {
            PyErr_SetString(PyExc_IndexError, "a word leads outside of its text");
        } else if (ascii && end > start + 1) {
            part = PyUnicode_New((Py_ssize_t)(end - start), 127);
            if (part)
                memcpy(PyUnicode_DATA(part), (const char *)PyUnicode_DATA(text) + start, (size_t)(end - start));
        } else {
            part = PyUnicode_Substring(text, (Py_ssize_t)start, (Py_ssize_t)end);
        }
        if (part == NULL) {
            Py_CLEAR(words);
            break;
        }
        PyList_SET_ITEM(words, word, part);
    }
    PyBuffer_Release(&ends.view);
    PyBuffer_Release(&starts.view);
    return words;
}

/* Takes a list of strings. Returns the places of those that are not ASCII, as a list.
 * Plain twin: detect.wording.beyond_ascii. Gain: about 4 times. */
static PyObject *beyond_ascii(PyObject *self, PyObject *words)
{
    if (!PyList_Check(words)) {
        PyErr_SetString(PyExc_TypeError, "a list of strings is wanted");
        return NULL;
    }
    PyObject *places = PyList_New(0);
    for (Py_ssize_t place = 0; places && place < PyList_GET_SIZE(words); place++) {
        PyObject *word = PyList_GET_ITEM(words, place);
        if (!is_text(word)) {
            PyErr_SetString(PyExc_TypeError, "a list of strings is wanted");
            Py_CLEAR(places);
        } else if (!PyUnicode_IS_ASCII(word)) {
            PyObject *number = PyLong_FromSsize_t(place);
            if (number == NULL || PyList_Append(places, number) < 0)
                Py_CLEAR(places);
            Py_XDECREF(number);
        }
    }
    return places;
}

/* Takes a string and the starts and ends of parts (int64). Returns the list of the parts with one space
 * for each run of white space inside, and None for an empty part.
 * Plain twin: detect.places.squeezed. Gain: about 2 times. */
static PyObject *squeezed(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array starts, ends;
    if (expect(arguments, 3, "squeezed"))
        return NULL;
    PyObject *text = given[0], *parts = NULL;
    if (take_parts(given, &starts, &ends))
        return NULL;
    int64_t size = PyUnicode_GET_LENGTH(text);
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    if (starts.count == ends.count)
        parts = PyList_New(starts.count);
    else
        PyErr_SetString(PyExc_ValueError, "as many starts as ends are wanted");
    for (Py_ssize_t place = 0; parts && place < starts.count; place++) {
        int64_t start = starts.at.i64[place], end = ends.at.i64[place];
        PyObject *part = NULL;
        if (start < 0 || end > size) {
            PyErr_SetString(PyExc_IndexError, "a part leads outside of its text");
        } else if (end <= start) {
            part = Py_NewRef(Py_None);
        } else {
            while (start < end && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, start)))
                start++;
            while (start < end && Py_UNICODE_ISSPACE(PyUnicode_READ(kind, data, end - 1)))
                end--;
            Py_ssize_t length = 0;
            Py_UCS4 largest = 0;
            int gap = 0;
            for (int64_t at = start; at < end; at++) {
                Py_UCS4 character = PyUnicode_READ(kind, data, at);
                if (Py_UNICODE_ISSPACE(character)) {
                    gap = 1;
                    continue;
                }
                length += 1 + gap;
                gap = 0;
                largest = character > largest ? character : largest;
            }
            part = PyUnicode_New(length, largest);
            Py_ssize_t written = 0;
            for (int64_t at = start; part && at < end; at++) {
                Py_UCS4 character = PyUnicode_READ(kind, data, at);
                if (Py_UNICODE_ISSPACE(character)) {
                    gap = 1;
                    continue;
                }
                if (gap)
                    PyUnicode_WRITE(PyUnicode_KIND(part), PyUnicode_DATA(part), written++, ' ');
                gap = 0;
                PyUnicode_WRITE(PyUnicode_KIND(part), PyUnicode_DATA(part), written++, character);
            }
        }
        if (part == NULL) {
            Py_CLEAR(parts);
            break;
        }
        PyList_SET_ITEM(parts, place, part);
    }
    PyBuffer_Release(&ends.view);
    PyBuffer_Release(&starts.view);
    return parts;
}

PyMethodDef word_functions[] = {
    MANY(word_borders),
    MANY(cut_out),
    ONE(beyond_ascii),
    MANY(squeezed),
    {NULL},
};
