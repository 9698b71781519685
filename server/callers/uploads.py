"""Uploads: long texts that players send in parts over one connection. The protocol bounds the parts."""

from typing import NamedTuple, Protocol

from millrace.protocol import Code, CommandId
from millrace.protocol.refusal import Refusal

from .caller import Caller


class UploadPart(Protocol):
    """A message with a part of a text."""

    @property
    def upload(self) -> CommandId:
        """The name of the upload, the same for all parts."""

    @property
    def part(self) -> int:
        """The number of the part, from 0."""

    @property
    def parts(self) -> int:
        """The number of parts."""

    @property
    def text(self) -> str:
        """The part."""


class _Upload(NamedTuple):
    name: CommandId
    parts: int
    texts: list[str]


class Uploads:
    """The texts that are being uploaded, one for each connection."""

    def __init__(self) -> None:
        self._begun: dict[Caller, _Upload] = {}

    def add(self, sent: UploadPart, caller: Caller) -> str | None:
        """Return the whole text after its last part, None before. A part that is sent again is added once.

        Raises: Refusal.
        """
        upload = self._begun.get(caller, _Upload(sent.upload, 0, []))
        is_same = upload[:2] == (sent.upload, sent.parts)
        if is_same and upload.texts[sent.part : sent.part + 1] == [sent.text]:
            return None
        if sent.part == 0:
            upload = self._begun[caller] = _Upload(sent.upload, sent.parts, [])
        elif not is_same or sent.part != len(upload.texts) or sent.part >= sent.parts:
            raise Refusal(Code.BAD_RECORD, "The parts of this text did not arrive in order. Please upload it again.")
        upload.texts.append(sent.text)
        if len(upload.texts) < sent.parts:
            return None
        self.forget(caller)
        return "".join(upload.texts)

    def forget(self, caller: Caller) -> None:
        """Forget an unfinished upload."""
        self._begun.pop(caller, None)
