"""The exchange on a connection that opens no socket: one request, and its answer in one piece or in parts."""

import asyncio
from collections.abc import AsyncIterator, Callable
from dataclasses import replace

from websockets.http11 import Request, Response

from ..runtime import metrics
from .requests import RequestReader
from .streamed_body import StreamedBody


class Exchange:
    """The request of one connection, and its answer."""

    __slots__ = ("_body", "_is_answered", "_reader")

    def __init__(self) -> None:
        self._reader = RequestReader()
        """Reads the request. What follows it is dropped, unless it opens a socket."""
        self._is_answered = False
        self._body: StreamedBody | None = None
        """The body of an answer that is being sent in parts."""

    @property
    def is_head(self) -> bool:
        """Whether only the headers of the answer are sent."""
        return self._reader.is_head

    @property
    def is_read(self) -> bool:
        """Whether the request has been read, or cannot be."""
        return self._reader.is_done

    @property
    def is_open(self) -> bool:
        """Whether the answer is still to come, or being sent."""
        return self._body is not None or not self._is_answered

    @property
    def rest(self) -> bytes:
        """What arrived together with the request, after its headers."""
        return self._reader.rest

    def read(self, data: bytes) -> Request | None:
        """Return the request once its headers have arrived. Raises: BadRequestError."""
        return self._reader.receive(data)

    def stop(self) -> bool:
        """Read no more; return whether a part of the request has arrived."""
        return self._reader.stop()

    def answer(self, transport: asyncio.Transport, response: Response) -> bool:
        """Send an answer, and end this side; return whether anything could be sent."""
        if not self._begin(transport, response):
            return False
        transport.write((replace(response, body=b"") if self.is_head else response).serialize())
        transport.write_eof()
        return True

    async def answer_in_parts(
        self, transport: asyncio.Transport, head: Response, parts: AsyncIterator[bytes], is_slow: Callable[[], bool]
    ) -> bool:
        """Send an answer with a body as fast as the client reads, and end this side; return whether all was sent."""
        if not self._begin(transport, head):
            return False
        self._body = StreamedBody(transport, is_slow, is_chunked="Transfer-Encoding" in head.headers)
        transport.write(head.serialize())
        try:
            return await self._body.send(parts)
        finally:
            self._body = None

    def go_on(self) -> None:
        """Send further parts: the client reads again, or is gone."""
        if self._body is not None:
            self._body.go_on()

    def _begin(self, transport: asyncio.Transport, response: Response) -> bool:
        self._is_answered = True
        metrics.HTTP_RESPONSES.labels(response.status_code).inc()
        return not transport.is_closing()
