/* Paths of nodes, such as /html/body/ul[1]/li[3] (document/paths.py, detect/places.py). */

#include "native.h"

/* Takes for each node its parent, its name as a number, how many names there are, and 0 for nodes that
 * share the number of the node before them, otherwise 1 (all int32). Returns for each node its number
 * among the siblings of the same name, from 1, and how many of those there are (both int32).
 * Plain twin: document.paths.numbered. Gain: about 6 times. */
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
    if (take_two(given, np_int32, np_int32, &parents, &names))
        return NULL;
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

/* Gives access to the columns; -1 with an error if one is not what it should be. */
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

/* Gives the columns back. */
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
        if (!is_text(name)) {
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

/* Takes a list of nodes; for each node of the page its parent, its name, its number among siblings of that
 * name and how many of those there are (int32); and the tuple of names. Returns the list of their paths, such
 * as /html/body/ul[1]/li[3].
 * Plain twin: document.paths.path, once per node. Gain: about 7 times. */
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
 * each node (int32), the largest number of paths per run, and the columns and names that `paths` takes.
 * Returns for each run a tuple with the paths of the elements its words stand in, each element once.
 * Plain twin: detect.places.paths, once per run. Gain: about 11 times. */
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

/* The place of a sign in a part of a text, or the end of the part. */
static Py_ssize_t sign_at(PyObject *text, Py_UCS4 sign, Py_ssize_t start, Py_ssize_t end)
{
    while (start < end && PyUnicode_READ_CHAR(text, start) != sign)
        start++;
    return start;
}

/* The number in the brackets of a step, 1 for a step without brackets; 0 if that part of the path is no number. */
static Py_ssize_t number_in(PyObject *path, Py_ssize_t open, Py_ssize_t end)
{
    Py_ssize_t number = 0;
    if (open == end)
        return 1;
    if (open + 2 >= end || PyUnicode_READ_CHAR(path, end - 1) != ']')
        return 0;
    for (Py_ssize_t place = open + 1; place < end - 1; place++) {
        Py_UCS4 digit = PyUnicode_READ_CHAR(path, place);
        if (digit < '0' || digit > '9' || number > INT32_MAX)
            return 0;
        number = number * 10 + (Py_ssize_t)(digit - '0');
    }
    return number;
}

/* Takes a path, the name of each node as a number, the sizes of the subtrees (both int32), and the numbers of the
 * names by name. Returns the element at the path, -1 if there is none. The step to a text, a comment or an attribute
 * leads to no other element.
 * Plain twin: document.paths.node_at. Gain: about 45 times. */
static PyObject *node_at(PyObject *self, PyObject *const *given, Py_ssize_t arguments)
{
    Array tags, sizes;
    if (expect(arguments, 4, "node_at"))
        return NULL;
    PyObject *path = given[0], *numbers = given[3];
    if (!is_text(path) || !PyDict_Check(numbers)) {
        PyErr_SetString(PyExc_TypeError, "a path and a dict of names are wanted");
        return NULL;
    }
    if (take_two(given + 1, np_int32, np_int32, &tags, &sizes))
        return NULL;
    Py_ssize_t count = sizes.count, length = PyUnicode_GET_LENGTH(path), start, end;
    int sound = tags.count == count && count > 0;
    /* A path that ends with a slash has a last step without a name, which leads nowhere. */
    Py_ssize_t node = length > 1 && PyUnicode_READ_CHAR(path, length - 1) == '/' ? -1 : 0;
    for (start = length > 0 && PyUnicode_READ_CHAR(path, 0) == '/'; sound && node >= 0 && start < length;
         start = end + 1) {
        end = sign_at(path, '/', start, length);
        Py_ssize_t open = sign_at(path, '[', start, end), wanted = number_in(path, open, end);
        if (open == start || wanted == 0) {
            node = -1;
            continue;
        }
        if (PyUnicode_READ_CHAR(path, start) == '@' || PyUnicode_READ_CHAR(path, open - 1) == ')')
            continue;
        PyObject *name = PyUnicode_Substring(path, start, open);
        PyObject *known = name ? PyDict_GetItemWithError(numbers, name) : NULL;
        Py_ssize_t tag = known ? PyNumber_AsSsize_t(known, PyExc_OverflowError) : -1;
        Py_XDECREF(name);
        if (PyErr_Occurred())
            break;
        Py_ssize_t last = node + sizes.at.i32[node], child = node + 1;
        sound = last > node && last <= count;
        node = -1;
        while (sound && known && node < 0 && child < last) {
            if (tags.at.i32[child] == tag && --wanted == 0)
                node = child;
            sound = sizes.at.i32[child] > 0;
            child += sizes.at.i32[child];
        }
    }
    PyBuffer_Release(&sizes.view);
    PyBuffer_Release(&tags.view);
    if (PyErr_Occurred())
        return NULL;
    return sound ? PyLong_FromSsize_t(node) : no_tree();
}

PyMethodDef path_functions[] = {
    MANY(numbered),
    MANY(paths),
    MANY(run_paths),
    MANY(node_at),
    {NULL},
};
