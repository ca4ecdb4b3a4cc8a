"""Values in, the same values out tomorrow: the knowledge base and the page repository."""
