"""Formats matches, players and notifications as lines of text. Pure."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime

from millrace.protocol import (
    Crosstable,
    Evaluated,
    GameInfo,
    ImportedMatch,
    Judgement,
    LadderSummary,
    Leader,
    MatchAnalysed,
    MatchSummary,
    Notification,
    NotificationKind,
    PastMatch,
    PlayerRatings,
    PlayerStatus,
    Profile,
    RatingKind,
    Score,
    Seek,
    SolvedMove,
    TablebaseProbed,
    YourMatch,
)

from ..clock_texts import ClockFace, format_timing

_NOTIFICATIONS = {
    NotificationKind.YOUR_TURN: "It is your turn against {name}",
    NotificationKind.CHALLENGED: "{name} challenges you to {game}",
    NotificationKind.CHALLENGE_ACCEPTED: "{name} accepted your challenge",
    NotificationKind.CHALLENGE_DECLINED: "{name} declined your challenge",
    NotificationKind.MATCH_ENDED: "Your match against {name} is over: {explanation}",
    NotificationKind.REMATCH_OFFERED: "{name} offers a rematch",
    NotificationKind.REPORT_UPHELD: "The moderators acted on your report about {name}",
    NotificationKind.TOURNAMENT_SOON: "Your tournament starts soon: {explanation}",
    NotificationKind.SIMUL_ACCEPTED: "{name} has accepted you for the simultaneous exhibition",
    NotificationKind.SIMUL_STARTED: "The simultaneous exhibition of {name} has begun",
    NotificationKind.LADDER_CHALLENGED: "{name} challenges you on the ladder of {game}",
    NotificationKind.LADDER_MOVED: "Your place on the ladder of {game} is {explanation} after playing {name}",
    NotificationKind.STUDY_SHARED: "{name} lets you edit a study: {explanation}",
    NotificationKind.FOLLOWED_ONLINE: "{name} is online",
    NotificationKind.FOLLOWED_PLAYING: "{name} started a match of {game}",
}

WITHOUT_DISTANCES = (
    "Where no number of plies is given, only the result is known: too many plies without progress may still draw the "
    "match."
)


def notification_line(notification: Notification, games: Sequence[GameInfo]) -> str:
    """Return a notification as a line."""
    name = notification.player.name if notification.player is not None else "another player"
    template = _NOTIFICATIONS[notification.kind]
    if notification.kind is NotificationKind.LADDER_MOVED and not notification.explanation:
        template = "You lost on time, and have dropped off the ladder of {game}"
    game = title_of(notification.game or "", games)
    text = template.format(name=name, game=game, explanation=notification.explanation)
    return text + (f"  ({notification.match})" if notification.match is not None else "")


def format_face(face: ClockFace) -> str:
    """Return what a clock shows: the main time, or what is left of a period and how many there are.

    >>> format_face(ClockFace(299_000)), format_face(ClockFace(299_000, 3)), format_face(ClockFace(9_000, 2, True))
    ('4:59', '4:59 + 3 periods', '0:09, 2 periods left')
    """
    count = f"{face.periods} {'period' if face.periods == 1 else 'periods'}"
    if face.in_period:
        return f"{format_time(face.left_ms)}, {count} left"
    return f"{format_time(face.left_ms)} + {count}" if face.periods else format_time(face.left_ms)


def format_time(left_ms: int) -> str:
    """Return the remaining time as a clock shows it.

    >>> format_time(299_000), format_time(5_400_000)
    ('4:59', '1:30:00')
    """
    minutes, seconds = divmod(max(0, left_ms) // 1000, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def seek_line(seek: Seek, games: Sequence[GameInfo]) -> str:
    """Return a match that waits for players as a line."""
    kind = "rated" if seek.rated else "casual"
    game = title_of(seek.game, games)
    timing = format_timing(seek.clock)
    if seek.clock is not None and seek.initial_ms:
        own = (seek.clock.initial_ms if each is None else each for each in seek.initial_ms)
        each = zip(own, seek.players, strict=False)
        timing = ", ".join(f"{own_ms / 60_000:g} min for {name or 'the open seat'}" for own_ms, name in each)
    return f"{seek.match}  {game}, {timing}, {kind}, by {seek.by.name} ({seek.rating})"


def live_line(match: MatchSummary, games: Sequence[GameInfo]) -> str:
    """Return a live match as a line."""
    names = " - ".join(name or "?" for name in match.players)
    game = title_of(match.game, games)
    return f"{match.match}  {game}, {format_timing(match.clock)}, ply {match.plies}: {names}"


def own_line(match: YourMatch, games: Sequence[GameInfo]) -> str:
    """Return a match of this player as a line."""
    names = " - ".join(name or "?" for name in match.players)
    turn = "  <- your turn" if match.is_your_turn else ""
    game = title_of(match.game, games)
    return f"{match.match}  {game}, {format_timing(match.clock)}, ply {match.plies}: {names}{turn}"


def title_of(name: str, games: Sequence[GameInfo]) -> str:
    """Return a game's title, or its name if the server does not offer it."""
    return next((game.title for game in games if game.name == name), name)


def kind_text(kind: RatingKind, games: Sequence[GameInfo]) -> str:
    """Return the kind of matches that a rating is for."""
    return f"{title_of(kind.game, games)} for {kind.seats}, {kind.speed}"


def past_line(match: PastMatch, games: Sequence[GameInfo]) -> str:
    """Return a finished match as a line."""
    names = [player.name if player is not None else "?" for player in match.players]
    if match.ranks is None:
        how = "no result"
    elif len(set(match.ranks)) == 1:
        how = "drawn"
    else:
        how = " and ".join(names[seat] for seat, rank in enumerate(match.ranks) if rank == 1) + " won"
    game = title_of(match.game, games)
    return f"{match.match}  {_day(match.ended_ms)} {game}: {' - '.join(names)}; {how}, {match.plies} plies"


def imported_line(match: ImportedMatch, games: Sequence[GameInfo]) -> str:
    """Return a match that was imported as a line, with what the import changed."""
    line = f"{match.match}  {title_of(match.game, games)}: {' - '.join(match.players)}, {match.plies} plies"
    return ". ".join((line, " ".join(match.changes))) if match.changes else line


def profile_lines(profile: Profile, ratings: PlayerRatings, games: Sequence[GameInfo]) -> Iterable[str]:
    """Yield the lines of a player's profile."""
    yield status_line(profile.status, games) + (", whom you follow" if profile.followed else "")
    yield from profile.bio.splitlines()
    yield f"Followers: {profile.followers}" + (f"; joined {_day(ratings.since_ms)}" if ratings.since_ms else "")
    for each in ratings.ratings:
        doubt = "?" if each.provisional else ""
        yield f"  {kind_text(each.kind, games)}: {each.rating}{doubt} after {each.matches} matches"
    for score in profile.scores:
        yield f"  {title_of(score.game, games)}: {score.won} won, {score.drawn} drawn, {score.lost} lost"
    for trophy in profile.trophies:
        place = ("First", "Second", "Third")[trophy.place - 1]
        yield f"  {place} of {trophy.players} in {trophy.name}, {_day(trophy.at_ms)} ({trophy.tournament})"
    for ladder in profile.ladders:
        yield f"  Place {ladder.you} of {ladder.players} on the ladder of {ladder_title(ladder, games)}"


def ladder_title(ladder: LadderSummary, games: Sequence[GameInfo]) -> str:
    """Return the game of a ladder, and whether it is for bots."""
    return title_of(ladder.game, games) + (" for bots" if ladder.bots else "")


def crosstable_lines(table: Crosstable, games: Sequence[GameInfo]) -> Iterator[str]:
    """Yield the results of two players against each other, from the first one's view."""
    one, other = (player.name for player in table.players)
    if not table.scores:
        yield f"{one} and {other} have not met."
    for score in table.scores:
        results = f"{one} won {score.won}, drew {score.drawn} and lost {score.lost} against {other}"
        yield f"{title_of(score.game, games)}: {results}"


def evaluation_lines(found: Evaluated) -> list[str]:
    """Return the engine's best moves, each with its score and continuation."""
    return [
        f"  {format_score(variation.score):>7}  {' '.join(variation.moves[:8])}"
        for variation in found.variations
        if variation.moves
    ] + ([f"  depth {found.depth}, {found.nodes:,} nodes"] if found.depth else [])


def thought_text(found: Evaluated) -> str:
    """Return the engine's best move with its score and continuation, as one sentence."""
    if not found.variations or not found.variations[0].moves:
        return "The engine has nothing to think about."
    best = found.variations[0]
    return f"The engine thinks: {format_score(best.score)} at depth {found.depth}, {' '.join(best.moves[:6])}"


def format_score(score: Score) -> str:
    """Return a score, from the view of the first seat of two, otherwise of the seat to move.

    >>> format_score(Score(0, 150, None, 0.7)), format_score(Score(0, None, -6, 0.0))
    ('+1.50', '-end 6')
    """
    if score.ends_in is not None:
        return f"{'+' if score.ends_in > 0 else '-'}end {abs(score.ends_in)}"
    return f"{(score.hundredths or 0) / 100:+.2f}"


def solution_lines(probed: TablebaseProbed) -> Iterator[str]:
    """Yield what is known of a position with perfect play."""
    solved = probed.solved
    if not probed.tables or solved is None:
        yield "This position is not solved." if probed.tables else "This game has no solved endings here."
        return
    yield f"With perfect play the seat to move {_outcome_text(solved.result, solved.plies)}."
    for move in solved.moves:
        yield f"  {_solved_text(move)}"
    known = [(solved.result, solved.plies), *((move.result, move.plies) for move in solved.moves)]
    if any(result != 0 and plies is None for result, plies in known):
        yield WITHOUT_DISTANCES


def review_lines(review: MatchAnalysed) -> Iterator[str]:
    """Yield the moves that gave something away, and what would have been better."""
    counts: dict[tuple[int, Judgement], int] = {}
    for ply, judged in enumerate(review.plies, 1):
        if judged.judgement is not Judgement.GOOD:
            counts[judged.seat, judged.judgement] = counts.get((judged.seat, judged.judgement), 0) + 1
            better = judged.best.moves[0] if judged.best.moves else ""
            verdict = f"{judged.judgement:<11} better was {better} ({-100 * judged.loss:.0f} %)"
            yield f"  {ply:>3}. {judged.move:<10} {verdict}"
    if not counts:
        yield "No move gave anything away."


def leader_line(leader: Leader) -> str:
    """Return one of the best players as a line."""
    return f"{leader.player.name:<20} {leader.rating} after {leader.matches} matches"


def _outcome_text(result: int, plies: int | None) -> str:
    if result == 0:
        return "draws"
    if plies == 0:
        return "has won" if result > 0 else "has lost"
    verb = "wins" if result > 0 else "loses"
    return verb if plies is None else f"{verb} in {plies} {'ply' if plies == 1 else 'plies'}"


def _solved_text(move: SolvedMove) -> str:
    """Return a move and its result; the move itself is a ply too, so that the best takes as long as the position."""
    return f"{move.move:<10} {_outcome_text(move.result, None if move.plies is None else move.plies + 1)}"


def status_line(status: PlayerStatus, games: Sequence[GameInfo]) -> str:
    """Return a player as a line: whether they are online, and what they play."""
    name = status.player.name
    if status.player.bot or status.player.level is not None:
        name += ", a bot"
    if status.country is not None:
        name += f", {status.country}"
    if status.match is not None:
        return f"{name}, plays {title_of(status.game or '', games)} ({status.match})"
    if status.online:
        return f"{name}, online"
    return f"{name}, last online {_day(status.seen_ms)}" if status.seen_ms is not None else name


def _day(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000).date().isoformat()
