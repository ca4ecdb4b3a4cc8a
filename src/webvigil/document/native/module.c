/* The module: puts the functions and the type of the other files together. */

#include "native.h"

uint8_t latin_space[256];

static PyMethodDef *const tables[] = {
    tree_functions,   path_functions, hash_functions, string_functions, screen_functions,
    stored_functions, word_functions, gap_functions,  count_functions,  sequence_functions,
};

static struct PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    .m_name = "webvigil.document._fast",
    .m_doc = "Compiled versions of the functions that take most of the time in making and comparing Page Digests.",
    .m_size = -1,
};

/* Makes the module, with the functions of all tables; NULL with an error if there is no numpy. */
PyMODINIT_FUNC PyInit__fast(void)
{
    if (find_numpy() < 0)
        return NULL;
    for (Py_UCS4 character = 0; character < 256; character++)
        latin_space[character] = Py_UNICODE_ISSPACE(character) != 0;
    learn_specials();
    PyObject *module = PyModule_Create(&definition);
    for (size_t table = 0; module && table < sizeof tables / sizeof *tables; table++)
        if (PyModule_AddFunctions(module, tables[table]) < 0)
            Py_CLEAR(module);
    if (module != NULL && PyModule_AddType(module, &events_type) < 0)
        Py_CLEAR(module);
    return module;
}
