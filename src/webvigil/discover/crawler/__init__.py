"""Seeds in, visited pages and what was found on each out: a crawler made of exchangeable parts (S2)."""
