"""WebAssembly's numbers of variable length (LEB128), names and vectors, read and written."""


class Reader:
    """Reads one value after the other."""

    def __init__(self, content: bytes, at: int = 0) -> None:
        self.content = content
        self.at = at

    @property
    def is_at_end(self) -> bool:
        """Whether everything has been read."""
        return self.at >= len(self.content)

    def byte(self) -> int:
        """Read a byte."""
        self.at += 1
        return self.content[self.at - 1]

    def unsigned(self) -> int:
        """Read an unsigned number."""
        number, shift = 0, 0
        while True:
            byte = self.byte()
            number |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return number

    def signed(self) -> int:
        """Read a signed number."""
        start = self.at
        number = self.unsigned()
        bits = 7 * (self.at - start)
        return number - (1 << bits) if number >> bits - 1 else number

    def take(self, length: int) -> bytes:
        """Read some bytes."""
        self.at += length
        return self.content[self.at - length : self.at]

    def name(self) -> str:
        """Read a name."""
        return self.take(self.unsigned()).decode()


def unsigned(number: int) -> bytes:
    """Return an unsigned number in as few bytes as possible.

    >>> unsigned(624485).hex()
    'e58e26'
    """
    written = bytearray()
    while number >= 0x80:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*written, number])


def signed(number: int) -> bytes:
    """Return a signed number in as few bytes as possible.

    >>> signed(-123456).hex()
    'c0bb78'
    """
    written = bytearray()
    while not -64 <= number < 64:
        written.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*written, number & 0x7F])


def name(text: str) -> bytes:
    """Return a name."""
    return sized(text.encode())


def sized(content: bytes) -> bytes:
    """Return some bytes behind their number."""
    return unsigned(len(content)) + content


def vector(items: list[bytes]) -> bytes:
    """Return items behind their number."""
    return unsigned(len(items)) + b"".join(items)
