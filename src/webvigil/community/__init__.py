"""Messages between WebVigil servers in, shared work out: borrowed pages, personal agents, broadcasts."""
