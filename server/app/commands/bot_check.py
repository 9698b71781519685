"""The command `millrace bot-check`: runs a bot through the scenarios of `client.conformance`."""

import asyncio
import os
import secrets
from asyncio.subprocess import DEVNULL, Process
from collections import Counter
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import typer
from rich.console import Console
from rich.markup import escape

from millrace.client import ClientError, connect
from millrace.client.bots.registration import register_bot
from millrace.client.conformance.bench import Bench, FaultError
from millrace.client.conformance.check import Outcome, Verdict, check
from millrace.client.conformance.proxy import RecordingProxy
from millrace.protocol import ChallengeRules, OnlineBot

from ...runtime.child_process import start_child
from .child_server import child_server, end_process
from .output import exit_on

NOT_CHECKED = 2
"""Exit code if the bot could not be checked."""

START_TIMES = 12
"""Factor for the time for the bot to start."""
_STYLES = {Verdict.PASSED: "green", Verdict.FAILED: "bold red", Verdict.SKIPPED: "dim"}


def check_bot(command: Sequence[str], server: str, patience_s: float, stops_at_fault: bool) -> None:
    """Check a bot and print a line for each scenario; exit with 1 if it fails, with 2 if it cannot be checked."""
    with exit_on(OSError, ClientError, code=NOT_CHECKED):
        verdicts = asyncio.run(_check(command, server, patience_s, stops_at_fault))
    typer.echo(", ".join(f"{verdicts[verdict]} {verdict}" for verdict in Verdict))
    if verdicts[Verdict.FAILED]:
        raise typer.Exit(1)


async def _check(command: Sequence[str], server: str, patience_s: float, stops_at_fault: bool) -> Counter[Verdict]:
    """Raises: OSError, ClientError."""
    console, verdicts = Console(highlight=False, soft_wrap=True), Counter[Verdict]()

    def report(outcome: Outcome) -> None:
        verdicts[outcome.verdict] += 1
        style = _STYLES[outcome.verdict]
        console.print(
            f"[{style}]{outcome.verdict:7}[/]  It {escape(outcome.title)}.  [dim]{escape(outcome.explanation)}[/]"
        )

    async with _served(server) as address, RecordingProxy.before(address) as proxy, connect(address) as me:
        name, token = await _make_bot(address)
        async with _running(command, f"127.0.0.1:{proxy.port}", token) as program:
            player = (await me.players.ratings(name)).player
            without_rules = OnlineBot(player, ChallengeRules(()), 0)
            bench = Bench(address, me, proxy, without_rules, patience_s, program)
            try:
                bench.bot = await bench.online(START_TIMES)
            except FaultError as fault:
                report(Outcome("comes online", Verdict.FAILED, str(fault)))
                return verdicts
            report(Outcome("comes online", Verdict.PASSED))
            if not bench.rules.casual:
                await me.account.register(*_name_and_password())
            async for outcome in check(bench):
                report(outcome)
                if stops_at_fault and verdicts[Verdict.FAILED]:
                    break
    return verdicts


async def _make_bot(address: str) -> tuple[str, str]:
    """Create a bot's account and return its name and an API token. Raises: ClientError."""
    name, password = _name_and_password()
    return name, (await register_bot(address, name, password)).token


def _name_and_password() -> tuple[str, str]:
    return f"Check-{secrets.token_hex(5)}", secrets.token_hex(16)


@asynccontextmanager
async def _served(server: str) -> AsyncIterator[str]:
    """Provide the address of a server: the given one, or a new one that runs while the context lasts."""
    if server:
        yield server
        return
    async with child_server() as address:
        yield address


@asynccontextmanager
async def _running(command: Sequence[str], address: str, token: str) -> AsyncIterator[Process | None]:
    """Run the bot's program while the context lasts. Raises: OSError."""
    environment = {**os.environ, "MILLRACE_URL": address, "MILLRACE_TOKEN": token}
    words = [word.replace("{address}", address).replace("{token}", token) for word in command]
    process = await start_child(*words, env=environment, stdin=DEVNULL, stdout=DEVNULL)
    try:
        yield process
    finally:
        await end_process(process)
