"""Peers in, shared work out: agents, mediator, location server."""
