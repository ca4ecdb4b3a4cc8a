"""Ports for programs that a test starts and that must be told their port."""

from __future__ import annotations

import random
import socket
from contextlib import ExitStack

# Systems give ports from 32768 on (macOS: from 49152 on) to whoever asks for any port, and other tests ask
# all the time. Such a port may be taken again before a program that is just starting listens on it.
_NEVER_GIVEN = range(20_000, 32_000)


def unused_port(*beside: int) -> int:
    """Returns a free port that the system gives to nobody who asks for any port. The ports that lie so many
    further on are free as well."""
    while True:
        port = random.choice(_NEVER_GIVEN)
        try:
            with ExitStack() as held:
                for further in (0, *beside):
                    held.enter_context(socket.create_server(("127.0.0.1", port + further)))
        except OSError:
            continue
        return port
