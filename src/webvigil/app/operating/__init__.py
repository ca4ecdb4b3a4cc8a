"""Settings in, a running process out: stores, web server, health, logs, metrics, signals, memory."""
