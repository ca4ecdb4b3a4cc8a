/* Numbers that stand for strings, words and subtrees within one process (document/hashes.py, detect/sequences.py). */

#include "native.h"

#if PY_VERSION_HEX >= 0x030E0000
#define hash_of_bytes Py_HashBuffer
#else
extern Py_hash_t _Py_HashBytes(const void *, Py_ssize_t);
#define hash_of_bytes _Py_HashBytes
#endif

/* Takes an iterable of strings. Returns one number per string, its Python hash with mixed bits (uint64).
 * The numbers hold in one process only, because Python's hash is randomised.
 * Plain twin: document.hashes.string_hashes. Gain: about 6 times. */
static PyObject *string_hashes(PyObject *self, PyObject *given)
{
    Array out;
    PyObject *strings = PySequence_Fast(given, "strings are wanted");
    if (strings == NULL)
        return NULL;
    Py_ssize_t count = PySequence_Fast_GET_SIZE(strings);
    PyObject *made = make(count, np_uint64, &out);
    if (made != NULL) {
        Py_ssize_t place = 0;
        for (; place < count && place < PySequence_Fast_GET_SIZE(strings); place++) {
            PyObject *text = Py_NewRef(PySequence_Fast_GET_ITEM(strings, place));
            Py_hash_t hash = PyObject_Hash(text);
            Py_DECREF(text);
            if (hash == -1)
                break;
            out.at.u64[place] = mixed((uint64_t)(int64_t)hash);
        }
        PyBuffer_Release(&out.view);
        if (place < count) {
            Py_CLEAR(made);
            if (!PyErr_Occurred())
                PyErr_SetString(PyExc_RuntimeError, "the strings changed while they were read");
        }
    }
    Py_DECREF(strings);
    return made;
}

#define FIRST_PRIME UINT64_C(4294967291)
#define SECOND_PRIME UINT64_C(4294967279)

/* For each subtree its polynomial over a field, shifted so that it does not matter where it stands. The prime
 * is a constant in each call, so that the compiler spares the divisions. */
#define POLYNOMIAL(prime, powers, inverses, shift)                                                             \
    do {                                                                                                       \
        sums[0] = 0;                                                                                           \
        for (Py_ssize_t node = 0; node < count; node++)                                                        \
            sums[node + 1] = sums[node] + own.at.u64[node] % (prime) * (powers)[node] % (prime);               \
        for (Py_ssize_t node = 0; node < count; node++) {                                                      \
            uint64_t run = sums[node + sizes.at.i32[node]] - sums[node];                                       \
            out.at.u64[node] += (run % (prime) * (inverses)[node] % (prime)) << (shift);                       \
        }                                                                                                      \
    } while (0)

/* Takes one number per node (uint64), the subtree sizes (int32), and for each of two primes the powers of
 * its base and their inverses (uint64). Returns for each subtree one number made of its two polynomials
 * (uint64).
 * Plain twin: document.hashes.over_runs. Gain: about 2.7 times. */
static PyObject *over_runs(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array own, sizes, tables[4], out;
    int taken = 0;
    if (expect(arguments, 6, "over_runs") || take_two(given, np_uint64, np_int32, &own, &sizes))
        return NULL;
    Py_ssize_t count = own.count;
    PyObject *made = NULL;
    uint64_t *sums = NULL;
    int sound = sizes.count == count;
    for (Py_ssize_t node = 0; sound && node < count; node++)
        sound = sizes.at.i32[node] > 0 && sizes.at.i32[node] <= count - node;
    for (; taken < 4; taken++) {
        if (take(given[2 + taken], np_uint64, &tables[taken]))
            goto done;
        sound = sound && tables[taken].count >= count;
    }
    if (!sound) {
        no_tree();
        goto done;
    }
    if ((sums = room(count + 1, sizeof *sums)) == NULL || (made = make(count, np_uint64, &out)) == NULL)
        goto done;
    memset(out.at.u64, 0, (size_t)count * sizeof *out.at.u64);
    POLYNOMIAL(FIRST_PRIME, tables[0].at.u64, tables[1].at.u64, 32);
    POLYNOMIAL(SECOND_PRIME, tables[2].at.u64, tables[3].at.u64, 0);
    for (Py_ssize_t node = 0; node < count; node++)
        out.at.u64[node] =
            mixed(out.at.u64[node] + (uint64_t)sizes.at.i32[node] * UINT64_C(0x9E3779B97F4A7C15));
    PyBuffer_Release(&out.view);
done:
    PyMem_Free(sums);
    while (taken > 0)
        PyBuffer_Release(&tables[--taken].view);
    PyBuffer_Release(&sizes.view);
    PyBuffer_Release(&own.view);
    return made;
}

/* Takes a string, the starts and ends of its words (int64), and whether letters count in lower case.
 * Returns a hash for each ASCII word and 0 for the others (uint64), and the list of places of the others.
 * No string is made for a word.
 * Plain twin: detect.wording.ascii_hashes. Gain: about 3 times. */
static PyObject *ascii_hashes(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array starts, ends, out;
    if (expect(arguments, 4, "ascii_hashes"))
        return NULL;
    PyObject *text = given[0], *made = NULL, *beyond = NULL;
    int folding = PyObject_IsTrue(given[3]);
    if (folding < 0)
        return NULL;
    if (take_parts(given, &starts, &ends))
        return NULL;
    int64_t size = PyUnicode_GET_LENGTH(text);
    int kind = PyUnicode_KIND(text);
    const void *data = PyUnicode_DATA(text);
    char *word = NULL;
    Py_ssize_t longest = 0, place;
    for (place = 0; place < starts.count && place < ends.count; place++) {
        int64_t start = starts.at.i64[place], end = ends.at.i64[place];
        if (start < 0 || end < start || end > size)
            break;
        if (end - start > longest)
            longest = (Py_ssize_t)(end - start);
    }
    if (starts.count != ends.count || place < starts.count) {
        PyErr_SetString(PyExc_IndexError, "a word leads outside of its text");
        goto done;
    }
    word = room(longest, 1);
    beyond = word ? PyList_New(0) : NULL;
    made = beyond ? make(starts.count, np_uint64, &out) : NULL;
    if (made == NULL)
        goto done;
    for (place = 0; place < starts.count; place++) {
        Py_ssize_t length = (Py_ssize_t)(ends.at.i64[place] - starts.at.i64[place]), at = 0;
        for (; at < length; at++) {
            Py_UCS4 character = PyUnicode_READ(kind, data, starts.at.i64[place] + at);
            if (character > 127)
                break;
            word[at] = (char)(folding && character - 'A' < 26 ? character | 32 : character);
        }
        if (at == length) {
            out.at.u64[place] = mixed((uint64_t)(int64_t)hash_of_bytes(word, length));
            continue;
        }
        out.at.u64[place] = 0;
        PyObject *number = PyLong_FromSsize_t(place);
        if (number == NULL || PyList_Append(beyond, number) < 0) {
            Py_XDECREF(number);
            Py_CLEAR(made);
            break;
        }
        Py_DECREF(number);
    }
    PyBuffer_Release(&out.view);
done:
    PyMem_Free(word);
    PyBuffer_Release(&ends.view);
    PyBuffer_Release(&starts.view);
    if (made == NULL)
        Py_CLEAR(beyond);
    return both_or_none(made, beyond);
}

PyMethodDef hash_functions[] = {
    ONE(string_hashes),
    MANY(over_runs),
    MANY(ascii_hashes),
    {NULL},
};
