"""The commands that are possible on an open board, with labels: the buttons of the full screen. Pure."""

from typing import NamedTuple

from ..boards import (
    OpenBoard,
    OpenEnding,
    OpenLesson,
    OpenMatch,
    OpenMistake,
    OpenPuzzle,
    OpenRace,
    OpenStorm,
    Study,
)
from .playing import open_questions, own_offers


class Action(NamedTuple):
    """A button."""

    label: str
    command: str
    """The line to run."""
    is_final: bool = False
    """Whether the player has to confirm it."""
    is_urgent: bool = False
    """Whether it answers an opponent's question."""


def actions_of(board: OpenBoard) -> list[Action]:
    """Return the actions of an open board, those that answer a question first."""
    match board:
        case OpenMatch():
            return [*_answers(board), *(_match_actions(board) if _plays(board) else _spectator_actions(board))]
        case Study():
            steps = [Action("|<", "ply 0"), Action("<", "back"), Action(">", "next"), Action(">|", "ply 9999")]
            ends = [Action("Analyse", "analyse"), Action("Solve", "solve"), Action("Drop my moves", "return")]
            return [*steps, *ends, Action("Close", "close")]
        case OpenPuzzle(is_over=True) | OpenMistake(is_over=True) | OpenEnding():
            return [Action(f"Another {board.kind.lower()}", board.following), Action("Close", "close")]
        case OpenPuzzle() | OpenMistake():
            hint = [Action("Hint", "hint")] if isinstance(board, OpenPuzzle) else []
            return [*hint, Action("Solution", "solution"), Action("Close", "close")]
        case OpenLesson():
            return [Action("Back", "back"), Action("Next", "next"), Action("Close", "close")]
        case _:
            return _run_actions(board)


def _run_actions(board: OpenBoard) -> list[Action]:
    """Return the actions of a storm or a race, and of a board that has no others."""
    close = Action("Close", "close")
    match board:
        case OpenStorm(is_over=True):
            return [Action("Another storm", f"storm {board.line.game}"), close]
        case OpenRace(is_waiting=True, is_joined=True):
            start = [Action("Start the race", "race start", is_urgent=True)] if board.is_starter else []
            return [*start, Action("Leave", "race leave")]
        case OpenRace(is_over=True, is_joined=True):
            return [Action("Race again", "race again"), close]
        case _:
            return [close]


def _plays(board: OpenMatch) -> bool:
    """Return whether the player has a seat that they have not left, or had one until the match was over."""
    left = set() if board.view.result is not None else {departure.seat for departure in board.view.departures}
    return not left.issuperset(board.feed.my_seats)


def _answers(board: OpenMatch) -> list[Action]:
    view = board.view
    answers = list[Action]()
    for word in open_questions(board):
        answers.append(Action(f"Accept the {_NOUNS.get(word, word)}", f"accept {word}", is_urgent=True))
        answers.append(Action("Decline", f"decline {word}", is_urgent=True))
    own = set(board.feed.my_seats) - {departure.seat for departure in view.departures}
    for departure in view.departures:
        if departure.stand_in is None and own - departure.votes.keys():
            name = board.names.title(departure.seat)
            answers.append(Action(f"A bot for {name}", f"standin {departure.seat + 1} bot", is_urgent=True))
            answers.append(Action("Skip the seat", f"standin {departure.seat + 1} skip", is_urgent=True))
    return answers


def _match_actions(board: OpenMatch) -> list[Action]:
    view = board.view
    if view.result is not None:
        again = list[Action]()
        if view.rematch is None and view.rematch_offers.intersection(board.feed.my_seats):
            again = [Action("Withdraw the rematch", "decline rematch")]
        elif view.rematch is None and not view.rematch_offers and not view.rematch_declined:
            again = [Action("Rematch", "rematch")]
        return [*again, Action("Replay", "replay"), Action("Review", "review"), Action("Close", "close")]
    if view.to_move is None:
        return [Action("Call it off", "abort", is_final=True), Action("Leave", "leave"), Action("Close", "close")]
    if view.paused_until_ms is not None:
        return [Action("Continue", "resume", is_urgent=True), Action("Resign", "resign", is_final=True)]
    drop = [Action("Drop the premove", "premove none", is_urgent=True)] if board.premoves else []
    words = ["draw"] if view.created is None or view.created.rated else ["draw", "takeback", "pause"]
    pending = own_offers(board) if len(board.feed.my_seats) == 1 else set[str]()
    offers = [
        Action(f"Withdraw the {_NOUNS.get(word, word)}", f"decline {word}")
        if word in pending
        else Action(_OFFERS[word], word)
        for word in [*words, *pending - set(words)]
    ]
    if view.clocks_ms is not None:
        offers.append(Action("Give 15 s", "time"))
    end = Action("Call it off", "abort", is_final=True) if board.plies < len(view.players) else None
    return [*drop, *_claims(board), *offers, *([end] if end else []), Action("Resign", "resign", is_final=True)]


def _claims(board: OpenMatch) -> list[Action]:
    """Return the claims on absent players, from the moment when they are possible."""
    audience, now_ms = board.feed.audience, board.server_now_ms
    claims = list[Action]()
    for seat, claimable_ms in enumerate(() if audience is None else audience.claimable_at_ms):
        if claimable_ms is None or claimable_ms > now_ms:
            continue
        if len(board.view.players) == 2:
            claims += [Action("Claim the win", "claim win", is_urgent=True)]
            claims += [Action("Claim a draw", "claim draw", is_urgent=True)]
        else:
            name = board.names.title(seat)
            claims.append(Action(f"Continue without {name}", f"claim standin {seat + 1}", is_urgent=True))
    return claims


def _spectator_actions(board: OpenMatch) -> list[Action]:
    replay = [Action("Replay", "replay")]
    if board.view.result is not None:
        replay.append(Action("Review", "review"))
    return [*replay, Action("Close", "close")]


_OFFERS = {"draw": "Draw", "takeback": "Take back", "pause": "Pause"}
_NOUNS = {"handover": "change to a bot", "takeover": "change of the seat"}
