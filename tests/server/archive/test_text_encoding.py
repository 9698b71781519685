"""Texts in any encoding: decoded as intended, or refused with a reason."""

# ruff: noqa: RUF001

import contextlib
import encodings.aliases

import pytest
from hypothesis import given
from hypothesis import strategies as st

from millrace.server.archive.record import RecordError
from millrace.server.archive.record_reader import read_matches
from millrace.server.archive.text_encoding import decode_text


def first_name(text: str) -> str:
    (reading,) = read_matches(text, "morris")
    return reading.record.seats[0].name


@pytest.mark.parametrize("letter", ["ä", "名"])
@pytest.mark.parametrize("encoding", ["utf-7", "iso2022_jp_1", "iso2022_kr", "hz"])
def test_an_encoding_that_writes_letters_in_ascii_is_used_when_it_is_named(letter: str, encoding: str) -> None:
    with contextlib.suppress(UnicodeEncodeError):
        content = f'[White "{letter}"]\n1. d6 f4'.encode(encoding)
        assert first_name(decode_text(content, encoding)) == letter


def test_the_encoding_that_sgf_gives_may_write_letters_in_ascii() -> None:
    content = "(;GM[5]CA[ISO-2022-JP]PW[名];W[d6])".encode("iso2022_jp")
    assert first_name(decode_text(content)) == "名"


@given(st.binary(max_size=60))
def test_any_bytes_are_decoded_or_refused_with_a_reason(content: bytes) -> None:
    with contextlib.suppress(RecordError):
        decode_text(content)


@pytest.mark.parametrize(
    "encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32", "latin-1", "windows-1252"]
)
def test_every_usual_encoding_is_read(encoding: str) -> None:
    text = '[White "Jörg"]\n\n1. d6 f4 1-0\n'
    assert decode_text(text.encode(encoding)) == text


def test_each_line_may_have_its_own_encoding() -> None:
    assert decode_text("Jörg\n".encode() + "Jörg\r\n".encode("latin-1") + "Jörg".encode()) == "Jörg\nJörg\r\nJörg"


@pytest.mark.parametrize("content", [b"PK\x03\x04\0\0\0\0\x08", b"\x1f\x8b\x08\0abc\0d", "é".encode("utf-16") + b"x"])
def test_a_file_that_is_not_text_is_refused(content: bytes) -> None:
    with pytest.raises(RecordError, match="This is not"):
        decode_text(content)


def test_windows_1252_is_read() -> None:
    assert decode_text("1–0 “x”".encode("windows-1252")) == "1–0 “x”"


@pytest.mark.parametrize(
    ("name", "encoding"),
    [
        *(("Иванов", encoding) for encoding in ("windows-1251", "koi8-r", "iso8859-5", "cp866")),
        *(("Dvořák", "windows-1250"), ("Jörg", "cp437"), ("Παππάς", "iso8859-7"), ("Čížek", "iso8859-2")),
        *(("Işık", "windows-1254"), ("山田", "shift_jis"), ("王", "gb18030"), ("Žukas", "windows-1257")),
    ],
)
def test_letters_that_depend_on_the_encoding_are_read_only_in_the_named_one(name: str, encoding: str) -> None:
    text = f'[White "{name}"]\n\n1. d6 f4 *\n'
    with pytest.raises(RecordError, match="Name the encoding"):
        decode_text(text.encode(encoding))
    assert decode_text(text.encode(encoding), encoding) == text
    sgf = f"(;GM[5]CA[{encoding}]PW[{name}];W[d6])"
    assert decode_text(sgf.encode(encoding)) == sgf


@pytest.mark.parametrize("encoding", ["klingon", "undefined", "hex", "rot13", "a\0b"])
@pytest.mark.parametrize("content", [b"\xf0", b"1. d6 *", b"\xef\xbb\xbf1. d6 *"])
def test_an_unknown_encoding_is_refused_whatever_the_file_has(encoding: str, content: bytes) -> None:
    with pytest.raises(RecordError, match="There is no encoding"):
        decode_text(content, encoding)


@given(st.sampled_from(sorted({*encodings.aliases.aliases.values(), "idna", "punycode", "undefined"})))
def test_every_encoding_of_python_reads_a_text_or_refuses_it(encoding: str) -> None:
    with contextlib.suppress(RecordError):
        decode_text(b'[White "J\xfcrg"]\n1. d6 *', encoding)
