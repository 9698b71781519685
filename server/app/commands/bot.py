"""The command `millrace bot`: an engine plays on a server under a bot's account. The bot itself is `client.bots`."""

import asyncio
import dataclasses
import signal
import sys
from collections.abc import Mapping, Sequence

import typer
from msgspec.structs import replace

from millrace.client import ChallengeRules, ClientError, connect
from millrace.client.bots import BotHost, Decider
from millrace.client.bots.engine_pool import EnginePool
from millrace.client.bots.engine_process import EngineFailureError

from ..extras import require_server
from .output import INVALID_ARGUMENT, exit_on, fail

OUR_ENGINE = (sys.executable, "-m", "millrace.server.app.cli", "engine", "{game}")


@dataclasses.dataclass(frozen=True, slots=True)
class BotPlan:
    """The settings of a bot."""

    address: str
    token: str
    command: tuple[str, ...]
    """The engine's command, where `{game}` is replaced by the game's name; empty for Millrace's own engine."""
    options: Mapping[str, str]
    """The engine's options, by name."""
    movetime_ms: int
    """Thinking time for a move if no clock runs."""
    engines: int
    """Number of processes for each game."""
    rules: ChallengeRules
    """If these name no games, the bot plays all games of the server."""
    joins_tournaments: bool
    """Whether to join all tournaments for bots in these games."""
    finishes: bool
    """Whether to finish the running matches after an interrupt."""


def play_as_bot(plan: BotPlan) -> None:
    """Play until interrupted. Exit with 2 at once without a token: a guest cannot be a bot."""
    if not plan.token:
        fail(
            "A bot needs an API token of its account: use --env-file, --token or MILLRACE_TOKEN; "
            "--register NAME makes an account.",
            INVALID_ARGUMENT,
        )
    if not plan.command:
        require_server()
    with exit_on(ClientError, EngineFailureError):
        asyncio.run(_play(plan))


def parse_options(texts: Sequence[str]) -> dict[str, str]:
    """Parse engine options such as `Level=3`. Raises: typer.BadParameter."""
    options = dict[str, str]()
    for text in texts:
        name, is_given, value = text.partition("=")
        if not (name and is_given):
            raise typer.BadParameter(f"an engine option is NAME=VALUE, not {text!r}")
        options[name] = value
    return options


async def _play(plan: BotPlan) -> None:
    """Raises: ClientError, EngineFailureError."""
    engines = EnginePool(plan.command or OUR_ENGINE, plan.options, plan.movetime_ms, plan.engines)
    try:
        async with connect(plan.address, token=plan.token, program="millrace-bot") as me:
            rules = plan.rules if plan.rules.games else replace(plan.rules, games=tuple(game.name for game in me.games))
            _say(f"Connected as {me.player.name}. Starting engines for {', '.join(rules.games)} ...")
            for game in rules.games:
                await engines.prepare(game)
            decider = Decider(engines.choose, say=_say)
            if plan.joins_tournaments:
                decider = dataclasses.replace(decider, joins=lambda each: each.plan.game in rules.games)
            host = BotHost(me, rules, decider)
            _say("Press Ctrl-C to stop.")
            await _run_until_interrupted(host, plan.finishes)
    finally:
        await engines.close()


async def _run_until_interrupted(host: BotHost, finishes: bool) -> None:
    """Play. The first interrupt stops new matches, the second ends the run at once."""
    running = asyncio.create_task(host.run())
    leaving = set[asyncio.Task[None]]()

    def interrupt() -> None:
        if finishes and not leaving:
            against = f" against {', '.join(host.opponents)}" if host.opponents else ""
            _say(
                "Accepting no more challenges. "
                f"Finishing the running matches{against}; press Ctrl-C again to leave them."
            )
            leaving.add(asyncio.create_task(host.leave()))
        else:
            _say("Leaving. The next start continues the running matches.")
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


def _say(line: str) -> None:
    typer.echo(line)
    sys.stdout.flush()
