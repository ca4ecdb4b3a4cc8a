"""Real applications from the registries, watched by the real worker: nothing is told while nobody edits, and
an edit is told exactly. Run by `./test-real`; CONTRIBUTING.md explains.
"""
