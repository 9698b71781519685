"""The page about the terminal lists everything that can be typed there."""

from typing import get_args

from millrace.client.terminal.commands import ALL_COMMANDS
from millrace.client.terminal.commands.help import help_lines
from millrace.client.terminal.glyphs import GLYPH_SETS
from millrace.protocol import ReportReason
from tests.project.repository import read


def test_the_page_lists_the_commands_like_help() -> None:
    _, _, listed = read("docs/terminal.md").partition("```text\n")
    assert listed.partition("```")[0].splitlines() == help_lines(ALL_COMMANDS)


def test_the_page_names_every_reason_for_a_report_and_every_style() -> None:
    page = read("docs/terminal.md")
    assert all(f"`{word}`" in page for word in (*get_args(ReportReason), *GLYPH_SETS))
