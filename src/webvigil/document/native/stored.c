/* Strings and numbers of a stored digest (document/containers.py). */

#include "native.h"

#define FEW 240
#define ONES 0x0101010101010101u
#define HIGH 0x8080808080808080u

/* The highest bit of each of eight bytes. No ASCII character has it, so eight bytes are tested at once. */
static inline uint64_t not_ascii(const uint8_t *at)
{
    uint64_t eight;
    memcpy(&eight, at, sizeof eight);
    return eight & HIGH;
}

/* How many bytes stand before the first whose highest bit is set. */
static inline int bytes_before(uint64_t mask)
{
#if PY_BIG_ENDIAN
    int found = 0;
    for (; !(mask >> 63); mask <<= 8)
        found++;
    return found;
#else
    return (int)((((mask ^ (mask - 1)) & ONES) * ONES >> 56) - 1);
#endif
}

/* Are all of these bytes ASCII? Looks at eight bytes at a time. */
static int is_ascii(const uint8_t *at, Py_ssize_t size)
{
    Py_ssize_t place = 0;
    uint8_t seen = 0;
    for (; place + 8 <= size; place += 8)
        if (not_ascii(at + place))
            return 0;
    for (; place < size; place++)
        seen |= at[place];
    return seen < 128;
}

/* One character of UTF-8 that is longer than a byte, strictly; its length, 0 where there is none. */
static inline int character(const uint8_t *at, const uint8_t *end, Py_UCS4 *found)
{
#define MORE(place) (at[place] ^ 0x80u)
    Py_ssize_t left = end - at;
    if (at[0] >= 0xC2 && at[0] < 0xE0 && left >= 2 && MORE(1) < 64) {
        *found = (at[0] & 31u) << 6 | MORE(1);
        return 2;
    }
    if (at[0] >= 0xE0 && at[0] < 0xF0 && left >= 3 && MORE(1) < 64 && MORE(2) < 64) {
        *found = (at[0] & 15u) << 12 | MORE(1) << 6 | MORE(2);
        return *found >= 0x800 && (*found & 0xF800) != 0xD800 ? 3 : 0;
    }
    if (at[0] >= 0xF0 && at[0] < 0xF5 && left >= 4 && MORE(1) < 64 && MORE(2) < 64 && MORE(3) < 64) {
        *found = (at[0] & 7u) << 18 | MORE(1) << 12 | MORE(2) << 6 | MORE(3);
        return *found >= 0x10000 && *found <= 0x10FFFF ? 4 : 0;
    }
    return 0;
#undef MORE
}

/* Writes the characters, of which there are as many as fit between `out` and `last` at most. Eight bytes go
 * at once as if they were ASCII; what comes behind the first that is not is then written over. */
#define DECODER(name, type)                                                                     \
    static int name(type *out, type *last, const uint8_t *at, const uint8_t *end)               \
    {                                                                                           \
        while (at < end) {                                                                      \
            if (end - at >= 8 && last - out >= 8) {                                             \
                uint64_t mask = not_ascii(at);                                                  \
                for (int place = 0; place < 8; place++)                                         \
                    out[place] = at[place];                                                     \
                int passed = mask ? bytes_before(mask) : 8;                                     \
                out += passed, at += passed;                                                    \
                if (!mask)                                                                      \
                    continue;                                                                   \
            }                                                                                   \
            Py_UCS4 found = *at;                                                                \
            int length = found < 128 ? 1 : character(at, end, &found);                          \
            if (length == 0)                                                                    \
                return 0;                                                                       \
            *out++ = (type)found;                                                               \
            at += length;                                                                       \
        }                                                                                       \
        return 1;                                                                               \
    }
DECODER(decode1, Py_UCS1)
DECODER(decode2, Py_UCS2)
DECODER(decode4, Py_UCS4)

/* The string of well-formed UTF-8: the bytes tell how many characters it has and how wide they are before one
 * is written. NULL without an error where it is not well-formed. */
static PyObject *well_formed(const uint8_t *at, Py_ssize_t size)
{
    Py_ssize_t count = 0;
    uint8_t most = 0;
    for (Py_ssize_t begin = 0; begin < size; begin += FEW) { /* so few that a byte counts them, many at once */
        Py_ssize_t stop = begin + FEW < size ? begin + FEW : size;
        uint8_t some = 0;
        for (Py_ssize_t place = begin; place < stop; place++) {
            some += (int8_t)at[place] >= -64; /* not a byte that goes on with a character */
            most = at[place] > most ? at[place] : most;
        }
        count += some;
    }
    Py_UCS4 widest = most < 0xC4 ? 0xFF : most < 0xF0 ? 0xFFFF : 0x10FFFF;
    PyObject *text = count ? PyUnicode_New(count, widest) : NULL;
    if (text == NULL)
        return NULL;
    void *out = PyUnicode_DATA(text);
    const uint8_t *end = at + size;
    int sound = widest == 0xFF ? decode1(out, (Py_UCS1 *)out + count, at, end)
                : widest == 0xFFFF ? decode2(out, (Py_UCS2 *)out + count, at, end)
                                   : decode4(out, (Py_UCS4 *)out + count, at, end);
    if (!sound)
        Py_CLEAR(text);
    return text;
}

/* Strings of one character exist already: the decoder of Python knows them, and lone surrogates. */
static PyObject *utf8(const char *at, Py_ssize_t size, int plain)
{
    PyObject *text = NULL;
    if (size > 1 && (plain || is_ascii((const uint8_t *)at, size))) {
        text = PyUnicode_New(size, 127);
        if (text != NULL)
            memcpy(PyUnicode_DATA(text), at, (size_t)size);
        return text;
    }
    if (size > 4)
        text = well_formed((const uint8_t *)at, size);
    if (text != NULL || PyErr_Occurred())
        return text;
    return PyUnicode_DecodeUTF8(at, size, "surrogatepass");
}

/* Where the next string ends, at most at the end of all; `plain` says that it is seen to be of ASCII alone. */
static const char *next_end(const char *at, const char *end, int *plain)
{
    for (const char *eight = at; end - eight >= 8; eight += 8) {
        uint64_t bytes, ends;
        memcpy(&bytes, eight, sizeof bytes);
        if (bytes & HIGH)
            break;
        ends = ~(bytes + (HIGH - ONES)) & HIGH; /* every byte but NUL becomes high, and none carries */
        if (ends) {
            *plain = 1;
            return eight + bytes_before(ends);
        }
    }
    *plain = 0;
    const char *stop = at < end ? memchr(at, 0, (size_t)(end - at)) : NULL;
    return stop ? stop : end;
}

/* Takes bytes of UTF-8, in which lone surrogates may stand, with a NUL between strings, and the number of
 * strings. Returns the tuple of strings. Raises ValueError if there are more or fewer.
 * Plain twin: document.containers.split_strings. Gain: about 2 times. */
static PyObject *split_strings(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Py_buffer block;
    if (expect(arguments, 2, "split_strings"))
        return NULL;
    Py_ssize_t count = PyLong_AsSsize_t(given[1]);
    if (count == -1 && PyErr_Occurred())
        return NULL;
    if (PyObject_GetBuffer(given[0], &block, PyBUF_SIMPLE) != 0)
        return NULL;
    const char *at = block.buf, *end = at + block.len;
    /* So many strings have one byte less between them, at least. */
    int fit = count > 0 && count - 1 <= block.len;
    PyObject *table = fit ? PyTuple_New(count) : NULL;
    for (Py_ssize_t place = 0; table && place < count; place++) {
        int plain;
        const char *stop = next_end(at, end, &plain);
        fit = (stop == end) == (place == count - 1);
        PyObject *text = fit ? utf8(at, stop - at, plain) : NULL;
        if (text != NULL)
            PyTuple_SET_ITEM(table, place, text);
        else
            Py_CLEAR(table);
        at = stop + 1;
    }
    if (!fit && !PyErr_Occurred())
        PyErr_SetString(PyExc_ValueError, "there are not as many strings");
    PyBuffer_Release(&block);
    return table;
}

/* Takes little-endian numbers of 1, 2 or 4 bytes, their width, and a number to subtract from each. Returns
 * the differences (int32). Raises ValueError for another width or a length that does not fit it.
 * Plain twin: document.containers.widened. Gain: about 5 times. */
static PyObject *widened(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Py_buffer data;
    Array out;
    if (expect(arguments, 3, "widened"))
        return NULL;
    Py_ssize_t width = PyLong_AsSsize_t(given[1]), less = PyLong_AsSsize_t(given[2]);
    if (PyErr_Occurred() || PyObject_GetBuffer(given[0], &data, PyBUF_SIMPLE) != 0)
        return NULL;
    PyObject *made = NULL;
    if ((width != 1 && width != 2 && width != 4) || data.len % width)
        PyErr_SetString(PyExc_ValueError, "these are not whole numbers");
    else
        made = make(data.len / width, np_int32, &out);
    if (made != NULL) {
        const uint8_t *at = data.buf;
        uint32_t *to = (uint32_t *)out.at.i32, off = (uint32_t)less;
        for (Py_ssize_t place = 0; width == 1 && place < out.count; place++)
            to[place] = at[place] - off;
        for (Py_ssize_t place = 0; width == 2 && place < out.count; place++)
            to[place] = (at[2 * place] | (uint32_t)at[2 * place + 1] << 8) - off;
        for (Py_ssize_t place = 0; width == 4 && place < out.count; place++)
            to[place] = (at[4 * place] | (uint32_t)at[4 * place + 1] << 8 |
                         (uint32_t)at[4 * place + 2] << 16 | (uint32_t)at[4 * place + 3] << 24) - off;
        PyBuffer_Release(&out.view);
    }
    PyBuffer_Release(&data);
    return made;
}

PyMethodDef stored_functions[] = {
    MANY(split_strings),
    MANY(widened),
    {NULL},
};
