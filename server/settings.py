"""What a server is told when it starts."""

from dataclasses import dataclass
from pathlib import Path

from platformdirs import user_data_path

DEFAULT_PORT = 8000
DEFAULT_MESSAGE_RATE = 100
DEFAULT_GUEST_JOINS = 250
DEFAULT_REGISTRATIONS = 20


def default_data_dir() -> Path:
    """Return where a server keeps its data if it is not told otherwise: this user's folder for such things."""
    return user_data_path("millrace", appauthor=False)


@dataclass(frozen=True, slots=True)
class Settings:
    """How to serve."""

    host: str = "localhost"
    port: int = DEFAULT_PORT
    """0 lets the system choose."""
    data_dir: Path = Path()
    database: str = ""
    """A database URL; empty for SQLite in the data folder."""
    origins: tuple[str, ...] = ()
    """Pages of other sites whose scripts may connect, such as `https://play.example.org`."""
    message_rate: int = DEFAULT_MESSAGE_RATE
    """Messages a second that a connection may send for long; four times as many at once."""
    bot_workers: int | None = None
    """Processes that search; None for one per processor."""
    patience: float = 1.0
    """So many times as long as usual players who are away are waited for, before the others may claim."""

    registrations: int = DEFAULT_REGISTRATIONS
    """Accounts that may be made from one address in an hour."""
    guest_joins: int = DEFAULT_GUEST_JOINS
    """Matches that the guests at one address may join in a day."""
    solves_endings: bool = True
    """Whether small endings are solved in the background once bots are ready."""
    analysis_allowance: float = 1.0
    """So many times as much processor time as usual people may spend on analyses (`server.analysis.time_allowance`)."""
    is_behind_proxy: bool = False
    """Whether `X-Forwarded-For` is that of a proxy of ours."""

    @property
    def database_url(self) -> str:
        """The database to open."""
        return self.database or f"sqlite:///{self.data_dir / 'millrace.sqlite3'}"

    @property
    def endings_folder(self) -> Path:
        """Where solved endings are kept."""
        return self.data_dir / "endings"

    @property
    def books_folder(self) -> Path:
        """Where opening books are kept that were grown here."""
        return self.data_dir / "books"


def settings_for(data_dir: Path | None, database: str = "") -> Settings:
    """Return the settings of a command that is told a data folder, or to take this user's."""
    return Settings(data_dir=(data_dir or default_data_dir()).expanduser().absolute(), database=database)
