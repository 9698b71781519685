"""The opponents that can take an empty seat: eight levels and a few personalities, as data.

`engine.levels.play` chooses their moves by searching; how well a level plays a game is part of the game
(`Strength.skills`). This module is cheap to import, so that a server can list the opponents.

A level errs like people. Its search depth is limited; it misjudges positions consistently (`noise`); and it overlooks
moves (`oversights`), quiet ones and the opponent's more often than its own captures. Errors depend only on position and
seed, so that the same seed plays the same match and other seeds give variety.

A personality searches like its level; its style then chooses among the best moves.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ..game import EngineError, Game
from ..game.skill import DEFAULT_SKILLS, STRONGEST_MS, Skill

INTERPRETED_NODES = 10_000
"""Maximum nodes of a level below the strongest where the rules are interpreted: less than a second for Tic-tac-toe."""


class PlayingStyle(NamedTuple):
    """A personality's preferences besides a move's value, in hundredths of a man."""

    captures: int = 0
    """Bonus for a noisy move, such as a capture."""
    mobility: int = 0
    """Bonus for each doubling of the opponent's moves; negative: to shut the opponent in."""
    risk: int = 0
    """Bonus for each noisy answer, up to `MAX_RISKS`; negative: to be careful."""


DRAW_PENALTY = 1
"""By how much less than 0 a draw by repetition or quiet plies is worth to the strongest level, in hundredths of a man:
of equally good moves, it plays one that repeats nothing."""
DRAW_PENALTY_AGAINST_WEAKER = 15

MAX_RISKS = 4
NO_STYLE = PlayingStyle()


class Classic(NamedTuple):
    """How a published program searches (`engine.levels.classic`): plain minimax within limits."""

    depth: int
    weights: str = "published"
    """The set of evaluation weights, if the game has it, or else the published one."""
    beam: int | None = None
    """How many of the best moves of each node are searched; None for all."""
    movetime_ms: int = STRONGEST_MS


class Opponent(NamedTuple):
    """A level or a personality."""

    name: str
    """The name on the wire and on the command line; a level's is its number."""
    title: str
    """Its name for users; that of a level is also in `client/web/players/shown_name.js`."""
    description: str
    """One line for users."""
    level: int
    """The level; for a personality, the level of similar strength."""
    style: PlayingStyle = NO_STYLE
    changes: Mapping[str, int] = MappingProxyType({})
    """Differences of a personality's skill from its level's, by fields of `Skill`."""
    classic: Classic | None = None
    """How it searches if it plays as a published program did, without the errors and the style of a level."""
    takes_twentieth: bool = False
    """Whether a move takes a twentieth of the time left on its clock (`plan_twentieth`), not a second at most."""
    is_random: bool = False
    """Whether any move will do, except to pass while there is another."""

    def skill_in(self, game: Game) -> Skill:
        """Return its skill in a game."""
        skill = game.strength.skills[self.level - 1]._replace(**self.changes)
        if game.rules.why_interpreted and skill.movetime_ms is None:
            return skill._replace(nodes=min(skill.nodes or INTERPRETED_NODES, INTERPRETED_NODES))
        return skill


def _level(level: int, title: str, description: str, style: PlayingStyle = NO_STYLE) -> Opponent:
    return Opponent(str(level), title, description, level, style)


LEVELS: Mapping[int, Opponent] = MappingProxyType(
    {
        level.level: level
        for level in (
            # A beginner captures everything possible.
            _level(1, "Pebble", "a beginner that grabs whatever it can", PlayingStyle(captures=120)),
            _level(2, "Reed", "gentle, and forgets that you can reply"),
            _level(3, "Ripple", "plays for fun, and misses things"),
            _level(4, "Cog", "steady at close quarters, but short-sighted"),
            _level(5, "Eddy", "tricky, and rarely caught off guard"),
            _level(6, "Weir", "strong, and patient with a lead"),
            _level(7, "Millstone", "an expert that forgives hardly anything"),
            _level(8, "Torrent", "merciless: thinks for a whole second"),
        )
    }
)
STRONGEST_LEVEL = max(LEVELS)

LEVEL_NAMES = ("easy", "medium", "hard")
"""Names of levels used by other programs: one ply, six plies, one second."""
MEDIUM_PLIES = 6


PERSONALITIES: Mapping[str, Opponent] = MappingProxyType(
    {
        personality.name: personality
        for personality in (
            Opponent("hunter", "The Hunter", "takes whatever can be taken", 5, PlayingStyle(captures=90)),
            Opponent("warden", "The Warden", "shuts you in until you cannot move", 5, PlayingStyle(mobility=-40)),
            Opponent("guardian", "The Guardian", "leaves you nothing to take", 5, PlayingStyle(risk=-25)),
            Opponent(
                "gambler", "The Gambler", "likes wild positions and bluffs", 4, PlayingStyle(30, 0, 15), {"noise": 32}
            ),
            Opponent(
                "dreamer",
                "The Dreamer",
                "looks far ahead and misses what is near",
                5,
                changes={"depth": 8, "nodes": 60_000, "noise": 16, "oversights": 120},
            ),
            Opponent("timekeeper", "The Timekeeper", "thinks longer, the more time is left", 8, takes_twentieth=True),
            Opponent("classic-1", "Classic One", "a program of old that looks one ply ahead", 1, classic=Classic(1)),
            Opponent("classic-6", "Classic Six", "a program of old that looks six plies ahead", 5, classic=Classic(6)),
            Opponent(
                "classic-8",
                "Classic Eight",
                "a program of old that looks eight plies ahead, at good moves only",
                4,
                classic=Classic(8, "eight-features", beam=20),
            ),
            Opponent("random", "Random", "plays any move that is allowed", 1, is_random=True),
        )
    }
)


OPPONENTS: Mapping[str, Opponent] = MappingProxyType(
    {opponent.name: opponent for opponent in (*LEVELS.values(), *PERSONALITIES.values())}
)
"""All levels and personalities by name."""


def find_opponent(name: int | str, game: Game | None = None) -> Opponent:
    """Return a level by its number or name, or a personality by its name.

    Which level `medium` is depends on the game: the first that searches six plies. Without a game it is that of
    `DEFAULT_SKILLS`.

    >>> find_opponent(3) is find_opponent("3"), find_opponent("medium").level, find_opponent("hunter").title
    (True, 6, 'The Hunter')

    Raises: EngineError.
    """
    text = str(name).casefold()
    found = OPPONENTS.get(str(levels_by_name(game).get(text, text)))
    if found is None:
        names = ", ".join([*LEVEL_NAMES, *PERSONALITIES])
        raise EngineError(f"There is no level {name}; there are 1 to {STRONGEST_LEVEL}, and {names}.")
    return found


def levels_by_name(game: Game | None = None) -> dict[str, int]:
    """Return the level of each of `LEVEL_NAMES` in a game.

    >>> levels_by_name()
    {'easy': 1, 'medium': 6, 'hard': 8}
    """
    skills = DEFAULT_SKILLS if game is None else game.strength.skills
    medium = next(level for level, skill in enumerate(skills, 1) if skill.depth is None or skill.depth >= MEDIUM_PLIES)
    return dict(zip(LEVEL_NAMES, (1, medium, STRONGEST_LEVEL), strict=True))
