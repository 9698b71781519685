"""The command `millrace mail-test`: sends one mail, to try a mail server."""

import asyncio
import ssl

import typer
from aiosmtplib import SMTPException

from ...players.mail.mail_queue import Mail, send_mail
from ...players.mail.smtp_settings import BadSmtpError, is_plain_address, parse_smtp
from .output import fail

_TEXT = "This is a mail of a Millrace server, which its operator has sent to try the mail server.\n"


def send_test_mail(address: str, smtp: str, password: str, sender: str) -> None:
    """Send a mail to an address, or stop with the reason why it cannot be sent."""
    if not is_plain_address(address):
        fail(f"{address} is not an e-mail address.")
    try:
        settings = parse_smtp(smtp, password, sender)
        asyncio.run(
            send_mail(Mail(address, "A test of your mail server", _TEXT), settings, ssl.create_default_context())
        )
    except (BadSmtpError, SMTPException, OSError) as error:
        fail(f"The mail was not sent: {error}")
    typer.echo(f"The mail server has taken a mail to {address}.")
