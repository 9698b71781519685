"""Creation: the first events of a match that a player creates, of a rematch, and of a match from a pairing.

Pure. From then on `server.matches.referee` decides.
"""

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from millrace.engine.game import Game
from millrace.engine.games import find_game
from millrace.protocol import (
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
    TimeGiven,
)
from millrace.protocol.refusal import Refusal

from .automatic_events import with_automatic_events
from .built_in_bots import bot_player, find_bot, level_of_bot
from .clock import find_fault
from .match import Match
from .named_games import require_game, require_start
from .rematch import sitting_out
from .seat_assignment import SeatRatings, no_ratings, require_account, start_of


def open_match(
    command: Create,
    creator: Player,
    order: Sequence[int],
    now_ms: int,
    *,
    seat_ratings: SeatRatings = no_ratings,
    invited: IdentityId | None = None,
) -> list[Event]:
    """Return the first events of a match that a player creates.

    `order` is a permutation of the seats, by which a match with `shuffle` assigns the planned occupants; `invited` is
    the owner of the account that the command names. Raises: Refusal.
    """
    game, state = require_game(command.game), require_start(command.game, command.setup)
    _check_clock(command.clock, game)
    _check_odds(command)
    if state.outcome is not None:
        raise Refusal(Code.BAD_SETUP, "Play is over in that position.")
    _check_plans(command.seats, state.start.seats)
    if command.rated:
        _check_rated(command, creator)
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
        by=creator.id if not command.rated and all(plan.occupant != "open" for plan in plans) else None,
        private=_is_private(command),
    )
    players = {seat: creator for seat, plan in enumerate(plans) if plan.occupant == "me"}
    return _first_events(created, players, now_ms, seat_ratings)


def open_rematch(match: Match, now_ms: int, seat_ratings: SeatRatings = no_ratings) -> list[Event]:
    """Return the first events of a rematch, in which each player moves on by one seat. Seats that sit out are open."""
    free = sitting_out(match)
    players = [None if seat in free else player for seat, player in enumerate(match.players)]
    before = match.created
    plans = [
        replace(plan, occupant="open", level=None) if seat in free else plan for seat, plan in enumerate(before.seats)
    ]
    players, plans = [players[-1], *players[:-1]], [plans[-1], *plans[:-1]]
    created = Created(
        before.game,
        before.setup,
        tuple(plans),
        before.clock,
        match.id,
        before.rated,
        delay_plies=before.delay_plies,
        private=before.private,
    )
    taken = {seat: player for seat, player in enumerate(players) if player is not None}
    return _first_events(created, taken, now_ms, seat_ratings)


def open_paired(
    request: PairingRequest, players: Sequence[Player], now_ms: int, seat_ratings: SeatRatings = no_ratings
) -> list[Event]:
    """Return the first events of a match of paired players, by seat; they may be fewer than requested."""
    setup = setup_for(request.game, len(players))
    created = Created(request.game, setup, plans_for(players), request.clock, rated=request.rated)
    return _first_events(created, dict(enumerate(players)), now_ms, seat_ratings)


def plans_for(players: Sequence[Player]) -> tuple[SeatPlan, ...]:
    """Return the plan of a match of chosen players, by seat."""
    return tuple(SeatPlan("open") if each.level is None else SeatPlan("bot", level_of_bot(each)) for each in players)


def open_tournament_match(
    created: Created,
    players: Sequence[Player],
    now_ms: int,
    seat_ratings: SeatRatings = no_ratings,
    host_extra_ms: int = 0,
) -> list[Event]:
    """Return the first events of a match of a tournament, by seat. The host of a simul begins with more time."""
    events = _first_events(created, dict(enumerate(players)), now_ms, seat_ratings)
    if created.host is None or not host_extra_ms:
        return events
    return [*events, TimeGiven(1 - created.host, (created.host,), host_extra_ms)]


def open_exhibition(
    game: str, bots: Sequence[Player], now_ms: int, seat_ratings: SeatRatings = no_ratings
) -> list[Event]:
    """Return the first events of a match that built-in bots play, by seat, for spectators."""
    created, *others = open_paired(PairingRequest(game, len(bots), None, False), bots, now_ms, seat_ratings)
    assert isinstance(created, Created)
    return [replace(created, exhibition=True), *others]


def check_pairing_request(request: PairingRequest, player: Player) -> None:
    """Refuse a quick pairing that could not lead to a match. Raises: Refusal."""
    game = require_game(request.game)
    if request.seats not in game.seats:
        raise Refusal(Code.BAD_SEATS, "{game} cannot be played by {seats}.", game=game.title, seats=request.seats)
    _check_clock(request.clock, game)
    if request.rated:
        require_account(player)


def setup_for(game: str, seats: int) -> str:
    """Return the set-up text of a game's standard start for a number of seats."""
    return f"seats={seats}" if len(find_game(game).seats) > 1 else ""


def random_setup(game: str, seats: int, seed: int) -> str:
    """Return the set-up text of the start that a number of up to nine digits chooses; the standard one in a game that
    has no random starts for so many seats."""
    setups = (start.setup for start in find_game(game).starts if start.seats == seats and "{seed}" in start.setup)
    return next((setup.replace("{seed}", str(seed)) for setup in setups), setup_for(game, seats))


def is_offered_start(game: str, setup: str, seats: int) -> bool:
    """Return whether a set-up is one of the game's own starts: the standard one, a named one, or a random one.

    The order of its options does not matter.
    """
    words = _options_of(setup, seats)
    return not words or any(
        len(words) == len(patterns := _options_of(start.setup, seats)) and all(map(_is_of_pattern, words, patterns))
        for start in find_game(game).starts
    )


def is_random_start(game: str, setup: str, seats: int) -> bool:
    """Return whether a set-up is one of the game's own starts that a number chooses."""
    random_starts = [start for start in find_game(game).starts if "{seed}" in start.setup]
    patterns = [pattern for start in random_starts for pattern in _options_of(start.setup, seats) if "{" in pattern]
    return any(_is_of_pattern(word, pattern) for word in setup.split() for pattern in patterns)


def _options_of(setup: str, seats: int) -> list[str]:
    """Return the options of a set-up in alphabetical order, without the number of seats, which is known."""
    return sorted(word for word in setup.split() if word != f"seats={seats}")


def _is_of_pattern(word: str, pattern: str) -> bool:
    before, placeholder, _ = pattern.partition("{seed}")
    return word.startswith(before) and word[len(before) :].isdigit() if placeholder else word == pattern


def _check_clock(settings: ClockSettings | None, game: Game) -> None:
    if settings is None:
        return
    fault = find_fault(settings)
    if fault is not None:
        raise Refusal(Code.BAD_CLOCK, fault)
    if settings.match_limit_ms is not None and game.rules.territory is None:
        raise Refusal(Code.BAD_SETUP, "{game} has no rule for a match that reaches a time limit.", game=game.title)


def _check_odds(command: Create) -> None:
    """Refuse times of some seats that are not possible. Raises: Refusal."""
    own_ms = [plan.initial_ms for plan in command.seats if plan.initial_ms is not None]
    if not own_ms:
        return
    if command.clock is None or command.clock.renews:
        raise Refusal(Code.BAD_CLOCK, "Only clocks that run through the match can give players different times.")
    if command.rated:
        raise Refusal(Code.BAD_CLOCK, "In a rated match all players have the same time.")
    if fault := find_fault(replace(command.clock, initial_ms=min(own_ms))):
        raise Refusal(Code.BAD_CLOCK, fault)


def _check_plans(plans: Sequence[SeatPlan], seats: int) -> None:
    if len(plans) != seats:
        raise Refusal(
            Code.BAD_SEATS, "This match has {seats} seats, but {plans} were planned.", seats=seats, plans=len(plans)
        )
    if any((plan.occupant == "bot") != (plan.level is not None) for plan in plans):
        raise Refusal(Code.BAD_SEATS, "A bot needs a level, and only a bot has one.")
    if all(plan.occupant == "open" for plan in plans):
        raise Refusal(Code.BAD_SEATS, "At least one seat must be taken, by you or by a bot.")


def _check_rated(command: Create, creator: Player) -> None:
    """Refuse a rated match that could not count (`server.ratings.eligibility`). Raises: Refusal."""
    require_account(creator)
    if not is_offered_start(command.game, command.setup, len(command.seats)):
        raise Refusal(
            Code.BAD_SETUP,
            "A rated match must use one of the game's own starts. Choose one, or play a casual match.",
        )
    occupants = [plan.occupant for plan in command.seats]
    if all(occupant == "bot" for occupant in occupants):
        raise Refusal(Code.BAD_SEATS, "A rated match needs a person. Take a seat, or let the bots play a casual match.")
    if occupants.count("me") > 1:
        raise Refusal(Code.BAD_SEATS, "In a rated match you have one seat. Open the others, or play a casual match.")


def _resolved(plan: SeatPlan, game: Game) -> SeatPlan:
    """Return a plan with a bot's level as its number, even if it was named. Raises: Refusal."""
    return plan if plan.level is None else replace(plan, level=level_of_bot(find_bot(plan.level, game)))


def _check_openness(command: Create) -> None:
    """Refuse a seek or a challenge that nobody makes, or that has no seat for an opponent."""
    if not command.listed and command.invited is None:
        return
    occupants = [plan.occupant for plan in command.seats]
    if "me" not in occupants or "open" not in occupants:
        raise Refusal(Code.BAD_SEATS, "A seek or a challenge needs a seat for you and an open one.")
    if command.invited is not None and (command.listed or occupants.count("open") != 1):
        raise Refusal(Code.BAD_SEATS, "A challenge has exactly one open seat and cannot be listed.")


def _is_private(command: Create) -> bool:
    """Return whether a match is for those who get its link, or who share a device."""
    occupants = [plan.occupant for plan in command.seats]
    is_open_to_others = command.rated or command.listed or command.invited is not None
    return not is_open_to_others and ("open" in occupants or occupants.count("me") > 1)


def _first_events(
    created: Created, players: Mapping[int, Player], now_ms: int, seat_ratings: SeatRatings
) -> list[Event]:
    bots = {seat: bot_player(plan.level) for seat, plan in enumerate(created.seats) if plan.level is not None}
    events: list[Event] = [
        Seated(seat, player, seat_ratings(created, player)) for seat, player in sorted({**bots, **players}.items())
    ]
    if len(events) == len(created.seats):
        events.append(start_of(created))
    return [created, *with_automatic_events(Match.of(MatchId(""), created), events, now_ms)]
