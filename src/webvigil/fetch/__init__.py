"""A page in, an Answer out, politely and safely."""
