/* Hashes that stand more or less often on one of two sides, once, or again (detect/counts.py, detect/coarse.py,
 * detect/alignment.py, detect/lcs.py). */

#include "native.h"

/* Fills chains with so many numbers. The caller unchains them, also after a failure. */
int chain(Chains *chains, const uint64_t *items, int32_t count)
{
    uint64_t size = 16;
    while (size < 2 * (uint64_t)count)
        size *= 2;
    chains->mask = size - 1;
    chains->keys = room((Py_ssize_t)size, sizeof *chains->keys);
    chains->last = room((Py_ssize_t)size, sizeof *chains->last);
    chains->before = room(count, sizeof *chains->before);
    if (!chains->keys || !chains->last || !chains->before)
        return -1;
    memset(chains->last, 0xFF, size * sizeof *chains->last); /* none */
    for (int32_t place = 0; place < count; place++) {
        uint64_t slot = slot_of(chains, items[place]);
        chains->keys[slot] = items[place];
        chains->before[place] = chains->last[slot];
        chains->last[slot] = place;
    }
    return 0;
}

/* Frees what `chain` took. */
void unchain(Chains *chains)
{
    PyMem_Free(chains->keys);
    PyMem_Free(chains->last);
    PyMem_Free(chains->before);
}

/* The places of one number as a list, followed back from its last place. */
static PyObject *places_in(const Chains *chains, int32_t last)
{
    Py_ssize_t count = 0;
    for (int32_t place = last; place >= 0; place = chains->before[place])
        count++;
    PyObject *places = PyList_New(count);
    for (int32_t place = last; places && place >= 0; place = chains->before[place]) {
        PyObject *number = PyLong_FromLong(place);
        if (number == NULL)
            Py_CLEAR(places);
        else
            PyList_SET_ITEM(places, --count, number);
    }
    return places;
}

/* Adds the places of a number on both sides to the list. */
static int add_recounted(PyObject *found, const Chains *old, int32_t one, const Chains *new, int32_t other)
{
    PyObject *both = both_or_none(places_in(old, one), places_in(new, other));
    int failed = both == NULL || PyList_Append(found, both) < 0;
    Py_XDECREF(both);
    return failed;
}

/* Takes two columns of hashes (uint64). Returns, for each number that stands more or less often in the new
 * column than in the old, the list of its places in the old and the list of its places in the new; in the
 * order of the old column, then of the new.
 * Plain twin: detect.counts.recounted. Gain: about 13 times. */
static PyObject *recounted(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array sides[2];
    Chains chains[2] = {{0}, {0}};
    PyObject *found = NULL;
    if (expect(arguments, 2, "recounted") || take_two(given, np_uint64, np_uint64, &sides[0], &sides[1]))
        return NULL;
    for (int side = 0; side < 2; side++)
        if (sides[side].count > INT32_MAX / 4) {
            PyErr_NoMemory();
            goto done;
        } else if (chain(&chains[side], sides[side].at.u64, (int32_t)sides[side].count)) {
            goto done;
        }
    found = PyList_New(0);
    for (int side = 0; side < 2; side++)
        for (int32_t place = 0; found && place < sides[side].count; place++) {
            if (chains[side].before[place] >= 0)
                continue; /* it was met before */
            uint64_t item = sides[side].at.u64[place];
            int32_t last[2] = {last_of(&chains[0], item), last_of(&chains[1], item)};
            if (side == 1 && last[0] >= 0)
                continue;
            int32_t one = last[0], other = last[1];
            while (one >= 0 && other >= 0)
                one = chains[0].before[one], other = chains[1].before[other];
            if ((one >= 0 || other >= 0) && add_recounted(found, &chains[0], last[0], &chains[1], last[1]))
                Py_CLEAR(found);
        }
done:
    unchain(&chains[0]);
    unchain(&chains[1]);
    PyBuffer_Release(&sides[0].view);
    PyBuffer_Release(&sides[1].view);
    return found;
}

/* Takes two columns of hashes (uint64). Returns how many numbers the two multisets have in common.
 * Plain twin: detect.alignment.shared. Gain: about 55 times. */
static PyObject *shared(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array sides[2];
    Chains chains = {0};
    PyObject *found = NULL;
    if (expect(arguments, 2, "shared") || take_two(given, np_uint64, np_uint64, &sides[0], &sides[1]))
        return NULL;
    int fewer = sides[0].count > sides[1].count;
    if (sides[fewer].count > INT32_MAX / 4) {
        PyErr_NoMemory();
        goto done;
    }
    if (chain(&chains, sides[fewer].at.u64, (int32_t)sides[fewer].count))
        goto done;
    long long common = 0;
    /* Each that is met in the other is taken out. */
    for (Py_ssize_t place = 0; place < sides[!fewer].count; place++) {
        uint64_t item = sides[!fewer].at.u64[place], slot = slot_of(&chains, item);
        if (chains.last[slot] >= 0) {
            common++;
            int32_t before = chains.before[chains.last[slot]];
            chains.last[slot] = before >= 0 ? before : TAKEN;
        }
    }
    found = PyLong_FromLongLong(common);
done:
    unchain(&chains);
    PyBuffer_Release(&sides[0].view);
    PyBuffer_Release(&sides[1].view);
    return found;
}

/* Takes two dicts from an item to its count. Returns how many items the two multisets have in common.
 * Plain twin: detect.lcs.in_common. Gain: about 8 times. */
static PyObject *in_common(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    if (expect(arguments, 2, "in_common"))
        return NULL;
    if (!PyDict_Check(given[0]) || !PyDict_Check(given[1])) {
        PyErr_SetString(PyExc_TypeError, "counts are dictionaries");
        return NULL;
    }
    int swap = PyDict_GET_SIZE(given[0]) > PyDict_GET_SIZE(given[1]);
    PyObject *fewer = given[swap], *more = given[!swap], *item, *count;
    Py_ssize_t place = 0;
    long long common = 0;
    while (PyDict_Next(fewer, &place, &item, &count)) {
        Py_INCREF(item);
        long long here = PyLong_AsLongLong(count);
        PyObject *other = PyDict_GetItemWithError(more, item);
        Py_DECREF(item);
        long long there = other ? PyLong_AsLongLong(other) : 0;
        if (PyErr_Occurred())
            return NULL;
        common += here < there ? here : there;
    }
    return PyLong_FromLongLong(common);
}

typedef struct {
    uint64_t key;
    int32_t one, other; /* one more than the place on either side; 0: nowhere yet, -1: several */
} Met;

/* A table with room for so many different numbers; its size is `*mask` + 1. */
static Met *met_table(Py_ssize_t count, size_t *mask)
{
    size_t size = 16;
    Met *table = NULL;
    *mask = 0;
    if (count <= INT32_MAX / 4) {
        while (size < 2 * (size_t)count)
            size *= 2;
        *mask = size - 1;
        table = PyMem_Calloc(size, sizeof *table);
    }
    if (table == NULL)
        PyErr_NoMemory();
    return table;
}

/* Where a number is in the table, or would be. */
static inline Met *met_at(Met *table, size_t mask, uint64_t key)
{
    size_t at = (size_t)mixed(key) & mask;
    while (table[at].one && table[at].key != key)
        at = (at + 1) & mask;
    return table + at;
}

/* A table of a large page does not fit into the caches: what will be looked up so many places further on is
 * asked for beforehand. Gain: 1.3 to 1.8 times for once_in_both of two columns of a million numbers. */
enum { AHEAD = 16 };

static inline void ask_ahead(const Met *table, size_t mask, const Array *numbers, Py_ssize_t place)
{
    if (place + AHEAD < numbers->count)
        __builtin_prefetch(table + ((size_t)mixed(numbers->at.u64[place + AHEAD]) & mask), 1);
}

/* Takes two columns of hashes (uint64). Returns the old and the new places of the numbers that occur
 * exactly once in each column, in the order of the old places (both int64).
 * Plain twin: detect.lcs.once_in_both. Gain: about 5 times. */
static PyObject *once_in_both(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array old, new, ours, theirs;
    if (expect(arguments, 2, "once_in_both") || take_two(given, np_uint64, np_uint64, &old, &new))
        return NULL;
    PyObject *first = NULL, *second = NULL;
    size_t mask = 0;
    Py_ssize_t count = 0;
    Met *table = met_table(old.count, &mask);
    if (table == NULL || new.count > INT32_MAX / 4) {
        PyErr_NoMemory();
        goto done;
    }
    for (Py_ssize_t place = 0; place < old.count; place++) {
        ask_ahead(table, mask, &old, place);
        Met *met = met_at(table, mask, old.at.u64[place]);
        met->key = old.at.u64[place];
        met->one = met->one ? -1 : (int32_t)place + 1;
    }
    for (Py_ssize_t place = 0; place < new.count; place++) {
        ask_ahead(table, mask, &new, place);
        Met *met = met_at(table, mask, new.at.u64[place]);
        if (met->one)
            met->other = met->other ? -1 : (int32_t)place + 1;
    }
    for (Py_ssize_t place = 0; place < old.count; place++) {
        ask_ahead(table, mask, &old, place);
        Met *met = met_at(table, mask, old.at.u64[place]);
        count += met->one > 0 && met->other > 0;
    }
    first = make(count, np_int64, &ours);
    if (first != NULL && (second = make(count, np_int64, &theirs)) == NULL)
        PyBuffer_Release(&ours.view);
    if (second != NULL) {
        count = 0;
        for (Py_ssize_t place = 0; place < old.count; place++) {
            ask_ahead(table, mask, &old, place);
        Met *met = met_at(table, mask, old.at.u64[place]);
            if (met->one > 0 && met->other > 0) {
                ours.at.i64[count] = place;
                theirs.at.i64[count++] = met->other - 1;
            }
        }
        PyBuffer_Release(&ours.view);
        PyBuffer_Release(&theirs.view);
    }
done:
    PyMem_Free(table);
    PyBuffer_Release(&new.view);
    PyBuffer_Release(&old.view);
    return both_or_none(first, second);
}

/* Takes a column of hashes (uint64). Returns for each number how many equal numbers stand before it, 0 for
 * the first (uint64).
 * Plain twin: detect.coarse.ranks_among. Gain: about 12 times. */
static PyObject *ranks_among(PyObject *self, PyObject *given)
{
    Array numbers, out;
    size_t mask = 0;
    if (take(given, np_uint64, &numbers))
        return NULL;
    PyObject *made = NULL;
    Met *table = met_table(numbers.count, &mask);
    if (table != NULL && (made = make(numbers.count, np_uint64, &out)) != NULL) {
        for (Py_ssize_t place = 0; place < numbers.count; place++) {
            ask_ahead(table, mask, &numbers, place);
        Met *met = met_at(table, mask, numbers.at.u64[place]);
            met->key = numbers.at.u64[place];
            out.at.u64[place] = (uint64_t)met->one++;
        }
        PyBuffer_Release(&out.view);
    }
    PyMem_Free(table);
    PyBuffer_Release(&numbers.view);
    return made;
}

PyMethodDef count_functions[] = {
    MANY(recounted),
    MANY(shared),
    MANY(in_common),
    MANY(once_in_both),
    ONE(ranks_among),
    {NULL},
};
