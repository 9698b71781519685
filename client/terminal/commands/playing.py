"""Commands in a match: moves, offers and their answers, absent players, the chat."""

from millrace.protocol import IdentityId, OfferKind, StandIn

from ..boards import OpenMatch
from ..boards.open_board import pieces_in_words
from ..usage import UsageError
from .command import Command, Group
from .options import parse_level
from .session import Session

_OFFER_WORDS: dict[str, OfferKind] = {
    "draw": "draw",
    "takeback": "takeback",
    "pause": "pause",
    "handover": "hand_over",
    "takeover": "take_over",
}
REMATCH = "rematch"


async def _explain_moves(_session: Session, _words: list[str]) -> None:
    raise UsageError("Type the move itself, such as d6.")


async def _premove(session: Session, words: list[str]) -> None:
    match = session.match
    if words:
        match.set_premoves(() if words == ["none"] else (match.as_move(" ".join(words)),))
    session.face.say(f"Premove: {', then '.join(match.premoves)}." if match.premoves else "No premove is set.")


async def _list_moves(session: Session, _: list[str]) -> None:
    board = session.board
    found = await session.me.analysis.legal_moves(board.line) if board.legal_moves else ()
    status = "The board has not arrived yet." if board.picture is None else board.picture.status
    session.face.say(", ".join(each.move for each in found) or f"There are no moves to list. {status}")


async def _draw_board(session: Session, _: list[str]) -> None:
    session.show(session.board)


async def _describe_pieces(session: Session, _: list[str]) -> None:
    picture = session.board.picture
    session.say(
        [] if picture is None else [*pieces_in_words(picture), picture.status], "The board has not arrived yet."
    )


async def _list_plies(session: Session, _: list[str]) -> None:
    picture = session.board.picture
    moves = () if picture is None else picture.moves
    session.face.say(" ".join(f"{ply}. {move}" for ply, move in enumerate(moves, 1)) or "No moves yet.")


async def _think(session: Session, _: list[str]) -> None:
    match = session.match
    if match.is_thinking:
        match.stop_thinking()
        session.face.say("The engine no longer thinks beside this match.")
        return
    match.think()
    session.face.say("The engine thinks about each position. Type think again to stop it.")


async def _offer_draw(session: Session, _: list[str]) -> None:
    match, seat = session.seated
    await session.me.offer(match, seat, "draw", session.match.plies)


async def _ask_takeback(session: Session, _: list[str]) -> None:
    match, seat = session.seated
    await session.me.offer(match, seat, "takeback", session.match.plies)


async def _pause(session: Session, _: list[str]) -> None:
    if not session.match.feed.my_seats:
        await session.me.pause_bots(session.match.match)
        return
    match, seat = session.seated
    await session.me.offer(match, seat, "pause")


async def _resume(session: Session, words: list[str]) -> None:
    if not session.match.feed.my_seats:
        if words and not words[0].isdecimal():
            raise UsageError("Usage: resume [PLIES]")
        await session.me.resume_bots(session.match.match, int(words[0]) if words else None)
        return
    match, seat = session.seated
    await session.me.end_pause(match, seat)


async def _hand_over(session: Session, words: list[str]) -> None:
    match, seat = session.seated
    level = parse_level(words[0], session.match.known_game) if words else "medium"
    await session.me.offer(match, seat, "hand_over", level=level)


async def _take_over(session: Session, words: list[str]) -> None:
    await session.me.ask_for_seat(session.match.match, _seat_of(session.match, words[0]))
    session.face.say("The players have been asked whether you may play on.")


async def _change_player(session: Session, words: list[str]) -> None:
    seat = _seat_of(session.match, words[0])
    level = None if words[1].lower() == "me" else parse_level(words[1], session.match.known_game)
    await session.me.change_player(session.match.match, seat, level)


async def _accept(session: Session, words: list[str]) -> None:
    what = words[0] if words else _only_question(session, "accept")
    if what == REMATCH:
        await _rematch(session, [])
    elif what in _OFFER_WORDS:
        match, seat = session.seated
        await session.me.accept_offer(
            match, _answering_seat(session.match, seat, _OFFER_WORDS[what]), _OFFER_WORDS[what]
        )
    else:
        session.open_match((await session.me.join(session.match_of([what]))).match)


async def _decline(session: Session, words: list[str]) -> None:
    what = words[0] if words else _only_question(session, "decline")
    if what == REMATCH:
        match, seat = session.seated
        await session.me.decline_rematch(match, seat)
    elif what in _OFFER_WORDS:
        match, seat = session.seated
        await session.me.decline_offer(match, seat, _OFFER_WORDS[what])
    else:
        await session.me.decline(session.match_of([what]))
        session.face.say("Declined.")


async def _rematch(session: Session, _: list[str]) -> None:
    match, seat = session.seated
    await session.me.rematch(match, seat)


async def _resign(session: Session, _: list[str]) -> None:
    match, seat = session.seated
    await session.me.resign(match, seat)


async def _abort(session: Session, _: list[str]) -> None:
    match, seat = session.seated
    await session.me.abort(match, seat)


async def _claim(session: Session, words: list[str]) -> None:
    match, seat = session.seated
    players = len(session.match.view.players)
    outcome = words[0].replace("standin", "stand_in")
    if outcome not in ("win", "draw", "stand_in"):
        raise UsageError("Type claim win or claim draw; with three or four players, claim standin SEAT.")
    if len(words) > 1:
        for_seat = _seat_of(session.match, words[1])
    elif players == 2:
        for_seat = 1 - seat
    else:
        raise UsageError("Type the number of the absent player's seat: claim standin SEAT")
    await session.me.claim(match, seat, for_seat, outcome)  # type: ignore[arg-type]


async def _vote(session: Session, words: list[str]) -> None:
    match, seat = session.seated
    if words[1] not in ("bot", "skip"):
        raise UsageError("Type standin SEAT bot to let a bot play on, or standin SEAT skip.")
    choice: StandIn = "bot" if words[1] == "bot" else "skip"
    await session.me.choose_stand_in(match, seat, _seat_of(session.match, words[0]), choice)


async def _go_berserk(session: Session, _: list[str]) -> None:
    match, seat = session.seated
    await session.me.berserk(match, seat)


async def _give_time(session: Session, _: list[str]) -> None:
    match, seat = session.seated
    await session.me.give_time(match, seat)


async def _fill(session: Session, words: list[str]) -> None:
    match = session.match
    await session.me.fill_seat(match.match, _seat_of(match, words[0]), parse_level(words[1], match.known_game))


async def _leave(session: Session, _: list[str]) -> None:
    match, seat = session.seated
    await session.me.leave_seat(match, seat)
    session.face.say("You left the match.")


async def _chat(session: Session, words: list[str]) -> None:
    await session.match.say(" ".join(words))


async def _mute(session: Session, words: list[str]) -> None:
    name = " ".join(words)
    await session.me.chat.mute(_player_in(session.match, name))
    session.face.say(f"You no longer see what {name} writes.")


async def _unmute(session: Session, words: list[str]) -> None:
    name = " ".join(words)
    await session.me.chat.mute(_player_in(session.match, name), on=False)
    session.face.say(f"You see what {name} writes.")


async def _explain(session: Session, _: list[str]) -> None:
    found = await session.me.teaching.remarks(session.match_of([]))
    session.say((remark.text for remark in found.remarks), "There is nothing to explain.")


async def _plan(session: Session, words: list[str]) -> None:
    match, seat = session.seated
    if not words:
        plan = await session.me.get_plan(match, seat)
        session.say((" ".join(line) for line in plan.lines), "You have planned no replies.")
        return
    lines = [] if words == ["none"] else [line.split() for line in " ".join(words).split("/")]
    plan = await session.me.set_plan(match, seat, session.match.plies, lines)
    session.face.say(f"Planned replies: {len(plan.lines)}.")


def open_questions(match: OpenMatch) -> list[str]:
    """Return the words for `accept` and `decline` that are possible in a match."""
    seats = match.feed.my_seats
    if not seats:
        return []
    words = {kind: word for word, kind in _OFFER_WORDS.items()}
    asked = [words[offer.kind] for offer in match.view.offers if not offer.agreed.issuperset(seats)]
    offers = match.view.rematch_offers
    is_asked = bool(offers.difference(seats)) and not offers.intersection(seats) and match.view.rematch is None
    return asked + ([REMATCH] if is_asked and not match.view.rematch_declined.intersection(seats) else [])


def own_offers(match: OpenMatch) -> set[str]:
    """Return the words for `decline` that withdraw the player's own offers."""
    words = {kind: word for word, kind in _OFFER_WORDS.items()}
    return {words[offer.kind] for offer in match.view.offers if offer.seat in match.feed.my_seats}


def _only_question(session: Session, verb: str) -> str:
    """Return the offer to answer, if there is only one. Raises: UsageError."""
    asked = open_questions(session.shown) if isinstance(session.shown, OpenMatch) else []
    asked = asked or [str(challenge.match) for challenge in session.me.lobby.waiting_challenges]
    if not asked and isinstance(session.shown, OpenMatch) and verb == "decline":
        words = {kind: word for word, kind in _OFFER_WORDS.items()}
        asked = [words[offer.kind] for offer in session.shown.view.offers]
    if not asked:
        raise UsageError(f"There is nothing to {verb}.")
    if len(asked) > 1:
        raise UsageError(f"Type what to {verb}: {' or '.join(f'{verb} {word}' for word in asked)}.")
    return asked[0]


def _answering_seat(match: OpenMatch, seat: int, kind: OfferKind) -> int:
    """Return the player's seat that has not agreed to an offer yet, for players of several seats."""
    agreed = next((offer.agreed for offer in match.view.offers if offer.kind == kind), frozenset[int]())
    return next((own for own in match.feed.my_seats if own not in agreed), seat)


def _seat_of(match: OpenMatch, word: str) -> int:
    """Return the seat of a number from 1, a colour or a player's name. Raises: UsageError."""
    players = match.view.players
    if word.isdecimal() and 1 <= int(word) <= len(players):
        return int(word) - 1
    colours = () if match.game is None else match.game.seat_names[: len(players)]
    for seat, colour in enumerate(colours):
        player = players[seat]
        if word.lower() in (colour.lower(), "" if player is None else player.name.lower()):
            return seat
    if not players:
        raise UsageError("The match is not shown yet; try again.")
    raise UsageError(f"There is no seat {word}. Type its number from 1 to {len(players)}, its colour or its player.")


def _player_in(match: OpenMatch, name: str) -> IdentityId:
    for player in match.view.players:
        if player is not None and player.name.lower() == name.lower():
            return player.id
    raise UsageError(f"{name} has no seat in this match.")


PLAYING = Group(
    "In a match",
    (
        Command("MOVE", "play a move: d6, a4-a7, or cells: a4 a7", _explain_moves, "a4-a7xd6"),
        Command("moves", "list your legal moves", _list_moves),
        Command("premove [MOVE...]", "show or set a premove; or none", _premove, "premove a4-a7"),
        Command("board", "draw the board again", _draw_board),
        Command("pieces", "describe in words where the pieces are", _describe_pieces),
        Command("plies", "list the moves so far", _list_plies),
        Command("draw", "offer a draw, or accept one", _offer_draw, also="tie"),
        Command("takeback", "ask to undo your last move", _ask_takeback),
        Command("pause", "ask for a pause; or pause your bots", _pause),
        Command("resume [PLIES]", "end a pause", _resume, "resume 4"),
        Command("time", "give your opponents 15 seconds", _give_time),
        Command("berserk", "in a tournament: half your time, for a point", _go_berserk),
        Command("handover [LEVEL]", "ask for a bot to play on for you", _hand_over, "handover medium"),
        Command("takeover SEAT", "ask to play on for a bot", _take_over, "takeover 2"),
        Command("player SEAT WHO", "playing alone: me, or a bot's level", _change_player, "player 2 hard"),
        Command(
            "accept [WHAT]", "accept an offer, a rematch or a challenge", _accept, "accept takeback", also="yes agree"
        ),
        Command("decline [WHAT]", "decline one, or withdraw your own", _decline, "decline draw", also="no refuse"),
        Command("claim RESULT [SEAT]", "when a player is absent: win, draw, standin", _claim, "claim win"),
        Command("standin SEAT CHOICE", "vote on who plays a seat: bot or skip", _vote, "standin 2 bot"),
        Command("rematch", "offer a rematch, or accept one", _rematch),
        Command("resign", "resign the match", _resign, also="surrender concede forfeit"),
        Command("abort", "call off the match at its start", _abort),
        Command("fill SEAT LEVEL", "put a bot into an open seat", _fill, "fill 3 easy"),
        Command("leave", "leave your seat before the match begins", _leave),
        Command("plan [MOVE...]", "plan replies; / divides lines", _plan, "plan a7 d7 / a4 d7"),
        Command("say TEXT...", "write in the chat of the match", _chat, "say Good luck!", also="talk write message"),
        Command("mute NAME...", "hide what a player writes", _mute, "mute Beatrix"),
        Command("unmute NAME...", "show it again", _unmute, "unmute Beatrix"),
        Command("explain", "explain what has just happened", _explain),
        Command("think", "the engine's thoughts; not against people", _think),
    ),
)
