"""The command line `millrace`: one function a command, which reads arguments and prints.

No work is done here, and each command imports what it needs itself, so that `millrace --help` answers at once.
"""

from pathlib import Path
from typing import Annotated

import typer

from .commands.admin import admin
from .commands.streams import log_to_stderr

app = typer.Typer(no_args_is_help=True, add_completion=False, pretty_exceptions_enable=False)

tablebase = typer.Typer(no_args_is_help=True, help="Solve endings of Nine Men's Morris, and look them up.")
app.add_typer(tablebase, name="tablebase")

book = typer.Typer(no_args_is_help=True, help="Grow opening books, and look into them.")
app.add_typer(book, name="book")

app.add_typer(admin, name="admin")

DataDir = Annotated[Path | None, typer.Option(help="Where data is kept.", show_default="this user's")]
GameName = Annotated[str, typer.Argument(metavar="GAME", help="morris, ...")]


def main() -> None:
    """Run the command that the arguments name."""
    app()


@app.callback()
def describe() -> None:
    """Play Nine Men's Morris, Battle Sheep and Ming Mang: server, engine and tools."""
    log_to_stderr()


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on; 0.0.0.0 for every network.")] = "localhost",
    port: Annotated[int, typer.Option(min=0, max=65535, help="The port; 0 lets the system choose.")] = 8000,
    database: Annotated[str, typer.Option(help="A database URL; by default SQLite in the data folder.")] = "",
    data_dir: DataDir = None,
    origin: Annotated[list[str] | None, typer.Option(help="Another site whose pages may connect; repeatable.")] = None,
    message_rate: Annotated[int, typer.Option(min=1, help="Messages a second that a connection may send.")] = 100,
    bot_workers: Annotated[int | None, typer.Option(min=1, help="Processes that search.", show_default="cores")] = None,
    patience: Annotated[float, typer.Option(min=0, help="How long absent players are waited for: 1 is usual.")] = 1.0,
    registrations: Annotated[int, typer.Option(min=0, help="Accounts that one address may make in an hour.")] = 20,
    guest_joins: Annotated[
        int, typer.Option(min=0, help="Matches that guests of one address may join in a day.")
    ] = 250,
    tablebases: Annotated[bool, typer.Option(help="Build small tablebases of Nine Men's Morris for the bots.")] = True,
    analysis_allowance: Annotated[
        float, typer.Option(min=0.01, help="How much the engine analyses for everybody: 1 is usual.")
    ] = 1.0,
    behind_proxy: Annotated[bool, typer.Option(help="Believe a proxy's X-Forwarded-For.")] = False,
) -> None:
    """Serve the page, the matches and the bots."""
    from .commands.serve import serve_until_stopped
    from .settings import Settings, default_data_dir

    folder = (data_dir or default_data_dir()).expanduser().absolute()
    origins = tuple(origin or ())
    serve_until_stopped(
        Settings(
            host,
            port,
            folder,
            database,
            origins,
            message_rate,
            bot_workers,
            patience,
            registrations,
            guest_joins,
            analysis_allowance=analysis_allowance,
            is_behind_proxy=behind_proxy,
            builds_tablebases=tablebases,
        )
    )


@app.command()
def migrate(
    database: Annotated[str, typer.Option(help="A database URL; by default SQLite in the data folder.")] = "",
    data_dir: DataDir = None,
) -> None:
    """Bring the database up to date, as `serve` does by itself when it starts."""
    from .commands.serve import migrate_database
    from .settings import settings_for

    migrate_database(settings_for(data_dir, database))


@app.command("export")
def export_matches(
    file: Annotated[Path, typer.Argument(help="Where to; JSON, a match a line, if its name ends in .json.")],
    site: Annotated[str, typer.Option(help="The server's address, for the links in text.")] = "http://localhost:8000",
    database: Annotated[str, typer.Option(help="A database URL; by default SQLite in the data folder.")] = "",
    data_dir: DataDir = None,
) -> None:
    """Write every match that is over into a file."""
    from .commands.archive import export_archive
    from .settings import settings_for

    export_archive(settings_for(data_dir, database).database_url, file, site)


@app.command("import")
def import_matches(
    files: Annotated[list[Path], typer.Argument(help="As `export` writes them, or text in the manner of PGN.")],
    game: Annotated[str, typer.Option(help="What is played where a text does not say.")] = "",
    database: Annotated[str, typer.Option(help="A database URL; by default SQLite in the data folder.")] = "",
    data_dir: DataDir = None,
) -> None:
    """Take matches from files into the archive, marked as imported, for everyone to find."""
    from .commands.archive import import_archive
    from .settings import settings_for

    settings = settings_for(data_dir, database)
    settings.data_dir.mkdir(parents=True, exist_ok=True)
    import_archive(settings.database_url, files, game)


@app.command()
def perft(
    game_name: GameName,
    depth: Annotated[int, typer.Option(min=0, help="Plies to count down to.")],
    position: Annotated[str, typer.Option(help="A position text; by default the start.")] = "",
    divide: Annotated[bool, typer.Option(help="Count below each move.")] = False,
) -> None:
    """Count the leaves of the game tree; the last line is the bare total."""
    from .commands.perft import print_divide, print_perft

    (print_divide if divide else print_perft)(game_name, position, depth)


@app.command()
def engine(
    game_name: GameName,
    weights: Annotated[str, typer.Option(help="How to judge positions: published, or a file that `tune` made.")] = "",
    data_dir: DataDir = None,
) -> None:
    """Speak the line protocol of engines on standard input and output, with solved endings and opening books."""
    from .commands.engine import speak_lines
    from .settings import settings_for

    settings = settings_for(data_dir)
    speak_lines(game_name, weights, settings.tablebases_folder, settings.books_folder)


@app.command()
def bot(
    address: Annotated[str, typer.Argument(metavar="URL", help="The server, such as localhost:8000.")],
    command: Annotated[
        list[str] | None,
        typer.Argument(metavar="[-- ENGINE COMMAND]", help="An engine that speaks the line protocol; by default ours."),
    ] = None,
    token: Annotated[
        str, typer.Option(envvar="MILLRACE_TOKEN", help="An API token of a bot's account.", show_envvar=True)
    ] = "",
    games: Annotated[str, typer.Option(help="Such as morris,mingmang; by default all of the server.")] = "",
    matches: Annotated[int, typer.Option(min=1, max=32, help="So many at once.")] = 1,
    rated: Annotated[bool, typer.Option(help="Play rated matches.")] = True,
    casual: Annotated[bool, typer.Option(help="Play casual matches.")] = True,
    bots: Annotated[bool, typer.Option(help="Play against other bots.")] = True,
    any_position: Annotated[
        bool, typer.Option(help="Play from any position, not only from the games' starts.")
    ] = False,
    untimed: Annotated[bool, typer.Option(help="Play without a clock.")] = True,
    correspondence: Annotated[bool, typer.Option(help="Play by correspondence.")] = False,
    least_initial: Annotated[int, typer.Option(min=0, help="Seconds on the clock at least.")] = 0,
    most_initial: Annotated[int, typer.Option(min=1, max=86_400, help="Seconds on the clock at most.")] = 86_400,
    least_increment: Annotated[int, typer.Option(min=0, max=600, help="Seconds added by each move at least.")] = 0,
    movetime: Annotated[int, typer.Option(min=1, help="Milliseconds for a move where no clock runs.")] = 1_000,
    engines: Annotated[
        int | None, typer.Option(min=1, help="Processes for each game.", show_default="cores, at most --matches")
    ] = None,
    option: Annotated[list[str] | None, typer.Option(help="Of the engine, as NAME=VALUE; repeatable.")] = None,
    finish: Annotated[bool, typer.Option(help="At an interrupt, first finish the matches that go on.")] = True,
) -> None:
    """Let an engine play at a server by the account of a bot: it takes challenges until it is interrupted."""
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
    name: Annotated[str, typer.Option(help="Of your account, whose password is asked for; by default a guest's.")] = "",
    register: Annotated[bool, typer.Option("--register", help="Make an account of that name.")] = False,
) -> None:
    """Play at the terminal: type help there for what may be typed."""
    from .commands.play import play_at_terminal

    play_at_terminal(address, name, is_new=register)


@app.command("bot-check")
def bot_check(
    command: Annotated[
        list[str], typer.Argument(metavar="-- COMMAND", help="Starts the bot; {address} and {token} are filled in.")
    ],
    server: Annotated[
        str, typer.Option(help="A server to use, such as localhost:8000; by default one of its own.")
    ] = "",
    patience: Annotated[float, typer.Option(min=0.1, help="Seconds after which an answer is late.")] = 10.0,
    stop_at_fault: Annotated[bool, typer.Option(help="Stop at the first fault.")] = False,
) -> None:
    """Check that a bot bears whatever happens in matches; its environment has MILLRACE_URL and MILLRACE_TOKEN."""
    from .commands.bot_check import check_bot

    check_bot(command, server, patience, stop_at_fault)


@app.command()
def tune(
    game_name: GameName,
    start: Annotated[str, typer.Option(help="The weights to begin with: published, weights, or a file.")] = "published",
    seed: Annotated[int, typer.Option(min=0, help="The same seed makes the same weights.")] = 1,
    rounds: Annotated[int, typer.Option(min=1, help="How often to fit and to play on with what was found.")] = 4,
    matches: Annotated[int, typer.Option(min=1, help="Matches in each round.")] = 1000,
    nodes: Annotated[int, typer.Option(min=1, help="Nodes for each move.")] = 1000,
    plies: Annotated[int, typer.Option(min=1, help="Moves by lot, at most, that a match begins with.")] = 8,
    decay: Annotated[
        float, typer.Option(min=0, max=1, help="1: learn from results; less: from searches a few plies later as well.")
    ] = 1.0,
    workers: Annotated[int | None, typer.Option(min=1, help="Processes that play.", show_default="cores")] = None,
    file: Annotated[Path, typer.Option(help="Where to write the weights.")] = Path("weights.json"),
) -> None:
    """Tune the weights by which positions are judged, on matches of the engine against itself."""
    from .commands.tune import Tuning, print_tune

    print_tune(Tuning(game_name, start, seed, rounds, matches, nodes, plies, decay), workers, file)


@tablebase.command("build")
def build_endings(
    up_to: Annotated[str, typer.Option(help="The last tables in the order 3-3, 4-3, 4-4, 5-3, 5-4, 6-3, 5-5, ...")],
    data_dir: DataDir = None,
    processes: Annotated[int | None, typer.Option(min=1, help="Tables at once.", show_default="cores")] = None,
    background: Annotated[bool, typer.Option(hidden=True)] = False,
) -> None:
    """Solve the endings with up to so many men; what is there already is kept, and a killed build goes on."""
    from .commands.tablebase import print_build
    from .settings import settings_for

    print_build(settings_for(data_dir).tablebases_folder, up_to, processes, background)


@tablebase.command("verify")
def verify_endings(data_dir: DataDir = None) -> None:
    """Check every table: its checksum, its counts, a sample of its entries by their moves and by a search.

    Ends with 1 if one is wrong, or else with 3 if one could not be checked for want of another.
    """
    from .commands.tablebase import print_verify
    from .settings import settings_for

    print_verify(settings_for(data_dir).tablebases_folder)


@tablebase.command("probe")
def probe_endings(position: Annotated[str, typer.Argument(help="A position text.")], data_dir: DataDir = None) -> None:
    """Tell how a position ends with the best play of both sides, and what each of its moves leads to."""
    from .commands.tablebase import print_probe
    from .settings import settings_for

    print_probe(settings_for(data_dir).tablebases_folder, position)


@book.command("build")
def build_book(
    game_name: GameName,
    matches: Annotated[int, typer.Option(min=1, help="Whole matches, those of an earlier growth included.")] = 1_000,
    nodes: Annotated[int, typer.Option(min=1, help="Of a search that proposes or weighs a move.")] = 2_000_000,
    match_nodes: Annotated[int, typer.Option(min=1, help="For each move of the rest of a match.")] = 10_000,
    deepest: Annotated[int, typer.Option(min=1, help="Plies after which the book ends.")] = 20,
    seed: Annotated[int, typer.Option(min=0, help="The same seed grows the same book.")] = 1,
    processes: Annotated[int | None, typer.Option(min=1, help="Matches at once.", show_default="cores")] = None,
    file: Annotated[Path | None, typer.Option(help="The book.", show_default="in the data folder")] = None,
    data_dir: DataDir = None,
) -> None:
    """Grow a game's opening book by matches of the engine against itself; a growth that was broken off goes on."""
    from millrace.engine.book.book import Recipe

    from .books.book_files import path_of
    from .commands.book import print_build
    from .settings import settings_for

    path = file or path_of(settings_for(data_dir).books_folder, game_name)
    print_build(game_name, path, Recipe(seed, nodes, match_nodes, deepest), matches, processes)


@book.command("show")
def show_book(
    game_name: GameName,
    moves: Annotated[list[str] | None, typer.Argument(help="From the start, in order.")] = None,
    data_dir: DataDir = None,
) -> None:
    """Tell how often each move was played after some others, and how well it did."""
    from .commands.book import print_show
    from .settings import settings_for

    print_show(game_name, settings_for(data_dir).books_folder, moves or [])


if __name__ == "__main__":
    main()
