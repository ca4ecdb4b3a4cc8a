/* Compiled versions of the functions that take most of the time in making and comparing Page Digests.
 *
 * fast.py chooses between a function here and its plain twin in Python; tests check that both give the same
 * answer. The comment above each function that Python can call says what the function takes and returns, names
 * its plain twin, and states its gain where that was measured. The gain of all functions together was measured
 * for docs/decisions/accelerator.md: a digest from HTML takes 2.4 instead of 3.6 times as long as the parser
 * alone, loading a stored digest takes 0.21 instead of 0.35 ms, and the first comparison of two versions of a
 * page of 47 KB by nine change types takes 5.3 instead of 9.4 ms.
 *
 * Arrays come in through the buffer protocol and go out as numpy arrays, so numpy is not needed to compile.
 * No argument is trusted: an index is compared with the length of its table before it is used, and numbers that
 * are those of no tree raise ValueError. No function recurses. */

#define PY_SSIZE_T_CLEAN
#include <Python.h>
#include <stdint.h>
#include <string.h>

static PyObject *np_empty, *np_contiguous, *np_int32, *np_int64, *np_uint64, *np_bool;

/* --- arrays in and out ------------------------------------------------------------------------------ */

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

static int fits(const Py_buffer *view, PyObject *dtype)
{
    const char *format = view->format ? view->format : "B";
    if (view->ndim != 1 || format[1] != '\0')
        return 0;
    if (dtype == np_int32)
        return view->itemsize == 4 && strchr("il", format[0]) != NULL;
    if (dtype == np_int64)
        return view->itemsize == 8 && strchr("lq", format[0]) != NULL;
    if (dtype == np_uint64)
        return view->itemsize == 8 && strchr("LQ", format[0]) != NULL;
    return view->itemsize == 1 && format[0] == '?';
}

/* Gives access to the numbers of an array. An array of another type or with gaps is copied first. */
static int take(PyObject *given, PyObject *dtype, Array *array)
{
    if (PyObject_GetBuffer(given, &array->view, PyBUF_CONTIG_RO | PyBUF_FORMAT) == 0) {
        if (fits(&array->view, dtype))
            goto taken;
        PyBuffer_Release(&array->view);
    }
    PyErr_Clear();
    PyObject *copy = PyObject_CallFunctionObjArgs(np_contiguous, given, dtype, NULL);
    if (copy == NULL)
        return -1;
    int failed = PyObject_GetBuffer(copy, &array->view, PyBUF_CONTIG_RO | PyBUF_FORMAT);
    Py_DECREF(copy); /* the view holds on to it */
    if (failed)
        return -1;
    if (!fits(&array->view, dtype)) {
        PyBuffer_Release(&array->view);
        PyErr_SetString(PyExc_ValueError, "an array with one dimension is wanted");
        return -1;
    }
taken:
    array->count = array->view.len / array->view.itemsize;
    array->at.u8 = array->view.buf;
    return 0;
}

/* Makes a new numpy array and gives access to its numbers for writing. The caller releases the view. */
static PyObject *make(Py_ssize_t count, PyObject *dtype, Array *array)
{
    PyObject *size = PyLong_FromSsize_t(count);
    if (size == NULL)
        return NULL;
    PyObject *made = PyObject_CallFunctionObjArgs(np_empty, size, dtype, NULL);
    Py_DECREF(size);
    if (made == NULL)
        return NULL;
    if (PyObject_GetBuffer(made, &array->view, PyBUF_CONTIG) != 0) {
        Py_DECREF(made);
        return NULL;
    }
    array->count = count;
    array->at.u8 = array->view.buf;
    return made;
}

/* Returns memory for `count` items, at least one byte; NULL with an error set if there is not enough. */
static void *room(Py_ssize_t count, size_t size)
{
    void *found = NULL;
    if ((size_t)count < PY_SSIZE_T_MAX / size)
        found = PyMem_Malloc(count ? (size_t)count * size : 1);
    return found ? found : PyErr_NoMemory();
}

static int expect(Py_ssize_t given, Py_ssize_t wanted, const char *name)
{
    if (given == wanted)
        return 0;
    PyErr_Format(PyExc_TypeError, "%s takes %zd arguments, %zd were given", name, wanted, given);
    return -1;
}

static PyObject *no_tree(void)
{
    PyErr_SetString(PyExc_ValueError, "these are not the numbers of a tree");
    return NULL;
}

static PyObject *both_or_none(PyObject *one, PyObject *other)
{
    PyObject *pair = one && other ? PyTuple_Pack(2, one, other) : NULL;
    Py_XDECREF(one);
    Py_XDECREF(other);
    return pair;
}

/* --- the tree in depth-first order (arrays.py) ------------------------------------------------------ */

enum { SIZES, PARENTS, CHILDREN };

/* Walks once over the depths. Open nodes are on a stack, and each node closes those at its own level and deeper.
 * `wanted` says which column is filled: sizes, parents or child counts. */
static PyObject *walk_depths(PyObject *given, int wanted)
{
    Array depths, out;
    if (take(given, np_int32, &depths))
        return NULL;
    Py_ssize_t count = depths.count, open = 0;
    PyObject *made = NULL;
    int32_t *stack = room(count, sizeof *stack);
    if (stack == NULL || (made = make(count, np_int32, &out)) == NULL)
        goto done;
    for (Py_ssize_t node = 0; node < count; node++) {
        int32_t depth = depths.at.i32[node];
        if (depth < 0 || depth > open || count > INT32_MAX) {
            PyBuffer_Release(&out.view);
            Py_CLEAR(made);
            no_tree();
            goto done;
        }
        if (wanted == SIZES) {
            while (open > depth) {
                open--;
                out.at.i32[stack[open]] = (int32_t)(node - stack[open]);
            }
        } else {
            open = depth;
            out.at.i32[node] = wanted == PARENTS ? (depth ? stack[depth - 1] : -1) : 0;
            if (wanted == CHILDREN && depth)
                out.at.i32[stack[depth - 1]]++;
        }
        stack[open++] = (int32_t)node;
    }
    while (wanted == SIZES && open > 0) {
        open--;
        out.at.i32[stack[open]] = (int32_t)(count - stack[open]);
    }
    PyBuffer_Release(&out.view);
done:
    PyMem_Free(stack);
    PyBuffer_Release(&depths.view);
    return made;
}

/* Takes the depth of each node in depth-first order (int32). Returns the number of nodes in each subtree,
 * its root included (int32). Raises ValueError for depths that are those of no tree.
 * Plain twin: document.arrays.subtree_sizes. */
static PyObject *subtree_sizes(PyObject *self, PyObject *depths)
{
    return walk_depths(depths, SIZES);
}

/* Takes the depth of each node (int32). Returns the parent of each node, -1 for node 0 (int32). Raises
 * ValueError for depths that are those of no tree.
 * Plain twin: document.arrays.node_parents. */
static PyObject *node_parents(PyObject *self, PyObject *depths)
{
    return walk_depths(depths, PARENTS);
}

/* Takes the depth of each node (int32). Returns the number of children of each node (int32). Raises
 * ValueError for depths that are those of no tree.
 * Plain twin: document.arrays.structure_of. */
static PyObject *structure_of(PyObject *self, PyObject *depths)
{
    return walk_depths(depths, CHILDREN);
}

/* Walks once over the child counts. A node is closed when all of its children have come. Fills the sizes of the
 * subtrees, or the depths. */
static PyObject *walk_counts(PyObject *given, int sizes)
{
    Array structure, out;
    if (take(given, np_int32, &structure))
        return NULL;
    Py_ssize_t count = structure.count, open = 0;
    PyObject *made = NULL;
    int32_t *stack = room(count, sizeof *stack), *left = room(count, sizeof *left);
    if (stack == NULL || left == NULL || (made = make(count, np_int32, &out)) == NULL)
        goto done;
    Py_ssize_t node = 0;
    for (; node < count; node++) {
        int32_t children = structure.at.i32[node];
        if (children < 0 || (open == 0 && node > 0) || count > INT32_MAX)
            break;
        if (!sizes)
            out.at.i32[node] = (int32_t)open;
        else
            out.at.i32[node] = 1;
        stack[open] = (int32_t)node;
        left[open++] = children;
        while (open > 0 && left[open - 1] == 0) {
            open--;
            if (sizes)
                out.at.i32[stack[open]] = (int32_t)(node + 1 - stack[open]);
            if (open > 0)
                left[open - 1]--;
        }
    }
    PyBuffer_Release(&out.view);
    if (node < count || open > 0) {
        Py_CLEAR(made);
        no_tree();
    }
done:
    PyMem_Free(stack);
    PyMem_Free(left);
    PyBuffer_Release(&structure.view);
    return made;
}

/* Takes the number of children of each node in depth-first order (int32). Returns the number of nodes in
 * each subtree (int32). Raises ValueError for counts that are those of no tree.
 * Plain twin: document.arrays.sizes_of. */
static PyObject *sizes_of(PyObject *self, PyObject *structure)
{
    return walk_counts(structure, 1);
}

/* Takes the number of children of each node (int32). Returns the number of ancestors of each node (int32).
 * Raises ValueError for counts that are those of no tree.
 * Plain twin: document.arrays.node_depths. */
static PyObject *node_depths(PyObject *self, PyObject *structure)
{
    return walk_counts(structure, 0);
}

/* Takes child counts (int32). Returns whether they are those of one tree: every node but the first is
 * announced as a child by a node before it, and no announced child is missing at the end.
 * Plain twin: document.stored.is_tree. Gain: part of the step that made loading a stored digest twice as
 * fast (5e12731). */
static PyObject *is_tree(PyObject *self, PyObject *given)
{
    Array counts;
    if (take(given, np_int32, &counts))
        return NULL;
    int64_t places = 0;
    int sound = counts.count > 0;
    for (Py_ssize_t node = 0; sound && node < counts.count; node++) {
        places += counts.at.i32[node];
        sound = counts.at.i32[node] >= 0 && (node + 1 < counts.count ? places > node : places == node);
    }
    PyBuffer_Release(&counts.view);
    return PyBool_FromLong(sound);
}

/* Takes the parent of each node (int32). Returns the place of each node among its parent's children, from
 * 0 (int32).
 * Plain twin: document.arrays.sibling_ranks. */
static PyObject *sibling_ranks(PyObject *self, PyObject *given)
{
    Array parents, out;
    if (take(given, np_int32, &parents))
        return NULL;
    Py_ssize_t count = parents.count;
    PyObject *made = NULL;
    int32_t *seen = room(count + 1, sizeof *seen);
    if (seen == NULL || (made = make(count, np_int32, &out)) == NULL)
        goto done;
    memset(seen, 0, (size_t)(count + 1) * sizeof *seen);
    for (Py_ssize_t node = 0; node < count; node++) {
        int32_t parent = parents.at.i32[node];
        if (parent < -1 || parent >= count) {
            PyBuffer_Release(&out.view);
            Py_CLEAR(made);
            no_tree();
            goto done;
        }
        out.at.i32[node] = seen[parent + 1]++;
    }
    PyBuffer_Release(&out.view);
done:
    PyMem_Free(seen);
    PyBuffer_Release(&parents.view);
    return made;
}

enum { BELOW, ENCLOSING };

/* Walks once over marked nodes and sizes. Finds which nodes are in a marked subtree, or the nearest marked node
 * around each node. */
static PyObject *walk_marked(PyObject *const *given, Py_ssize_t arguments, int wanted)
{
    Array marked, sizes, out;
    if (expect(arguments, 2, "this function") || take(given[0], np_bool, &marked))
        return NULL;
    if (take(given[1], np_int32, &sizes)) {
        PyBuffer_Release(&marked.view);
        return NULL;
    }
    Py_ssize_t count = sizes.count, open = 0;
    int64_t until = 0;
    PyObject *made = NULL;
    int64_t *stack = wanted == ENCLOSING ? room(count, sizeof *stack) : NULL;
    if (marked.count != count) {
        no_tree();
        goto done;
    }
    if (wanted == ENCLOSING && stack == NULL)
        goto done;
    if ((made = make(count, wanted == BELOW ? np_bool : np_int64, &out)) == NULL)
        goto done;
    for (Py_ssize_t node = 0; node < count; node++) {
        int64_t end = (int64_t)node + sizes.at.i32[node];
        if (wanted == BELOW) {
            if (marked.at.u8[node] && end > until)
                until = end;
            out.at.u8[node] = node < until;
        } else {
            while (open > 0 && stack[open - 1] + sizes.at.i32[stack[open - 1]] <= node)
                open--;
            out.at.i64[node] = open > 0 ? stack[open - 1] : -1;
            if (marked.at.u8[node])
                stack[open++] = node;
        }
    }
    PyBuffer_Release(&out.view);
done:
    PyMem_Free(stack);
    PyBuffer_Release(&sizes.view);
    PyBuffer_Release(&marked.view);
    return made;
}

/* Takes a mask of marked nodes and the subtree sizes (int32). Returns a mask of all nodes in the subtrees
 * of the marked nodes, the marked nodes included.
 * Plain twin: document.arrays.below. */
static PyObject *below(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    return walk_marked(given, count, BELOW);
}

/* Takes a mask of marked nodes and the subtree sizes (int32). Returns for each node its nearest marked
 * ancestor, -1 for none (int64).
 * Plain twin: document.arrays.enclosing. */
static PyObject *enclosing(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    return walk_marked(given, count, ENCLOSING);
}

/* Takes ascending numbers (int32) and a count. Returns for each whole number from 0 to the count where it
 * begins, or would stand, among the numbers (int32).
 * Plain twin: document.arrays.starts_of. */
static PyObject *starts_of(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array numbers, out;
    if (expect(arguments, 2, "starts_of"))
        return NULL;
    Py_ssize_t count = PyLong_AsSsize_t(given[1]);
    if (count < 0 || count >= INT32_MAX) {
        if (!PyErr_Occurred())
            no_tree();
        return NULL;
    }
    if (take(given[0], np_int32, &numbers))
        return NULL;
    PyObject *made = numbers.count > INT32_MAX ? no_tree() : make(count + 1, np_int32, &out);
    if (made != NULL) {
        Py_ssize_t place = 0;
        for (Py_ssize_t node = 0; node <= count; node++) {
            while (place < numbers.count && numbers.at.i32[place] < node)
                place++;
            out.at.i32[node] = (int32_t)place;
        }
        PyBuffer_Release(&out.view);
    }
    PyBuffer_Release(&numbers.view);
    return made;
}

/* Takes indices (int32) into a table, the size of the table and how many entries at its start keep their
 * place. Renumbers the entries by first use. Returns the old numbers of the used entries in their new
 * order (int64), and the renumbered indices (int32).
 * Plain twin: document.arrays.first_use. */
static PyObject *first_use(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array indices, order, ranks;
    if (arguments != 3 && expect(arguments, 2, "first_use"))
        return NULL;
    Py_ssize_t size = PyLong_AsSsize_t(given[1]);
    Py_ssize_t fixed = arguments == 3 ? PyLong_AsSsize_t(given[2]) : 0;
    if (PyErr_Occurred())
        return NULL;
    if (size < 0 || fixed < 0 || fixed > size || size > INT32_MAX)
        return no_tree();
    if (take(given[0], np_int32, &indices))
        return NULL;
    PyObject *kept = NULL, *renumbered = NULL;
    Py_ssize_t used = fixed;
    int32_t *rank = room(size, sizeof *rank);
    int64_t *found = room(size, sizeof *found);
    if (rank == NULL || found == NULL || (renumbered = make(indices.count, np_int32, &ranks)) == NULL)
        goto done;
    for (Py_ssize_t entry = 0; entry < size; entry++) {
        rank[entry] = entry < fixed ? (int32_t)entry : -1;
        found[entry] = entry;
    }
    for (Py_ssize_t place = 0; place < indices.count; place++) {
        int32_t entry = indices.at.i32[place];
        if (entry < 0 || entry >= size) {
            PyBuffer_Release(&ranks.view);
            Py_CLEAR(renumbered);
            PyErr_SetString(PyExc_IndexError, "an index leads outside of its table");
            goto done;
        }
        if (rank[entry] < 0) {
            found[used] = entry;
            rank[entry] = (int32_t)used++;
        }
        ranks.at.i32[place] = rank[entry];
    }
    PyBuffer_Release(&ranks.view);
    kept = make(used, np_int64, &order);
    if (kept != NULL) {
        memcpy(order.at.i64, found, (size_t)used * sizeof *found);
        PyBuffer_Release(&order.view);
    }
done:
    PyMem_Free(rank);
    PyMem_Free(found);
    PyBuffer_Release(&indices.view);
    return both_or_none(kept, renumbered);
}

/* Takes for each node its parent, its name as a number, how many names there are, and 0 for nodes that
 * share the number of the node before them, otherwise 1 (all int32). Returns for each node its number
 * among the siblings of the same name, from 1, and how many of those there are (both int32).
 * Plain twin: document.paths.numbered. */
static PyObject *numbered(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array parents, names, counted, number, total;
    if (expect(arguments, 4, "numbered"))
        return NULL;
    Py_ssize_t kinds = PyLong_AsSsize_t(given[2]);
    if (kinds < 0 || kinds > INT32_MAX) {
        if (!PyErr_Occurred())
            no_tree();
        return NULL;
    }
    if (take(given[0], np_int32, &parents))
        return NULL;
    if (take(given[1], np_int32, &names)) {
        PyBuffer_Release(&parents.view);
        return NULL;
    }
    if (take(given[3], np_int32, &counted)) {
        PyBuffer_Release(&names.view);
        PyBuffer_Release(&parents.view);
        return NULL;
    }
    Py_ssize_t count = parents.count;
    PyObject *numbers = NULL, *totals = NULL;
    /* Children by parent: those of p are family[first[p + 1]] up to family[first[p + 2]]. */
    int32_t *first = room(count + 2, sizeof *first), *family = room(count, sizeof *family);
    int32_t *running = room(kinds, sizeof *running), *stamp = room(kinds, sizeof *stamp);
    if (!first || !family || !running || !stamp)
        goto done;
    int sound = names.count == count && counted.count == count && count < INT32_MAX - 2;
    for (Py_ssize_t node = 0; sound && node < count; node++) {
        int32_t parent = parents.at.i32[node], name = names.at.i32[node];
        sound = parent >= -1 && parent < count && name >= 0 && name < kinds;
    }
    if (!sound) {
        no_tree();
        goto done;
    }
    memset(first, 0, (size_t)(count + 2) * sizeof *first);
    for (Py_ssize_t node = 0; node < count; node++)
        first[parents.at.i32[node] + 2]++;
    for (Py_ssize_t place = 1; place < count + 2; place++)
        first[place] += first[place - 1];
    for (Py_ssize_t node = 0; node < count; node++)
        family[first[parents.at.i32[node] + 1]++] = (int32_t)node;
    if ((numbers = make(count, np_int32, &number)) == NULL)
        goto done;
    if ((totals = make(count, np_int32, &total)) == NULL) {
        PyBuffer_Release(&number.view);
        Py_CLEAR(numbers);
        goto done;
    }
    for (Py_ssize_t kind = 0; kind < kinds; kind++)
        stamp[kind] = -2;
    for (Py_ssize_t start = 0, end; start < count; start = end) {
        int32_t parent = parents.at.i32[family[start]];
        for (end = start; end < count && parents.at.i32[family[end]] == parent; end++) {
            int32_t node = family[end], name = names.at.i32[node];
            if (stamp[name] != parent) {
                stamp[name] = parent;
                running[name] = 0;
            }
            number.at.i32[node] = running[name] += counted.at.i32[node];
        }
        for (Py_ssize_t place = start; place < end; place++)
            total.at.i32[family[place]] = running[names.at.i32[family[place]]];
    }
    PyBuffer_Release(&number.view);
    PyBuffer_Release(&total.view);
done:
    PyMem_Free(first);
    PyMem_Free(family);
    PyMem_Free(running);
    PyMem_Free(stamp);
    PyBuffer_Release(&counted.view);
    PyBuffer_Release(&names.view);
    PyBuffer_Release(&parents.view);
    return both_or_none(numbers, totals);
}

/* Digits of a number that is not negative, before `end`; where they begin. */
static char *digits(int32_t number, char *end)
{
    do
        *--end = (char)('0' + number % 10);
    while (number /= 10);
    return end;
}

/* The columns that the paths of a page are made from: per node its parent, its name, its number among siblings
 * of that name, and how many of those there are; and the names. */
typedef struct {
    Array columns[4];
    PyObject *names;
} Ways;

static int take_ways(PyObject *const *given, Ways *ways)
{
    ways->names = given[4];
    if (!PyTuple_Check(ways->names)) {
        PyErr_SetString(PyExc_TypeError, "a tuple of names is wanted");
        return -1;
    }
    for (int taken = 0; taken < 4; taken++)
        if (take(given[taken], np_int32, &ways->columns[taken])) {
            while (taken > 0)
                PyBuffer_Release(&ways->columns[--taken].view);
            return -1;
        }
    return 0;
}

static void release_ways(Ways *ways)
{
    for (int taken = 0; taken < 4; taken++)
        PyBuffer_Release(&ways->columns[taken].view);
}

/* Makes the path from the document to a node: a name per step, and a number among several of that name. */
static PyObject *way_to(const Ways *ways, Py_ssize_t node)
{
    const int32_t *parents = ways->columns[0].at.i32, *tags = ways->columns[1].at.i32;
    const int32_t *number = ways->columns[2].at.i32, *total = ways->columns[3].at.i32;
    PyObject *names = ways->names, *whole = NULL;
    Py_ssize_t count = ways->columns[0].count, steps = 0, length = 0;
    Py_UCS4 largest = '/';
    if (ways->columns[1].count != count || ways->columns[2].count != count || ways->columns[3].count != count ||
        node < 0 || node >= count)
        return no_tree();
    for (Py_ssize_t above = node; above > 0; above = parents[above], steps++) {
        /* A parent stands before its children, so every way ends. */
        if (parents[above] < 0 || parents[above] >= above || tags[above] < 0 ||
            tags[above] >= PyTuple_GET_SIZE(names) || number[above] < 0)
            return no_tree();
        PyObject *name = PyTuple_GET_ITEM(names, tags[above]);
        if (!PyUnicode_Check(name) || PyUnicode_READY(name) < 0) {
            PyErr_SetString(PyExc_TypeError, "a tuple of names is wanted");
            return NULL;
        }
        if (PyUnicode_GET_LENGTH(name) > PY_SSIZE_T_MAX / 8 - length)
            return PyErr_NoMemory();
        char room_for[12], *end = room_for + sizeof room_for;
        length += 1 + PyUnicode_GET_LENGTH(name);
        if (total[above] > 1)
            length += 2 + (end - digits(number[above], end));
        if (PyUnicode_MAX_CHAR_VALUE(name) > largest)
            largest = PyUnicode_MAX_CHAR_VALUE(name);
    }
    if (steps == 0)
        return PyUnicode_FromString("/");
    whole = PyUnicode_New(length, largest);
    if (whole == NULL)
        return NULL;
    int kind = PyUnicode_KIND(whole);
    void *data = PyUnicode_DATA(whole);
    Py_ssize_t written = length;
    for (Py_ssize_t above = node; above > 0; above = parents[above]) {
        PyObject *name = PyTuple_GET_ITEM(names, tags[above]);
        if (total[above] > 1) {
            char room_for[12], *end = room_for + sizeof room_for, *first = digits(number[above], end);
            PyUnicode_WRITE(kind, data, --written, ']');
            while (end > first)
                PyUnicode_WRITE(kind, data, --written, (Py_UCS4) * --end);
            PyUnicode_WRITE(kind, data, --written, '[');
        }
        Py_ssize_t size = PyUnicode_GET_LENGTH(name);
        written -= size;
        if (size && PyUnicode_CopyCharacters(whole, written, name, 0, size) < 0) {
            Py_DECREF(whole);
            return NULL;
        }
        PyUnicode_WRITE(kind, data, --written, '/');
    }
    return whole;
}

/* Takes a node; for each node its parent, its name, its number among siblings of that name and how many of
 * those there are (int32); and the tuple of names. Returns the path of the node, such as
 * /html/body/ul[1]/li[3].
 * Plain twin: document.paths.path. */
static PyObject *path(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Ways ways;
    if (expect(arguments, 6, "path"))
        return NULL;
    Py_ssize_t node = PyNumber_AsSsize_t(given[0], PyExc_OverflowError);
    if ((node == -1 && PyErr_Occurred()) || take_ways(given + 1, &ways))
        return NULL;
    PyObject *whole = way_to(&ways, node);
    release_ways(&ways);
    return whole;
}

/* Takes a list of nodes and the same columns and names as `path`. Returns the list of their paths.
 * Plain twin: document.paths.path, once per node. */
static PyObject *paths(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Ways ways;
    if (expect(arguments, 6, "paths"))
        return NULL;
    if (!PyList_Check(given[0])) {
        PyErr_SetString(PyExc_TypeError, "a list of nodes is wanted");
        return NULL;
    }
    if (take_ways(given + 1, &ways))
        return NULL;
    PyObject *found = PyList_New(PyList_GET_SIZE(given[0]));
    for (Py_ssize_t place = 0; found && place < PyList_GET_SIZE(found); place++) {
        PyObject *whole = NULL;
        if (place < PyList_GET_SIZE(given[0])) {
            Py_ssize_t node = PyNumber_AsSsize_t(PyList_GET_ITEM(given[0], place), PyExc_OverflowError);
            whole = node == -1 && PyErr_Occurred() ? NULL : way_to(&ways, node);
        } else {
            PyErr_SetString(PyExc_RuntimeError, "the nodes changed while they were read");
        }
        if (whole == NULL)
            Py_CLEAR(found);
        else
            PyList_SET_ITEM(found, place, whole);
    }
    release_ways(&ways);
    return found;
}

/* Takes runs of words as starts and ends, the node of each word (all int64), the element that stands for
 * each node (int32), the largest number of paths per run, and the columns and names that `path` takes.
 * Returns for each run a tuple with the paths of the elements its words stand in, each element once.
 * Plain twin: detect.places.paths, once per run. */
static PyObject *run_paths(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Ways ways;
    Array columns[4]; /* starts, ends, nodes of the words, elements of the nodes */
    int taken = 0;
    PyObject *found = NULL, *known = NULL;
    int32_t *met = NULL;
    if (expect(arguments, 10, "run_paths"))
        return NULL;
    Py_ssize_t most = PyNumber_AsSsize_t(given[4], PyExc_OverflowError);
    if ((most == -1 && PyErr_Occurred()) || take_ways(given + 5, &ways))
        return NULL;
    for (; taken < 4; taken++)
        if (take(given[taken], taken < 3 ? np_int64 : np_int32, &columns[taken]))
            goto done;
    const int64_t *starts = columns[0].at.i64, *ends = columns[1].at.i64, *nodes = columns[2].at.i64;
    Py_ssize_t count = ways.columns[0].count;
    /* The run in which a node was last met. Without this column each word of a long run would have to be compared
     * with all nodes of the run. */
    met = room(count, sizeof *met);
    known = PyDict_New();
    if (met == NULL || known == NULL)
        goto done;
    memset(met, 0xFF, (size_t)count * sizeof *met);
    if (columns[0].count == columns[1].count && columns[0].count < INT32_MAX)
        found = PyList_New(columns[0].count);
    else
        PyErr_SetString(PyExc_ValueError, "as many starts as ends are wanted");
    for (Py_ssize_t run = 0; found && run < columns[0].count; run++) {
        PyObject *places = PyList_New(0), *way = NULL;
        int fine = places != NULL && starts[run] >= 0 && ends[run] <= columns[2].count;
        if (places && !fine)
            PyErr_SetString(PyExc_IndexError, "a run leads outside of its words");
        for (int64_t word = starts[run]; fine && word < ends[run] && PyList_GET_SIZE(places) < most; word++) {
            int32_t node = nodes[word] >= 0 && nodes[word] < columns[3].count ? columns[3].at.i32[nodes[word]] : -1;
            if (node < 0 || node >= count) {
                no_tree();
                fine = 0;
            } else if (met[node] != run) {
                met[node] = (int32_t)run;
                PyObject *number = PyLong_FromLong(node);
                way = number ? PyDict_GetItemWithError(known, number) : NULL;
                Py_XINCREF(way);
                if (number && way == NULL && !PyErr_Occurred()) {
                    way = way_to(&ways, node);
                    if (way && PyDict_SetItem(known, number, way) < 0)
                        Py_CLEAR(way);
                }
                fine = way != NULL && PyList_Append(places, way) == 0;
                Py_XDECREF(way);
                Py_XDECREF(number);
            }
        }
        PyObject *told = fine ? PyList_AsTuple(places) : NULL;
        Py_XDECREF(places);
        if (told == NULL)
            Py_CLEAR(found);
        else
            PyList_SET_ITEM(found, run, told);
    }
done:
    Py_XDECREF(known);
    PyMem_Free(met);
    while (taken > 0)
        PyBuffer_Release(&columns[--taken].view);
    release_ways(&ways);
    return found;
}

/* Takes two dicts from an item to its count. Returns how many items the two multisets have in common.
 * Plain twin: detect.lcs.in_common. */
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

/* --- signatures for one process (hashes.py) --------------------------------------------------------- */

static inline uint64_t mixed(uint64_t number)
{
    number = (number ^ (number >> 33)) * UINT64_C(0xFF51AFD7ED558CCD);
    return number ^ (number >> 29);
}

#if PY_VERSION_HEX >= 0x030E0000
#define hash_of_bytes Py_HashBuffer
#else
extern Py_hash_t _Py_HashBytes(const void *, Py_ssize_t);
#define hash_of_bytes _Py_HashBytes
#endif

/* Takes an iterable of strings. Returns one number per string, its Python hash with mixed bits (uint64).
 * The numbers hold in one process only, because Python's hash is randomised.
 * Plain twin: document.hashes.string_hashes. */
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
 * Plain twin: document.hashes.over_runs. */
static PyObject *over_runs(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array own, sizes, tables[4], out;
    int taken = 0;
    if (expect(arguments, 6, "over_runs") || take(given[0], np_uint64, &own))
        return NULL;
    if (take(given[1], np_int32, &sizes)) {
        PyBuffer_Release(&own.view);
        return NULL;
    }
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

/* --- texts ------------------------------------------------------------------------------------------ */

/* A tuple of strings and indices into it; 0 when every index leads to a string. */
static int take_texts(PyObject *table, PyObject *given, Array *indices)
{
    if (!PyTuple_Check(table)) {
        PyErr_SetString(PyExc_TypeError, "a tuple of strings is wanted");
        return -1;
    }
    if (take(given, np_int32, indices))
        return -1;
    for (Py_ssize_t place = 0; place < indices->count; place++) {
        int32_t index = indices->at.i32[place];
        if (index < 0 || index >= PyTuple_GET_SIZE(table)) {
            PyErr_SetString(PyExc_IndexError, "an index leads outside of its table");
            PyBuffer_Release(&indices->view);
            return -1;
        }
        PyObject *text = PyTuple_GET_ITEM(table, index);
        if (!PyUnicode_Check(text) || PyUnicode_READY(text) < 0) {
            PyErr_SetString(PyExc_TypeError, "a tuple of strings is wanted");
            PyBuffer_Release(&indices->view);
            return -1;
        }
    }
    return 0;
}

/* Takes a tuple of strings and indices into it (int32). Returns the length of each named string (int64).
 * Plain twin: document.reading.lengths_at. */
static PyObject *lengths_at(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array indices, out;
    if (expect(arguments, 2, "lengths_at") || take_texts(given[0], given[1], &indices))
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

/* Indices into a table, of which -1 names nothing; 0 when every other one leads to a string. */
static int take_named(PyObject *table, PyObject *given, Array *indices)
{
    if (!PyTuple_Check(table)) {
        PyErr_SetString(PyExc_TypeError, "a tuple of strings is wanted");
        return -1;
    }
    if (take(given, np_int32, indices))
        return -1;
    for (Py_ssize_t place = 0; place < indices->count; place++) {
        int32_t index = indices->at.i32[place];
        if (index == -1)
            continue;
        if (index < 0 || index >= PyTuple_GET_SIZE(table)) {
            PyErr_SetString(PyExc_IndexError, "an index leads outside of its table");
            PyBuffer_Release(&indices->view);
            return -1;
        }
        PyObject *text = PyTuple_GET_ITEM(table, index);
        if (!PyUnicode_Check(text) || PyUnicode_READY(text) < 0) {
            PyErr_SetString(PyExc_TypeError, "a tuple of strings is wanted");
            PyBuffer_Release(&indices->view);
            return -1;
        }
    }
    return 0;
}

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

static int take_both_named(PyObject *const *given, Py_ssize_t arguments, const char *name, Array *ours,
                           Array *theirs)
{
    if (expect(arguments, 4, name) || take_named(given[0], given[1], ours))
        return -1;
    if (take_named(given[2], given[3], theirs)) {
        PyBuffer_Release(&ours->view);
        return -1;
    }
    return 0;
}

/* Takes two tuples of strings, each with indices into it (int32; -1 names no string). Returns whether both
 * lists of indices have the same length and name the same strings in the same order.
 * Plain twin: document.named.same_strings. */
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
 * Plain twin: document.named.differing. */
static PyObject *differing(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array ours, theirs, out;
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
    made = make(count, np_int64, &out);
    if (made != NULL) {
        memcpy(out.at.i64, places, (size_t)count * sizeof *places);
        PyBuffer_Release(&out.view);
    }
done:
    PyMem_Free(places);
    PyBuffer_Release(&theirs.view);
    PyBuffer_Release(&ours.view);
    return made;
}

/* Takes texts by their indices, and which of them begin a line. Returns 0 if both arrays have the same length. */
static int take_lines(PyObject *const *given, Array *indices, Array *breaks)
{
    if (take_texts(given[0], given[1], indices))
        return -1;
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

/* Takes a tuple of strings, indices into it (int32), for each index whether it begins a line (bool), and a
 * mark. Returns all named strings joined, with the mark before each that begins a line.
 * Plain twin: document.reading.joined. */
static PyObject *joined(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array indices, breaks;
    if (expect(arguments, 4, "joined") || take_lines(given, &indices, &breaks))
        return NULL;
    PyObject *mark = given[3], *whole = NULL;
    Py_UCS4 largest = 0;
    Py_ssize_t length = 0, place = 0;
    if (!PyUnicode_Check(mark) || PyUnicode_READY(mark) < 0) {
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

/* Is a character white space? Those of Latin-1 are looked up. */
static uint8_t latin_space[256];

static inline int is_space(Py_UCS4 character)
{
    return character < 256 ? latin_space[character] : Py_UNICODE_ISSPACE(character);
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
 * Plain twin: document.reading.collapsed_texts. */
static PyObject *collapsed_texts(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array indices, breaks, kept, starts;
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
    if (text == NULL || (places = make(screen.count, np_int64, &kept)) == NULL)
        goto done;
    if ((begins = make(screen.count, np_int64, &starts)) == NULL) {
        PyBuffer_Release(&kept.view);
        goto done;
    }
    for (Py_ssize_t place = 0; place < screen.count; place++) {
        kept.at.i64[place] = screen.found[2 * place];
        starts.at.i64[place] = screen.found[2 * place + 1];
    }
    PyBuffer_Release(&kept.view);
    PyBuffer_Release(&starts.view);
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
 * Plain twin: document.reading.visible_length. */
static PyObject *visible_length(PyObject *self, PyObject *text)
{
    if (!PyUnicode_Check(text) || PyUnicode_READY(text) < 0) {
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
 * Plain twin: document.stored.split_strings. Gain: together with `widened` it made loading a stored digest
 * a third faster (e1f624d). */
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
 * Plain twin: document.stored.widened. Gain: see `split_strings`. */
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

/* --- words (words.py) ------------------------------------------------------------------------------- */

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
 * Plain twin: document.words.word_borders. */
static PyObject *word_borders(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array starts, ends;
    if (expect(arguments, 2, "word_borders"))
        return NULL;
    PyObject *text = given[0], *first = NULL, *last = NULL;
    if (!PyUnicode_Check(text) || PyUnicode_READY(text) < 0) {
        PyErr_SetString(PyExc_TypeError, "a text is a string");
        return NULL;
    }
    /* A word has five letters or more, mostly, and something behind it. */
    Found found = {NULL, 0, PyUnicode_GET_LENGTH(text) / 12};
    if (more_words(&found) || find_words(text, given[1], &found)) {
        PyMem_Free(found.at);
        return NULL;
    }
    first = make(found.count, np_int64, &starts);
    if (first != NULL && (last = make(found.count, np_int64, &ends)) == NULL)
        PyBuffer_Release(&starts.view);
    if (last != NULL) {
        for (Py_ssize_t word = 0; word < found.count; word++) {
            starts.at.i64[word] = found.at[2 * word];
            ends.at.i64[word] = found.at[2 * word + 1];
        }
        PyBuffer_Release(&starts.view);
        PyBuffer_Release(&ends.view);
    }
    PyMem_Free(found.at);
    return both_or_none(first, last);
}

/* A text, and where parts of it start and end. */
static int take_parts(PyObject *const *given, Array *starts, Array *ends)
{
    if (!PyUnicode_Check(given[0]) || PyUnicode_READY(given[0]) < 0) {
        PyErr_SetString(PyExc_TypeError, "a text is a string");
        return -1;
    }
    if (take(given[1], np_int64, starts))
        return -1;
    if (take(given[2], np_int64, ends)) {
        PyBuffer_Release(&starts->view);
        return -1;
    }
    return 0;
}

/* Takes a string and the starts and ends of parts (int64). Returns the list of these parts.
 * Plain twin: document.words.cut_out. */
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
 * Plain twin: detect.sequences.beyond_ascii. */
static PyObject *beyond_ascii(PyObject *self, PyObject *words)
{
    if (!PyList_Check(words)) {
        PyErr_SetString(PyExc_TypeError, "a list of strings is wanted");
        return NULL;
    }
    PyObject *places = PyList_New(0);
    for (Py_ssize_t place = 0; places && place < PyList_GET_SIZE(words); place++) {
        PyObject *word = PyList_GET_ITEM(words, place);
        if (!PyUnicode_Check(word) || PyUnicode_READY(word) < 0) {
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

/* --- words compared by their hashes (alignment.py, sequences.py) ------------------------------------ */

/* Takes a string, the starts and ends of its words (int64), and whether letters count in lower case.
 * Returns a hash for each ASCII word and 0 for the others (uint64), and the list of places of the others.
 * No string is made for a word.
 * Plain twin: detect.sequences.ascii_hashes. Gain: this function, `exact_gaps`, `sequences_in` and
 * `recounted` came together; nine change types on real pairs of pages then took 0.75 ms instead of 1.12 ms
 * on average, on a loaded machine (8415c29). */
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

/* Two columns of numbers and a piece of each: from where to where. */
typedef struct {
    Array old, new;
    int64_t i, i_end, j, j_end;
} Piece;

static int take_piece(PyObject *const *given, Piece *piece)
{
    int64_t *edges[4] = {&piece->i, &piece->i_end, &piece->j, &piece->j_end};
    for (int edge = 0; edge < 4; edge++) {
        *edges[edge] = PyLong_AsLongLong(given[2 + edge]);
        if (*edges[edge] == -1 && PyErr_Occurred())
            return -1;
    }
    if (take(given[0], np_uint64, &piece->old))
        return -1;
    if (take(given[1], np_uint64, &piece->new)) {
        PyBuffer_Release(&piece->old.view);
        return -1;
    }
    if (piece->i < 0 || piece->i_end < piece->i || piece->i_end > piece->old.count || piece->j < 0 ||
        piece->j_end < piece->j || piece->j_end > piece->new.count) {
        PyErr_SetString(PyExc_IndexError, "a piece leads outside of its items");
        PyBuffer_Release(&piece->old.view);
        PyBuffer_Release(&piece->new.view);
        return -1;
    }
    return 0;
}

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
 * Plain twin: detect.alignment.trimmed_items. */
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

/* A hash table from a number to its last place, and for each place the place before it with the same number. The
 * table is open and at least twice as large as the count of numbers, so that searches stay short. */
typedef struct {
    uint64_t *keys;
    int32_t *last, *before;
    uint64_t mask;
} Chains;

#define NONE (-1)
#define TAKEN (-2)

/* Where a number is in the table, or would be. */
static uint64_t slot_of(const Chains *chains, uint64_t item)
{
    uint64_t slot = (item * UINT64_C(0x9E3779B97F4A7C15) >> 20) & chains->mask;
    while (chains->last[slot] != NONE && chains->keys[slot] != item)
        slot = (slot + 1) & chains->mask;
    return slot;
}

static int chain(Chains *chains, const uint64_t *items, int32_t count)
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

static int32_t last_of(const Chains *chains, uint64_t item)
{
    return chains->last[slot_of(chains, item)];
}

static void unchain(Chains *chains)
{
    PyMem_Free(chains->keys);
    PyMem_Free(chains->last);
    PyMem_Free(chains->before);
}

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
 * + 1 new items have in common with the old. On the way back an old item is left out as soon as it can be,
 * so the gaps are those that rapidfuzz gives.
 * Plain twin: detect.alignment.exact_gaps. Gain: a third of the time of rapidfuzz, which the plain twin
 * uses (8415c29). */
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
 * Plain twin: detect.counts.recounted. */
static PyObject *recounted(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array sides[2];
    Chains chains[2] = {{0}, {0}};
    PyObject *found = NULL;
    if (expect(arguments, 2, "recounted") || take(given[0], np_uint64, &sides[0]))
        return NULL;
    if (take(given[1], np_uint64, &sides[1])) {
        PyBuffer_Release(&sides[0].view);
        return NULL;
    }
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
 * Plain twin: detect.alignment.shared. */
static PyObject *shared(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array sides[2];
    Chains chains = {0};
    PyObject *found = NULL;
    if (expect(arguments, 2, "shared") || take(given[0], np_uint64, &sides[0]))
        return NULL;
    if (take(given[1], np_uint64, &sides[1])) {
        PyBuffer_Release(&sides[0].view);
        return NULL;
    }
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

/* Takes hashes of items (uint64), the places where blocks of them begin (int64), and the end of the last
 * block. Returns one number per block, equal for blocks with the same items in the same order (uint64).
 * Plain twin: detect.wording.block_keys. */
static PyObject *block_keys(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array items, begins, out;
    if (expect(arguments, 3, "block_keys"))
        return NULL;
    int64_t end = PyLong_AsLongLong(given[2]);
    if ((end == -1 && PyErr_Occurred()) || take(given[0], np_uint64, &items))
        return NULL;
    if (take(given[1], np_int64, &begins)) {
        PyBuffer_Release(&items.view);
        return NULL;
    }
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
 * Plain twin: detect.sequences.sequences_in. */
static PyObject *sequences_in(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array columns[5], kinds, places; /* items, starts, ends, all sequences, their lengths */
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
    which = make(size, np_int64, &kinds);
    if (which != NULL && (where = make(size, np_int64, &places)) == NULL)
        PyBuffer_Release(&kinds.view);
    if (where != NULL) {
        for (Py_ssize_t hit = 0; hit < size; hit++) {
            kinds.at.i64[hit] = hits[2 * hit];
            places.at.i64[hit] = hits[2 * hit + 1];
        }
        PyBuffer_Release(&kinds.view);
        PyBuffer_Release(&places.view);
    }
done:
    unchain(&chains);
    PyMem_Free(firsts);
    PyMem_Free(begins);
    PyMem_Free(hits);
    while (taken > 0)
        PyBuffer_Release(&columns[--taken].view);
    return both_or_none(which, where);
}

/* Takes a string and the starts and ends of parts (int64). Returns the list of the parts with one space
 * for each run of white space inside, and None for an empty part.
 * Plain twin: detect.places.squeezed. */
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

/* --- the events of a document (sink.py) ------------------------------------------------------------- */

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

static int push_number(Column *column, PyObject *table, PyObject *text)
{
    Py_ssize_t number = number_of(table, text);
    return number < 0 ? -1 : push(column, number);
}

static int events_leaf(Events *self, PyObject *tag, PyObject *text)
{
    if (push_number(&self->tag, self->tags, tag) || push(&self->depth, self->level))
        return -1;
    return push_number(&self->content, self->texts, text);
}

/* Takes the name of an element and its attributes as pairs (name, value). Adds the element and its
 * attributes, and goes one level deeper. Returns None.
 * Plain twin: document.sink.Events.start_element. */
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
 * Plain twin: document.sink.Events.end_element. */
static PyObject *events_end_element(Events *self, PyObject *tag)
{
    if (self->level > 1)
        self->level--;
    Py_RETURN_NONE;
}

/* Takes a text. Adds a text node at the present level. Returns None.
 * Plain twin: document.sink.Events.characters. */
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
 * Plain twin: document.sink.Events.leaf. */
static PyObject *events_leaf_of(Events *self, PyObject *const *given, Py_ssize_t count)
{
    if (expect(count, 2, "leaf") || events_leaf(self, given[0], given[1]))
        return NULL;
    Py_RETURN_NONE;
}

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
 * Plain twin: document.sink.Events.taken. */
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
 * Plain twin: document.sink.Events. */
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

static PyTypeObject events_type = {
    PyVarObject_HEAD_INIT(NULL, 0)
    .tp_name = "webvigil.document._fast.Events",
    .tp_doc = "Takes a document as events; `taken` gives its tables and columns.",
    .tp_basicsize = sizeof(Events),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_new = events_new,
    .tp_dealloc = (destructor)events_dealloc,
    .tp_methods = events_methods,
};

/* --- texts of cells and items (reading.py) ---------------------------------------------------------- */

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

/* Memory for the longest of the runs; -1 where one leads outside of the pieces. */
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
 * Plain twin: document.reading.owned_texts. */
static PyObject *owned_texts(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array indices, breaks, starts, ends;
    if (expect(arguments, 5, "owned_texts") || take_lines(given, &indices, &breaks))
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

/* --- two texts (reading.py) --------------------------------------------------------------------------- */

/* Takes two strings. Returns how many characters they have in common at the start, and how many of the
 * rest at the end.
 * Plain twin: document.reading.equal_ends. */
static PyObject *equal_ends(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    if (expect(arguments, 2, "equal_ends"))
        return NULL;
    PyObject *one = given[0], *other = given[1];
    if (!PyUnicode_Check(one) || !PyUnicode_Check(other) || PyUnicode_READY(one) < 0 ||
        PyUnicode_READY(other) < 0) {
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

/* --- texts that read alike (leaves.py) --------------------------------------------------------------- */

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
 * Plain twin: document.named.reworded. */
static PyObject *reworded(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array ours, theirs, out;
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
    made = make(count, np_int64, &out);
    if (made != NULL) {
        if (count)
            memcpy(out.at.i64, found, (size_t)count * sizeof *found);
        PyBuffer_Release(&out.view);
    }
done:
    PyMem_Free(found);
    Py_XDECREF(empty);
    PyBuffer_Release(&theirs.view);
    PyBuffer_Release(&ours.view);
    return made;
}

/* --- numbers met once, or again (coarse.py) --------------------------------------------------------- */

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

/* Takes two columns of hashes (uint64). Returns the old and the new places of the numbers that occur
 * exactly once in each column, in the order of the old places (both int64).
 * Plain twin: detect.coarse.once_in_both. */
static PyObject *once_in_both(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array old, new, ours, theirs;
    if (expect(arguments, 2, "once_in_both") || take(given[0], np_uint64, &old))
        return NULL;
    if (take(given[1], np_uint64, &new)) {
        PyBuffer_Release(&old.view);
        return NULL;
    }
    PyObject *first = NULL, *second = NULL;
    size_t mask = 0;
    Py_ssize_t count = 0;
    Met *table = met_table(old.count, &mask);
    if (table == NULL || new.count > INT32_MAX / 4) {
        PyErr_NoMemory();
        goto done;
    }
    for (Py_ssize_t place = 0; place < old.count; place++) {
        Met *met = met_at(table, mask, old.at.u64[place]);
        met->key = old.at.u64[place];
        met->one = met->one ? -1 : (int32_t)place + 1;
    }
    for (Py_ssize_t place = 0; place < new.count; place++) {
        Met *met = met_at(table, mask, new.at.u64[place]);
        if (met->one)
            met->other = met->other ? -1 : (int32_t)place + 1;
    }
    for (Py_ssize_t place = 0; place < old.count; place++) {
        Met *met = met_at(table, mask, old.at.u64[place]);
        count += met->one > 0 && met->other > 0;
    }
    first = make(count, np_int64, &ours);
    if (first != NULL && (second = make(count, np_int64, &theirs)) == NULL)
        PyBuffer_Release(&ours.view);
    if (second != NULL) {
        count = 0;
        for (Py_ssize_t place = 0; place < old.count; place++) {
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
 * Plain twin: detect.coarse.ranks_among. */
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

/* --- the module ------------------------------------------------------------------------------------- */

#define MANY(name) {#name, (PyCFunction)(void (*)(void))name, METH_FASTCALL, NULL}
#define ONE(name) {#name, (PyCFunction)name, METH_O, NULL}

static PyMethodDef functions[] = {
    MANY(equal_ends),
    ONE(subtree_sizes), ONE(node_parents),  ONE(structure_of),    ONE(sizes_of),     ONE(node_depths),
    ONE(sibling_ranks), MANY(below),        MANY(enclosing),      MANY(starts_of),   MANY(first_use),
    MANY(numbered),     ONE(string_hashes), MANY(over_runs),      MANY(lengths_at),  MANY(joined),
    MANY(collapsed_texts),    MANY(split_strings), MANY(word_borders),  MANY(cut_out),     ONE(beyond_ascii),
    ONE(is_tree), ONE(visible_length), MANY(path), MANY(paths), MANY(run_paths), MANY(in_common), MANY(same_strings), MANY(differing),
    MANY(ascii_hashes), MANY(trimmed_items), MANY(exact_gaps), MANY(sequences_in), MANY(squeezed), MANY(recounted), MANY(shared), MANY(block_keys),
    MANY(widened),
    MANY(owned_texts), MANY(reworded), MANY(once_in_both), ONE(ranks_among),
    {NULL},
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "webvigil.document._fast",
    .m_doc = "What costs most in making and comparing Page Digests, compiled.",
    .m_size = -1,
    .m_methods = functions,
};

PyMODINIT_FUNC PyInit__fast(void)
{
    PyObject *numpy = PyImport_ImportModule("numpy");
    if (numpy == NULL)
        return NULL;
    np_empty = PyObject_GetAttrString(numpy, "empty");
    np_contiguous = PyObject_GetAttrString(numpy, "ascontiguousarray");
    np_int32 = PyObject_GetAttrString(numpy, "int32");
    np_int64 = PyObject_GetAttrString(numpy, "int64");
    np_uint64 = PyObject_GetAttrString(numpy, "uint64");
    np_bool = PyObject_GetAttrString(numpy, "bool_");
    Py_DECREF(numpy);
    if (!np_empty || !np_contiguous || !np_int32 || !np_int64 || !np_uint64 || !np_bool)
        return NULL;
    for (Py_UCS4 character = 0; character < 256; character++)
        latin_space[character] = Py_UNICODE_ISSPACE(character) != 0;
    PyObject *module = PyModule_Create(&definition);
    if (module != NULL && PyModule_AddType(module, &events_type) < 0)
        Py_CLEAR(module);
    return module;
}
