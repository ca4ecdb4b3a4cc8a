/* The text of a page as a reader sees it (document/reading.py). */

#include "native.h"

/* Takes, for each of the indices, whether it begins a line. Returns 0 if both arrays have the same length;
 * otherwise lets both go. */
static int take_breaks(PyObject *const *given, Array *indices, Array *breaks)
{
    if (take(given[2], np_bool, breaks)) {
        PyBuffer_Release(&indices->view);
        return -1;
    }
    if (breaks->count == indices->count)
        return 0;
    PyErr_SetString(PyExc_ValueError, "as many texts as marks are wanted");
    PyBuffer_Release(&breaks->view);
    PyBuffer_Release(&indices->view);
    return -1;
}

/* Takes texts by their indices, and which of them begin a line. */
static int take_lines(PyObject *const *given, Array *indices, Array *breaks)
{
    return take_texts(given[0], given[1], 0, indices) ? -1 : take_breaks(given, indices, breaks);
}

/* Takes a tuple of strings, indices into it (int32), for each index whether it begins a line (bool), and a
 * mark. Returns all named strings joined, with the mark before each that begins a line.
 * Plain twin: document.reading.joined. Gain: about 3.3 times. */
static PyObject *joined(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array indices, breaks;
    if (expect(arguments, 4, "joined") || take_lines(given, &indices, &breaks))
        return NULL;
    PyObject *mark = given[3], *whole = NULL;
    Py_UCS4 largest = 0;
    Py_ssize_t length = 0, place = 0;
    if (!is_text(mark)) {
        PyErr_SetString(PyExc_TypeError, "a mark is a string");
        goto done;
    }
    for (; place < indices.count; place++) {
        PyObject *text = PyTuple_GET_ITEM(given[0], indices.at.i32[place]);
        Py_ssize_t more = PyUnicode_GET_LENGTH(text) + (breaks.at.u8[place] ? PyUnicode_GET_LENGTH(mark) : 0);
        if (more > PY_SSIZE_T_MAX / 4 - length) {
            PyErr_NoMemory();
            goto done;
        }
        length += more;
        Py_UCS4 top = PyUnicode_GET_LENGTH(text) ? PyUnicode_MAX_CHAR_VALUE(text) : 0;
        largest = top > largest ? top : largest;
        if (breaks.at.u8[place] && PyUnicode_MAX_CHAR_VALUE(mark) > largest)
            largest = PyUnicode_MAX_CHAR_VALUE(mark);
    }
    whole = PyUnicode_New(length, largest);
    if (whole == NULL)
        goto done;
    Py_ssize_t written = 0;
    for (place = 0; place < indices.count && whole; place++) {
        PyObject *parts[2] = {breaks.at.u8[place] ? mark : NULL,
                              PyTuple_GET_ITEM(given[0], indices.at.i32[place])};
        for (int part = 0; part < 2 && whole; part++) {
            Py_ssize_t size = parts[part] ? PyUnicode_GET_LENGTH(parts[part]) : 0;
            if (size && PyUnicode_CopyCharacters(whole, written, parts[part], 0, size) < 0)
                Py_CLEAR(whole);
            written += size;
        }
    }
done:
    PyBuffer_Release(&breaks.view);
    PyBuffer_Release(&indices.view);
    return whole;
}

/* Does a text read on the screen as it is written: single spaces only, and none at its edges? All characters
 * are looked at, without a decision, which is quicker than to stop at the first that is in the way. */
static int is_tight(const Py_UCS1 *text, Py_ssize_t size)
{
    unsigned int loose = 0;
    if (!size || latin_space[text[0]] || latin_space[text[size - 1]])
        return 0;
    for (Py_ssize_t place = 0; place < size - 1; place++) {
        Py_UCS1 here = text[place];
        loose |= (here == ' ') & (text[place + 1] == ' ');
        loose |= ((Py_UCS1)(here - 9) < 5) | ((Py_UCS1)(here - 0x1C) < 4) | (here == 0x85) | (here == 0xA0);
    }
    return !loose;
}

/* The text as on the screen while it is put together piece by piece. */
typedef struct {
    void *line;
    int64_t *found; /* which piece, and where it begins, in turn */
    Py_ssize_t written, count;
    int broken, spaced;
} Screen;

/* Adds a piece, word by word. There is one version for each width of the characters read and written. */
#define ADD_PIECE(From, To)                                                                                    \
    static void add_##From##_to_##To(Screen *screen, Py_ssize_t place, const From *piece, Py_ssize_t size)     \
    {                                                                                                          \
        To *line = screen->line;                                                                               \
        Py_ssize_t written = screen->written, offset = 0;                                                      \
        int empty = 1, gap = 0;                                                                                \
        while (offset < size) {                                                                                \
            if (is_space(piece[offset])) {                                                                     \
                gap = 1;                                                                                       \
                offset++;                                                                                      \
                continue;                                                                                      \
            }                                                                                                  \
            if (empty) {                                                                                       \
                if (screen->count && (screen->broken || screen->spaced || gap))                                \
                    line[written++] = screen->broken ? '\n' : ' ';                                             \
                screen->found[2 * screen->count] = place;                                                      \
                screen->found[2 * screen->count + 1] = written;                                                \
                screen->count++;                                                                               \
                empty = 0;                                                                                     \
            } else if (gap) {                                                                                  \
                line[written++] = ' ';                                                                         \
            }                                                                                                  \
            gap = 0;                                                                                           \
            do                                                                                                 \
                line[written++] = (To)piece[offset++];                                                         \
            while (offset < size && !is_space(piece[offset]));                                                 \
        }                                                                                                      \
        screen->written = written;                                                                             \
        if (empty) {                                                                                           \
            screen->spaced |= size > 0;                                                                        \
        } else {                                                                                               \
            screen->broken = 0;                                                                                \
            screen->spaced = gap;                                                                              \
        }                                                                                                      \
    }

ADD_PIECE(Py_UCS1, Py_UCS1)
ADD_PIECE(Py_UCS1, Py_UCS4)
ADD_PIECE(Py_UCS2, Py_UCS4)
ADD_PIECE(Py_UCS4, Py_UCS4)

/* Adds a piece that reads as it is written, as a whole. */
static void add_tight(Screen *screen, Py_ssize_t place, const Py_UCS1 *piece, Py_ssize_t size)
{
    Py_UCS1 *line = screen->line;
    if (screen->count && (screen->broken || screen->spaced))
        line[screen->written++] = screen->broken ? '\n' : ' ';
    screen->found[2 * screen->count] = place;
    screen->found[2 * screen->count + 1] = screen->written;
    screen->count++;
    memcpy(line + screen->written, piece, (size_t)size);
    screen->written += size;
    screen->broken = screen->spaced = 0;
}

/* Adds a piece by the quickest of the ways above. */
static void add_piece(Screen *screen, Py_ssize_t place, PyObject *piece, int narrow)
{
    Py_ssize_t size = PyUnicode_GET_LENGTH(piece);
    if (narrow && is_tight(PyUnicode_1BYTE_DATA(piece), size))
        add_tight(screen, place, PyUnicode_1BYTE_DATA(piece), size);
    else if (narrow)
        add_Py_UCS1_to_Py_UCS1(screen, place, PyUnicode_1BYTE_DATA(piece), size);
    else if (PyUnicode_KIND(piece) == PyUnicode_1BYTE_KIND)
        add_Py_UCS1_to_Py_UCS4(screen, place, PyUnicode_1BYTE_DATA(piece), size);
    else if (PyUnicode_KIND(piece) == PyUnicode_2BYTE_KIND)
        add_Py_UCS2_to_Py_UCS4(screen, place, PyUnicode_2BYTE_DATA(piece), size);
    else
        add_Py_UCS4_to_Py_UCS4(screen, place, PyUnicode_4BYTE_DATA(piece), size);
}

/* Takes a tuple of strings, indices into it (int32) and for each whether it begins a line (bool). Returns
 * the text with white space as on the screen, which of the pieces are not blank, and where each of those
 * begins in the text (both int64).
 * Plain twin: document.reading.collapsed_texts. Gain: about 6 times. */
static PyObject *collapsed_texts(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array indices, breaks;
    if (expect(arguments, 3, "collapsed_texts") || take_lines(given, &indices, &breaks))
        return NULL;
    PyObject *text = NULL, *places = NULL, *begins = NULL, *answer = NULL;
    Screen screen = {0};
    Py_ssize_t length = 0;
    int narrow = 1;
    for (Py_ssize_t place = 0; place < indices.count; place++) {
        PyObject *piece = PyTuple_GET_ITEM(given[0], indices.at.i32[place]);
        Py_ssize_t more = PyUnicode_GET_LENGTH(piece) + 1;
        if (more > PY_SSIZE_T_MAX / 16 - length) {
            PyErr_NoMemory();
            goto done;
        }
        length += more;
        narrow &= PyUnicode_KIND(piece) == PyUnicode_1BYTE_KIND;
    }
    screen.line = room(length, narrow ? sizeof(Py_UCS1) : sizeof(Py_UCS4));
    screen.found = room(2 * indices.count, sizeof *screen.found);
    if (screen.line == NULL || screen.found == NULL)
        goto done;
    for (Py_ssize_t place = 0; place < indices.count; place++) {
        screen.broken |= breaks.at.u8[place] != 0;
        add_piece(&screen, place, PyTuple_GET_ITEM(given[0], indices.at.i32[place]), narrow);
    }
    text = PyUnicode_FromKindAndData(narrow ? PyUnicode_1BYTE_KIND : PyUnicode_4BYTE_KIND, screen.line,
                                     screen.written);
    if (text != NULL && unzipped(screen.found, screen.count, &places, &begins) == 0)
        answer = PyTuple_Pack(3, text, places, begins);
done:
    Py_XDECREF(text);
    Py_XDECREF(places);
    Py_XDECREF(begins);
    PyMem_Free(screen.line);
    PyMem_Free(screen.found);
    PyBuffer_Release(&breaks.view);
    PyBuffer_Release(&indices.view);
    return answer;
}

/* Takes a string. Returns the number of its characters that are not white space.
 * Plain twin: document.reading.visible_length. Gain: about 13 times. */
static PyObject *visible_length(PyObject *self, PyObject *text)
{
    if (!is_text(text)) {
        PyErr_SetString(PyExc_TypeError, "a text is a string");
        return NULL;
    }
    Py_ssize_t size = PyUnicode_GET_LENGTH(text), count = 0;
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    for (Py_ssize_t place = 0; place < size; place++)
        count += !is_space(PyUnicode_READ(kind, data, place));
    return PyLong_FromSsize_t(count);
}

/* The text of one run of pieces, with white space collapsed. */
static PyObject *owned_text(PyObject *table, const Array *indices, const Array *breaks, int64_t start,
                            int64_t end, Screen *screen)
{
    int narrow = 1;
    if (end - start == 1) {
        PyObject *text = PyTuple_GET_ITEM(table, indices->at.i32[start]);
        if (PyUnicode_KIND(text) == PyUnicode_1BYTE_KIND &&
            is_tight(PyUnicode_1BYTE_DATA(text), PyUnicode_GET_LENGTH(text)))
            return Py_NewRef(text);
    }
    for (int64_t place = start; place < end; place++)
        narrow &= PyUnicode_KIND(PyTuple_GET_ITEM(table, indices->at.i32[place])) == PyUnicode_1BYTE_KIND;
    screen->written = screen->count = 0;
    screen->broken = screen->spaced = 0;
    for (int64_t place = start; place < end; place++) {
        screen->spaced |= breaks->at.u8[place] != 0;
        add_piece(screen, place - start, PyTuple_GET_ITEM(table, indices->at.i32[place]), narrow);
    }
    return PyUnicode_FromKindAndData(narrow ? PyUnicode_1BYTE_KIND : PyUnicode_4BYTE_KIND, screen->line,
                                     screen->written);
}

/* Memory for the longest of the runs; -1 where one leads outside of the pieces, or a piece of it to no string.
 * Pieces outside of the runs are not looked at: a page with thousands of tables asks for one after the other. */
static int prepare_runs(PyObject *table, const Array *indices, const Array *starts, const Array *ends,
                        Screen *screen)
{
    Py_ssize_t longest = 0;
    int64_t most = 0;
    for (Py_ssize_t run = 0; run < starts->count; run++) {
        int64_t start = starts->at.i64[run], end = ends->at.i64[run];
        Py_ssize_t length = 0;
        if (start < 0 || end < start || end > indices->count) {
            PyErr_SetString(PyExc_IndexError, "a run leads outside of its pieces");
            return -1;
        }
        for (int64_t place = start; place < end; place++) {
            if (expect_text(table, indices->at.i32[place], 0))
                return -1;
            Py_ssize_t more = PyUnicode_GET_LENGTH(PyTuple_GET_ITEM(table, indices->at.i32[place])) + 1;
            if (more > PY_SSIZE_T_MAX / 16 - length) {
                PyErr_NoMemory();
                return -1;
            }
            length += more;
        }
        longest = length > longest ? length : longest;
        most = end - start > most ? end - start : most;
    }
    screen->line = room(longest, sizeof(Py_UCS4));
    screen->found = room(2 * most, sizeof *screen->found);
    return screen->line && screen->found ? 0 : -1;
}

/* Takes a tuple of strings, indices into it (int32), for each whether it begins a line (bool), and runs of
 * these pieces as starts and ends (int64). Returns the text of each run with white space collapsed; before
 * a piece that begins a line there is white space.
 * Plain twin: document.reading.owned_texts. Gain: about 4 times. */
static PyObject *owned_texts(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array indices, breaks, starts, ends;
    if (expect(arguments, 5, "owned_texts") || take_indices(given[0], given[1], &indices) ||
        take_breaks(given, &indices, &breaks))
        return NULL;
    PyObject *made = NULL;
    Screen screen = {0};
    if (take(given[3], np_int64, &starts))
        goto pieces;
    if (take(given[4], np_int64, &ends))
        goto starts;
    if (starts.count != ends.count)
        PyErr_SetString(PyExc_ValueError, "as many starts as ends are wanted");
    else if (prepare_runs(given[0], &indices, &starts, &ends, &screen) == 0)
        made = PyList_New(starts.count);
    for (Py_ssize_t run = 0; made && run < starts.count; run++) {
        PyObject *text =
            owned_text(given[0], &indices, &breaks, starts.at.i64[run], ends.at.i64[run], &screen);
        if (text == NULL)
            Py_CLEAR(made);
        else
            PyList_SET_ITEM(made, run, text);
    }
    PyMem_Free(screen.line);
    PyMem_Free(screen.found);
    PyBuffer_Release(&ends.view);
starts:
    PyBuffer_Release(&starts.view);
pieces:
    PyBuffer_Release(&breaks.view);
    PyBuffer_Release(&indices.view);
    return made;
}

/* Takes two strings. Returns how many characters they have in common at the start, and how many of the
 * rest at the end.
 * Plain twin: document.reading.equal_ends. Gain: about 13 times. */
static PyObject *equal_ends(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    if (expect(arguments, 2, "equal_ends"))
        return NULL;
    PyObject *one = given[0], *other = given[1];
    if (!is_text(one) || !is_text(other)) {
        PyErr_SetString(PyExc_TypeError, "a text is a string");
        return NULL;
    }
    int kind = PyUnicode_KIND(one), others = PyUnicode_KIND(other);
    const void *ours = PyUnicode_DATA(one), *theirs = PyUnicode_DATA(other);
    Py_ssize_t size = PyUnicode_GET_LENGTH(one), length = PyUnicode_GET_LENGTH(other), start = 0, end = 0;
    Py_ssize_t most = size < length ? size : length;
    /* Far, as long as both are stored alike; then one by one. */
    while (kind == others && start + 256 <= most &&
           memcmp((const char *)ours + start * kind, (const char *)theirs + start * kind, 256 * (size_t)kind) == 0)
        start += 256;
    while (start < most && PyUnicode_READ(kind, ours, start) == PyUnicode_READ(others, theirs, start))
        start++;
    most -= start;
    while (kind == others && end + 256 <= most &&
           memcmp((const char *)ours + (size - end - 256) * kind,
                  (const char *)theirs + (length - end - 256) * kind, 256 * (size_t)kind) == 0)
        end += 256;
    while (end < most &&
           PyUnicode_READ(kind, ours, size - end - 1) == PyUnicode_READ(others, theirs, length - end - 1))
        end++;
    return Py_BuildValue("(nn)", start, end);
}

enum { TEXT = 1, BLOCK = 2, BOX = 4 };

/* Fills, for each border between nodes, how many blocks and boxes begin or end there. Returns how many texts are
 * visible; -1 with an error set if these are not the numbers of a tree. */
static Py_ssize_t find_borders(const Array *roles, const Array *tags, const Array *sizes, const Array *hidden,
                               int32_t *borders)
{
    Py_ssize_t count = tags->count, texts = 0;
    for (Py_ssize_t node = 0; node < count; node++) {
        int32_t tag = tags->at.i32[node], size = sizes->at.i32[node];
        if (tag < 0 || tag >= roles->count || size < 1 || size > count - node) {
            no_tree();
            return -1;
        }
        int32_t role = roles->at.i32[tag];
        int seen = !hidden->at.u8[node];
        if ((role & BLOCK && seen) || role & BOX) {
            borders[node]++;
            borders[node + size]++;
        }
        texts += role & TEXT && seen;
    }
    return texts;
}

/* Takes the role of each tag (int32), the tag of each node, the size of its subtree (int32) and whether it is hidden.
 * Returns the visible texts (int64), and for each whether a block begins or ends between it and the text before.
 * Raises ValueError for numbers that are those of no tree.
 * Plain twin: document.reading.visible_texts. Gain: about 2.6 times. */
static PyObject *visible_texts(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array roles, tags, sizes, hidden, out, breaks;
    if (expect(arguments, 4, "visible_texts") || take_two(given, np_int32, np_int32, &roles, &tags))
        return NULL;
    if (take_two(given + 2, np_int32, np_bool, &sizes, &hidden)) {
        PyBuffer_Release(&roles.view);
        PyBuffer_Release(&tags.view);
        return NULL;
    }
    PyObject *nodes = NULL, *begin = NULL;
    Py_ssize_t texts = -1, place = 0;
    int32_t *borders = NULL;
    if (sizes.count != tags.count || hidden.count != tags.count)
        no_tree();
    else if ((borders = room(tags.count + 1, sizeof *borders)) != NULL) {
        memset(borders, 0, (size_t)(tags.count + 1) * sizeof *borders);
        texts = find_borders(&roles, &tags, &sizes, &hidden, borders);
    }
    if (texts >= 0 && (nodes = make(texts, np_int64, &out)) != NULL) {
        if ((begin = make(texts, np_bool, &breaks)) != NULL) {
            int passed = 0;
            for (Py_ssize_t node = 0; node < tags.count; node++) {
                passed |= borders[node] != 0;
                if (hidden.at.u8[node] || !(roles.at.i32[tags.at.i32[node]] & TEXT))
                    continue;
                breaks.at.u8[place] = place > 0 && passed;
                out.at.i64[place++] = node;
                passed = 0;
            }
            PyBuffer_Release(&breaks.view);
        }
        PyBuffer_Release(&out.view);
    }
    PyMem_Free(borders);
    PyBuffer_Release(&roles.view);
    PyBuffer_Release(&tags.view);
    PyBuffer_Release(&sizes.view);
    PyBuffer_Release(&hidden.view);
    return both_or_none(nodes, begin);
}

PyMethodDef screen_functions[] = {
    MANY(visible_texts),
    MANY(joined),
    MANY(collapsed_texts),
    ONE(visible_length),
    MANY(owned_texts),
    MANY(equal_ends),
    {NULL},
};
