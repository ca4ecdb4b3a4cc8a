/* The tree of a document in depth-first order, as columns of numbers (document/arrays.py, document/containers.py). */

#include "native.h"

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
 * Plain twin: document.arrays.subtree_sizes. Gain: about 12 times. */
static PyObject *subtree_sizes(PyObject *self, PyObject *depths)
{
    return walk_depths(depths, SIZES);
}

/* Takes the depth of each node (int32). Returns the parent of each node, -1 for node 0 (int32). Raises
 * ValueError for depths that are those of no tree.
 * Plain twin: document.arrays.node_parents. Gain: about 10 times. */
static PyObject *node_parents(PyObject *self, PyObject *depths)
{
    return walk_depths(depths, PARENTS);
}

/* Takes the depth of each node (int32). Returns the number of children of each node (int32). Raises
 * ValueError for depths that are those of no tree.
 * Plain twin: document.arrays.structure_of. Gain: about 7 times. */
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
 * Plain twin: document.arrays.sizes_of. Gain: about 12 times. */
static PyObject *sizes_of(PyObject *self, PyObject *structure)
{
    return walk_counts(structure, 1);
}

/* Takes the number of children of each node (int32). Returns the number of ancestors of each node (int32).
 * Raises ValueError for counts that are those of no tree.
 * Plain twin: document.arrays.node_depths. Gain: about 3 times. */
static PyObject *node_depths(PyObject *self, PyObject *structure)
{
    return walk_counts(structure, 0);
}

/* Takes child counts (int32). Returns whether they are those of one tree: every node but the first is
 * announced as a child by a node before it, and no announced child is missing at the end.
 * Plain twin: document.containers.is_tree. Gain: about 7 times. */
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
 * Plain twin: document.arrays.sibling_ranks. Gain: about 11 times. */
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
    if (expect(arguments, 2, "this function") || take_two(given, np_bool, np_int32, &marked, &sizes))
        return NULL;
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
 * Plain twin: document.arrays.below. Gain: about 5 times. */
static PyObject *below(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    return walk_marked(given, count, BELOW);
}

/* Takes a mask of marked nodes and the subtree sizes (int32). Returns for each node its nearest marked
 * ancestor, -1 for none (int64).
 * Plain twin: document.arrays.enclosing. Gain: about 11 times. */
static PyObject *enclosing(PyObject *self, PyObject *const *given, Py_ssize_t count)
{
    return walk_marked(given, count, ENCLOSING);
}

/* Takes ascending numbers (int32) and a count. Returns for each whole number from 0 to the count where it
 * begins, or would stand, among the numbers (int32).
 * Plain twin: document.arrays.starts_of. Gain: about 6 times. */
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

/* Takes the edges of runs of numbers (int64): where the first run starts and ends, where the second does, and so
 * on. Returns all numbers of the runs, one run after the other, and where each run begins among them; the last of
 * these is the end (both int64). Raises ValueError for a run that ends before it starts.
 * Plain twin: document.arrays.between. Gain: about 12 times. */
static PyObject *between(PyObject *self, PyObject *given)
{
    Array edges, numbers, begins;
    if (take(given, np_int64, &edges))
        return NULL;
    PyObject *all = NULL, *firsts = NULL;
    uint64_t total = 0;
    for (Py_ssize_t edge = 0; edge < edges.count; edge += 2) {
        if (edge + 1 == edges.count || edges.at.i64[edge + 1] < edges.at.i64[edge])
            goto refused;
        uint64_t length = (uint64_t)edges.at.i64[edge + 1] - (uint64_t)edges.at.i64[edge];
        if (length > PY_SSIZE_T_MAX / sizeof(int64_t) - total)
            goto refused;
        total += length;
    }
    all = make((Py_ssize_t)total, np_int64, &numbers);
    firsts = all ? make(edges.count / 2 + 1, np_int64, &begins) : NULL;
    if (firsts != NULL) {
        Py_ssize_t place = 0;
        for (Py_ssize_t edge = 0; edge < edges.count; edge += 2) {
            begins.at.i64[edge / 2] = place;
            for (int64_t number = edges.at.i64[edge]; number < edges.at.i64[edge + 1]; number++)
                numbers.at.i64[place++] = number;
        }
        begins.at.i64[edges.count / 2] = place;
        PyBuffer_Release(&begins.view);
    }
    if (all != NULL)
        PyBuffer_Release(&numbers.view);
    PyBuffer_Release(&edges.view);
    return both_or_none(all, firsts);
refused:
    PyBuffer_Release(&edges.view);
    PyErr_SetString(PyExc_ValueError, "these are not the edges of runs");
    return NULL;
}

/* Takes indices (int32) into a table, the size of the table and how many entries at its start keep their
 * place. Renumbers the entries by first use. Returns the old numbers of the used entries in their new
 * order (int64), and the renumbered indices (int32).
 * Plain twin: document.arrays.first_use. Gain: about 6 times. */
static PyObject *first_use(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array indices, ranks;
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
    kept = longs_of(found, used);
done:
    PyMem_Free(rank);
    PyMem_Free(found);
    PyBuffer_Release(&indices.view);
    return both_or_none(kept, renumbered);
}

/* Adds a number to a list; -1 with an error if it cannot. */
static int append(PyObject *list, Py_ssize_t number)
{
    PyObject *made = PyLong_FromSsize_t(number);
    int failed = made == NULL || PyList_Append(list, made) < 0;
    Py_XDECREF(made);
    return failed ? -1 : 0;
}

enum { TABLE, ROW, CELL, HEADER_CELL, CAPTION, NAMES };

/* Takes the name of each node as a number, the sizes of the subtrees (both int32), the node of a table, and the
 * numbers of the names table, tr, td, th and caption, -1 for one that does not occur. Returns lists of its rows, its
 * cells and its captions, and a list of where among the cells those of each row end. Returns None if one of them
 * stands inside of another of its sort, if a cell stands outside of the rows, or if there is a table in the table.
 * Plain twin: document.tables.plain_rows. Gain: about 20 times. */
static PyObject *plain_rows(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array tags, sizes;
    int32_t names[NAMES];
    if (expect(arguments, 4, "plain_rows"))
        return NULL;
    Py_ssize_t node = PyNumber_AsSsize_t(given[2], PyExc_OverflowError);
    if (node == -1 && PyErr_Occurred())
        return NULL;
    if (!PyTuple_Check(given[3]) || PyTuple_GET_SIZE(given[3]) != NAMES) {
        PyErr_SetString(PyExc_TypeError, "a tuple of five names is wanted");
        return NULL;
    }
    for (int name = 0; name < NAMES; name++) {
        Py_ssize_t number = PyNumber_AsSsize_t(PyTuple_GET_ITEM(given[3], name), PyExc_OverflowError);
        if (number == -1 && PyErr_Occurred())
            return NULL;
        names[name] = number < 0 || number > INT32_MAX ? -1 : (int32_t)number;
    }
    if (take_two(given, np_int32, np_int32, &tags, &sizes))
        return NULL;
    PyObject *rows = PyList_New(0), *cells = PyList_New(0), *captions = PyList_New(0), *ends = PyList_New(0);
    PyObject *found = NULL;
    int plain = 1, failed = !(rows && cells && captions && ends);
    if (!failed && (tags.count != sizes.count || node < 0 || node >= sizes.count || sizes.at.i32[node] < 1 ||
                    sizes.at.i32[node] > sizes.count - node)) {
        no_tree();
        failed = 1;
    }
    Py_ssize_t end = failed ? 0 : node + sizes.at.i32[node], row_end = 0, owner_end = 0;
    for (Py_ssize_t one = node + 1; plain && !failed && one < end; one++) {
        int32_t tag = tags.at.i32[one];
        if (tag < 0)
            continue;
        if (tag == names[TABLE]) {
            plain = 0;
        } else if (tag == names[ROW]) {
            plain = one >= row_end;
            if (PyList_GET_SIZE(rows))
                failed = append(ends, PyList_GET_SIZE(cells));
            failed = failed || append(rows, one);
            row_end = one + sizes.at.i32[one];
        } else if (tag == names[CELL] || tag == names[HEADER_CELL] || tag == names[CAPTION]) {
            plain = one >= owner_end && (tag == names[CAPTION] || one < row_end);
            owner_end = one + sizes.at.i32[one];
            failed = append(tag == names[CAPTION] ? captions : cells, one);
        }
    }
    if (!failed && plain && PyList_GET_SIZE(rows))
        failed = append(ends, PyList_GET_SIZE(cells));
    if (!failed)
        found = plain ? PyTuple_Pack(4, rows, cells, captions, ends) : Py_NewRef(Py_None);
    Py_XDECREF(rows);
    Py_XDECREF(cells);
    Py_XDECREF(captions);
    Py_XDECREF(ends);
    PyBuffer_Release(&sizes.view);
    PyBuffer_Release(&tags.view);
    return found;
}

PyMethodDef tree_functions[] = {
    MANY(plain_rows),
    ONE(subtree_sizes),
    ONE(node_parents),
    ONE(structure_of),
    ONE(sizes_of),
    ONE(node_depths),
    ONE(is_tree),
    ONE(sibling_ranks),
    MANY(below),
    MANY(enclosing),
    MANY(starts_of),
    ONE(between),
    MANY(first_use),
    {NULL},
};
