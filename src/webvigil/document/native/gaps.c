/* Where two sequences of hashes differ, and what two texts have in common (detect/alignment.py, detect/lcs.py). */

#include "native.h"

/* Two columns of numbers and a piece of each: from where to where. */
typedef struct {
    Array old, new;
    int64_t i, i_end, j, j_end;
} Piece;

/* Gives access to both columns; -1 with an error if an edge of the piece lies outside of its column. */
static int take_piece(PyObject *const *given, Piece *piece)
{
    int64_t *edges[4] = {&piece->i, &piece->i_end, &piece->j, &piece->j_end};
    for (int edge = 0; edge < 4; edge++) {
        *edges[edge] = PyLong_AsLongLong(given[2 + edge]);
        if (*edges[edge] == -1 && PyErr_Occurred())
            return -1;
    }
    if (take_two(given, np_uint64, np_uint64, &piece->old, &piece->new))
        return -1;
    if (piece->i < 0 || piece->i_end < piece->i || piece->i_end > piece->old.count || piece->j < 0 ||
        piece->j_end < piece->j || piece->j_end > piece->new.count) {
        PyErr_SetString(PyExc_IndexError, "a piece leads outside of its items");
        PyBuffer_Release(&piece->old.view);
        PyBuffer_Release(&piece->new.view);
        return -1;
    }
    return 0;
}

/* Gives both columns back. */
static void release_piece(Piece *piece)
{
    PyBuffer_Release(&piece->old.view);
    PyBuffer_Release(&piece->new.view);
}

/* Without what both sides begin with, and without what they then end with. */
static void trim(Piece *piece)
{
    const uint64_t *old = piece->old.at.u64, *new = piece->new.at.u64;
    while (piece->i < piece->i_end && piece->j < piece->j_end && old[piece->i] == new[piece->j])
        piece->i++, piece->j++;
    while (piece->i < piece->i_end && piece->j < piece->j_end && old[piece->i_end - 1] == new[piece->j_end - 1])
        piece->i_end--, piece->j_end--;
}

/* Takes two columns of hashes (uint64) and a piece of each as start and end. Returns the borders of both
 * pieces without the items that both begin with, and without those that both then end with.
 * Plain twin: detect.alignment.trimmed_items. Gain: about 20 times. */
static PyObject *trimmed_items(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Piece piece;
    if (expect(arguments, 6, "trimmed_items") || take_piece(given, &piece))
        return NULL;
    trim(&piece);
    release_piece(&piece);
    return Py_BuildValue("LLLL", (long long)piece.i, (long long)piece.i_end, (long long)piece.j,
                         (long long)piece.j_end);
}

/* Adds a gap to the list, unless it is empty on both sides. */
static int add_gap(PyObject *found, int64_t i, int64_t i_end, int64_t j, int64_t j_end)
{
    if (i == i_end && j == j_end)
        return 0;
    PyObject *gap = Py_BuildValue("LLLL", (long long)i, (long long)i_end, (long long)j, (long long)j_end);
    int failed = gap == NULL || PyList_Append(found, gap) < 0;
    Py_XDECREF(gap);
    return failed;
}

/* Takes the same arguments as `trimmed_items`. Returns the list of places (old start, old end, new start,
 * new end) where the two pieces differ: everything outside a longest common subsequence. The subsequence
 * is found 64 items at a time (Hyyrö 2004): bit i of row j is 0 where old item i adds to what the first j
 * + 1 new items have in common with the old. On the way back an old item is left out as soon as it can be.
 * Plain twin: detect.lcs.exact_gaps. Gain: about 15 times. */
static PyObject *exact_gaps(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Piece piece;
    if (expect(arguments, 6, "exact_gaps") || take_piece(given, &piece))
        return NULL;
    trim(&piece);
    const uint64_t *old = piece.old.at.u64 + piece.i, *new = piece.new.at.u64 + piece.j;
    int64_t height = piece.j_end - piece.j, width = piece.i_end - piece.i;
    PyObject *found = PyList_New(0);
    Chains chains = {0};
    uint64_t *rows = NULL, *matches = NULL, *dense = NULL;
    int32_t *how_many = NULL, *kept = NULL;
    int64_t (*gaps)[4] = NULL;
    if (found == NULL || width == 0 || height == 0) {
        if (found && add_gap(found, piece.i, piece.i_end, piece.j, piece.j_end))
            Py_CLEAR(found);
        goto done;
    }
    int64_t words = (width + 63) / 64;
    if (width > INT32_MAX / 2 || height > INT32_MAX / 2 || words > PY_SSIZE_T_MAX / 16 / height) {
        PyErr_NoMemory();
        Py_CLEAR(found);
        goto done;
    }
    /* An item that stands often is marked once for all rows: no more than 64 items can be such. */
    rows = room((Py_ssize_t)(words * height), sizeof *rows);
    matches = room((Py_ssize_t)words, sizeof *matches);
    how_many = room((Py_ssize_t)width, sizeof *how_many);
    kept = room((Py_ssize_t)width, sizeof *kept);
    if (!rows || !matches || !how_many || !kept || chain(&chains, old, (int32_t)width)) {
        Py_CLEAR(found);
        goto done;
    }
    int64_t often = 0;
    for (int32_t place = 0; place < width; place++) {
        how_many[place] = chains.before[place] < 0 ? 1 : how_many[chains.before[place]] + 1;
        kept[place] = -1;
        often += how_many[place] == words + 1;
    }
    if (often && (dense = PyMem_Calloc((size_t)(often * words), sizeof *dense)) == NULL) {
        PyErr_NoMemory();
        Py_CLEAR(found);
        goto done;
    }
    memset(matches, 0, (size_t)words * sizeof *matches);
    int32_t marked = 0;
    for (int64_t row = 0; row < height; row++) {
        const uint64_t *above = row ? rows + (row - 1) * words : NULL;
        uint64_t *here = rows + row * words, carry = 0, *with = matches;
        int32_t last = last_of(&chains, new[row]);
        if (last >= 0 && how_many[last] > words) {
            if (kept[last] < 0) {
                kept[last] = marked++;
                for (int32_t place = last; place >= 0; place = chains.before[place])
                    dense[kept[last] * words + place / 64] |= UINT64_C(1) << place % 64;
            }
            with = dense + kept[last] * words;
        } else {
            for (int32_t place = last; place >= 0; place = chains.before[place])
                matches[place / 64] |= UINT64_C(1) << place % 64;
        }
        for (int64_t word = 0; word < words; word++) {
            uint64_t before = above ? above[word] : ~UINT64_C(0), taken = before & with[word];
            uint64_t sum = before + taken, over = sum < before;
            uint64_t whole = sum + carry;
            carry = over | (whole < sum);
            here[word] = whole | (before & ~with[word]);
        }
        if (with == matches)
            for (int32_t place = last; place >= 0; place = chains.before[place])
                matches[place / 64] = 0;
    }
    /* From the end back; equal items between two gaps are what is common. */
    gaps = room((Py_ssize_t)(width + height + 1), sizeof *gaps);
    if (gaps == NULL) {
        Py_CLEAR(found);
        goto done;
    }
    int64_t column = width, row = height, count = 0, i_end = width, j_end = height;
    while (row > 0 && column > 0) {
        if (rows[(row - 1) * words + (column - 1) / 64] >> (column - 1) % 64 & 1) {
            column--;
        } else if (row > 1 && !(rows[(row - 2) * words + (column - 1) / 64] >> (column - 1) % 64 & 1)) {
            row--;
        } else {
            if (column < i_end || row < j_end) {
                int64_t gap[4] = {column, i_end, row, j_end};
                memcpy(gaps[count++], gap, sizeof gap);
            }
            column--, row--;
            i_end = column, j_end = row;
        }
    }
    if (i_end > 0 || j_end > 0) {
        int64_t gap[4] = {0, i_end, 0, j_end};
        memcpy(gaps[count++], gap, sizeof gap);
    }
    while (found && count--)
        if (add_gap(found, gaps[count][0] + piece.i, gaps[count][1] + piece.i, gaps[count][2] + piece.j,
                    gaps[count][3] + piece.j))
            Py_CLEAR(found);
done:
    PyMem_Free(rows);
    PyMem_Free(matches);
    PyMem_Free(dense);
    PyMem_Free(how_many);
    PyMem_Free(kept);
    PyMem_Free(gaps);
    unchain(&chains);
    release_piece(&piece);
    return found;
}

/* The characters of a string, whatever their width. */
typedef struct {
    int kind;
    const void *data;
    Py_ssize_t size;
} Text;

/* The characters of a string, as they lie in memory. */
static Text text_of(PyObject *given)
{
    return (Text){(int)PyUnicode_KIND(given), PyUnicode_DATA(given), PyUnicode_GET_LENGTH(given)};
}

/* The character at a place of a text. */
static Py_UCS4 at(Text text, Py_ssize_t place)
{
    return PyUnicode_READ(text.kind, text.data, place);
}

/* For up to 64 characters of a text: the bits of the places where each character is. Characters of Latin-1 have a
 * table, others are in an open hash table with room for twice as many. */
typedef struct {
    uint64_t latin[256], others[128];
    Py_UCS4 which[128];
} Places;

/* The places of a character; where it is nowhere, a number that is 0. */
static uint64_t *places_of(Places *places, Py_UCS4 character)
{
    if (character < 256)
        return &places->latin[character];
    uint32_t slot = (uint32_t)(character * UINT32_C(2654435761)) >> 25;
    while (places->which[slot] && places->which[slot] != character)
        slot = (slot + 1) % 128;
    return &places->others[slot];
}

/* Notes for each character between two places of a text, at most 64, where it stands: one bit for each place. */
static void note_places(Places *places, Text text, Py_ssize_t start, Py_ssize_t end)
{
    memset(places, 0, sizeof *places);
    for (Py_ssize_t place = start; place < end; place++) {
        Py_UCS4 character = at(text, place);
        uint64_t *bits = places_of(places, character);
        if (character >= 256)
            places->which[bits - places->others] = character;
        *bits |= UINT64_C(1) << (place - start);
    }
}

/* Counts what up to 64 characters add to the characters that two texts have in common. `carries` has a byte for each
 * character of the other text: what the addition of the 64 characters before carried over, and then what this one
 * carries over. It is NULL if there is nothing before or after. */
static Py_ssize_t added(const Places *places, Text other, uint8_t *carries)
{
    uint64_t row = ~UINT64_C(0);
    for (Py_ssize_t place = 0; place < other.size; place++) {
        uint64_t matches = *places_of((Places *)places, at(other, place)), taken = row & matches;
        uint64_t sum = row + taken, whole = sum + (carries ? carries[place] : 0);
        if (carries)
            carries[place] = (uint8_t)((sum < row) | (whole < sum));
        row = whole | (row & ~matches);
    }
    Py_ssize_t count = 0;
    for (uint64_t zeros = ~row; zeros; zeros &= zeros - 1)
        count++;
    return count;
}

/* Takes two texts. Returns how many characters they have in common in the same order: the length of a longest common
 * subsequence, found 64 characters of the shorter text at a time (Hyyrö 2004).
 * Plain twin: detect.lcs.common_length. Gain: about 50 times. */
static PyObject *common_length(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    if (expect(arguments, 2, "common_length"))
        return NULL;
    if (!is_text(given[0]) || !is_text(given[1])) {
        if (!PyErr_Occurred())
            PyErr_SetString(PyExc_TypeError, "two texts are compared");
        return NULL;
    }
    Text shorter = text_of(given[0]), longer = text_of(given[1]);
    if (shorter.size > longer.size) {
        Text swapped = shorter;
        shorter = longer;
        longer = swapped;
    }
    uint8_t *carries = NULL;
    if (shorter.size > 64 && (carries = PyMem_Calloc((size_t)longer.size, 1)) == NULL)
        return PyErr_NoMemory();
    Places places;
    Py_ssize_t count = 0;
    for (Py_ssize_t start = 0; start < shorter.size; start += 64) {
        note_places(&places, shorter, start, start + 64 < shorter.size ? start + 64 : shorter.size);
        count += added(&places, longer, carries);
    }
    PyMem_Free(carries);
    return PyLong_FromSsize_t(count);
}

PyMethodDef gap_functions[] = {
    MANY(trimmed_items),
    MANY(exact_gaps),
    MANY(common_length),
    {NULL},
};
