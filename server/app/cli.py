"""The command line `millrace`: the arguments of each command. `server.app.commands` does the work.

Each command imports what it needs when it runs, so that `millrace --help` answers at once.
"""

import sys
from pathlib import Path
from typing import Annotated

import typer

from ..runtime.settings import Settings, default_data_dir, settings_for
from .commands.admin import admin
from .commands.arguments import (
    BotsAddress,
    Bus,
    Database,
    DataDir,
    GameName,
    MailFrom,
    Processes,
    Smtp,
    SmtpPasswordFile,
    with_database_password,
)
from .commands.engine_data import book, puzzles, tablebase
from .commands.output import INTERRUPTED, exit_on_engine_error
from .commands.standard_streams import log_to_stderr

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)

app.add_typer(tablebase, name="tablebase")
app.add_typer(book, name="book")
app.add_typer(puzzles, name="puzzles")
app.add_typer(admin, name="admin")


def main() -> None:
    """Run the command line. A Ctrl-C that no command handles ends it without a traceback."""
    try:
        app()
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


@app.callback()
def describe() -> None:
    """Play Nine Men's Morris, Battle Sheep and Ming Mang: server, engine and tools."""
    log_to_stderr()


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 for all networks.")] = "localhost",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 for any free port.")] = 8000,
    database: Database = "",
    bus: Bus = "",
    data_dir: DataDir = None,
    processes: Annotated[
        int,
        typer.Option(min=1, help="Number of servers that share the port; more than one needs --database and --bus."),
    ] = 1,
    node_ports: Annotated[
        int | None,
        typer.Option(
            min=1,
            max=65535,
            help="A port of its own for the first of the --processes, the next one for the second, and so on: "
            "each serves its own /health and /metrics there.",
        ),
    ] = None,
    origin: Annotated[list[str] | None, typer.Option(help="Another site whose pages may connect. Repeatable.")] = None,
    bots: BotsAddress = "",
    bot_workers: Annotated[
        int | None,
        typer.Option(
            min=1,
            help="Number of search processes, shared among --processes; with --bots, the number used while "
            "the cluster is unreachable.",
            show_default="processors, or 1 with --bots",
        ),
    ] = None,
    patience: Annotated[float, typer.Option(min=0, help="Factor for the waiting time for absent players.")] = 1.0,
    bot_pace: Annotated[
        float, typer.Option(min=0, help="Minimum seconds per bot move against people; 0 for none.")
    ] = 0.7,
    tablebases: Annotated[bool, typer.Option(help="Build small tablebases for the bots.")] = True,
    tablebase: Annotated[
        Path | None,
        typer.Option(
            help="A folder of tablebases for the bots.", file_okay=False, exists=True, show_default="in the data folder"
        ),
    ] = None,
    behind_proxy: Annotated[bool, typer.Option(help="Trust the header X-Forwarded-For of a reverse proxy.")] = False,
    allowed_host: Annotated[
        list[str] | None,
        typer.Option(
            help="A host name of this server, such as play.example.org; * for any. Repeatable. Not needed for "
            "addresses, localhost and the machine's own name."
        ),
    ] = None,
    open_metrics: Annotated[
        bool, typer.Option("--open-metrics", help="Serve /metrics to everyone, not only to this machine.")
    ] = False,
    limit: Annotated[
        list[str] | None,
        typer.Option(help="A bound, as NAME=NUMBER, such as chat_lines.guest=5 (docs/limits.md). Repeatable."),
    ] = None,
    address_factor: Annotated[
        float,
        typer.Option(min=0.01, help="Factor for the limits per address, for a school or an office that shares one."),
    ] = 1.0,
    security_log: Annotated[
        Path | None, typer.Option(help="A log of failed sign-ins, refused origins and exceeded limits.")
    ] = None,
    contact: Annotated[
        str,
        typer.Option(help="Your address for push services, such as mailto:admin@example.org; some require one."),
    ] = "",
    smtp: Smtp = "",
    smtp_password_file: SmtpPasswordFile = None,
    mail_from: MailFrom = "",
    local_push: Annotated[
        bool,
        typer.Option("--local-push", help="Allow a push service in your own network, also over http."),
    ] = False,
) -> None:
    """Run the server: web page, matches and bots."""
    from .commands.serve import (
        check_cluster,
        parse_bots,
        parse_contact,
        parse_limits,
        parse_mail_from,
        read_smtp_password,
        serve_until_stopped,
    )

    folder = (data_dir or default_data_dir()).expanduser().absolute()
    origins = tuple(origin or ())
    check_cluster(database, bus, processes)
    serve_until_stopped(
        Settings(
            host,
            port,
            folder,
            database,
            origins,
            bot_workers,
            patience,
            bot_pace,
            bots=parse_bots(bots),
            builds_tablebases=tablebases,
            tablebase=tablebase,
            is_behind_proxy=behind_proxy,
            allowed_hosts=tuple(allowed_host or ()),
            are_metrics_open=open_metrics,
            limits=parse_limits(limit or ()),
            address_factor=address_factor,
            security_log=security_log,
            contact=parse_contact(contact),
            smtp=smtp,
            smtp_password=(password := read_smtp_password(smtp_password_file)),
            mail_from=parse_mail_from(smtp, password, mail_from),
            allows_local_push=local_push,
            bus=bus,
            node_port=node_ports,
        ),
        processes,
    )


@app.command("bot-worker")
def bot_worker(
    address: Annotated[str, typer.Argument(metavar="SCHEDULER", help="A Dask scheduler: tcp://scheduler:8786.")],
    processes: Processes = None,
    data_dir: DataDir = None,
    tablebases: Annotated[bool, typer.Option(help="Build small tablebases for the bots.")] = True,
) -> None:
    """Search for the bots of all servers connected to a Dask scheduler, until you press Ctrl-C."""
    import os

    from .commands.bot_worker import work_until_stopped
    from .commands.serve import parse_bots

    work_until_stopped(parse_bots(address), processes or os.cpu_count() or 1, settings_for(data_dir), tablebases)


@app.command("mail-test")
def mail_test(
    address: Annotated[str, typer.Argument(help="The recipient's address.")],
    smtp: Smtp = "",
    smtp_password_file: SmtpPasswordFile = None,
    mail_from: MailFrom = "",
) -> None:
    """Send a mail to test the mail server."""
    from .commands.mail_test import send_test_mail
    from .commands.serve import read_smtp_password

    send_test_mail(address, smtp, read_smtp_password(smtp_password_file), mail_from)


@app.command()
def migrate(
    database: Database = "",
    data_dir: DataDir = None,
    accept_copy: Annotated[
        bool,
        typer.Option("--accept-copy", help="Accept an SQLite file that was copied without its write-ahead log."),
    ] = False,
    source: Annotated[
        str,
        typer.Option(
            "--from",
            help="Copy this database, such as sqlite:///PATH, into the one of --to.",
            callback=with_database_password,
        ),
    ] = "",
    target: Annotated[
        str,
        typer.Option(
            "--to",
            help="An empty database, such as postgresql://HOST/NAME, or an unfinished copy.",
            callback=with_database_password,
        ),
    ] = "",
    check: Annotated[bool, typer.Option("--check", help="Only compare the databases of --from and --to.")] = False,
) -> None:
    """Upgrade the database, as `serve` does when it starts, or copy it into another one with --from and --to.

    Run the command again to continue an interrupted copy. No server may be running on either database.
    """
    from .commands.serve import migrate_database

    if source or target or check:
        from .commands.copy import copy_database
        from .commands.output import fail

        if not (source and target) or database or data_dir or accept_copy:
            fail("To copy a database, name it with --from and the new one with --to, and give no other database.", 2)
        copy_database(source, target, only_checks=check)
        return
    migrate_database(settings_for(data_dir, database), accept_copy)


@app.command("export")
def export_matches(
    file: Annotated[
        Path,
        typer.Argument(
            help="The file to write, or - for standard output: JSON lines for .json, SGF for .sgf, PlayOK for "
            ".playok.txt, otherwise text."
        ),
    ],
    match: Annotated[list[str] | None, typer.Option(help="The id of a match, finished or not. Repeatable.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as --form json.")] = False,
    form: Annotated[str, typer.Option(help="txt, json, sgf or playok, regardless of the file's name.")] = "",
    site: Annotated[str, typer.Option(help="The server's address, for links in the text.")] = "http://localhost:8000",
    database: Database = "",
    data_dir: DataDir = None,
) -> None:
    """Write all finished matches, or chosen ones, to a file."""
    from .commands.archive import export_archive

    export_archive(settings_for(data_dir, database).database_url, file, site, match or (), "json" if as_json else form)


@app.command("import")
def import_matches(
    files: Annotated[list[Path], typer.Argument(help="Files in the formats of `export`, or PGN-like text.")],
    game: Annotated[str, typer.Option(help="The game of matches that name none.")] = "",
    database: Database = "",
    data_dir: DataDir = None,
) -> None:
    """Add matches from files to the archive, marked as imported."""
    from .commands.archive import import_archive

    settings = settings_for(data_dir, database)
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    import_archive(settings.database_url, files, game)


@app.command()
def backup(
    file: Annotated[Path, typer.Argument(help="The file to write, such as millrace.backup.")],
    database: Database = "",
    data_dir: DataDir = None,
) -> None:
    """Write the whole database to a file, also while a server is running."""
    from .commands.backup import back_up

    back_up(settings_for(data_dir, database).database_url, file)


@app.command()
def restore(
    file: Annotated[Path, typer.Argument(help="A file written by `backup`, from SQLite or PostgreSQL.")],
    database: Database = "",
    data_dir: DataDir = None,
    replace: Annotated[
        bool, typer.Option("--replace", help="Replace the current database, keeping it under another name.")
    ] = False,
    check: Annotated[bool, typer.Option("--check", help="Only check that the file is complete.")] = False,
) -> None:
    """Put a backup into a new database. The server must not be running."""
    from .commands.backup import check_file, restore_file

    if check:
        check_file(file)
        return
    settings = settings_for(data_dir, database)
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    restore_file(settings.database_url, file, replaces=replace)


@app.command()
def perft(
    game_name: GameName,
    depth: Annotated[int, typer.Option(min=0, help="The depth in plies.")],
    position: Annotated[str, typer.Option(help="A position text; by default the start position.")] = "",
    divide: Annotated[bool, typer.Option(help="Print the count of each first move.")] = False,
) -> None:
    """Count the leaves of the game tree. The last line is the total alone."""
    from .commands.perft import print_divide, print_perft

    (print_divide if divide else print_perft)(game_name, position, depth)


@app.command()
def position(
    game_name: GameName,
    text: Annotated[
        str, typer.Argument(metavar="[TEXT]", help="A position or a set-up in any notation; - to read standard input.")
    ] = "",
    moves: Annotated[str, typer.Option(help="Moves from there, separated by spaces.")] = "",
    notation: Annotated[
        str, typer.Option(help="fen (Nine Men's Morris) or older (Battle Sheep); by default the game's own notation.")
    ] = "",
) -> None:
    """Print a position as text, also in the notation of other programs."""
    from millrace.engine.game.written_moves import join_captures
    from millrace.engine.games import find_game
    from millrace.engine.state import State

    with exit_on_engine_error():
        game = find_game(game_name)
        setup = sys.stdin.read().strip("\r\n") if text == "-" else text
        state = State.from_moves(game, setup, join_captures(moves.split(), game.texts.capture_mark))
        typer.echo(state.write_position(notation))


@app.command()
def engine(
    game_name: Annotated[
        str,
        typer.Argument(metavar="[GAME]", help="The game: morris, mingmang or battlesheep."),
    ] = "morris",
    weights: Annotated[
        str, typer.Option(help="The evaluation weights: a name such as `published`, or a file written by `tune`.")
    ] = "",
    data_dir: DataDir = None,
) -> None:
    """Run the engine on standard input and output, with a line protocol like UCI, tablebases and opening books."""
    from .commands.engine import speak_lines

    settings = settings_for(data_dir)
    speak_lines(game_name, weights, settings.tablebases_folder, settings.books_folder)


@app.command()
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
    games: Annotated[
        str, typer.Option(help="Games, such as morris,mingmang; by default all games of the server.")
    ] = "",
    matches: Annotated[int, typer.Option(min=1, max=32, help="Matches to play at once.")] = 1,
    rated: Annotated[bool, typer.Option(help="Play rated matches.")] = True,
    casual: Annotated[bool, typer.Option(help="Play casual matches.")] = True,
    bots: Annotated[bool, typer.Option(help="Play against other bots.")] = True,
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

    from .commands.bot import BotPlan, parse_options, play_as_bot

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
    play_as_bot(BotPlan(address, token, tuple(command or ()), options, movetime, processes, rules, finish))


@app.command()
def play(
    address: Annotated[
        str, typer.Argument(metavar="[URL]", help="The server, such as localhost:8000.")
    ] = "localhost:8000",
    name: Annotated[
        str,
        typer.Option(help="Your account's name; asks for the password. Without it you play as a guest."),
    ] = "",
    register: Annotated[bool, typer.Option("--register", help="Register an account with that name.")] = False,
    local: Annotated[
        bool, typer.Option("--local", help="Play on this machine without a server, against bots or each other.")
    ] = False,
    plain: Annotated[
        bool, typer.Option("--plain", help="Read and print lines, for screen readers; the default in a pipe.")
    ] = False,
    style: Annotated[str, typer.Option(help="How boards are drawn: ascii, colour or contrast.")] = "",
) -> None:
    """Play in the terminal. Type `help` there for the list of commands."""
    from .commands.play import play_at_terminal

    play_at_terminal(address, name, is_local=local, is_new=register, is_plain=plain, style=style)


@app.command("bot-check")
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
    from .commands.bot_check import check_bot

    check_bot(command, server, patience, stop_at_fault)


@app.command()
def tune(
    game_name: GameName,
    start: Annotated[str, typer.Option(help="The initial weights: `published`, `weights`, or a file.")] = "published",
    seed: Annotated[int, typer.Option(min=0, help="Random seed; the same seed gives the same weights.")] = 1,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds of playing matches and fitting weights to them.")] = 4,
    matches: Annotated[int, typer.Option(min=1, help="Matches in each round.")] = 1000,
    nodes: Annotated[int, typer.Option(min=1, help="Nodes searched for each move.")] = 1000,
    plies: Annotated[int, typer.Option(min=1, help="Maximum number of random moves at the start of a match.")] = 8,
    decay: Annotated[
        float, typer.Option(min=0, max=1, help="1 to learn from results only; less to learn also from later searches.")
    ] = 1.0,
    workers: Annotated[int | None, typer.Option(min=1, help="Number of processes.", show_default="processors")] = None,
    file: Annotated[Path, typer.Option(help="The file to write.")] = Path("weights.json"),
) -> None:
    """Tune the evaluation weights on matches of the engine against itself."""
    from .commands.tune import Tuning, print_tune

    print_tune(Tuning(game_name, start, seed, rounds, matches, nodes, plies, decay), workers, file)


if __name__ == "__main__":
    main()
