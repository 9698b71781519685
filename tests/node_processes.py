"""Cluster nodes as processes, behind one address that reaches each of them in turn."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.proxies import RoundRobinProxy
from tests.server.archive.round_trips import check_round_trips_of
from tests.server.databases import fresh_postgres
from tests.server.redis_servers import fresh_redis
from tests.serving import WELCOME, ServerProcess


class NodeProcesses(ABC):
    """Nodes that run while their context lasts. The system kills them when the thread that started them ends."""

    def __init__(self, folder: Path, number: int) -> None:
        self._folder = folder
        self._number = number
        self._stack = ExitStack()
        self.nodes: Sequence[ServerProcess] = ()
        """The processes, as long as the context lasts."""

    @abstractmethod
    def _start_services(self, stack: ExitStack) -> Sequence[str]:
        """Start the services that the nodes share, until the stack closes, and return the nodes' options."""

    def __enter__(self) -> Self:
        with ExitStack() as stack:
            arguments = self._start_services(stack)
            self.nodes = [
                ServerProcess(self._folder / f"node-{number}", *self._of_node(number, arguments))
                for number in range(self._number)
            ]
            for node in self.nodes:
                stack.callback(node.kill)
                node.start(is_awaited=False)
            for node in self.nodes:
                node.wait_for_rules()
                node.wait_for(WELCOME)
            self._proxy = stack.enter_context(RoundRobinProxy([node.port for node in self.nodes]))
            self._stack = stack.pop_all()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stack.close()

    def _of_node(self, number: int, arguments: Sequence[str]) -> Sequence[str]:  # the same for all
        """Return the options of one node."""
        return arguments

    @property
    def address(self) -> str:
        """Host and port, as `client.connect` takes it."""
        return self._proxy.address

    @property
    def connections(self) -> int:
        """Number of connections that the nodes have accepted."""
        return len(self._proxy.taken)

    def wait_for_bots(self) -> None:
        """Return once bots can play on every node."""
        for node in self.nodes:
            node.wait_for_bots()


class TwoNodes(NodeProcesses):
    """Two nodes with a database of their own; at the end, every match is read again.

    The test is skipped where there is no PostgreSQL or Redis. `arguments` are further ones of `millrace serve`.
    """

    def __init__(self, folder: Path, *arguments: str) -> None:
        super().__init__(folder, 2)
        self._arguments = arguments
        self.storage: Sequence[str] = ()
        """The options of commands that work on their database."""

    def _start_services(self, stack: ExitStack) -> Sequence[str]:
        database = stack.enter_context(fresh_postgres())
        self.storage = ("--database", database)
        stack.callback(check_round_trips_of, database)
        return (*self.storage, "--bus", fresh_redis(), *self._arguments)

    @property
    def url(self) -> str:
        """Where the page is."""
        return f"http://{self.address}"

    @property
    def output(self) -> Sequence[str]:
        """The lines that both have printed."""
        return [line for node in self.nodes for line in node.output]

    def node_of(self, connection: int) -> ServerProcess:
        """Return the node that took a connection, the first of which is 0."""
        port = self._proxy.taken[connection]
        return next(node for node in self.nodes if node.port == port)

    def restart_one_after_the_other(self) -> None:
        """Stop each node and start it again, while the other one serves."""
        for node in self.nodes:
            self.restart(node)

    def restart(self, node: ServerProcess) -> None:
        """Stop a node and start it again, while the other one serves."""
        node.stop_in_good_order()
        node.start()

    def stop(self) -> None:
        """Stop both nodes."""
        for node in self.nodes:
            node.stop()
