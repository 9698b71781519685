"""The error messages of commands: sentences with the file or the host, without system numbers."""

import errno
import os
from pathlib import Path

import pytest

from millrace.server.app.commands.output import message_of
from millrace.server.app.server import is_open_to_others
from tests.commands import output_of


@pytest.mark.parametrize("code", [errno.EEXIST, errno.ENOTDIR, errno.EACCES, errno.ENOSPC, errno.EIO])
def test_system_errors_about_a_file_become_a_sentence_that_names_it(code: int) -> None:
    message = message_of(OSError(code, os.strerror(code), "place"))
    assert "place" in message
    assert "Errno" not in message
    assert message.endswith(".")


def test_other_errors_lose_their_numbers() -> None:
    message = "Multiple exceptions: [Errno 111] Connect call failed, [Errno 99] Cannot assign"
    assert message_of(OSError(message)) == "Multiple exceptions: Connect call failed, Cannot assign"


def test_a_bot_without_a_token_does_not_start() -> None:
    assert "needs an API token" in output_of("bot", "localhost:1", code=2)


def test_a_file_that_is_not_text_is_named(tmp_path: Path) -> None:
    file = tmp_path / "bad.json"
    file.write_bytes(b"\xff\xfe")
    output = output_of("tune", "morris", "--start", str(file), code=2)
    assert output == f"millrace: {file}: This is not a file of weights that `millrace tune` wrote.\n"


def test_a_data_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.touch()
    output = output_of("migrate", "--data-dir", str(file), code=1)
    assert output == f"millrace: {file} is a file, and a folder is needed. Choose another folder.\n"


@pytest.mark.parametrize("address", ["http://[", "localhost:port", "localhost:99999"])
def test_an_invalid_address_is_refused_with_an_example(address: str) -> None:
    assert "is not the address of a server" in output_of("play", address, code=1)


@pytest.mark.parametrize(
    ("host", "is_open"),
    [
        ("localhost", False),
        ("127.0.0.1", False),
        ("::1", False),
        ("0.0.0.0", True),
        ("::", True),
        ("mill.example", True),
    ],
)
def test_a_server_knows_whether_others_can_reach_it(host: str, is_open: bool) -> None:
    assert is_open_to_others(host) is is_open
