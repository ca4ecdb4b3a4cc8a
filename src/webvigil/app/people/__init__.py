"""A name, password, link or token in, a known user out: accounts, sign-in, sessions and passes."""
