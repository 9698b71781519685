"""The command `millrace mail-test`: sends one mail to test a mail server."""

import asyncio

import typer
from aiosmtplib import SMTPException

from ...players.mail.mail_queue import Mail, send_mail
from ...players.mail.smtp_settings import BadSmtpError, parse_smtp, plain_address
from .output import fail

_TEXT = "This is a test mail from the operator of a Millrace server.\n"


def send_test_mail(address: str, smtp: str, password: str, sender: str) -> None:
    """Send a mail to an address, or stop with the reason why it could not be sent."""
    to = plain_address(address)
    if not to:
        fail(f"{address} is not an e-mail address.")
    try:
        settings = parse_smtp(smtp, password, sender)
        asyncio.run(send_mail(Mail(to, "A test of your mail server", _TEXT), settings))
    except (BadSmtpError, SMTPException, OSError) as error:
        fail(f"The mail was not sent: {error}")
    typer.echo(f"The mail server accepted a mail to {address}.")
