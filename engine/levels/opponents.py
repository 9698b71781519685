"""Who may sit in an empty seat: eight levels and a few personalities, as data.

Not how they play: `engine.levels.play` does that with a search; nor how well a level plays a game, which the game says
(`engine.game.skill`). Nothing here costs anything to import, so that the server can tell clients of them.

A level errs as people do. It sees only so far; it misjudges what it sees, being sure of a wrong idea (`noise`); and it
overlooks moves (`oversights`), quiet ones and the opponent's more than what it can take at once. What it errs in is
drawn from position and seed, so it is never arbitrary, the same seed plays the same match, and seeds bring variety.

A personality searches as its level does and then lets its style choose among the moves that it takes for the best.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from ..game import EngineError, Game
from ..game.skill import DEFAULT_SKILLS, Skill


class PlayingStyle(NamedTuple):
    """What a personality likes beside what a move is worth, in hundredths of a man."""

    taking: int = 0
    """For a move that changes the balance at once."""
    room: int = 0
    """For each doubling of the moves that the opponent has next; less than 0: to shut the opponent in."""
    danger: int = 0
    """For each answer that would change the balance at once, up to `MAX_RISKS`; less than 0: to be careful."""


MAX_RISKS = 4
NO_STYLE = PlayingStyle()


class Opponent(NamedTuple):
    """A level or a personality."""

    name: str
    """On the wire and on command lines: of a level, its number."""
    title: str
    """For people."""
    description: str
    """One line for people."""
    level: int
    """Of a personality, the level that it is most like in strength."""
    style: PlayingStyle = NO_STYLE
    changes: Mapping[str, int] = MappingProxyType({})
    """In what a personality's skill differs from that of its level, by the fields of `Skill`."""

    def skill_in(self, game: Game) -> Skill:
        """Return how well it plays a game."""
        return game.strength.skills[self.level - 1]._replace(**self.changes)


def _level(level: int, description: str, style: PlayingStyle = NO_STYLE) -> Opponent:
    return Opponent(str(level), f"Level {level}", description, level, style)


LEVELS: Mapping[int, Opponent] = MappingProxyType(
    {
        level.level: level
        for level in (
            # Whoever learnt the rules today takes what can be taken: a mill in the hand rather than two in the bush.
            _level(1, "sees one move ahead", PlayingStyle(taking=120)),
            _level(2, "overlooks many answers"),
            _level(3, "overlooks some answers"),
            _level(4, "sees what is near"),
            _level(5, "overlooks little"),
            _level(6, "seldom errs"),
            _level(7, "hardly errs"),
            _level(8, "thinks for a second"),
        )
    }
)
STRONGEST_LEVEL = max(LEVELS)

LEVEL_NAMES = ("easy", "medium", "hard")
"""What other programs call levels: one ply, six plies, one second."""
MEDIUM_PLIES = 6


PERSONALITIES: Mapping[str, Opponent] = MappingProxyType(
    {
        personality.name: personality
        for personality in (
            Opponent("hunter", "The Hunter", "takes whatever can be taken", 5, PlayingStyle(taking=90)),
            Opponent("warden", "The Warden", "shuts you in until you cannot move", 5, PlayingStyle(room=-40)),
            Opponent("guardian", "The Guardian", "leaves you nothing to take", 5, PlayingStyle(danger=-25)),
            Opponent("gambler", "The Gambler", "likes it wild and bluffs", 4, PlayingStyle(30, 0, 15), {"noise": 32}),
            Opponent(
                "dreamer",
                "The Dreamer",
                "sees far, not what is near",
                5,
                changes={"depth": 8, "nodes": 60_000, "noise": 16, "oversights": 120},
            ),
        )
    }
)


OPPONENTS: Mapping[str, Opponent] = MappingProxyType(
    {opponent.name: opponent for opponent in (*LEVELS.values(), *PERSONALITIES.values())}
)
"""All of them by name."""


def find_opponent(name: int | str, game: Game | None = None) -> Opponent:
    """Return a level by its number, as number or text, or by its name; or a personality.

    Which level `medium` is depends on the game: the first whose search goes as deep as six plies. Without a
    game it is that of `DEFAULT_SKILLS`.

    >>> find_opponent(3) is find_opponent("3"), find_opponent("medium").level, find_opponent("hunter").title
    (True, 6, 'The Hunter')

    Raises: EngineError.
    """
    text = str(name).casefold()
    found = OPPONENTS.get(str(_levels_by_name(game).get(text, text)))
    if found is None:
        names = ", ".join([*LEVEL_NAMES, *PERSONALITIES])
        raise EngineError(f"There is no level {name}; there are 1 to {STRONGEST_LEVEL}, and {names}.")
    return found


def _levels_by_name(game: Game | None) -> dict[str, int]:
    skills = DEFAULT_SKILLS if game is None else game.strength.skills
    medium = next(level for level, skill in enumerate(skills, 1) if skill.depth is None or skill.depth >= MEDIUM_PLIES)
    return dict(zip(LEVEL_NAMES, (1, medium, STRONGEST_LEVEL), strict=True))
