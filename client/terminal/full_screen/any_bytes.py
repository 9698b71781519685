"""Input that is not UTF-8: Textual's driver ends the program at such a byte, as of a Latin-1 letter or a bad paste."""

from codecs import IncrementalDecoder, getincrementaldecoder
from collections.abc import Callable
from functools import partial

try:
    from textual.drivers import linux_driver
except ImportError:  # on Windows, where the driver reads characters
    linux_driver = None  # type: ignore[assignment]


def tolerate_any_bytes() -> None:
    """Let the driver read what is not UTF-8 as replacement characters. Call it before the application runs."""
    if linux_driver is not None:
        linux_driver.getincrementaldecoder = _tolerant_decoder  # type: ignore[assignment, attr-defined]


def _tolerant_decoder(encoding: str) -> Callable[[], IncrementalDecoder]:
    return partial(getincrementaldecoder(encoding), errors="replace")
