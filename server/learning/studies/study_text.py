"""The text of a chapter, checked by the rules. Pure."""

from millrace.engine.game import EngineError
from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.protocol import Code
from millrace.protocol.refusal import Refusal

from ...archive.line_reader import play_line, tidy_comment
from ...archive.record import MAX_COMMENT_LENGTH, RecordError
from ...archive.record_text import tokens_of_line
from ...archive.written_match import parse_line
from ...callers.user_text import require_showable

MAX_LENGTH = 48_000
"""Maximum characters of a chapter."""
MAX_PLIES = 1_000
"""Maximum moves of the main line."""


def read_study(game: str, setup: str, text: str) -> tuple[str, str]:
    """Return the game of a study and its text in canonical form. Raises: Refusal."""
    try:
        start = State.of(find_game(game), setup)
    except EngineError as error:
        raise Refusal(Code.BAD_SETUP, str(error)) from None
    return start.game.name, canonical_text(start, text)


def canonical_text(start: State, text: str) -> str:
    """Return the text of a study in canonical form: moves with variations, comments, glyphs and drawings.

    It has the format of a match's moves (`server.archive.record_text`). Drawings are in comments, as in other programs:
    `[%csl Gd6,Rf4]` are circles and `[%cal Gd6-f4]` arrows, each with the first letter of its colour.

    Raises: Refusal if it cannot be read, breaks the rules, or has something that would have to be left out.
    """
    require_showable(" ".join(text.split()))
    try:
        line = parse_line(text)
        if len(line.plies) > MAX_PLIES:
            raise Refusal(Code.BAD_RECORD, "The study is too long.")
        plies = play_line(start, line).plies
    except RecordError as error:
        raise Refusal(Code.BAD_RECORD, str(error)) from None
    remark = tidy_comment(line.comments)
    if len(remark) > MAX_COMMENT_LENGTH:
        raise Refusal(Code.BAD_RECORD, "A comment has at most {most} characters.", most=MAX_COMMENT_LENGTH)
    first = (f"{{{remark}}}",) if remark else ()
    canonical = " ".join((*first, *tokens_of_line(plies, start.start.seats, start.ply)))
    require_length(canonical)
    return canonical


def require_length(text: str) -> None:
    """Refuse a text that is too long for a chapter. Raises: Refusal."""
    if len(text) > MAX_LENGTH:
        raise Refusal(Code.BAD_RECORD, "The study is too long.")
