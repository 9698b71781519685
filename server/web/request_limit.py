"""The limit on HTTP requests, those that open a socket too, by address."""

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
"""How many requests a second of the event loop counts for."""
COST_OF_FLOOD = 20
"""How many requests a connection counts for that is closed because it floods, so that it is not soon replaced."""
FLOODER_WAITS_SECONDS = 3.0
"""How long a connection of an address beyond the limit waits before its request is read."""
