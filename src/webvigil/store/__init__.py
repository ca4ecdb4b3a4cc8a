"""Values in, the same values out later: the knowledge base (a database) and the page repository (objects)."""
