"""Titles, descriptions and pictures of pages, for link previews. Pure."""

from collections.abc import Mapping
from datetime import UTC, datetime
from html import escape
from typing import NamedTuple
from urllib.parse import quote, urlencode

from millrace.engine.game import Game
from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.protocol import ClockSettings, LadderSummary, TournamentKind, TournamentSummary

from ...matches.match import Match, Phase

SITE_NAME = "Millrace"


class PageText(NamedTuple):
    """A page's texts and picture for a link preview."""

    title: str
    description: str
    picture: str = ""
    """The path of a picture of 1200 by 630; empty for the icon."""


SITE = PageText(SITE_NAME, "Play Nine Men's Morris and other board games with friends, bots and strangers.")


RACE = PageText("Race", "Solve the same puzzles as your friends, for ninety seconds. Open the link to join.")


def text_of_match(match: Match) -> PageText:
    """Return the texts for a match, or for an invitation to one."""
    game, state = match.state.game, match.state
    kind = f"{_clock_text(match.created.clock)}, {'rated' if match.created.rated else 'casual'}"
    picture = f"/picture/match/{quote(match.id)}.png?ply={state.ply}"
    maker = match.maker
    if match.phase is Phase.WAITING and maker is not None:
        title = f"{maker.name} invites you to a match of {game.title}"
        return PageText(title, f"{kind}. Open the link to play; no account is needed.", picture)
    names = " \N{EN DASH} ".join("?" if player is None else player.name for player in match.players)
    moves = "1 move" if state.ply == 1 else f"{state.ply} moves"
    status = f"Being played, {moves}" if match.ended is None else f"{match.ended.explanation.rstrip('.')}, {moves}"
    return PageText(f"{names} \N{MIDDLE DOT} {game.title}", f"{status}. {kind}.", picture)


def text_of_puzzle(game: Game, puzzle: str, state: State, task: str) -> PageText:
    """Return the texts for a puzzle."""
    picture = f"/picture/puzzles/{quote(game.name)}/{quote(puzzle)}.png"
    return PageText(f"Puzzle \N{MIDDLE DOT} {game.title}", f"{game.seat_names[state.seat]} to move. {task}", picture)


def text_of_analysis(game: Game, position: str, moves: str) -> PageText:
    """Return the texts for the analysis of a position."""
    query = urlencode({name: text for name, text in (("position", position), ("moves", moves)) if text})
    picture = f"/picture/analysis/{quote(game.name)}.png{'?' if query else ''}{query}"
    return PageText(f"Analysis \N{MIDDLE DOT} {game.title}", "A position on the analysis board.", picture)


def text_of_study(title: str, game: Game, setup: str, match: str | None) -> PageText:
    """Return the texts for a study: of a position, or of a match if it names one."""
    query = urlencode({"position": setup}) if setup else ""
    position = f"/picture/analysis/{quote(game.name)}.png{'?' if query else ''}{query}"
    picture = position if match is None else f"/picture/match/{quote(match)}.png"
    return PageText(title or f"Study \N{MIDDLE DOT} {game.title}", f"A study of {game.title} with variations.", picture)


def text_of_player(name: str) -> PageText:
    """Return the texts for a player's profile."""
    return PageText(f"{name} on {SITE_NAME}", f"Ratings, results and matches of {name}.")


def text_of_challenge(name: str) -> PageText:
    """Return the texts for the page that challenges a player."""
    return PageText(f"Challenge {name} to a match", f"Choose a game, and play {name} on {SITE_NAME}.")


KINDS: Mapping[TournamentKind, str] = {
    "arena": "arena",
    "swiss": "Swiss",
    "round_robin": "round robin",
    "knockout": "knockout",
    "simul": "simultaneous exhibition",
}
"""What a kind of tournament is called after the name of its game."""


def text_of_tournament(summary: TournamentSummary | LadderSummary) -> PageText:
    """Return the texts for a tournament or a ladder. Times are UTC."""
    if isinstance(summary, LadderSummary):
        return _text_of_ladder(summary)
    plan, game = summary.plan, find_game(summary.plan.game)
    kind = f"{_clock_text(plan.clock)}, {'rated' if plan.rated else 'casual'}"
    kind += f", tables of {plan.seats}" if plan.seats > 2 else ""
    kind += f", {plan.minutes} minutes" if plan.kind == "arena" else f", {plan.rounds} rounds" if plan.rounds else ""
    players = "1 player" if summary.players == 1 else f"{summary.players} players"
    start = datetime.fromtimestamp(plan.starts_at_ms / 1000, UTC)
    match summary.status:
        case "planned":
            status = f"Starts on {start.day} {start:%B %Y at %H:%M} UTC"
        case "running":
            status = f"Being played by {players}"
        case "over":
            status = f"Won by {summary.winner}, {players}" if summary.winner else f"Over, {players}"
    picture = f"/picture/analysis/{quote(game.name)}.png"
    return PageText(f"{plan.name} \N{MIDDLE DOT} {game.title} {KINDS[plan.kind]}", f"{status}. {kind}.", picture)


def _text_of_ladder(summary: LadderSummary) -> PageText:
    game, players = find_game(summary.game), "Bots" if summary.bots else "Players"
    picture = f"/picture/analysis/{quote(game.name)}.png"
    title = f"Ladder: {game.title}{' for bots' if summary.bots else ''}"
    return PageText(title, f"{players} by correspondence: challenge those above you, and take their places.", picture)


def text_of_lesson(game: Game) -> PageText:
    """Return the texts for the lesson of a game."""
    picture = f"/picture/analysis/{quote(game.name)}.png"
    return PageText(f"Learn {game.title}", f"A short lesson on the board, and the rules of {game.title}.", picture)


def tags_of(text: PageText, site: str, icon: str) -> str:
    """Return the tags for a document's head (Open Graph and cards).

    `site` is the server's address, and `icon` the path of its icon.
    """
    picture = text.picture or icon
    tags = {
        "og:site_name": SITE_NAME,
        "og:type": "website",
        "og:title": text.title,
        "og:description": text.description,
        "og:image": f"{site}{picture}",
    }
    if text.picture:
        tags |= {"og:image:width": "1200", "og:image:height": "630", "og:image:alt": text.title}
    cards = {"twitter:card": "summary_large_image" if text.picture else "summary"}
    properties = [_tag("property", name, content) for name, content in tags.items()]
    return "".join([*properties, *(_tag("name", name, content) for name, content in cards.items())])


def _tag(kind: str, name: str, content: str) -> str:
    return f'<meta {kind}="{name}" content="{escape(content)}">\n    '


def _clock_text(clock: ClockSettings | None) -> str:
    """Return a clock as text for people.

    >>> _clock_text(ClockSettings(300_000, 2_000)), _clock_text(ClockSettings(86_400_000, renews=True))
    ('5 min + 2 s', '1 day a move')
    """
    if clock is None:
        return "No clock"
    if clock.renews:
        days = clock.initial_ms // 86_400_000
        return "1 day a move" if days == 1 else f"{days} days a move"
    minutes, seconds = divmod(clock.initial_ms // 1000, 60)
    initial = f"{minutes} min" if not seconds else f"{minutes}:{seconds:02} min"
    return f"{initial} + {clock.increment_ms // 1000} s" if clock.increment_ms else initial
