"""The games that this server offers, as clients receive them."""

from millrace.engine.game import Game
from millrace.engine.games import GAMES
from millrace.engine.levels.opponents import LEVELS, PERSONALITIES, STRONGEST_LEVEL, levels_by_name
from millrace.protocol import EditorInfo, GameInfo, PersonalityInfo, StartInfo

from ..learning.puzzles.puzzle_files import shipped_puzzles

PERSONALITY_INFOS = tuple(
    PersonalityInfo(each.name, each.title, each.description, each.level) for each in PERSONALITIES.values()
)

LEVEL_DESCRIPTIONS = tuple(LEVELS[level].description for level in sorted(LEVELS))


def _editor_of(game: Game) -> EditorInfo | None:
    editor = game.drawing.editor
    return None if editor is None else EditorInfo(editor.largest_pile, editor.largest_reserve)


GAME_INFOS = tuple(
    GameInfo(
        game.name,
        game.title,
        game.seats,
        game.seat_names,
        STRONGEST_LEVEL,
        tuple(StartInfo(*start) for start in game.starts),
        has_match_limit=game.rules.territory is not None,
        personalities=PERSONALITY_INFOS,
        has_lesson=game.teaching is not None,
        description=game.description,
        showcase=game.showcase,
        level_descriptions=LEVEL_DESCRIPTIONS,
        level_names=levels_by_name(game),
        puzzles=len(shipped_puzzles(game)),
        editor=_editor_of(game),
        has_endings=game.strength.tablebase is not None,
    )
    for game in GAMES.values()
)
