"""A host and a port in, a small demo site out whose pages change by themselves (`serve --demo`)."""

from webvigil.app.demo.server import Demo, demo_sentinels, start_demo

__all__ = ["Demo", "demo_sentinels", "start_demo"]
