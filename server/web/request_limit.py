"""The limit on HTTP requests per address, including those that open a socket."""

from ..callers.limit import Limit

REQUESTS = Limit(
    name="requests",
    counts="HTTP requests, including those that open a socket; a slow one counts as several",
    refusal="Too many requests came from your address. Please try again in a moment.",
    window_ms=12_000,
    address=1_200,
)
"""A visit takes about ten requests; without the page's bundles, a hundred and fifty."""
COST_PER_SECOND = 1_000
"""Cost of a second of the event loop, in requests."""
COST_OF_FLOOD = 20
"""Cost of a connection closed for flooding, in requests, so that it is not soon replaced."""
FLOODER_WAITS_SECONDS = 3.0
"""Delay before reading a request from an address beyond the limit."""
