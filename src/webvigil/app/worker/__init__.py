"""Due pages in, results in the database out: the worker loop, and each stage of a check as it really runs."""
