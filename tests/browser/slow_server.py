"""A server that takes its time, as a visitor sees it."""

from collections.abc import Callable

from playwright.sync_api import WebSocketRoute

from tests.browser.visitor import Visitor


class SlowServer:
    """Holds a visitor's commands of one type on their way to the server until they are let through."""

    def __init__(self, visitor: Visitor, command: str) -> None:
        self._mark = f'"type":"{command}"'
        self._held: list[Callable[[], None]] = []
        visitor.page.route_web_socket("**/socket", self._route)

    def _route(self, socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()

        def take(message: str | bytes) -> None:
            if self._mark in str(message):
                self._held.append(lambda: server.send(message))
            else:
                server.send(message)

        socket.on_message(take)

    @property
    def commands(self) -> int:
        """How many commands it has been sent."""
        return len(self._held)

    def answer(self) -> None:
        """Let all commands through."""
        for send in self._held:
            send()
