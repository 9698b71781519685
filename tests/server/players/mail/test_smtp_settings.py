"""The address of a mail server, as operators write it."""

import pytest

from millrace.server.players.mail.smtp_settings import BadSmtpError, SmtpSettings, is_plain_address, parse_smtp

SENDER = "play@example.org"


@pytest.mark.parametrize(
    ("address", "settings"),
    [
        ("smtp://mail.example.org", SmtpSettings("mail.example.org", 587, "", "", SENDER, False, True)),
        ("smtps://u:p%40@mail.example.org", SmtpSettings("mail.example.org", 465, "u", "p@", SENDER, True, False)),
        ("smtp://127.0.0.1:25", SmtpSettings("127.0.0.1", 25, "", "", SENDER, False, False)),
        ("smtp://[::1]:25", SmtpSettings("::1", 25, "", "", SENDER, False, False)),
    ],
)
def test_an_address_determines_the_connection(address: str, settings: SmtpSettings) -> None:
    assert parse_smtp(address, sender=SENDER) == settings


def test_a_separate_password_replaces_one_in_the_address() -> None:
    assert parse_smtp("smtp://u:shown@h", "secret", SENDER).password == "secret"


def test_the_user_is_the_sender_if_it_is_an_address() -> None:
    assert parse_smtp("smtp://play%40example.org@h").sender == SENDER


@pytest.mark.parametrize(
    "address", ["", "mail.example.org", "http://h", "smtp://", "smtp://h:x", "smtp://h/path", "smtp://h"]
)
def test_an_invalid_mail_server_is_refused_without_showing_the_password(address: str) -> None:
    with pytest.raises(BadSmtpError) as refused:
        parse_smtp(address, "secret")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("text", ["", "a", "@h", "a@", "a@b@c", "a b@c", "a@b\n", "ä@b", "<a@b>", '"a"@b', "a,b@c"])
def test_mails_are_sent_to_plain_addresses_only(text: str) -> None:
    assert not is_plain_address(text)


@pytest.mark.parametrize("host", ["a..b", 64 * "a"])
def test_a_name_that_no_host_can_have_is_refused(host: str) -> None:
    with pytest.raises(BadSmtpError, match="not that of a host"):
        parse_smtp(f"smtp://{host}", sender=SENDER)
