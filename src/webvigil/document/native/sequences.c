/* Sequences of hashes within other hashes (detect/sequences.py, detect/wording.py). */

#include "native.h"

/* Takes hashes of items (uint64), the places where blocks of them begin (int64), and the end of the last
 * block. Returns one number per block, equal for blocks with the same items in the same order (uint64).
 * Plain twin: detect.wording.block_keys. Gain: about 8 times. */
static PyObject *block_keys(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array items, begins, out;
    if (expect(arguments, 3, "block_keys"))
        return NULL;
    int64_t end = PyLong_AsLongLong(given[2]);
    if ((end == -1 && PyErr_Occurred()) || take_two(given, np_uint64, np_int64, &items, &begins))
        return NULL;
    PyObject *keys = make(begins.count, np_uint64, &out);
    if (keys != NULL) {
        Py_ssize_t block = 0;
        for (; block < begins.count; block++) {
            int64_t start = begins.at.i64[block], stop = block + 1 < begins.count ? begins.at.i64[block + 1] : end;
            if (start < 0 || stop < start || stop > items.count)
                break;
            uint64_t key = (uint64_t)(stop - start), factor = UINT64_C(0x9E3779B97F4A7C15);
            for (int64_t at = start; at < stop; at++, factor *= UINT64_C(0x9E3779B97F4A7C15))
                key += items.at.u64[at] * factor;
            out.at.u64[block] = key;
        }
        PyBuffer_Release(&out.view);
        if (block < begins.count) {
            PyErr_SetString(PyExc_IndexError, "a block leads outside of its items");
            Py_CLEAR(keys);
        }
    }
    PyBuffer_Release(&begins.view);
    PyBuffer_Release(&items.view);
    return keys;
}

/* Takes hashes of items (uint64), pieces of them as starts and ends (int64), the items of all wanted
 * sequences one after the other (uint64) and the length of each sequence (int64). Returns for every
 * occurrence within a piece the number of the sequence and the item where it begins (both int64). Pieces
 * come in order; what lies outside the items is left out, and pieces that touch count as one.
 * Plain twin: detect.sequences.sequences_in. Gain: about 20 times. */
static PyObject *sequences_in(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array columns[5]; /* items, starts, ends, all sequences, their lengths */
    int taken = 0;
    PyObject *which = NULL, *where = NULL;
    uint64_t *firsts = NULL;
    int64_t *begins = NULL, *hits = NULL;
    Chains chains = {0};
    if (expect(arguments, 5, "sequences_in"))
        return NULL;
    for (; taken < 5; taken++)
        if (take(given[taken], taken == 0 || taken == 3 ? np_uint64 : np_int64, &columns[taken]))
            goto done;
    const uint64_t *items = columns[0].at.u64, *wanted = columns[3].at.u64;
    const int64_t *lengths = columns[4].at.i64;
    Py_ssize_t count = columns[4].count, total = 0, size = 0, known = 256;
    int fits_in = columns[1].count == columns[2].count && count < INT32_MAX / 4;
    if (fits_in) {
        firsts = room(count, sizeof *firsts);
        begins = room(count, sizeof *begins);
        hits = room(2 * known, sizeof *hits);
        if (!firsts || !begins || !hits)
            goto done;
    }
    for (Py_ssize_t one = 0; fits_in && one < count; one++) {
        fits_in = lengths[one] > 0 && lengths[one] <= columns[3].count - total;
        if (fits_in) {
            firsts[one] = wanted[total];
            begins[one] = total;
            total += (Py_ssize_t)lengths[one];
        }
    }
    if (!fits_in) {
        PyErr_SetString(PyExc_IndexError, "a sequence leads outside of its items");
        goto done;
    }
    if (chain(&chains, firsts, (int32_t)count))
        goto done;
    const int64_t *starts = columns[1].at.i64, *ends = columns[2].at.i64;
    int64_t end = 0;
    for (Py_ssize_t piece = 0; piece < columns[1].count; piece++) {
        int64_t at = starts[piece] > end ? starts[piece] : end;
        end = ends[piece];
        while (piece + 1 < columns[1].count && starts[piece + 1] <= end) {
            piece++;
            end = ends[piece] > end ? ends[piece] : end;
        }
        if (end > columns[0].count)
            end = columns[0].count;
        if (end < 0) /* the next piece begins with the first item at the earliest */
            end = 0;
        for (; at < end; at++) {
            Py_ssize_t first = size;
            int32_t one = count > 1 ? last_of(&chains, items[at]) : count && items[at] == firsts[0] ? 0 : -1;
            for (; one >= 0; one = chains.before[one]) {
                if (lengths[one] > end - at ||
                    memcmp(items + at, wanted + begins[one], (size_t)lengths[one] * sizeof *items) != 0)
                    continue;
                if (size == known) {
                    int64_t *grown = known < PY_SSIZE_T_MAX / 64
                                         ? PyMem_Realloc(hits, (size_t)(4 * known) * sizeof *hits)
                                         : NULL;
                    if (grown == NULL) {
                        PyErr_NoMemory();
                        goto done;
                    }
                    hits = grown;
                    known *= 2;
                }
                hits[2 * size] = one;
                hits[2 * size + 1] = at;
                size++;
            }
            /* A chain leads from the last to the first. */
            for (Py_ssize_t low = first, high = size - 1; low < high; low++, high--) {
                int64_t one = hits[2 * low];
                hits[2 * low] = hits[2 * high];
                hits[2 * high] = one;
            }
        }
    }
    unzipped(hits, size, &which, &where);
done:
    unchain(&chains);
    PyMem_Free(firsts);
    PyMem_Free(begins);
    PyMem_Free(hits);
    while (taken > 0)
        PyBuffer_Release(&columns[--taken].view);
    return both_or_none(which, where);
}

PyMethodDef sequence_functions[] = {
    MANY(block_keys),
    MANY(sequences_in),
    {NULL},
};
