"""Occasions of the commands about accounts, studies, puzzles and imports."""

from millrace import protocol
from millrace.engine.games import find_game
from millrace.engine.puzzles import Puzzle
from millrace.engine.state import State
from millrace.server.learning.puzzles.puzzle_files import shipped_puzzles
from tests.server.learning.analysis.finished_matches import play_out
from tests.server.players.accounts.registered_players import PASSWORD
from tests.server.repeated_commands.occasions import Command, World, on

NEW_PASSWORD = "an even longer password"
TEXT = {"game": "morris", "upload": "u", "part": 0, "parts": 1, "text": "1. d6 f4"}
PUZZLES = iter(shipped_puzzles(find_game("morris")))
"""Each tried once, so that its rating is always new."""


@on(protocol.ImportMatches)
async def _(world: World) -> Command:
    return Command(
        await world.guest(), {"upload": "u", "part": 0, "parts": 1, "text": "1. d6 f4 2. a4 1-0", "game": "morris"}
    )


def wrong_move(puzzle: Puzzle) -> str:
    """Return a move that does not solve a puzzle."""
    morris = find_game("morris")
    position = State.from_moves(morris, puzzle.position, [])
    texts = map(position.format_move, position.legal_moves)
    return next(move for move in texts if move not in puzzle.accepted_at(0))


@on(protocol.TryPuzzle)
async def _(world: World) -> Command:
    puzzle = next(PUZZLES)
    return Command(await world.guest(), {"game": "morris", "puzzle": puzzle.id, "moves": [wrong_move(puzzle)]})


@on(protocol.GiveUpPuzzle)
async def _(world: World) -> Command:
    return Command(await world.guest(), {"game": "morris", "puzzle": next(PUZZLES).id})


@on(protocol.GetEnding)
async def _(world: World) -> Command:
    return Command(await world.guest(), {"game": "morris"})


@on(protocol.PlayEnding)
async def _(world: World) -> Command:
    ann = await world.guest()
    await ann.ask("get_ending", game="morris")
    return Command(ann, {"game": "morris", "ply": 0, "move": "e5-d3"})


@on(protocol.StartStorm)
async def _(world: World) -> Command:
    return Command(await world.guest(), {"game": "morris"})


@on(protocol.PlayStorm)
async def _(world: World) -> Command:
    ann = await world.guest()
    first = (await ann.ask("start_storm", game="morris"))["puzzles"][0]
    puzzle = next(each for each in shipped_puzzles(find_game("morris")) if each.id == first["puzzle"])
    return Command(ann, {"game": "morris", "number": 1, "moves": [puzzle.accepted_at(0)[0]]})


@on(protocol.TryMistake)
async def _(world: World) -> Command:
    ann = await world.owner()
    match = await play_out(ann, ("d6", "f4", "e3"))
    world.served.bots.loss = 90
    await ann.say("analyse_match", id="review", match=match)
    await ann.hear_until("match_analysed")
    world.served.bots.loss = 0
    return Command(ann, {"game": "morris", "match": match, "ply": 2, "move": "e3"})


@on(protocol.SaveStudy)
async def _(world: World) -> Command:
    return Command(await world.guest(), TEXT)


@on(protocol.ChangeStudy)
async def _(world: World) -> Command:
    ann = await world.guest()
    return Command(ann, {"study": (await ann.ask("save_study", **TEXT))["study"], "title": "Lines", "name": "First"})


@on(protocol.DeleteChapter)
async def _(world: World) -> Command:
    ann = await world.guest()
    study = (await ann.ask("save_study", **TEXT))["study"]
    return Command(ann, {"study": (await ann.ask("save_study", **TEXT, part_of=study))["study"]})


@on(protocol.ShareStudy)
async def _(world: World) -> Command:
    ann, ben = await world.owner(), await world.owner()
    return Command(ann, {"study": (await ann.ask("save_study", **TEXT))["study"], "player": ben.player["name"]})


@on(protocol.DeleteStudy)
async def _(world: World) -> Command:
    ann = await world.guest()
    return Command(ann, {"study": (await ann.ask("save_study", **TEXT))["study"]})


@on(protocol.Register)
async def _(world: World) -> Command:
    return Command(await world.guest(), {"name": world.name(), "password": PASSWORD})


@on(protocol.SignIn)
async def _(world: World) -> Command:
    ann, guest = await world.owner(), await world.guest()
    return Command(guest, {"name": ann.player["name"], "password": PASSWORD})


@on(protocol.SignOut)
async def _(world: World) -> Command:
    return Command(await world.owner(), {})


@on(protocol.ChangePassword)
async def _(world: World) -> Command:
    return Command(await world.owner(), {"password": PASSWORD, "new_password": NEW_PASSWORD})


@on(protocol.Recover)
async def _(world: World) -> Command:
    ann, guest = await world.owner(), await world.guest()
    (code, *_) = (await ann.ask("renew_recovery_codes", password=PASSWORD))["codes"]
    return Command(guest, {"name": ann.player["name"], "code": code, "new_password": NEW_PASSWORD})


@on(protocol.RenewRecoveryCodes)
async def _(world: World) -> Command:
    return Command(await world.owner(), {"password": PASSWORD})


@on(protocol.DeleteAccount)
async def _(world: World) -> Command:
    return Command(await world.owner(), {"password": PASSWORD})


@on(protocol.BecomeBot)
async def _(world: World) -> Command:
    return Command(await world.owner(), {})


@on(protocol.CreateToken)
async def _(world: World) -> Command:
    return Command(await world.owner(), {"label": "my bot", "scopes": ["read"]})


@on(protocol.RevokeToken)
async def _(world: World) -> Command:
    ann = await world.owner()
    created = await ann.ask("create_token", label="my bot", scopes=["read"])
    return Command(ann, {"token_id": created["info"]["id"]})


@on(protocol.SetEmail)
async def _(world: World) -> Command:
    ann = await world.owner()
    return Command(ann, {"address": f"{ann.player['name']}@example.org", "password": PASSWORD})


@on(protocol.ConfirmEmail)
async def _(world: World) -> Command:
    ann, code = await world.with_mailed_code()
    return Command(ann, {"code": code})


@on(protocol.MailRecoveryCode)
async def _(world: World) -> Command:
    ann, code = await world.with_mailed_code()
    await ann.ask("confirm_email", code=code)
    return Command(await world.guest(), {"name": ann.player["name"]})
