"""The commands that connect to a server as players do: bots, and playing in the terminal.

Each imports what it needs when it runs.
"""

from pathlib import Path
from typing import Annotated

import typer


def bot(
    address: Annotated[str, typer.Argument(metavar="URL", help="The server, such as localhost:8000.")],
    command: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[-- ENGINE COMMAND]", help="An engine that speaks the line protocol; by default Millrace's."
        ),
    ] = None,
    token: Annotated[
        str, typer.Option(envvar="MILLRACE_TOKEN", help="An API token of the bot's account.", show_envvar=True)
    ] = "",
    env_file: Annotated[
        Path | None, typer.Option(help="A file with a line MILLRACE_TOKEN=...; --register writes it.")
    ] = None,
    register: Annotated[
        str,
        typer.Option(
            metavar="NAME", help="Register an account for a bot, write its secrets to NAME.env or --env-file, exit."
        ),
    ] = "",
    games: Annotated[
        str, typer.Option(help="Games, such as morris,mingmang; by default all games of the server.")
    ] = "",
    matches: Annotated[int, typer.Option(min=1, max=32, help="Matches to play at once.")] = 1,
    rated: Annotated[bool, typer.Option(help="Play rated matches.")] = True,
    casual: Annotated[bool, typer.Option(help="Play casual matches.")] = True,
    bots: Annotated[bool, typer.Option(help="Play against other bots.")] = True,
    tournaments: Annotated[
        bool, typer.Option("--tournaments", help="Join every tournament for bots in these games.")
    ] = False,
    any_position: Annotated[bool, typer.Option(help="Play from any position, not only the start positions.")] = False,
    untimed: Annotated[bool, typer.Option(help="Play without a clock.")] = True,
    correspondence: Annotated[bool, typer.Option(help="Play with days per move.")] = False,
    least_initial: Annotated[int, typer.Option(min=0, help="Minimum time on the clock, in seconds.")] = 0,
    most_initial: Annotated[
        int, typer.Option(min=1, max=86_400, help="Maximum time on the clock, in seconds.")
    ] = 86_400,
    least_increment: Annotated[int, typer.Option(min=0, max=600, help="Minimum increment per move, in seconds.")] = 0,
    movetime: Annotated[int, typer.Option(min=1, help="Thinking time without a clock, in milliseconds.")] = 1_000,
    engines: Annotated[
        int | None,
        typer.Option(min=1, help="Engine processes for each game.", show_default="processors, at most --matches"),
    ] = None,
    option: Annotated[
        list[str] | None, typer.Option(help="An option of the engine, as NAME=VALUE. Repeatable.")
    ] = None,
    finish: Annotated[bool, typer.Option(help="Finish the running matches after Ctrl-C.")] = True,
) -> None:
    """Connect an engine to a server as a bot. It accepts challenges until you press Ctrl-C."""
    import os

    from millrace.client import ChallengeRules

    from .bot import BotPlan, parse_options, play_as_bot
    from .bot_account import read_token
    from .bot_account import register as register_account

    if register:
        register_account(address, register, env_file)
        return
    token = read_token(env_file) if env_file else token
    rules = ChallengeRules(
        tuple(filter(None, games.split(","))),
        "any" if any_position else "offered",
        casual=casual,
        rated=rated,
        untimed=untimed,
        correspondence=correspondence,
        least_initial_ms=1_000 * least_initial,
        most_initial_ms=1_000 * most_initial,
        least_increment_ms=1_000 * least_increment,
        bots=bots,
        most_matches=matches,
    )
    options, processes = parse_options(option or []), engines or min(matches, os.cpu_count() or 1)
    play_as_bot(BotPlan(address, token, tuple(command or ()), options, movetime, processes, rules, tournaments, finish))


def play(
    address: Annotated[
        str, typer.Argument(metavar="[URL]", help="The server, such as localhost:8000.")
    ] = "localhost:8000",
    name: Annotated[
        str,
        typer.Option(help="Your account's name; asks for the password once. Without it you continue as who you were."),
    ] = "",
    register: Annotated[bool, typer.Option("--register", help="Register an account with that name.")] = False,
    guest: Annotated[bool, typer.Option("--guest", help="Play as a new guest, who is not remembered.")] = False,
    local: Annotated[
        bool, typer.Option("--local", help="Play on this machine without a server, against bots or each other.")
    ] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="Read and print lines, for screen readers; the default in a pipe.")
    ] = False,
    style: Annotated[
        str, typer.Option(help="ascii, colour, light or contrast; by default what suits the terminal.")
    ] = "",
) -> None:
    """Play in the terminal. Type `help` there for the list of commands."""
    from .play import play_at_terminal

    play_at_terminal(address, name, is_local=local, is_new=register, is_guest=guest, is_plain=plain, style=style)


def bot_check(
    command: Annotated[
        list[str],
        typer.Argument(
            metavar="-- COMMAND", help="The command that starts the bot; {address} and {token} are replaced."
        ),
    ],
    server: Annotated[
        str, typer.Option(help="A running server, such as localhost:8000; by default a new one is started.")
    ] = "",
    patience: Annotated[float, typer.Option(min=0.1, help="Seconds for each answer of the bot.")] = 10.0,
    stop_at_fault: Annotated[bool, typer.Option(help="Stop at the first failure.")] = False,
) -> None:
    """Check a bot's behaviour in all kinds of matches. It is started with MILLRACE_URL and MILLRACE_TOKEN set."""
    from .bot_check import check_bot

    check_bot(command, server, patience, stop_at_fault)
