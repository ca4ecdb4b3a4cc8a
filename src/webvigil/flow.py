"""READ FIRST: the life of one check, top to bottom. It carries values and decides nothing."""
