"""Puzzles over real sockets: posed, solved, given up, and counted once."""

import pytest

from millrace.engine.games import GAMES
from millrace.protocol import Code
from millrace.server.learning.puzzles.puzzle_files import shipped_puzzles
from tests.server.in_process_server import Frame, Served, Visitor
from tests.server.players.accounts.registered_players import ask

PUZZLES = {name: {puzzle.id: puzzle for puzzle in shipped_puzzles(game)} for name, game in GAMES.items()}


async def solve(visitor: Visitor, posed: Frame, mode: str = "rated") -> Frame:
    """Play the whole solution of a puzzle, and return the last answer."""
    puzzle = PUZZLES[posed["game"]][posed["puzzle"]]
    moves: list[str] = []
    told: Frame = {}
    for ply in puzzle.solver_plies:
        moves.append(puzzle.accepted_at(ply)[0])
        told = await ask(visitor, "try_puzzle", game=posed["game"], puzzle=puzzle.id, moves=moves, mode=mode)
        assert told["right"]
        moves.append(told["reply"])
    return told


@pytest.mark.parametrize("game", sorted(PUZZLES))
async def test_a_guest_solves_a_puzzle_of_each_game_and_is_rated(served: Served, game: str) -> None:
    if not PUZZLES[game]:
        pytest.skip("a plug-in without puzzles")
    ann = await served.visitor()
    posed = await ask(ann, "get_puzzle", game=game)
    assert (posed["tried"], posed["you"]["attempts"]) == (False, 0)
    told = await solve(ann, posed)
    assert (told["solved"], told["counted"], told["you"]["solved"]) == (True, True, 1)
    assert told["change"] > 0
    assert len(told["solution"]) == len(PUZZLES[game][posed["puzzle"]].solution)
    assert told["themes"]

    again = await solve(ann, posed)
    assert (again["counted"], again["change"], again["you"]) == (False, 0, told["you"])
    history = await ask(ann, "get_puzzle_history", game=game)
    assert [each["puzzle"] for each in history["attempts"]] == [posed["puzzle"]]
    assert (await ask(ann, "get_puzzle", game=game, puzzle=posed["puzzle"]))["tried"] is True
    assert (await ask(ann, "get_puzzle", game=game))["puzzle"] != posed["puzzle"]


async def test_the_mastery_of_a_theme_counts_puzzles_solved_at_the_first_attempt(served: Served) -> None:
    ann = await served.visitor()
    solved = await ask(ann, "get_puzzle", game="mingmang", theme="wall")
    await solve(ann, solved)
    missed = await ask(ann, "get_puzzle", game="mingmang", theme="wall")
    await ask(ann, "give_up_puzzle", game="mingmang", puzzle=missed["puzzle"])
    await solve(ann, missed)
    themes = {each["code"]: each for each in (await ask(ann, "get_puzzle_history", game="mingmang"))["themes"]}
    assert (themes["wall"]["tried"], themes["wall"]["solved"]) == (2, 1)
    assert themes["wall"]["puzzles"] == sum("wall" in each.themes for each in PUZZLES["mingmang"].values())
    others = set(PUZZLES["mingmang"][solved["puzzle"]].themes) | set(PUZZLES["mingmang"][missed["puzzle"]].themes)
    assert all(each["tried"] == 0 for code, each in themes.items() if code not in others)


async def test_giving_up_shows_the_solution_and_costs_rating(served: Served) -> None:
    ann = await served.visitor()
    posed = await ask(ann, "get_puzzle", game="morris")
    told = await ask(ann, "give_up_puzzle", game="morris", puzzle=posed["puzzle"])
    assert (told["right"], told["counted"]) == (False, True)
    assert told["change"] < 0
    assert told["solution"]


async def test_the_puzzle_of_the_day_is_the_same_for_everyone(served: Served) -> None:
    ann, ben = await served.visitor(), await served.visitor()
    one, other = [await ask(each, "get_puzzle", mode="daily") for each in (ann, ben)]
    assert (one["puzzle"], one["game"], one["day"]) == (other["puzzle"], other["game"], other["day"])
    assert one["day"]


async def test_a_streak_is_not_rated_and_ends_with_a_mistake(served: Served) -> None:
    ann = await served.visitor()
    for streak in (1, 2):
        posed = await ask(ann, "get_puzzle", game="morris", mode="streak")
        told = await solve(ann, posed, "streak")
        assert (told["you"]["streak"], told["change"]) == (streak, 0)
    posed = await ask(ann, "get_puzzle", game="morris", mode="streak")
    told = await ask(ann, "give_up_puzzle", game="morris", puzzle=posed["puzzle"], mode="streak")
    assert (told["you"]["streak"], told["you"]["best_streak"]) == (0, 2)


async def test_puzzles_of_a_theme_are_about_it(served: Served) -> None:
    ann = await served.visitor()
    posed = await ask(ann, "get_puzzle", game="mingmang", theme="wall")
    assert "wall" in PUZZLES["mingmang"][posed["puzzle"]].themes
    refused = await ask(ann, "get_puzzle", game="mingmang", theme="nothing")
    assert refused["code"] == Code.UNKNOWN_PUZZLE


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"game": "chess", "puzzle": "x", "moves": ["d6"]}, Code.UNKNOWN_PUZZLE),
        ({"game": "morris", "puzzle": "x", "moves": ["d6"]}, Code.UNKNOWN_PUZZLE),
        ({"game": "morris", "puzzle": next(iter(PUZZLES["morris"])), "moves": ["zz"]}, Code.BAD_MOVE),
        ({"game": "morris", "puzzle": next(iter(PUZZLES["morris"])), "moves": ["d6", "d6"]}, Code.ILLEGAL_MOVE),
        ({"game": "morris", "puzzle": "x", "moves": []}, Code.MALFORMED),
    ],
)
async def test_invalid_attempts_are_refused(served: Served, fields: Frame, code: Code) -> None:
    assert (await ask(await served.visitor(), "try_puzzle", **fields))["code"] == code
