"""The extras of the installation: which modules each brings, and what to say if one is missing."""

from importlib.util import find_spec
from types import MappingProxyType

from ..runtime.installation import install_command

MODULES = MappingProxyType(
    {
        "terminal": frozenset({"platformdirs", "rich", "textual", "typer"}),
        "engine": frozenset({"numba", "numpy", "platformdirs"}),
        "server": frozenset(
            {
                *("aiosmtplib", "aiosqlite", "alembic", "argon2", "cryptography", "h11", "openskill", "pebble", "PIL"),
                *("prometheus_client", "rcssmin", "resvg_py", "rjsmin", "segno", "sqlalchemy", "structlog", "uvloop"),
            }
        ),
        "postgres": frozenset({"asyncpg"}),
        "cluster": frozenset({"dask", "distributed", "redis"}),
        "tracing": frozenset({"opentelemetry"}),
    }
)
"""The modules that each extra of `pyproject.toml` brings."""

TERMINAL_COMMANDS = frozenset({"play", "bot"})
"""The commands that work with the extra `terminal` alone."""

_HELP = f"""To play in the terminal and to connect bots:

    {install_command("terminal")}

For all commands:

    {install_command("server")}"""


def extra_of(module: str) -> str:
    """Return the extra that brings a module, or "" if none does."""
    return next((extra for extra, modules in MODULES.items() if module in modules), "")


def advice(module: str, arguments: list[str]) -> str:
    """Return what to install for a command line that found a module missing."""
    command = next((each for each in arguments if not each.startswith("-")), "")
    if not command:
        return f"No command works without further packages. {_HELP}"
    extra = extra_of(module)
    if extra == "engine" or (extra == "terminal" and command not in TERMINAL_COMMANDS):
        extra = "server"
    return f"`millrace {command}` needs more packages: {install_command(extra)} ({module} is missing)"


def require_server() -> None:
    """Raises: ModuleNotFoundError if this installation cannot start a server or the engine."""
    for module in sorted(MODULES["server"] - {"uvloop"} | MODULES["engine"]):
        if find_spec(module) is None:
            raise ModuleNotFoundError(name=module)
