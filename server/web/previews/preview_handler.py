"""The GETs for link previews: pictures of positions, QR codes of invitations, and texts about pages."""

import io
import re
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from urllib.parse import unquote, urlsplit

import segno

from millrace.engine.game import EngineError, UnknownGameError
from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.protocol import IdentityId, LadderSummary, Line, MatchId, TournamentId, TournamentSummary
from millrace.protocol.analysis import MAX_LINE_MOVES
from millrace.protocol.refusal import Refusal

from ...callers.caller import FindPlayer
from ...callers.feature import Feature
from ...callers.resources import ResourceRequest, ResourceResponse, error_response
from ...learning.analysis.lines import Lines
from ...learning.puzzles.library import PuzzleLibrary
from ...learning.studies.study_store import StudyStore
from ...rooms.rooms import Rooms
from ...storage.errors import StorageError
from .animation import MOST_FRAMES
from .drawing import draw_position
from .page_texts import (
    RACE,
    SITE,
    PageText,
    text_of_analysis,
    text_of_challenge,
    text_of_lesson,
    text_of_match,
    text_of_player,
    text_of_puzzle,
    text_of_study,
    text_of_tournament,
)
from .renderer import Renderer, RendererBusyError

_STRANGER = IdentityId("")
"""The sender of a GET: a spectator."""
_SETTLED, _LIVE = "public, max-age=86400", "public, max-age=60"
_SVG, _PNG = "image/svg+xml", "image/png"
_SETUP_CHARACTERS = 2_048
_SVG_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
"""A drawing that is opened by itself loads nothing."""


class PreviewHandler(Feature):
    """Answers sites that show link previews, and phones that scan invitations."""

    def __init__(
        self,
        rooms: Rooms,
        puzzles: PuzzleLibrary,
        studies: StudyStore,
        find_player: FindPlayer,
        find_tournament: Callable[[TournamentId], Awaitable[TournamentSummary | LadderSummary]],
        renderer: Renderer,
    ) -> None:
        self._rooms, self._lines = rooms, Lines(rooms)
        self._puzzles, self._studies = puzzles, studies
        self._find_player, self._find_tournament, self._renderer = find_player, find_tournament, renderer
        form = r"\.(?P<form>svg|png)"
        self.resources = (
            (re.compile(r"/picture/match/(?P<match>[!-.0-~]{1,32}?)" + form), self.picture_match),
            (re.compile(r"/picture/match/(?P<match>[!-.0-~]{1,32}?)\.gif"), self.animate_match),
            (re.compile(r"/picture/puzzles/(?P<game>\w{1,32})/(?P<puzzle>\w{1,32})" + form), self.picture_puzzle),
            (re.compile(r"/picture/analysis/(?P<game>\w{1,32})" + form), self.picture_line),
            (re.compile(r"(?P<page>/match/\w{1,32}|/race/[\w-]{1,32})/qr\.svg"), self.qr_code),
        )

    async def close(self) -> None:
        """Render no more."""
        await self._renderer.close()

    async def picture_match(self, asked: ResourceRequest) -> ResourceResponse:
        """Answer with the position of a match, after `ply` plies or now."""
        try:
            match = (await self._rooms.find(MatchId(asked.names["match"]))).log.match_for(_STRANGER)
        except Refusal as refusal:
            return _refused(refusal)
        ply, line = asked.query.get("ply", ""), match.state.line
        is_ply = ply.isdecimal() and len(ply) < 6 and int(ply) < len(line)
        return await self._picture(line[int(ply)] if is_ply else match.state, asked, is_ply or match.ended is not None)

    async def animate_match(self, asked: ResourceRequest) -> ResourceResponse:
        """Answer with an animation of a finished match."""
        try:
            match = (await self._rooms.find(MatchId(asked.names["match"]))).log.match_for(_STRANGER)
        except Refusal as refusal:
            return _refused(refusal)
        if match.ended is None:
            return error_response(HTTPStatus.NOT_FOUND, "This match is not over yet.")
        drawings = map(draw_position, match.state.line[-MOST_FRAMES:])
        rendering = self._renderer.animation(f"animation of {match.id}", drawings, asked.address)
        return await _rendered(rendering, "image/gif", _headers(_SETTLED))

    async def picture_puzzle(self, asked: ResourceRequest) -> ResourceResponse:
        """Answer with the position of a puzzle."""
        found = self._puzzles.by_game.get(asked.names["game"])
        puzzle = None if found is None else found.by_id.get(asked.names["puzzle"])
        if found is None or puzzle is None:
            return error_response(HTTPStatus.NOT_FOUND, "There is no such puzzle.")
        return await self._picture(State.of(found.game, puzzle.position), asked, is_settled=True)

    async def picture_line(self, asked: ResourceRequest) -> ResourceResponse:
        """Answer with the end of a line of play: `position` is a set-up, `moves` are move texts."""
        setup, moves = asked.query.get("position", ""), tuple(asked.query.get("moves", "").split())
        if len(setup) > _SETUP_CHARACTERS or len(moves) > MAX_LINE_MOVES:
            return error_response(HTTPStatus.BAD_REQUEST, "That position is too long.")
        try:
            end = await self._lines.walk(Line(asked.names["game"], setup, moves=moves), _STRANGER)
        except Refusal as refusal:
            return _refused(refusal)
        return await self._picture(end.state, asked, is_settled=True)

    async def qr_code(self, asked: ResourceRequest) -> ResourceResponse:
        """Answer with the QR code of the link to a match or race, dark on light even in dark themes, for scanners."""
        if not asked.site:
            return error_response(HTTPStatus.NOT_FOUND, "This address cannot be written as a code.")
        written = io.BytesIO()
        code = segno.make_qr(f"{asked.site}{asked.names['page']}", error="m")
        code.save(written, kind="svg", scale=8, dark="#000", light="#fff", border=4, xmldecl=False)
        return ResourceResponse(written.getvalue(), _SVG, headers=_headers(_SETTLED))

    async def describe(self, asked: ResourceRequest) -> PageText:
        """Return the texts for a page; those of the site if nothing better is known."""
        try:
            return await self._describe(urlsplit(asked.target).path, asked)
        except (Refusal, StorageError, EngineError):
            return SITE

    async def _describe(self, path: str, asked: ResourceRequest) -> PageText:
        """Raises: Refusal, StorageError, EngineError."""
        text = SITE
        match [unquote(part) for part in path.strip("/").split("/")]:
            case ["match", match] | ["analysis", "match", match]:
                text = text_of_match((await self._rooms.find(MatchId(match))).log.match_for(_STRANGER))
            case ["puzzles", game, puzzle]:
                text = self._text_of_puzzle(game, puzzle)
            case ["analysis", game]:
                text = await self._text_of_analysis(game, asked)
            case ["study", study]:
                text = await self._text_of_study(study)
            case ["tournament", tournament]:
                text = text_of_tournament(await self._find_tournament(TournamentId(tournament)))
            case ["race", _]:
                text = RACE
            case ["learn", game]:
                text = text_of_lesson(find_game(game))
            case ["player" | "challenge" as page, name]:
                text = await self._text_of_player(page, name)
        return text

    async def _text_of_player(self, page: str, name: str) -> PageText:
        """Raises: Refusal, StorageError."""
        player = await self._find_player(name)
        if player is None:
            return SITE
        return text_of_player(player.name) if page == "player" else text_of_challenge(player.name)

    async def _text_of_study(self, study: str) -> PageText:
        """Raises: StorageError, EngineError."""
        found = await self._studies.find(study)
        if found is None:
            return SITE
        return text_of_study(found.title, find_game(found.game), found.setup, found.match)

    async def _text_of_analysis(self, game: str, asked: ResourceRequest) -> PageText:
        """Raises: Refusal, EngineError."""
        position, moves = (asked.query.get(name, "") for name in ("position", "moves"))
        if len(position) > _SETUP_CHARACTERS or len(moves) > _SETUP_CHARACTERS:
            return SITE
        await self._lines.walk(Line(game, position, moves=tuple(moves.split())[:MAX_LINE_MOVES]), _STRANGER)
        return text_of_analysis(find_game(game), position, moves)

    def _text_of_puzzle(self, game: str, puzzle: str) -> PageText:
        """Raises: UnknownGameError."""
        found = self._puzzles.by_game.get(game)
        if found is None or puzzle not in found.by_id:
            raise UnknownGameError(game)
        posed = found.by_id[puzzle]
        return text_of_puzzle(found.game, puzzle, State.of(found.game, posed.position), posed.goal.task(found.game))

    async def _picture(self, state: State, asked: ResourceRequest, is_settled: bool) -> ResourceResponse:
        """Return a position in the requested format; `is_settled` if the address always leads to it."""
        drawing, caching = draw_position(state), _headers(_SETTLED if is_settled else _LIVE)
        if asked.names["form"] == "svg":
            return ResourceResponse(drawing.encode(), _SVG, headers=caching)
        return await _rendered(self._renderer.png(drawing, asked.address), _PNG, caching)


async def _rendered(rendering: Awaitable[bytes], content_type: str, headers: dict[str, str]) -> ResourceResponse:
    try:
        return ResourceResponse(await rendering, content_type, headers=headers)
    except RendererBusyError:
        busy = error_response(HTTPStatus.SERVICE_UNAVAILABLE, "Too many pictures are drawn. Please try again.")
        return ResourceResponse(busy.body, busy.content_type, busy.status, {"Retry-After": "5"})


def _headers(caching: str) -> dict[str, str]:
    return {
        "Cache-Control": caching,
        "Content-Security-Policy": _SVG_POLICY,
        # Pages of other sites may show public content.
        "Cross-Origin-Resource-Policy": "cross-origin",
    }


def _refused(refusal: Refusal) -> ResourceResponse:
    return error_response(HTTPStatus.NOT_FOUND, refusal.message)
