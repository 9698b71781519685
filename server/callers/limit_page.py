"""The page docs/limits.md, written from the server's limits. Pure."""

from collections.abc import Iterable, Iterator

from millrace.protocol.durations import duration_text

from .limit import Bound, Limit

_HEAD = """\
# Limits

<!-- Written by `python -m millrace.server.app.limit_table`. Do not edit. -->

Every limit on what a client may do, with its default bounds. Uses are counted per connection, player and address, where
the table has a bound. Beyond a bound they are refused: by a `refused` with the code in the table, over HTTP with the
status 429.

- **connection**: one connection.
- **account, guest**: one player, on all connections together.
- **guests**: all guests at one address together.
- **address**: everyone at one address, which is an IPv4 address or a /64 network of IPv6. Behind a reverse proxy
  (`millrace serve --behind-proxy`) it is the address that the proxy reports.
- **everyone**: the whole server.

Several nodes count the uses of a player, an address and everyone together. They exchange counts within half a second,
so other nodes may exceed a bound in that time: each by at most the bound itself, if all are asked at once. Nodes that
cannot reach each other count separately.

A bound over time, such as *20 in 1 minute*, may be used up at once, and refills steadily over that time.

`millrace serve --limit NAME=NUMBER` changes a bound. NAME is the limit and the column, such as `chat_lines.guest`; the
option can be repeated. `--address-factor 3` multiplies the bounds of *guests* and *address*, for a school or an office
whose players share an address. `millrace_limits_reached_total` counts refusals by limit and bound
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
