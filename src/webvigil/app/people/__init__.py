"""Who is asking in, a known user out: accounts, passwords, sign-in links, sessions and passes."""
