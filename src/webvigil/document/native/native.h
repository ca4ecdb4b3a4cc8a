/* What the files of the accelerator share: arrays in and out, chains of equal hashes, white space.
 *
 * The accelerator is one extension module, webvigil.document._fast, with one file for each topic. It holds compiled
 * versions of the functions that take most of the time in making and comparing Page Digests. fast.py chooses
 * between a function here and its plain twin in Python; tests check that both give the same answer. The comment above
 * each function that Python can call says what the function takes and returns, names its plain twin, and states its
 * gain: how many times as long the plain twin takes, with the arguments of 36 pairs of real pages of 100 KB on average
 * that are read, stored, loaded and compared by every change type (`python -m bench.speed.twins --pairs DIR`, the
 * median of three runs on Linux; run it again after a change here). A function that gains less than a third goes. The
 * gain of all functions together was measured for docs/decisions/accelerator.md: a digest from HTML takes 2.4 instead
 * of 3.6 times as long as the parser alone, loading a stored digest takes 0.21 instead of 0.35 ms, and the first
 * comparison of two versions of a page of 47 KB by nine change types takes 5.3 instead of 9.4 ms.
 *
 * Arrays come in through the buffer protocol and go out as numpy arrays, so numpy is not needed to compile.
 * No argument is trusted: an index is compared with the length of its table before it is used, and numbers that
 * are those of no tree raise ValueError. No function recurses. */

#ifndef WEBVIGIL_NATIVE_H
#define WEBVIGIL_NATIVE_H

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

/* --- arrays (arrays.c) ------------------------------------------------------------------------------ */

extern PyObject *np_empty, *np_contiguous, *np_int32, *np_int64, *np_uint64, *np_bool;

typedef struct {
    Py_buffer view;
    Py_ssize_t count;
    union {
        int32_t *i32;
        int64_t *i64;
        uint64_t *u64;
        uint8_t *u8;
    } at;
} Array;

int find_numpy(void);
int take(PyObject *given, PyObject *dtype, Array *array);
int take_two(PyObject *const *given, PyObject *dtype, PyObject *other_dtype, Array *one, Array *other);
PyObject *make(Py_ssize_t count, PyObject *dtype, Array *array);
PyObject *longs_of(const int64_t *numbers, Py_ssize_t count);
int unzipped(const int64_t *pairs, Py_ssize_t count, PyObject **firsts, PyObject **seconds);
void *room(Py_ssize_t count, size_t size);
int expect(Py_ssize_t given, Py_ssize_t wanted, const char *name);
PyObject *no_tree(void);
PyObject *both_or_none(PyObject *one, PyObject *other);

/* --- texts (strings.c, words.c) --------------------------------------------------------------------- */

int expect_text(PyObject *table, int32_t index, int32_t least);
int take_indices(PyObject *table, PyObject *given, Array *indices);
int take_texts(PyObject *table, PyObject *given, int32_t least, Array *indices);
void learn_specials(void);
int take_parts(PyObject *const *given, Array *starts, Array *ends);

/* Is this object a string whose characters can be read? Before Python 3.12 a string may have to be made ready. */
static inline int is_text(PyObject *given)
{
#if PY_VERSION_HEX < 0x030C0000
    return PyUnicode_Check(given) && PyUnicode_READY(given) == 0;
#else
    return PyUnicode_Check(given);
#endif
}

/* Is a character white space? Those of Latin-1 are looked up. */
extern uint8_t latin_space[256];

static inline int is_space(Py_UCS4 character)
{
    return character < 256 ? latin_space[character] : Py_UNICODE_ISSPACE(character);
}

/* --- hashes (counts.c) ------------------------------------------------------------------------------ */

/* Mixes the bits of a number, so that sums of a few numbers do not collide. */
static inline uint64_t mixed(uint64_t number)
{
    number = (number ^ (number >> 33)) * UINT64_C(0xFF51AFD7ED558CCD);
    return number ^ (number >> 29);
}

/* A hash table from a number to its last place, and for each place the place before it with the same number. The
 * table is open and at least twice as large as the count of numbers, so that searches stay short. */
typedef struct {
    uint64_t *keys;
    int32_t *last, *before;
    uint64_t mask;
} Chains;

#define NONE (-1)
#define TAKEN (-2)

int chain(Chains *chains, const uint64_t *items, int32_t count);
void unchain(Chains *chains);

/* Where a number is in the table, or would be. */
static inline uint64_t slot_of(const Chains *chains, uint64_t item)
{
    uint64_t slot = (item * UINT64_C(0x9E3779B97F4A7C15) >> 20) & chains->mask;
    while (chains->last[slot] != NONE && chains->keys[slot] != item)
        slot = (slot + 1) & chains->mask;
    return slot;
}

/* The last place of a number; NONE or TAKEN if there is none (any more). */
static inline int32_t last_of(const Chains *chains, uint64_t item)
{
    return chains->last[slot_of(chains, item)];
}

/* --- what each file adds to the module (module.c) --------------------------------------------------- */

#define MANY(name) {#name, (PyCFunction)(void (*)(void))name, METH_FASTCALL, NULL}
#define ONE(name) {#name, (PyCFunction)name, METH_O, NULL}

extern PyMethodDef tree_functions[], path_functions[], hash_functions[], string_functions[], screen_functions[],
    stored_functions[], word_functions[], gap_functions[], count_functions[], sequence_functions[];
extern PyTypeObject events_type;

#endif
