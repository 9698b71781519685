"""The text of a study: moves with variations, comments, glyphs and drawings, replayed by the rules. Pure.

It has the format of a match's moves (`server.archive.record_text`). Drawings are in comments, as in other programs:
`[%csl Gd6,Rf4]` are circles and `[%cal Gd6-f4]` arrows, each with the first letter of its colour.
"""

from millrace.engine.state import State
from millrace.protocol import Code
from millrace.protocol.refusal import Refusal

from ...archive.line_reader import MAX_COMMENT_LENGTH, play_line, tidy_comment
from ...archive.record import RecordError
from ...archive.record_text import tokens_of_line
from ...archive.written_match import parse_line

MAX_LENGTH = 48_000
MAX_PLIES = 1_000
"""Maximum moves of the main line."""


def canonical_text(start: State, text: str) -> str:
    """Return the text of a study in canonical form. Raises: Refusal if it cannot be read, or breaks the rules."""
    if len(text) > MAX_LENGTH:
        raise Refusal(Code.BAD_RECORD, "The study is too long.")
    try:
        line = parse_line(text)
        if len(line.plies) > MAX_PLIES:
            raise Refusal(Code.BAD_RECORD, "The study is too long.")
        plies = play_line(start, line).plies
    except RecordError as error:
        raise Refusal(Code.BAD_RECORD, str(error)) from None
    remark = tidy_comment(line.comments)[:MAX_COMMENT_LENGTH]
    first = (f"{{{remark}}}",) if remark else ()
    return " ".join((*first, *tokens_of_line(plies, start.start.seats, start.ply)))
