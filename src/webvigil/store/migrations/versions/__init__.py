"""One module for each revision of the schema, in order; each changes the tables of the revision before."""
