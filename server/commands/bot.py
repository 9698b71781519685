"""What `millrace bot` does: seat an engine that speaks the line protocol at a server, by the account of a bot.

Playing itself is `client.bots`.
"""

import asyncio
import signal
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import typer
from msgspec.structs import replace

from millrace.client import ChallengeRules, ClientError, Connection, connect
from millrace.client.bots import BotHost, Decider
from millrace.client.bots.engine_pool import EnginePool
from millrace.client.bots.engine_process import EngineFailureError

OUR_ENGINE = (sys.executable, "-m", "millrace.server.cli", "engine", "{game}")


@dataclass(frozen=True, slots=True)
class BotPlan:
    """What a bot is told when it starts."""

    address: str
    token: str
    command: tuple[str, ...]
    """Of the engine, `{game}` standing for the game's name; none for our own."""
    options: Mapping[str, str]
    """Of the engine, by name."""
    movetime_ms: int
    """So long a ply may take where no clock runs."""
    engines: int
    """So many processes for each game."""
    rules: ChallengeRules
    """Without games it plays all that the server offers."""
    finishes: bool
    """Whether an interrupt lets the matches that go on come to their end."""


def play_as_bot(plan: BotPlan) -> None:
    """Play until interrupted; exit with 1 and one line of reason if that cannot be."""
    try:
        asyncio.run(_play(plan))
    except (ClientError, EngineFailureError) as error:
        typer.echo(f"millrace: {getattr(error, 'message', error)}", err=True)
        raise typer.Exit(1) from None


def parse_options(words: Sequence[str]) -> dict[str, str]:
    """Read options of an engine, such as `Level=3`. Raises: typer.BadParameter."""
    options = dict[str, str]()
    for word in words:
        name, is_given, value = word.partition("=")
        if not (name and is_given):
            raise typer.BadParameter(f"an option of the engine is NAME=VALUE, not {word!r}")
        options[name] = value
    return options


async def _play(plan: BotPlan) -> None:
    """Raises: ClientError, EngineFailureError."""
    engines = EnginePool(plan.command or OUR_ENGINE, plan.options, plan.movetime_ms, plan.engines)
    try:
        async with connect(plan.address, token=plan.token, program="millrace-bot") as me:
            rules = plan.rules if plan.rules.games else replace(plan.rules, games=_games_of(me))
            _say(f"Connected as {me.player.name}; starting an engine for each of {', '.join(rules.games)} ...")
            for game in rules.games:
                await engines.prepare(game)
            host = BotHost(me, rules, Decider(engines.choose, say=_say))
            _say("Taking challenges. Interrupt (Ctrl-C) to stop.")
            await _run_until_interrupted(host, plan.finishes)
    finally:
        await engines.close()


async def _run_until_interrupted(host: BotHost, finishes: bool) -> None:
    """Play; at the first interrupt finish what goes on, unless that is not wanted, at the second stop at once."""
    running = asyncio.create_task(host.run())
    leaving = set[asyncio.Task[None]]()

    def interrupt() -> None:
        if finishes and not leaving:
            _say("No more challenges are taken; matches that go on are finished. Interrupt again to leave them.")
            leaving.add(asyncio.create_task(host.leave()))
        else:
            _say("Leaving; matches that go on are taken up by the next start.")
            running.cancel()

    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        try:
            loop.add_signal_handler(number, interrupt)
        except NotImplementedError:
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(interrupt))
    try:
        await running
    except asyncio.CancelledError:
        if not running.cancelled():
            raise
    finally:
        for task in leaving:
            task.cancel()


def _games_of(me: Connection) -> tuple[str, ...]:
    return tuple(game.name for game in me.games)


def _say(words: str) -> None:
    typer.echo(words)
    sys.stdout.flush()
