"""A host and a port in, a little town on the web out whose pages change by themselves: `serve --demo`."""

from webvigil.app.demo.server import Demo, demo_sentinels, start_demo

__all__ = ["Demo", "demo_sentinels", "start_demo"]
