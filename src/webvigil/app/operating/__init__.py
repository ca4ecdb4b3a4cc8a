"""Settings in, a running process out: stores opened, server, health, logs, metrics, signals."""
