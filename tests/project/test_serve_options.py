"""Every option of `millrace serve` can be set in the environment, as the composition and the unit do."""

import os
import re
from pathlib import Path
from typing import Any, get_type_hints

import pytest
import typer
from typer.testing import CliRunner

from millrace.server.app import cli
from millrace.server.app.commands import serve as serve_commands
from millrace.server.app.commands.environment import warn_of_unknown_variables
from tests.project.repository import ROOT

COMMAND: Any = typer.main.get_command(cli.app).commands["serve"]  # type: ignore[attr-defined]
OPTIONS = {option.name: option for option in COMMAND.params if option.name != "help"}
TYPES = get_type_hints(cli.serve)

VALUES = {
    "bots": "tcp://scheduler:8786",
    "bus": "redis://127.0.0.1:6379",
    "calendar": "calendar.toml",
    "contact": "mailto:admin@example.org",
    "data_dir": "data",
    "log_format": "json",
    "limit": "chat_lines.guest=5",
    "mail_from": "others@example.org",
    "origin": "https://www.example.org",
    "smtp": "smtp://play%40example.org@mail.example.org:587",
    "smtp_password_file": "password",
    "tablebase": ".",
    "traces": "http://localhost:4318",
}
"""A value of each option for which not every text, or not 3, is one."""
OF_TESTS = {"MILLRACE_CHAOS_SECONDS", "MILLRACE_CHAOS_SEED", "MILLRACE_LINK"}
"""Variables on the pages that tests read."""
NEEDED = {
    "bus": {"database": "postgresql://database/millrace"},
    "mail_from": {"smtp": VALUES["smtp"]},
    "processes": {"bus": VALUES["bus"], "database": "postgresql://database/millrace"},
}
"""The other options without which one is refused, or does nothing."""


def started(monkeypatch: pytest.MonkeyPatch, arguments: list[str], environment: dict[str, str]) -> object:
    """Return the settings with which a command would serve."""
    given: list[object] = []
    monkeypatch.delenv("MILLRACE_BROWSER_ENGINE", raising=False)  # the tests' own
    monkeypatch.setattr(serve_commands, "serve_until_stopped", lambda *settings: given.append(settings))
    done = CliRunner().invoke(cli.app, ["serve", *arguments], env=environment, catch_exceptions=False)
    assert done.exit_code == 0, done.output
    return given


def value_of(name: str) -> str:
    """Return a value of an option; an empty text stands for the opposite of a switch's default."""
    if OPTIONS[name].is_flag:
        return ""
    is_number = TYPES[name] in (int, float, int | None, float | None)
    return VALUES.get(name, "3" if is_number else "a")


def on_the_command_line(name: str, value: str) -> list[str]:
    """Return the words that give an option a value."""
    option = OPTIONS[name]
    return (
        [(option.secondary_opts if option.default else option.opts)[0]] if option.is_flag else [option.opts[0], value]
    )


@pytest.mark.parametrize("name", OPTIONS)
def test_an_option_can_be_set_in_the_environment(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "password").write_text("a secret")
    needed = [word for other, value in NEEDED.get(name, {}).items() for word in on_the_command_line(other, value)]
    value = value_of(name)
    in_environment = value or ("false" if OPTIONS[name].default else "true")
    given = started(monkeypatch, [*needed, *on_the_command_line(name, value)], {})
    assert given != started(monkeypatch, needed, {})
    assert given == started(monkeypatch, needed, {f"MILLRACE_{name.upper()}": in_environment})


def test_a_server_does_not_choose_between_a_typed_folder_and_a_database_in_the_environment(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    typed, named = ["--data-dir", "data"], {"MILLRACE_DATABASE": "other.db"}
    refused = CliRunner().invoke(cli.app, ["serve", *typed], env=named)
    assert refused.exit_code == 1
    assert "type --database too" in refused.output
    database = ["--database", "other.db"]
    assert started(monkeypatch, [*database, *typed], named) == started(monkeypatch, [*typed, *database], {})
    in_environment = {**named, "MILLRACE_DATA_DIR": "data"}
    assert started(monkeypatch, [], in_environment) == started(monkeypatch, [*typed, *database], {})


def test_a_misspelt_variable_is_reported_with_the_one_that_is_meant(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    group: Any = typer.main.get_command(cli.app)
    for name in [each for each in os.environ if each.startswith("MILLRACE_")]:
        monkeypatch.delenv(name)
    pages = "".join(path.read_text() for path in (*(ROOT / "docs").glob("*.md"), ROOT / "deploy/cluster/compose.yaml"))
    written = set(re.findall("MILLRACE_[A-Z_]*[A-Z]", pages)) - OF_TESTS
    assert len(written) > 15
    for name in written:
        monkeypatch.setenv(name, "1")
    warn_of_unknown_variables(group)
    assert capsys.readouterr().err == ""
    monkeypatch.setenv("MILLRACE_BOT_WORKER", "2")
    monkeypatch.setenv("MILLRACE_SOMETHING_ELSE", "2")
    warn_of_unknown_variables(group)
    first, second = capsys.readouterr().err.splitlines()
    assert "MILLRACE_BOT_WORKER is unknown. Did you mean MILLRACE_BOT_WORKERS?" in first
    assert "MILLRACE_SOMETHING_ELSE is unknown. Nothing reads it." in second


def test_an_option_that_may_be_repeated_takes_several_words(monkeypatch: pytest.MonkeyPatch) -> None:
    arguments = ["--allowed-host", "play.example.org", "--allowed-host", "www.example.org"]
    hosts = "play.example.org www.example.org"
    assert started(monkeypatch, arguments, {}) == started(monkeypatch, [], {"MILLRACE_ALLOWED_HOST": hosts})


def test_a_wrong_value_in_the_environment_is_reported_with_its_variable() -> None:
    wrong = {"MILLRACE_BOT_WORKERS": "many", "MILLRACE_LOG_FORMAT": "xml", "MILLRACE_BEHIND_PROXY": "perhaps"}
    for name, value in wrong.items():
        refused = CliRunner().invoke(cli.app, ["serve"], env={name: value})
        assert refused.exit_code == 2
        assert f"The environment has {name}={value}." in " ".join(refused.output.split())
    typed = CliRunner().invoke(cli.app, ["serve", "--bot-workers", "many"])
    assert "The environment has" not in typed.output


@pytest.mark.parametrize(
    ("option", "text", "right"),
    [
        ("origin", "www.example.org", "https://www.example.org"),
        ("origin", "https://www.example.org/", "https://www.example.org"),
        ("origin", "ftp://www.example.org", "https://www.example.org"),
        ("allowed-host", "https://play.example.org", "play.example.org"),
        ("allowed-host", "play.example.org:443", "play.example.org"),
    ],
)
def test_a_site_that_no_browser_names_so_is_refused(
    option: str, text: str, right: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = CliRunner().invoke(cli.app, ["serve", f"--{option}", text])
    assert refused.exit_code == 1
    assert f"such as {right}; {text} is not." in refused.output
    assert started(monkeypatch, [f"--{option}", right], {})
