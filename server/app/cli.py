"""The command line `millrace`: the arguments of each command. `server.app.commands` does the work.

Each command imports what it needs when it runs, so that `millrace --help` answers at once.
"""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from millrace.engine.faults import GameFaultError
from millrace.release import release_text

from ..runtime.settings import SHIPPED_CALENDAR, NoHomeError, Settings, data_folder, settings_for
from ..runtime.standard_streams import choose_log_format, log_to_stderr, prepare_streams
from ..runtime.threads import spare_threads
from .commands.admin import admin
from .commands.arguments import (
    BotsAddress,
    Bus,
    Database,
    DataDir,
    LogFormatOption,
    MailFrom,
    Processes,
    Smtp,
    SmtpPasswordFile,
    Traces,
)
from .commands.client_commands import bot, bot_check, play
from .commands.command_group import command_group
from .commands.database_commands import archive, backup, export_matches, import_matches, migrate, restore
from .commands.engine_commands import engine, perft, position, sheep, tune
from .commands.engine_data import book, puzzles, tablebase
from .commands.environment import warn_of_unknown_variables
from .commands.new_game import new_game
from .commands.output import INTERRUPTED, message_of

app = command_group("Play Nine Men's Morris, Battle Sheep and Ming Mang: server, engine and tools.")

app.add_typer(tablebase, name="tablebase")
app.add_typer(book, name="book")
app.add_typer(puzzles, name="puzzles")
app.add_typer(archive, name="archive")
app.add_typer(admin, name="admin")


def main() -> None:
    """Run the command line. What no command handles ends it without a traceback: a Ctrl-C, a faulty game, and a
    standard output that cannot be written.
    """
    prepare_streams()
    try:
        try:
            app()
        finally:
            sys.stdout.flush()
    except OSError as error:
        if error.filename is None:
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)  # Python writes what is pending once more
        raise SystemExit(f"millrace: {message_of(error)}") from None
    except (NoHomeError, GameFaultError) as error:
        raise SystemExit(f"millrace: {error}") from None
    except KeyboardInterrupt:
        raise SystemExit(INTERRUPTED) from None


def _print_release(is_wanted: bool) -> None:
    if is_wanted:
        typer.echo(f"Millrace {release_text()}")
        raise typer.Exit


@app.callback()
def describe(
    context: typer.Context,
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_print_release, is_eager=True, help="Print the release and its commit."),
    ] = False,
) -> None:
    """Print the release if asked, send the log to stderr, and warn of misspelt variables."""
    log_to_stderr()
    warn_of_unknown_variables(context.command)


@app.command(context_settings={"auto_envvar_prefix": "MILLRACE"})
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
            "each serves its own /health, /health/live and /metrics there, also while it refuses players.",
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
    least_arena_minutes: Annotated[int, typer.Option(min=1, hidden=True)] = 20,
    race_seconds: Annotated[int, typer.Option(min=1, hidden=True)] = 90,
    calendar: Annotated[
        Path,
        typer.Option(
            help="A file of the arenas that recur (docs/tournaments.md); an empty one for none.",
            show_default="daily and weekly arenas",
        ),
    ] = SHIPPED_CALENDAR,
    pack_after: Annotated[
        float | None,
        typer.Option(
            min=0.001, help="Pack matches into a twentieth of the space, days after their end.", show_default="never"
        ),
    ] = None,
    keep_exhibitions: Annotated[
        float, typer.Option(min=0, help="Delete exhibitions days after their end; 0 keeps them.")
    ] = 30.0,
    keep_unfinished: Annotated[
        float, typer.Option(min=0, help="Delete guests' matches without a result days after their end; 0 keeps them.")
    ] = 30.0,
    tablebases: Annotated[bool, typer.Option(help="Build small tablebases for the bots.")] = True,
    browser_engine: Annotated[bool, typer.Option(help="Make the games' engines for browsers.")] = True,
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
    log_format: LogFormatOption = "text",
    traces: Traces = "",
) -> None:
    """Run the server: web page, matches and bots.

    Each option may also be set in the environment, such as MILLRACE_BOT_PACE=1; several values are separated by spaces.
    """
    spare_threads()
    from .commands.serve import (
        check_cluster,
        parse_allowed_hosts,
        parse_bots,
        parse_contact,
        parse_limits,
        parse_mail_from,
        parse_origins,
        parse_traces,
        read_smtp_password,
        serve_until_stopped,
    )

    folder = data_folder(data_dir)
    check_cluster(database, bus, processes)
    serve_until_stopped(
        Settings(
            host,
            port,
            folder,
            database,
            parse_origins(origin or ()),
            bot_workers,
            patience,
            bot_pace,
            least_arena_minutes=least_arena_minutes,
            race_seconds=race_seconds,
            calendar=calendar,
            pack_after_days=pack_after,
            keep_exhibitions_days=keep_exhibitions,
            keep_unfinished_days=keep_unfinished,
            bots=parse_bots(bots),
            builds_tablebases=tablebases,
            makes_browser_engine=browser_engine,
            tablebase=tablebase,
            is_behind_proxy=behind_proxy,
            allowed_hosts=parse_allowed_hosts(allowed_host or ()),
            are_metrics_open=open_metrics,
            limits=parse_limits(limit or ()),
            address_factor=address_factor,
            security_log=security_log,
            contact=parse_contact(contact),
            smtp=smtp,
            smtp_password=(password := read_smtp_password(smtp_password_file)),
            mail_from=parse_mail_from(smtp, password, mail_from),
            allows_local_push=local_push,
            log_format=log_format,
            traces=parse_traces(traces),
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
    log_format: LogFormatOption = "text",
) -> None:
    """Search for the bots of all servers connected to a Dask scheduler, until you press Ctrl-C."""
    spare_threads()
    from .commands.bot_worker import work_until_stopped
    from .commands.serve import parse_bots

    choose_log_format(log_format)
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


app.command()(migrate)
app.command("export")(export_matches)
app.command("import")(import_matches)
app.command()(backup)
app.command()(restore)
app.command()(perft)
app.command()(position)
app.command()(engine)
app.command()(sheep)
app.command()(bot)
app.command()(play)
app.command("bot-check")(bot_check)
app.command()(tune)
app.command("new-game")(new_game)


if __name__ == "__main__":
    main()
