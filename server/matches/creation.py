"""How a match begins: from a creation, after another match, or for those who were paired.

Pure, like `server.matches.referee`, to which the match belongs from then on.
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from millrace.engine.game import EngineError, Game, SetupError, UnknownGameError
from millrace.engine.games import find_game
from millrace.engine.state import State

from ..protocol import (
    ClockSettings,
    Code,
    Create,
    Created,
    Event,
    IdentityId,
    MatchId,
    PairingRequest,
    Player,
    Seated,
    SeatPlan,
)
from ..protocol.refusal import Refusal
from .automatic_events import and_what_follows, start_of
from .clock import find_fault
from .match import Match, bot_player, level_of_bot
from .rematch import sitting_out


def open_match(
    command: Create, creator: Player, order: Sequence[int], now_ms: int, invited: IdentityId | None = None
) -> list[Event]:
    """Return the first events of a new match.

    `order` is a permutation of the seats, by which a shuffled match deals the planned occupants out;
    `invited` is the owner of the account that the command names. Raises: Refusal.
    """
    try:
        game = find_game(command.game)
        state = State.of(game, command.setup)
    except UnknownGameError as error:
        raise Refusal(Code.UNKNOWN_GAME, str(error)) from None
    except SetupError as error:
        raise Refusal(Code.BAD_SETUP, str(error)) from None
    _check_clock(command.clock, game)
    if state.outcome is not None:
        raise Refusal(Code.BAD_SETUP, "Play is over in that position.")
    _check_plans(command.seats, state.start.seats)
    if command.rated:
        require_account(creator)
    _check_openness(command)
    plans = tuple(_resolved(command.seats[seat], game) for seat in (order if command.shuffle else range(len(order))))
    created = Created(
        command.game,
        command.setup,
        plans,
        command.clock,
        rated=command.rated,
        listed=command.listed,
        ratings=command.ratings,
        invited=invited,
        delay_plies=command.delay_plies,
    )
    return _seated(created, {seat: creator for seat, plan in enumerate(plans) if plan.occupant == "me"}, now_ms)


def open_rematch(match: Match, now_ms: int) -> list[Event]:
    """Return the first events of the match that follows, each player one seat further on; who sits out leaves a seat
    free."""
    free = sitting_out(match)
    players = [None if seat in free else player for seat, player in enumerate(match.players)]
    before = match.created
    plans = [SeatPlan("open") if seat in free else plan for seat, plan in enumerate(before.seats)]
    players, plans = [players[-1], *players[:-1]], [plans[-1], *plans[:-1]]
    created = Created(
        before.game, before.setup, tuple(plans), before.clock, match.id, before.rated, delay_plies=before.delay_plies
    )
    return _seated(created, {seat: player for seat, player in enumerate(players) if player is not None}, now_ms)


def open_paired(request: PairingRequest, players: Sequence[Player], now_ms: int) -> list[Event]:
    """Return the first events of a match for those who were paired, by seat; they may be fewer than they wished."""
    plans = tuple(
        SeatPlan("open") if player.level is None else SeatPlan("bot", level_of_bot(player)) for player in players
    )
    created = Created(request.game, setup_for(request.game, len(players)), plans, request.clock, rated=request.rated)
    return _seated(created, dict(enumerate(players)), now_ms)


def open_exhibition(game: str, bots: Sequence[Player], now_ms: int) -> list[Event]:
    """Return the first events of a match that the house's bots play, by seat, for those who would like to watch one."""
    created, *others = open_paired(PairingRequest(game, len(bots), None, False), bots, now_ms)
    assert isinstance(created, Created)
    return [replace(created, exhibition=True), *others]


def check_pairing_request(request: PairingRequest, player: Player) -> None:
    """Refuse a quick pairing that could not lead to a match. Raises: Refusal."""
    try:
        game = find_game(request.game)
    except UnknownGameError as error:
        raise Refusal(Code.UNKNOWN_GAME, str(error)) from None
    if request.seats not in game.seats:
        raise Refusal(Code.BAD_SEATS, f"{game.title} is not played by {request.seats}.")
    _check_clock(request.clock, game)
    if request.rated:
        require_account(player)


def bot_for(level: int | str, game: Game) -> Player:
    """Return the bot of a level or a personality, by number or name. Raises: Refusal."""
    try:
        return bot_player(level, game)
    except EngineError as error:
        raise Refusal(Code.BAD_SEATS, str(error)) from None


def setup_for(game: str, seats: int) -> str:
    """Return the set-up text of a game's standard start with so many seats."""
    return f"seats={seats}" if len(find_game(game).seats) > 1 else ""


def is_offered_start(game: str, setup: str, seats: int) -> bool:
    """Return whether a game offers that start to everyone: the standard one, or one by name or by chance."""
    if setup in ("", setup_for(game, seats)):
        return True
    return any(_is_of_pattern(setup, start.setup) for start in find_game(game).starts)


def require_account(player: Player) -> None:
    """Refuse what is not for guests. Raises: Refusal."""
    if not player.registered:
        raise Refusal(Code.ACCOUNT_NEEDED, "Rated matches are for players with an account.")


def _is_of_pattern(setup: str, pattern: str) -> bool:
    before, placeholder, after = pattern.partition("{seed}")
    if not placeholder:
        return setup == pattern
    return setup.startswith(before) and setup.endswith(after) and setup[len(before) : len(setup) - len(after)].isdigit()


def _check_clock(settings: ClockSettings | None, game: Game) -> None:
    if settings is None:
        return
    fault = find_fault(settings)
    if fault is not None:
        raise Refusal(Code.BAD_CLOCK, fault)
    if settings.match_limit_ms is not None and game.rules.territory is None:
        raise Refusal(Code.BAD_SETUP, f"{game.title} has no rule for a match that reaches a time limit.")


def _check_plans(plans: Sequence[SeatPlan], seats: int) -> None:
    if len(plans) != seats:
        raise Refusal(Code.BAD_SEATS, f"This match has {seats} seats, but {len(plans)} were planned.")
    if any((plan.occupant == "bot") != (plan.level is not None) for plan in plans):
        raise Refusal(Code.BAD_SEATS, "A bot needs a level, and only a bot has one.")
    if all(plan.occupant == "open" for plan in plans):
        raise Refusal(Code.BAD_SEATS, "At least one seat must be taken, by yourself or by a bot.")


def _resolved(plan: SeatPlan, game: Game) -> SeatPlan:
    """Return a plan with a bot's level as its number, even if it was named. Raises: Refusal."""
    return plan if plan.level is None else SeatPlan(plan.occupant, level_of_bot(bot_for(plan.level, game)))


def _check_openness(command: Create) -> None:
    """Refuse a seek or a challenge of nobody, or without a seat for anybody."""
    if not command.listed and command.invited is None:
        return
    occupants = [plan.occupant for plan in command.seats]
    if "me" not in occupants or "open" not in occupants:
        raise Refusal(Code.BAD_SEATS, "Others can be asked only to a match with a seat for you and an open one.")
    if command.invited is not None and (command.listed or occupants.count("open") != 1):
        raise Refusal(Code.BAD_SEATS, "A challenge is for one player: it has one open seat and is not listed.")


def _seated(created: Created, players: Mapping[int, Player], now_ms: int) -> list[Event]:
    """Return the first events of a match whose plans and players are known."""
    events: list[Event] = [created]
    for seat, plan in enumerate(created.seats):
        if seat in players:
            events.append(Seated(seat, players[seat]))
        elif plan.level is not None:
            events.append(Seated(seat, bot_player(plan.level)))
    match = Match.of(MatchId(""), created)
    if len(events) == 1 + len(created.seats):
        events.append(start_of(match))
    return [created, *and_what_follows(match, events[1:], now_ms)]
