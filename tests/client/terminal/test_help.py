"""The help: every command has an example that it accepts, lines fit 80 columns, and words are found."""

import pytest

from millrace.client.terminal.commands import ALL_COMMANDS, Command
from millrace.client.terminal.commands.all_commands import COMMANDS
from millrace.client.terminal.commands.help import command_lines, search_lines
from millrace.client.terminal.full_screen.help_choices import help_choices
from millrace.client.terminal.full_screen.key_line import key_line
from millrace.client.terminal.full_screen.pick_screen import matching


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS)
def test_a_command_with_arguments_has_an_example_that_it_accepts(command: Command) -> None:
    assert bool(command.example) == bool(command.parameters)
    if command.example:
        name, *arguments = command.example.split()
        assert name == command.name
        command.check(arguments)


def test_what_the_help_says_of_a_command_fits_80_columns() -> None:
    assert max(len(line) for command in COMMANDS.values() for line in command_lines(command)) <= 80


@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("offer draw", "  draw "),
        ("byo-yomi", "5m + 3x10s"),
        ("BEATRIX rated", "  challenge"),
        ("exit", "  quit"),
        ("spectate", "  live"),
    ],
)
def test_words_are_found_in_commands_examples_and_options(words: str, found: str) -> None:
    assert any(found in line for line in search_lines(ALL_COMMANDS, words.split()))
    assert search_lines(ALL_COMMANDS, ["xyzzy"]) == []


def test_the_full_screens_help_is_searched_in_the_same_texts() -> None:
    choices = help_choices(ALL_COMMANDS)
    assert [choices[index].command for index in matching(choices, "beatrix rated")] == ["challenge  ..."]
    assert "Options:" in choices[matching(choices, "seek game")[0]].details
    assert [choices[index].command for index in matching(choices, "surrender")] == ["resign  ..."]


@pytest.mark.parametrize("width", [30, 60, 80, 120])
@pytest.mark.parametrize("is_lobby", [True, False])
def test_the_keys_fit_the_screen_and_always_say_how_to_quit(width: int, is_lobby: bool) -> None:
    keys = key_line(is_lobby=is_lobby, has_steps=True, has_tabs=True, width=width)
    text = "".join(span.text for span in keys)
    assert len(text) <= width
    assert "^Q quit" in text
    assert "F1 help" in text


def test_keys_that_do_nothing_now_are_not_shown() -> None:
    keys = key_line(is_lobby=True, has_steps=False, has_tabs=False, width=120)
    text = "".join(span.text for span in keys)
    assert not any(word in text for word in ("F2", "^N", "PgUp"))
