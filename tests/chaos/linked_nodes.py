"""Some nodes, the first of which reaches each other part of the cluster through a proxy with faults."""

import json
import urllib.error
import urllib.request
from collections.abc import Mapping, Sequence
from contextlib import ExitStack, contextmanager
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from tests.node_processes import NodeProcesses
from tests.proxies import FaultyProxy, Way
from tests.server.bots.cluster_processes import ClusterProcesses
from tests.server.databases import fresh_postgres
from tests.server.redis_servers import fresh_redis
from tests.serving import GENEROUS, ServerProcess
from tests.waiting import wait_until


class Link(StrEnum):
    """What the first node is connected to."""

    DATABASE = "PostgreSQL"
    BUS = "Redis"
    SCHEDULER = "Dask"
    PROXY = "the proxy"


class Kind(StrEnum):
    """What is wrong with a connection."""

    SILENT = "silent"
    """What is sent is lost."""
    SLOW = "slow"
    """What is sent arrives `SLOW_S` later."""
    REFUSED = "refused"
    """Connections end, and new ones are refused."""


SLOW_S = 1.5


class LinkFault(NamedTuple):
    """A fault of a connection of the first node."""

    link: Link
    kind: Kind
    way: Way = Way.BOTH
    """Which way it works, where the node is the client; the proxy is the client of the node."""


def faults_of(link: Link, kind: Kind) -> list[LinkFault]:
    """Return a fault for each way."""
    return [LinkFault(link, kind, way) for way in (Way if kind is not Kind.REFUSED else [Way.BOTH])]


class LinkedNodes(NodeProcesses):
    """Runs while its context lasts. The Dask cluster runs only if it is among the `links`."""

    def __init__(self, folder: Path, links: Sequence[Link], number: int = 2) -> None:
        super().__init__(folder, number)
        self._links = links
        self._proxies: Mapping[Link, FaultyProxy] = {}
        self.url = ""
        """The database's address."""

    def __enter__(self) -> "LinkedNodes":
        super().__enter__()
        if Link.PROXY in self._links:
            proxy = FaultyProxy(f"http://127.0.0.1:{self.nodes[0].port}")
            self._proxies = {**self._proxies, Link.PROXY: self._stack.enter_context(proxy)}
            self._proxy.ports = [proxy.server_address[1], *(node.port for node in self.nodes[1:])]
        return self

    def _start_services(self, stack: ExitStack) -> Sequence[str]:
        self.url = stack.enter_context(fresh_postgres())
        addresses = {Link.DATABASE: self.url, Link.BUS: fresh_redis()}
        if Link.SCHEDULER in self._links:
            (self._folder / "dask").mkdir()
            dask = stack.enter_context(ClusterProcesses(self._folder / "dask"))
            dask.start_scheduler()
            dask.start_worker()
            addresses[Link.SCHEDULER] = dask.address
        self._addresses = addresses
        self._proxies = {link: stack.enter_context(FaultyProxy(address)) for link, address in addresses.items()}
        return ("--bot-workers", "1", *GENEROUS)

    def _of_node(self, number: int, arguments: Sequence[str]) -> Sequence[str]:
        addresses = self._addresses if number else {link: proxy.url for link, proxy in self._proxies.items()}
        options = {Link.DATABASE: "--database", Link.BUS: "--bus", Link.SCHEDULER: "--bots"}
        return (*(part for link, address in addresses.items() for part in (options[link], address)), *arguments)

    @contextmanager
    def suffering(self, fault: LinkFault) -> Any:
        """Have a fault as long as the context lasts. Then no connection is left that has lost something."""
        proxy = self._proxies[fault.link]
        match fault.kind:
            case Kind.SILENT:
                proxy.silent = fault.way
            case Kind.SLOW:
                proxy.slow, proxy.delay_s = fault.way, SLOW_S
            case Kind.REFUSED:
                proxy.break_off()
        try:
            yield
        finally:
            if fault.kind is not Kind.SLOW:
                proxy.break_off()
            proxy.silent = proxy.slow = None
            proxy.is_broken.clear()

    def wait_until_well(self) -> None:
        """Return when all nodes report that all is well."""
        wait_until(lambda: set(self.health()) == {"ok"}, self._describe)

    def _describe(self) -> str:
        return "\n".join([str(self.health()), *(line for node in self.nodes for line in node.output[-40:])])

    def health(self) -> tuple[str, ...]:
        """Return the status that each node reports; "refused" if its port is closed."""
        return tuple(status_of(node) for node in self.nodes)


def status_of(node: ServerProcess) -> str:
    """Return the status in a node's `/health`."""
    try:
        with urllib.request.urlopen(f"http://{node.address}/health", timeout=5) as answer:
            return str(json.load(answer)["status"])
    except urllib.error.HTTPError as unavailable:
        return str(json.load(unavailable)["status"])
    except OSError:
        return "refused"
