"""Settings in, a running WebVigil out: wiring and the worker loop."""
