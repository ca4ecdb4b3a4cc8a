"""Settings in, work with other WebVigil servers (peers) out: the community's messages and personal agents."""
