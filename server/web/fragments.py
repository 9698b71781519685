"""Messages in fragments: the frames of one that is not complete yet."""

from websockets.frames import Frame

MAX_FRAGMENTS = 128
"""Maximum frames of a message; or empty fragments could pile up forever."""


class TooManyFragmentsError(Exception):
    """A message has more fragments than are kept."""


class Fragments:
    """The fragments of at most one message; websockets' core bounds their length together."""

    __slots__ = ("_frames",)

    def __init__(self) -> None:
        self._frames: list[Frame] = []

    def join(self, frame: Frame) -> Frame | None:
        """Add a fragment; return the message as one frame once it is complete. Raises: TooManyFragmentsError."""
        self._frames.append(frame)
        if len(self._frames) > MAX_FRAGMENTS:
            raise TooManyFragmentsError(f"a message has at most {MAX_FRAGMENTS} parts")
        if not frame.fin:
            return None
        frames, self._frames = self._frames, []
        return Frame(frames[0].opcode, b"".join(each.data for each in frames))
