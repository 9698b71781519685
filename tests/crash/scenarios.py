"""Scenarios on a server that may be killed: each leads to the same facts, killed or not."""

from millrace.engine.games import find_game
from millrace.engine.state import State
from millrace.server.learning.puzzles.puzzle_files import shipped_puzzles
from tests.crash.tournament_scenarios import arena, arena_of_tables, bots_arena, ladder, simul, swiss_round
from tests.crash.world import CLOCK, DAYS, ME, MOVES, NEW_PASSWORD, OPEN, PASSWORD, Scenario, World, begin, pair, play


async def challenge_and_rematch(world: World) -> None:
    ann, ben = world.ann, world.ben
    await ann.arrive()
    match = await begin(ann, ben, clock=CLOCK, invited="Benjamin")
    assert (await ann.ask("say", match=match, text="Good luck!"))["type"] == "done"
    await play(match, [ann, ben], MOVES[:2])
    await ann.accept("offer", match=match, seat=0, kind="draw", ply=2)
    await ben.accept("decline_offer", match=match, seat=1, kind="draw")
    await ben.accept("offer", match=match, seat=1, kind="takeback", ply=2)
    await ann.accept("accept_offer", match=match, seat=0, kind="takeback")
    assert (await ben.ask("say", match=match, text="Thank you."))["type"] == "done"
    await ben.accept("resign", match=match, seat=1)
    for seat, player in enumerate((ann, ben)):
        await player.accept("rematch", match=match, seat=seat)
    started = await world.see(match, "rematch_started")
    await world.see(started["match"], "started")


async def declined_challenges_and_seeks(world: World) -> None:
    ann, ben, guest = world.ann, world.ben, world.guest()
    declined = await ann.accept("create", game="morris", seats=[ME, OPEN], invited="Benjamin")
    waiting = await ann.accept("create", game="mingmang", seats=[OPEN, ME], invited="Benjamin")
    await ben.accept("decline", match=declined)
    withdrawn = await ann.accept("create", game="morris", seats=[ME, OPEN], listed=True)
    await ann.accept("abort", match=withdrawn, seat=0)
    taken = await begin(ann, guest, listed=True)
    await play(taken, [ann, guest], MOVES[:1])
    await ben.accept("join", match=waiting)


async def pairing_of_two(world: World) -> None:
    one, other = world.guest(), world.guest()
    match = await pair([one, other], {"game": "morris", "seats": 2, "clock": CLOCK})
    seated = await world.see(match, "seated")
    white, black = (one, other) if seated["player"]["id"] == one.identity else (other, one)
    await play(match, [white, black], MOVES[:2])
    await white.accept("resign", match=match, seat=0)


async def pairing_of_four(world: World) -> None:
    players = [world.guest() for _ in range(4)]
    match = await pair(players, {"game": "battlesheep", "seats": 4, "clock": CLOCK})
    await world.see(match, "started")
    spectator = world.spectators[match]
    seats = {event["player"]["id"]: event["seat"] for event in spectator.events.values() if event["type"] == "seated"}
    in_order = sorted(players, key=lambda player: seats[player.identity])
    for seat, player in enumerate(in_order[:3]):
        await player.accept("resign", match=match, seat=seat)
    await world.see(match, "ended")


async def offered_bot(world: World) -> None:
    guest = world.guest()
    find = {"type": "find_match", "id": "alone", "request": {"game": "morris", "seats": 2, "clock": CLOCK}}
    taking = {"type": "play_bot", "id": "taking"}
    paired = False
    while not paired:
        offer = await guest.say_until(
            lambda frame: frame["type"] == "paired" or (frame["type"] == "searching" and frame["bot_level"]), find
        )
        if offer["type"] == "searching":
            offer = await guest.say_until(lambda frame: frame.get("id") == "taking", taking)
        # Refused if a restart came between: then the search is started again, or has led to its match.
        paired = offer["type"] == "paired"
    again = await guest.say_until(lambda frame: frame.get("id") == "alone", find)
    assert (again["type"], again["match"]) == ("paired", offer["match"])
    await guest.accept("play", match=offer["match"], seat=0, move=MOVES[0])
    await world.see_plies(offer["match"], 2)
    await guest.accept("resign", match=offer["match"], seat=0)


async def joining_at_once(world: World) -> None:
    ann, ben = world.ann, world.ben
    await ben.arrive()
    match = await ann.accept("create", game="morris", seats=[ME, OPEN], clock=CLOCK, listed=True)
    for _ in range(2):
        playing = await ben.ask("play_now", id="now", game="morris")
        assert (playing["type"], playing["match"]) == ("now_playing", match)
    ben.note_acknowledged("now", match, 3)
    await play(match, [ann, ben], MOVES[:2])
    await ben.accept("resign", match=match, seat=1)


async def changing_seats(world: World) -> None:
    ann, ben, cem = world.ann, world.ben, world.cem
    match = await begin(ann, ben, clock=CLOCK)
    await play(match, [ann, ben], MOVES[:2])
    await ann.accept("offer", match=match, seat=0, kind="hand_over", level=1)
    await ben.accept("accept_offer", match=match, seat=1, kind="hand_over")
    await world.see_plies(match, 3)
    await cem.accept("ask_for_seat", match=match, seat=0)
    await ben.accept("accept_offer", match=match, seat=1, kind="take_over")
    await ben.accept("play", match=match, seat=1, move="b2")
    await cem.accept("resign", match=match, seat=0)


async def puzzles(world: World) -> None:
    ann, guest = world.ann, world.guest()
    await ann.arrive()
    morris = find_game("morris")
    solved, missed, given_up = shipped_puzzles(morris)[:3]
    position = State.from_moves(morris, missed.position, [])
    texts = map(position.format_move, position.legal_moves)
    wrong = next(move for move in texts if move not in missed.accepted_at(0))
    moves: list[str] = []
    for ply in solved.solver_plies:
        moves.append(solved.accepted_at(ply)[0])
        told = await ann.ask("try_puzzle", game="morris", puzzle=solved.id, moves=moves)
        assert told["right"]
        moves.append(told["reply"])
    for player in (ann, guest):
        told = await player.ask("try_puzzle", game="morris", puzzle=missed.id, moves=[wrong])
        assert not told["right"]
        await player.ask("give_up_puzzle", game="morris", puzzle=given_up.id)


async def studies(world: World) -> None:
    ann, guest = world.ann, world.guest()
    text = {"game": "morris", "upload": "u", "part": 0, "parts": 1, "text": "1. d6 f4"}
    kept = (await ann.ask("save_study", **text, title="Kept"))["study"]
    saved = await ann.ask("save_study", **text, title="Changed", study=kept)
    assert saved["study"] == kept
    await ann.ask("save_study", **text, study=kept, based_on_ms=saved["updated_ms"])
    await ann.ask("save_study", **text, part_of=kept, name="Chapter")
    await ann.done("change_study", study=kept, name="First", place=1)
    await ann.done("share_study", study=kept, player="Benjamin")
    for player in (ann, guest):
        await player.done("delete_study", study=(await player.ask("save_study", **text, title="Deleted"))["study"])


async def tokens_and_mails(world: World) -> None:
    ann, ben, guest = world.ann, world.ben, world.guest()
    for label in ("kept", "revoked"):
        created = await ann.ask("create_token", label=label, scopes=["read"])
    await ann.done("revoke_token", token_id=created["info"]["id"])
    await ann.done("change_password", password=PASSWORD, new_password=NEW_PASSWORD)
    await ann.done("set_email", address="annabel@example.org", password=NEW_PASSWORD)
    for name in ("Annabel", "Nobody"):
        await guest.done("mail_recovery_code", name=name)
    codes = (await ben.ask("renew_recovery_codes", password=PASSWORD))["codes"]
    recovered = await guest.ask("recover", name="Benjamin", code=codes[0], new_password=NEW_PASSWORD)
    registered = await guest.ask("sign_in", name="Benjamin", password=NEW_PASSWORD)
    for answer in (recovered, registered):
        await world.guest(answer["token"]).arrive()


async def rated_match(world: World) -> None:
    ann, ben = world.ann, world.ben
    match = await begin(ann, ben, clock=CLOCK, rated=True)
    await play(match, [ann, ben], MOVES)
    await ann.accept("resign", match=match, seat=0)
    await world.see(match, "rated")


async def correspondence_with_plans(world: World) -> None:
    ann, ben = world.ann, world.ben
    match = await begin(ann, ben, clock=DAYS, invited="Benjamin")
    await play(match, [ann], MOVES[:1])
    lines = [["g1", "d7", "g4", "b4"], ["g7", "d7"]]
    planned = await ann.ask("set_plan", match=match, seat=0, ply=1, lines=lines)
    assert planned["lines"] == lines
    for plies, move in ((3, "g1"), (5, "g4")):
        await ben.accept("play", match=match, seat=1, move=move)
        await world.see_plies(match, plies)
    await ann.done("mark_notifications_read")
    other = await begin(ben, ann, game="mingmang", clock=DAYS)
    for each, seat in ((match, 1), (other, 0)):
        await ben.accept("resign", match=each, seat=seat)
        await world.see(each, "ended")


async def vacation(world: World) -> None:
    ann = world.ann
    match = await begin(ann, world.ben, clock=DAYS, invited="Benjamin")
    assert (await ann.ask("set_vacation", days=7))["until_ms"] is not None
    await world.see(match, "started")
    spectator = world.spectators[match]
    while all(event.get("vacation") is None for event in spectator.events.values()):
        await spectator.see_more()
    assert (await ann.ask("set_vacation", days=0))["until_ms"] is None
    await ann.accept("resign", match=match, seat=0)
    await world.see(match, "ended")


async def moderation(world: World) -> None:
    ann, ben, cem, meg = world.ann, world.ben, world.cem, world.meg
    for each in (ben, cem):
        await each.arrive()
    match = await begin(ann, ben, clock=CLOCK, rated=True)
    await play(match, [ann, ben], MOVES)
    await ben.done("say", match=match, text="You fool")
    await ben.accept("resign", match=match, seat=1)
    await world.see(match, "rated")
    await ann.done("report", id="insult", match=match, line=1, reason="insult", note="Not nice.")
    await ann.done("report", id="cheat", match=match, player=ben.identity, reason="cheating", note="")
    case = {"player": ben.identity, "reason": "Insults."}
    await meg.done("moderate", action="mute", duration_ms=3_600_000, reports=[f"{ann.identity}/insult"], **case)
    await meg.done("settle_reports", reports=[f"{ann.identity}/cheat"], upheld=False, **case)
    await meg.done("moderate", action="remove_line", match=match, line=1, reason="Insults.")
    await meg.done("moderate", action="void", match=match, reason="Unfair.")
    other = await begin(cem, ann)
    await meg.done("moderate", action="ban", player=cem.identity, reason="Cheating.")
    await world.see(other, "ended")


async def following_and_blocking(world: World) -> None:
    ann, ben, cem = world.ann, world.ben, world.cem
    for each in (ann, ben, cem):
        await each.arrive()
    await ann.done("follow", player=ben.identity, on=True)
    await ann.done("follow", player=cem.identity, on=True)
    await ben.done("follow", player=ann.identity, on=True)
    assert (await ben.ask("block", player=ann.identity))["type"] == "blocked"
    await ann.done("set_profile", bio="I play at night.", country="DE")
    await ann.done("set_notification_kinds", kinds=["your_turn"])


async def deleting_an_account(world: World) -> None:
    ann, ben, cem = world.ann, world.ben, world.cem
    for each in (ann, ben, cem):
        await each.arrive()
    match = await begin(cem, ben, clock=CLOCK, invited="Benjamin")
    await play(match, [cem, ben], MOVES[:2])
    await cem.done("say", match=match, text="Farewell.")
    await cem.accept("create", game="morris", seats=[ME, OPEN], invited="Annabel")
    await cem.done("follow", player=ann.identity, on=True)
    await ann.done("follow", player=cem.identity, on=True)
    assert (await cem.ask("block", player=ben.identity))["type"] == "blocked"
    await ann.done("report", player=cem.identity, reason="cheating", note="")
    await cem.delete_account(PASSWORD)
    await ann.done("follow", player=ben.identity, on=True)


SCENARIOS: tuple[Scenario, ...] = (
    arena,
    bots_arena,
    arena_of_tables,
    swiss_round,
    simul,
    ladder,
    challenge_and_rematch,
    declined_challenges_and_seeks,
    pairing_of_two,
    pairing_of_four,
    offered_bot,
    joining_at_once,
    changing_seats,
    puzzles,
    studies,
    tokens_and_mails,
    rated_match,
    correspondence_with_plans,
    vacation,
    moderation,
    following_and_blocking,
    deleting_an_account,
)
