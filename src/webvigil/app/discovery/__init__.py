"""A user's search for services in, services that can be watched out: queued, run, told as JSON."""
