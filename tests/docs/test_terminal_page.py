"""The page about the terminal lists what may be typed there."""

from typing import get_args

from millrace.client.connection import Connection
from millrace.client.terminal import Terminal
from millrace.client.terminal.command import help_lines
from millrace.server.protocol import ReportReason
from tests.project.repository import read


class Nobody:
    """A console at which nobody types."""

    def say(self, words: str) -> None:
        pass

    async def read(self) -> str | None:
        return None


def test_the_page_lists_every_command_as_help_does() -> None:
    terminal = Terminal(Connection("ws://localhost/socket", "", "", lambda: ()), Nobody())
    _, _, listed = read("docs/terminal.md").partition("```text\n")
    assert listed.partition("```")[0].splitlines() == help_lines(terminal.commands)


def test_the_page_names_every_reason_for_a_report() -> None:
    assert all(f"`{reason}`" in read("docs/terminal.md") for reason in get_args(ReportReason))
