"""The settings of a server."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from .private_files import make_private_folder
from .standard_streams import LogFormat

DEFAULT_PORT = 8000
DEFAULT_BOT_PACE_SECONDS = 0.7
SHIPPED_CALENDAR = Path(__file__).parents[1] / "tournaments" / "calendar.toml"


class NoHomeError(Exception):
    """A folder was to be in the user's home folder, and there is none."""


def data_folder(data_dir: Path | None) -> Path:
    """Return a data folder, by default the platform's user data folder, as an absolute path. Raises: NoHomeError."""
    from platformdirs import user_data_path  # noqa: PLC0415  # not needed to play in the terminal

    try:
        return (data_dir or user_data_path("millrace", appauthor=False)).expanduser().absolute()
    except RuntimeError:
        raise NoHomeError("You have no home folder for the data. Name a folder with --data-dir.") from None


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a server, as given on the command line."""

    host: str = "localhost"
    port: int = DEFAULT_PORT
    """0 lets the operating system choose a free port."""
    data_dir: Path = Path()
    database: str = ""
    """A database URL; empty for SQLite in the data folder."""
    origins: tuple[str, ...] = ()
    """Other sites whose pages may connect, such as `https://play.example.org`."""
    bot_workers: int | None = None
    """Number of search processes; None for one per processor, or for a single one beside a cluster."""
    patience: float = 1.0
    """Factor for the waiting time for absent players."""
    bot_pace_seconds: float = DEFAULT_BOT_PACE_SECONDS
    """Minimum time for a bot's ply against people, or before spectators; 0 for none."""
    least_arena_minutes: int = 20
    """How long an arena lasts at least; less only in tests."""
    race_seconds: int = 90
    """How long a race of puzzles lasts; less only in tests."""
    calendar: Path | None = None
    """The file of the arenas that recur (`server.tournaments.calendar`); None for none."""
    pack_after_days: float | None = None
    """After how many days finished matches are packed (`server.archive.packer`); None for never."""
    keep_exhibitions_days: float = 30.0
    keep_unfinished_days: float = 30.0
    """After how many days exhibitions, and matches of guests that ended without a result, are deleted
    (`server.archive.retention`); 0 for never."""
    bots: str = ""
    """The address of the Dask scheduler for searches; empty for processes of this machine."""
    builds_tablebases: bool = True
    """Whether to build small tablebases in the background once the bots are ready."""
    makes_browser_engine: bool = True
    """Whether to make the games' WebAssembly modules in the background, after the tablebases."""
    tablebase: Path | None = None
    """A folder of tablebases instead of the one in the data folder. Nothing is built there."""
    is_behind_proxy: bool = False
    """Whether to trust the header `X-Forwarded-For` from a reverse proxy."""
    allowed_hosts: tuple[str, ...] = ()
    """Host names of the server, such as `play.example.org` (`server.web.hosts`)."""
    are_metrics_open: bool = False
    """Whether everyone may read the metrics, not only programs on this machine."""
    limits: Mapping[str, float] = field(default_factory=dict)
    """Bounds that replace the defaults, by names such as `chat_lines.guest` (docs/limits.md)."""
    address_factor: float = 1.0
    """Factor for the default bounds shared by the players at one address."""
    security_log: Path | None = None
    """A file for security events, as JSON lines."""

    smtp: str = field(default="", repr=False)
    """The mail server (`server.players.mail.smtp_settings`); empty for none."""
    smtp_password: str = field(default="", repr=False)
    mail_from: str = ""
    """The sender's address of mails."""
    contact: str = ""
    """The operator's address for push services: `mailto:...` or an https address."""
    allows_local_push: bool = False
    """Whether push messages may also go to non-public addresses, over plain http."""

    log_format: LogFormat = "text"
    traces: str = ""
    """The address of an OpenTelemetry collector; empty to record no traces."""
    bus: str = field(default="", repr=False)
    """The address of the bus of a cluster (`server.cluster.redis_address`); empty for a server alone."""
    shares_port: bool = False
    """Whether other processes of the cluster listen on the same port."""
    node_port: int | None = None
    """A port of this process alone, for its own health and metrics."""

    @property
    def site(self) -> str:
        """The address of the page for links in mails; empty if no host is named."""
        host = next((host for host in self.allowed_hosts if host != "*"), "")
        return f"{'https' if self.is_behind_proxy else 'http'}://{host}" if host else ""

    def make_data_dir(self) -> None:
        """Create the data folder, which nobody else may read. Raises: OSError.

        A folder that existed before is closed to others only if it is the usual one.
        """
        try:
            is_own = self.data_dir == data_folder(None)
        except NoHomeError:
            is_own = False
        make_private_folder(self.data_dir, is_own=is_own)

    @property
    def database_url(self) -> str:
        """The database to open."""
        return self.database or f"sqlite:///{self.data_dir / 'millrace.sqlite3'}"

    @property
    def tablebases_folder(self) -> Path:
        """The folder of tablebases. It is named `endings` in data folders created by an earlier version."""
        if self.tablebase is not None:
            return self.tablebase
        earlier = self.data_dir / "endings"
        return earlier if earlier.is_dir() else self.data_dir / "tablebases"

    @property
    def books_folder(self) -> Path:
        """The folder of opening books built here."""
        return self.data_dir / "books"


def settings_for(data_dir: Path | None, database: str = "") -> Settings:
    """Return the settings for a data folder, by default the user's, and a database, by default the folder's.

    Raises: NoHomeError.
    """
    return Settings(data_dir=data_folder(data_dir), database=database)
