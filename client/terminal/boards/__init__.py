"""The open boards: matches, studies (replays and analysis), puzzles, storms, races, endings, mistakes and lessons."""

from .open_board import Face, Follower, OpenBoard, Picture
from .open_ending import OpenEnding
from .open_lesson import OpenLesson
from .open_match import OpenMatch
from .open_mistake import OpenMistake
from .open_puzzle import OpenPuzzle
from .open_race import OpenRace
from .open_run import OpenRun
from .open_storm import OpenStorm
from .study import Study, study_match, study_open_match, study_position

__all__ = [
    "Face",
    "Follower",
    "OpenBoard",
    "OpenEnding",
    "OpenLesson",
    "OpenMatch",
    "OpenMistake",
    "OpenPuzzle",
    "OpenRace",
    "OpenRun",
    "OpenStorm",
    "Picture",
    "Study",
    "study_match",
    "study_open_match",
    "study_position",
]
