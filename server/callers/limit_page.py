"""The page docs/limits.md, written from the limits that the server declares. Pure."""

from collections.abc import Iterable, Iterator

from millrace.protocol.durations import duration_text

from .limit import Bound, Limit

_HEAD = """\
# Limits

<!-- Written by `python -m millrace.server.app.limit_table`. Do not edit. -->

Every limit of the server on what a client may do, with its usual bounds. A use is counted for the connection, the
player and the address, as far as the table has bounds for them, and is refused when one of them is reached: by a
`refused` with the code in the table, over HTTP by the status 429. A player's bound holds for each of their connections.

- **account, guest**: one player, on all connections.
- **guests**: all guests at one address together.
- **address**: everyone at one address, which is an IPv4 address or a /64 network of IPv6. Behind a reverse proxy
  (`millrace serve --behind-proxy`) it is the address that the proxy reports.
- **everyone**: the whole server.

On several nodes a player's, an address's and everyone's uses are counted together. Nodes tell each other of them within
half a second, so a bound can be exceeded by what other nodes admit in that time: at most by the bound itself on each of
them, if all are asked at once. While the nodes cannot reach each other, each counts its own.

A bound over time, such as *20 in 1 minute*, may be used up at once, and refills steadily within that time.

`millrace serve --limit NAME=NUMBER` changes a bound. NAME is the limit and the column, such as `chat_lines.guest`; the
option can be repeated. `--address-factor 3` multiplies the bounds of *guests* and *address*, for a school or an office
whose players share an address. `millrace_limits_reached_total` counts, by limit and bound, how often one was reached
([metrics](metrics.md)), and the security log names the address (`--security-log FILE`).
"""


def write_page(limits: Iterable[Limit]) -> str:
    """Return the text of the page."""
    each = tuple(limits)
    over_time, at_a_time = [x for x in each if x.window_ms], [x for x in each if not x.window_ms]
    return "\n".join((_HEAD, *_table("Over time", over_time), "", *_table("At a time", at_a_time), ""))


def _table(title: str, limits: Iterable[Limit]) -> Iterator[str]:
    columns = tuple(bound.value for bound in Bound)
    yield f"## {title}\n"
    yield f"| limit | counted | {' | '.join(columns)} | code |"
    yield f"|---|---|{'---|' * len(columns)}---|"
    for limit in limits:
        bounds = dict(limit.bounds())
        cells = (_cell(bounds.get(bound), limit.window_ms) for bound in Bound)
        yield f"| `{limit.name}` | {limit.counts} | {' | '.join(cells)} | `{limit.code}` |"


def _cell(value: float | None, window_ms: int) -> str:
    if value is None:
        return ""
    return f"{value:,g} in {duration_text(window_ms)}" if window_ms else f"{value:,g}"
