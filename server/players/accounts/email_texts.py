"""The e-mails to account owners. Pure."""

from urllib.parse import urlencode

from ..mail.mail_queue import Mail

_SIGNATURE = "\n\nIf you did not ask for this, you can ignore this e-mail."


class EmailTexts:
    """The e-mails of a server; `site` is its address for links, empty if unknown."""

    def __init__(self, site: str) -> None:
        self._site = site

    def confirmation(self, address: str, name: str, code: str) -> Mail:
        """Return the e-mail that asks to confirm an address."""
        text = (
            f"Someone, probably you, entered this address for the account {name}{self._at_site}.\n\n"
            f"To confirm it, {self._way({'confirm': code})} and enter this code:\n\n    {code}\n\n"
            f"It is valid for one day.{_SIGNATURE} Your address is not stored unless you confirm it, "
            "and only a few of these e-mails a day are sent to it.\n"
        )
        return Mail(address, "Confirm your e-mail address", text)

    def recovery(self, address: str, name: str, code: str) -> Mail:
        """Return the e-mail with a recovery code."""
        text = (
            f"Someone, probably you, asked for a new password for the account {name}{self._at_site}.\n\n"
            f"To choose one, {self._way({'name': name, 'recovery': code})} and enter this code:\n\n    {code}\n\n"
            f"It is valid for half an hour and works once.{_SIGNATURE} Your password does not change. "
            f"Others can have only a few of these e-mails a day sent to you. To stop them, sign in, open your account "
            f"page{self._page} and remove your e-mail address; the recovery codes that you saved stay valid.\n"
        )
        return Mail(address, "A new password for your account", text)

    def changed(self, address: str, name: str) -> Mail:
        """Return the e-mail to an address that an account no longer has."""
        text = (
            f"This is no longer the e-mail address of the account {name}{self._at_site}.\n\n"
            "If you did not change it, someone else knows your password. Sign in and choose a new one.\n"
        )
        return Mail(address, "Your e-mail address was changed", text)

    @property
    def _at_site(self) -> str:
        return f" at {self._site}" if self._site else ""

    @property
    def _page(self) -> str:
        return f" ({self._site}/account)" if self._site else ""

    def _way(self, values: dict[str, str]) -> str:
        # Servers never receive the part after #, so no log has the code.
        if not self._site:
            return "open your account page"
        return f"open\n\n    {self._site}/account#{urlencode(values)}\n\nor open your account page"
