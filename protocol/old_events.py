"""Converts stored events of older servers to today's form.

A field that was added later needs nothing here: it has a default.
"""

import msgspec

_OLD_KEY = b'"words":'
"""The name of the text of an ending, a rating or a voided match in journals of protocol 1.

The bytes occur nowhere else in an event: inside a JSON string a quotation mark is escaped.
"""


def upgraded(body: bytes | str) -> bytes | str:
    """Return a stored event with today's names; one that has them is returned unchanged.

    >>> upgraded(b'{"type":"voided","words":"It does not count"}')
    b'{"type":"voided","explanation":"It does not count"}'
    """
    if _OLD_KEY not in (body if isinstance(body, bytes) else body.encode()):
        return body
    event = msgspec.json.decode(body)
    return msgspec.json.encode({"explanation" if name == "words" else name: value for name, value in event.items()})
