"""What a browser loads for a page: counts of requests and bytes by the DevTools protocol."""

from typing import Any

from playwright.sync_api import CDPSession

LISTS = ("live_matches", "seeks", "online_bots", "featured", "match_events", "match_event")
"""Frames that grow with what others do."""


class Traffic:
    """Counts what a page requests and receives, from when it is created."""

    def __init__(self, session: CDPSession) -> None:
        self.urls: list[str] = []
        """What was requested, with the socket, in order."""
        self.received_bytes = 0
        """Bytes of the answers as they were sent, with their headers, and of the socket's frames, but for `LISTS`."""
        session.on("Network.requestWillBeSent", lambda event: self.urls.append(event["request"]["url"]))
        session.on("Network.webSocketCreated", lambda event: self.urls.append(event["url"]))
        session.on("Network.loadingFinished", self._count)
        session.on("Network.webSocketFrameReceived", self._count_frame)
        session.send("Network.enable")

    @property
    def requests(self) -> int:
        return len(self.urls)

    def _count(self, event: dict[str, Any]) -> None:
        self.received_bytes += int(event["encodedDataLength"])

    def _count_frame(self, event: dict[str, Any]) -> None:
        frame = event["response"]["payloadData"]
        if not any(f'"type":"{each}"' in frame for each in LISTS):
            self.received_bytes += len(frame.encode())
