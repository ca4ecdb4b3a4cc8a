"""A page in, an Answer out, fetched within limits, from allowed addresses and politely."""
