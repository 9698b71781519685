"""The names of seats in sentences, and the end of a match in words. Pure."""

import re
from collections.abc import Sequence

from millrace.protocol import Ended, IdentityId, Player

YOU = "You"
_ORDINALS = ("first", "second", "third", "fourth")
_VERBS = {"has": "have", "was": "were", "is": "are", "does": "do", "loses": "lose", "goes": "go"}


class SeatNames:
    """The names of a match's seats for one reader."""

    def __init__(
        self,
        seat_names: Sequence[str],
        players: Sequence[Player | None],
        own_seats: Sequence[int] = (),
        reader: IdentityId | None = None,
    ) -> None:
        self._colours = seat_names
        self._players = players
        self._reader = reader
        self._own = own_seats[0] if len(own_seats) == 1 else None

    def player(self, seat: int) -> str:
        """Return the name of a seat's player, or that the seat is open."""
        player = self._players[seat]
        return "(open)" if player is None else player.name

    def title(self, seat: int) -> str:
        """Return "You" for the reader's only seat, otherwise the player's name, or the seat's colour if two seats have
        the same player."""
        if seat == self._own:
            return YOU
        player = self._players[seat] if seat < len(self._players) else None
        is_unique = player is not None and [each and each.id for each in self._players].count(player.id) == 1
        return player.name if player is not None and is_unique else self._colours[seat]

    def says(self, seat: int, verb: str) -> str:
        """Return a seat with a verb in the third person: `Ben offers`, `You offer`.

        >>> names = SeatNames(["White", "Black"], [None, None], [0])
        >>> names.says(0, "was"), names.says(0, "offers"), names.says(1, "offers")
        ('You were', 'You offer', 'Black offers')
        """
        title = self.title(seat)
        return f"{title} {_second_person(verb)}" if title == YOU else f"{title} {verb}"

    def player_says(self, player: Player, verb: str) -> str:
        """Return a player with a verb in the third person, with or without a seat: `Ben joins`, `You join`."""
        return f"{YOU} {_second_person(verb)}" if player.id == self._reader else f"{player.name} {verb}"

    def result(self, ended: Ended) -> str:
        """Return how a match ended, as a sentence: `You won: Beatrix resigned.`

        If the reason names no player, the sentence names both: `You won against Beatrix: no man can move.`
        """
        result = self._result(ended.ranks) if self._is_named_in(ended) else self._named_result(ended.ranks)
        return f"{result}: {self._reason(ended)}."

    def left(self, seat: int, reason: str) -> str:
        """Return why a player left a match that continues."""
        match reason:
            case "time":
                return f"{self.title(seat)} ran out of time."
            case "absence":
                return f"{self.says(seat, 'was')} away too long."
            case _:
                return f"{self.title(seat)} resigned and left the match."

    def _is_named_in(self, ended: Ended) -> bool:
        """Return whether the reason of an end names a player."""
        colours = self._colours[: len(self._players)]
        return ended.seat is not None or any(re.search(rf"\b{colour}\b", ended.explanation) for colour in colours)

    def _named_result(self, ranks: Sequence[int] | None) -> str:
        """Return a result that names both of two seats."""
        if ranks is None or len(ranks) != 2:
            return self._result(ranks)
        if ranks[0] == ranks[1]:
            if self._own is None:
                return f"Draw between {listed([self.title(0), self.title(1)])}"
            return f"Draw against {self.title(1 - self._own)}"
        winner, loser = (0, 1) if ranks[0] < ranks[1] else (1, 0)
        if loser == self._own:
            return f"You lost to {self.title(winner)}"
        return f"{self.title(winner)} won against {self.title(loser)}"

    def _result(self, ranks: Sequence[int] | None) -> str:
        if ranks is None:
            return "No result"
        winners = [seat for seat, rank in enumerate(ranks) if rank == 1]
        if len(winners) == len(ranks):
            return "Draw"
        if len(winners) > 1:
            # The reader comes first: "You and Ann".
            winners.sort(key=lambda seat: seat != self._own)
            return f"{listed([self.title(seat) for seat in winners])} share the win"
        if self._own is None or self._own in winners:
            return f"{self.title(winners[0])} won"
        if len(ranks) == 2:
            return "You lost"
        return f"{self.title(winners[0])} won, and you came {_ORDINALS[ranks[self._own] - 1]}"

    def _reason(self, ended: Ended) -> str:
        seat, is_draw = ended.seat, ended.ranks is not None and len(set(ended.ranks)) == 1
        if seat is not None and not is_draw:
            subject = "you" if self.title(seat) == YOU else self.title(seat)
            match ended.reason:
                case "resignation":
                    return f"{subject} resigned"
                case "time":
                    return f"{subject} lost on time"
                case "absence":
                    return f"{subject} {'were' if subject == 'you' else 'was'} away too long"
                case "no_show":
                    return f"{subject} did not make the first move in time"
                case "aborted":
                    return f"{subject} called the match off"
        return self._with_names(ended.explanation.rstrip("."))

    def _with_names(self, explanation: str) -> str:
        """Return an explanation with players instead of colours."""
        text = explanation
        for seat, colour in enumerate(self._colours[: len(self._players)]):
            title = self.title(seat)
            if title == YOU:
                text = re.sub(rf"\b{colour} (\w+)", lambda found: f"you {_second_person(found[1])}", text)
            text = re.sub(rf"\b{colour}\b", lambda _, title=title: "you" if title == YOU else title, text)  # type: ignore[misc]
        return text


def listed(names: Sequence[str]) -> str:
    """Return names as a list in a sentence.

    >>> listed(["Red", "Blue", "Green"])
    'Red, Blue and Green'
    """
    return ", ".join(names[:-1]) + f" and {names[-1]}" if len(names) > 1 else "".join(names)


def _second_person(verb: str) -> str:
    """Return a verb for "you"; an adverb may precede it."""
    *adverbs, verb = verb.split()
    return " ".join([*adverbs, _second_person_of(verb)])


def _second_person_of(verb: str) -> str:
    if verb in _VERBS:
        return _VERBS[verb]
    return verb[:-1] if verb.endswith("s") and not verb.endswith("ss") else verb
