"""Seeds in, pages visited and what came of each out: a crawler of exchangeable parts (S2)."""
