"""Several servers behind one port: starts their processes, forwards signals, and restarts those that die.

The system distributes the connections among the processes (SO_REUSEPORT). They form a cluster like servers on several
machines; this process knows nothing about matches.

SIGHUP restarts them one after another, each after the previous one accepts players again, so a new version can be
installed while people play.
"""

import asyncio
import errno
import os
import pickle
import re
import signal
import socket
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Sequence
from contextlib import ExitStack, suppress
from dataclasses import replace

from ...runtime.child_process import kill_child, start_child
from ...runtime.settings import Settings
from ...runtime.standard_streams import LastingStream, StreamName
from ..server import WELCOME

FIRST_WAIT_SECONDS = 1.0
LONGEST_WAIT_SECONDS = 60.0
"""Maximum pause before restarting a process that died. The pause doubles each time until a process lives longer."""

STOP_SECONDS = 10.0
"""Time after which a stopping process is killed. A server ends itself sooner."""

LINE_BYTES = 1024 * 1024
"""Maximum length of a line printed by a process."""


class SupervisedServer:
    """One of the servers, restarted whenever it dies."""

    def __init__(self, number: int, settings: Settings) -> None:
        self._number = number
        self._settings = settings
        self._process: Process | None = None
        self._has_welcomed = False
        """Whether it has ever accepted players."""
        self._is_stopping = asyncio.Event()
        self._is_replaced = False
        """Whether the running process was told to end, to be replaced by another one."""
        self._replaced: asyncio.Future[bool] | None = None
        """Whether the replacement accepts players, once this is known."""

    async def run(self) -> int:
        """Keep the server running until it is stopped or fails to start; return the last exit code."""
        loop = asyncio.get_running_loop()
        wait_s = FIRST_WAIT_SECONDS
        while True:
            began_s = loop.time()
            code = await self._run_process()
            if self._is_stopping.is_set():
                return 0 if code == -signal.SIGTERM else code
            if self._is_replaced:
                self._is_replaced = False
                continue
            if not self._has_welcomed:
                return code or 1
            if self._note_replaced(is_welcoming=False):
                self._print("stderr", "This process did not start. The others are not restarted.")
            if loop.time() - began_s > LONGEST_WAIT_SECONDS:
                wait_s = FIRST_WAIT_SECONDS
            self._print("stdout", f"This process ended ({_describe(code)}). It starts again in {wait_s:g} s.")
            with suppress(TimeoutError):
                await asyncio.wait_for(self._is_stopping.wait(), wait_s)
                return 0
            wait_s = min(2 * wait_s, LONGEST_WAIT_SECONDS)

    async def restart(self) -> bool:
        """Restart the server; return whether it accepts players again, once this is known."""
        replaced: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._replaced = replaced
        if self._process is None or self._process.returncode is not None:
            return await replaced  # it is about to be restarted anyway
        self._is_replaced = True
        self._signal(signal.SIGTERM)
        killing = asyncio.get_running_loop().call_later(STOP_SECONDS, self._kill, self._process)
        try:
            return await replaced
        finally:
            killing.cancel()

    async def stop(self) -> None:
        """Tell the server to end; kill it if it does not."""
        self._is_stopping.set()
        self._signal(signal.SIGTERM)
        await asyncio.sleep(STOP_SECONDS)
        self._signal(signal.SIGKILL)

    async def _run_process(self) -> int:
        """Run the server once; return its exit code."""
        command = (sys.executable, "-m", "millrace.server.app.commands.supervised_server")
        process = await start_child(*command, stdin=PIPE, stdout=PIPE, stderr=PIPE, limit=LINE_BYTES)
        self._process = process
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        try:
            process.stdin.write(pickle.dumps(self._settings))
            if self._is_stopping.is_set():
                self._signal(signal.SIGTERM)
            await asyncio.gather(self._pass_on("stdout", process.stdout), self._pass_on("stderr", process.stderr))
            return await process.wait()
        finally:
            await kill_child(process)

    async def _pass_on(self, stream: StreamName, lines: asyncio.StreamReader) -> None:
        """Print the process's output."""
        while True:
            try:
                line = (await lines.readline()).decode(errors="replace")
            except ValueError:
                continue  # longer than any line for people
            if not line:
                return
            if WELCOME in line:
                self._has_welcomed = True
                if not self._is_replaced:
                    self._note_replaced(is_welcoming=True)
            self._print(stream, line.rstrip("\n"))

    def _note_replaced(self, *, is_welcoming: bool) -> bool:
        """Note the result of a restart; return whether there was one."""
        replaced, self._replaced = self._replaced, None
        if replaced is None:
            return False
        replaced.set_result(is_welcoming)
        return True

    def _print(self, stream: StreamName, line: str) -> None:
        LastingStream(stream).say(with_number(line, self._number))

    @staticmethod
    def _kill(process: Process) -> None:
        with suppress(ProcessLookupError):
            process.kill()

    def _signal(self, number: signal.Signals) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError):
                self._process.send_signal(number)


async def supervise(settings: Settings, processes: int) -> int:
    """Run several servers until SIGTERM or SIGINT, and restart them on SIGHUP; return the exit code.

    Raises: OSError if the port cannot be used.
    """
    with ExitStack() as reserved:
        port = reserve_port(settings.host, settings.port, reserved)
        servers = [
            SupervisedServer(number, share)
            for number, share in enumerate(share_out(replace(settings, port=port, shares_port=True), processes), 1)
        ]
        running = [asyncio.create_task(server.run()) for server in servers]
        is_told_to_stop = asyncio.Event()
        for number in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(number, is_told_to_stop.set)
        waiting = asyncio.create_task(is_told_to_stop.wait())
        is_told_to_restart = asyncio.Event()
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, is_told_to_restart.set)
        restarting = asyncio.create_task(_restart_when_told(is_told_to_restart, servers))
        await asyncio.wait((waiting, *running), return_when=asyncio.FIRST_COMPLETED)
        stopping = [asyncio.create_task(server.stop()) for server in servers]
        codes = await asyncio.gather(*running)
        for task in (waiting, restarting, *stopping):
            task.cancel()
        return next(filter(None, codes), 0)


async def _restart_when_told(is_told: asyncio.Event, servers: Sequence[SupervisedServer]) -> None:
    """Restart the servers one after another on every request, stopping if one fails to start; never return."""
    while True:
        await is_told.wait()
        is_told.clear()
        for server in servers:
            if not await server.restart():
                break


def share_out(settings: Settings, processes: int) -> Sequence[Settings]:
    """Return the settings of each process: they share the processors for bots, one builds tablebases and the browsers'
    engine, and each may have its own port.

    >>> [(each.bot_workers, each.node_port) for each in share_out(Settings(bot_workers=5, node_port=8001), 3)]
    [(2, 8001), (2, 8002), (1, 8003)]
    """
    # With a cluster for bots, each server searches by itself only while the cluster is unreachable.
    workers = settings.bot_workers or (1 if settings.bots else os.cpu_count() or 1)
    return [
        replace(
            settings,
            bot_workers=max(1, workers // processes + (index < workers % processes)),
            builds_tablebases=settings.builds_tablebases and index == 0,
            makes_browser_engine=settings.makes_browser_engine and index == 0,
            node_port=settings.node_port and settings.node_port + index,
        )
        for index in range(processes)
    ]


def with_number(line: str, number: int) -> str:
    """Return a line that a process has printed with its number; the level for the journal stays first.

    JSON is unchanged: its entries name their process.

    >>> with_number("ready", 1), with_number("<4>slow", 2), with_number('{"event": "ready"}', 1)
    ('[1] ready', '<4>[2] slow', '{"event": "ready"}')
    """
    level = found[0] if (found := re.match(r"<\d>", line)) else ""
    text = line.removeprefix(level)
    return line if text.startswith("{") else f"{level}[{number}] {text}"


def reserve_port(host: str, port: int, reserved: ExitStack) -> int:
    """Reserve a port until the context ends, for processes that share it; return it. Raises: OSError if it is taken."""
    addresses = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    refusals = []
    for family, _, _, _, address in addresses:
        try:
            # Programs that share a port let others join; only a bind without sharing detects them.
            with _bound(family, (address[0], port, *address[2:]), is_shared=False) as probe:
                port = probe.getsockname()[1]
            reserved.enter_context(_bound(family, (address[0], port, *address[2:]), is_shared=True))
        except OSError as error:
            if error.errno != errno.EADDRNOTAVAIL:
                raise
            refusals.append(error)
    if len(refusals) == len(addresses):
        raise refusals[0]
    return port


def _bound(family: int, address: tuple[object, ...], *, is_shared: bool) -> socket.socket:
    bound = socket.socket(family, socket.SOCK_STREAM)
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEPORT, int(is_shared))
        if family == socket.AF_INET6:
            bound.setsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY, 1)
        bound.bind(address)
    except BaseException:
        bound.close()
        raise
    return bound


def _describe(code: int) -> str:
    return f"exit code {code}" if code >= 0 else signal.Signals(-code).name
