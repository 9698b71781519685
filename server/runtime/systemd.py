"""What a service says to systemd: that it is ready, that it is alive, that it stops.

https://www.freedesktop.org/software/systemd/man/latest/sd_notify.html describes the messages.
"""

import asyncio
import os
import socket
from contextlib import suppress

READY, STOPPING = "READY=1", "STOPPING=1"


def notify(state: str) -> None:
    """Send systemd a message; do nothing if it does not listen."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as channel:
        channel.setblocking(False)
        channel.sendto(state.encode(), "\0" + address[1:] if address.startswith("@") else address)


async def feed_watchdog() -> None:
    """Tell systemd, if it asks for it, that the event loop runs, until cancelled."""
    period_us = os.environ.get("WATCHDOG_USEC", "")
    if not period_us.isdecimal():
        return
    while True:
        notify("WATCHDOG=1")
        await asyncio.sleep(int(period_us) / 1_000_000 / 3)
