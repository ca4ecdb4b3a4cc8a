"""Settings in, a running WebVigil out: what each command and each request does, one sub-package per topic."""
