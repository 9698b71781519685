"""FIDE's tournament report file (TRF): a Swiss tournament as text, read and written. Pure.

Read are the lines of TRF16 (C.04 annex 2), its common extensions for pairing programs (`XXR`, `XXC`, `XXP`, `XXZ`) and
the lines of TRF26 that say the same (142, 152, 162, 240, 260). Other lines are kept as they are. Columns are counted
from 0.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from .swiss_history import Colour, Entrant, Result, Round, Scoring, Swiss

FIRST_ROUND = 91
"""The column of a player's first round; each takes ten: opponent, colour and result."""
COLUMNS = {
    "sex": (9, 10),
    "title": (10, 13),
    "federation": (53, 56),
    "identifier": (57, 68),
    "birth": (69, 79),
}
"""Columns of a player's line that pairing does not need."""
NAME, RATING, POINTS = slice(14, 47), slice(48, 52), slice(80, 84)
POINT_CODES = {"W": "win", "D": "draw", "L": "loss", "A": "absence", "P": "pairing_bye"}
"""The results of line 162 whose points can be set."""


class ReportError(ValueError):
    """A report cannot be read; the message names the line and says why."""


@dataclass(frozen=True)
class Report:
    """A report: the tournament, and the lines that pairing does not need."""

    swiss: Swiss
    headers: tuple[str, ...] = ()


def parse_report(text: str) -> Report:
    """Return the tournament of a report.

    Raises:
        ReportError: if a line cannot be read, or if lines contradict each other.
    """
    reader = _Reader()
    for number, line in enumerate(text.removeprefix("\N{BYTE ORDER MARK}").splitlines(), 1):
        try:
            reader.read(line.rstrip())
        except (ValueError, KeyError, IndexError) as error:
            reason = str(error) if isinstance(error, ReportError) else "it cannot be read"
            raise ReportError(f"Line {number}: {reason}.") from error
    return reader.report()


class _Reader:
    """What has been read of a report."""

    def __init__(self) -> None:
        self._entrants: dict[int, Entrant] = {}
        self._points: dict[int, int] = {}
        self._headers: list[str] = []
        self._rounds: int | None = None
        self._colour: Colour | None = None
        self._forbidden: list[tuple[range, list[int]]] = []
        self._absent: set[int] = set()
        self._byes: list[tuple[int, Result, int]] = []
        self._scoring = Scoring()
        self._win_sets_bye = True

    def read(self, line: str) -> None:
        """Read one line."""
        readers = {
            "001": self._read_player,
            "XXR": self._read_rounds,
            "142": self._read_rounds,
            "XXC": self._read_colour,
            "152": self._read_colour,
            "XXP": self._read_forbidden_pairs,
            "260": self._read_forbidden_group,
            "XXZ": self._read_absent,
            "240": self._read_byes,
            "162": self._read_scoring,
            "XXA": self._refuse_acceleration,
            "250": self._refuse_acceleration,
        }
        read = readers.get(line[:3])
        if read:
            read(line)
        elif line:
            self._headers.append(line)

    def report(self) -> Report:
        """Return what was read, if it is consistent."""
        entrants = tuple(self._entrants[number] for number in sorted(self._entrants))
        _check_opponents(self._entrants)
        swiss = Swiss(
            entrants=entrants,
            rounds=0,
            initial_colour=self._colour or first_colour(entrants) or Colour.WHITE,
            absent=frozenset(self._absent),
            scoring=self._scoring,
        )
        following = swiss.paired_rounds + 1
        swiss = replace(
            swiss,
            entrants=tuple(_with_bye(entrant, self._byes, following) for entrant in entrants),
            rounds=self._rounds if self._rounds is not None else swiss.paired_rounds,
            forbidden=frozenset(
                frozenset((one, other))
                for rounds, group in self._forbidden
                if following in rounds
                for one in group
                for other in group
                if one < other
            ),
        )
        self._check_points(swiss)
        return Report(swiss, tuple(self._headers))

    def _read_player(self, line: str) -> None:
        number = int(line[4:8])
        if number in self._entrants or number < 1:
            raise ReportError(f"the pairing number {number} cannot be used")
        self._points[number] = _half_points(line[POINTS])
        self._entrants[number] = Entrant(
            number=number,
            rounds=tuple(_rounds(line)),
            rating=int(line[RATING].strip() or 0),
            name=line[NAME].strip(),
            extra={name: text for name, (start, end) in COLUMNS.items() if (text := line[start:end].strip())},
        )

    def _read_rounds(self, line: str) -> None:
        self._rounds = int(line[3:])

    def _read_colour(self, line: str) -> None:
        word = line[3:].split(maxsplit=1)[0].lower()
        if word == "rank":
            raise ReportError("pairing by rank is not supported")
        self._colour = {"white1": Colour.WHITE, "black1": Colour.BLACK, "w": Colour.WHITE, "b": Colour.BLACK}[word]

    def _read_forbidden_pairs(self, line: str) -> None:
        self._forbidden.append((range(1, 1000), _numbers(line[3:])))

    def _read_forbidden_group(self, line: str) -> None:
        first, last = int(line[4:7]), int(line[8:11])
        self._forbidden.append((range(first, last + 1), _numbers(line[11:])))

    def _read_absent(self, line: str) -> None:
        self._absent.update(_numbers(line[3:]))

    def _read_byes(self, line: str) -> None:
        result, round_number = Result(line[4]), int(line[6:9])
        self._byes += [(round_number, result, number) for number in _numbers(line[9:])]

    def _read_scoring(self, line: str) -> None:
        for start in range(5, len(line), 9):
            field = POINT_CODES[line[start]]
            points = _half_points(line[start + 1 : start + 5])
            self._scoring = replace(self._scoring, **{field: points})
            self._win_sets_bye = self._win_sets_bye and field != "pairing_bye"
        if self._win_sets_bye:
            self._scoring = replace(self._scoring, pairing_bye=self._scoring.win)

    def _refuse_acceleration(self, line: str) -> None:
        raise ReportError(f"accelerated pairing ({line[:3]}) is not supported")

    def _check_points(self, swiss: Swiss) -> None:
        """Raise an error if a player's points are not those of the results, with or without the next round's bye."""
        scores = swiss.scores()
        for entrant in swiss.entrants:
            score = scores[entrant.number][-1]
            coming = sum(self._scoring.points(each.result) for each in entrant.rounds[swiss.paired_rounds :])
            if self._points[entrant.number] not in {score, score + coming}:
                raise ReportError(f"The points of player {entrant.number} do not match the results.")


def _rounds(line: str) -> Iterator[Round]:
    end = len(line)
    for start in range(FIRST_ROUND, end, 10):
        opponent, colour, result = (
            line[start : start + 4].strip(),
            line[start + 5 : start + 6],
            line[start + 7 : start + 8],
        )
        if not result.strip():
            yield Round(Result.ZERO_POINT_BYE)
            continue
        yield _checked(
            Round(
                Result(result.upper()),
                int(opponent) if opponent and opponent != "0000" else None,
                Colour(colour) if colour in set("wb") else None,
            )
        )


def _checked(each: Round) -> Round:
    """Return a round, if opponent, colour and result go together."""
    met = each.result in set("1=0WDL+-")
    if met and each.opponent is None and each.result not in set("+-"):
        raise ReportError("a result has no opponent")
    if not met and each.opponent is not None:
        raise ReportError("a bye has an opponent")
    if each.played and each.colour is None:
        raise ReportError("a result has no colour")
    return each


def _check_opponents(entrants: Mapping[int, Entrant]) -> None:
    for number, entrant in entrants.items():
        for index, each in enumerate(entrant.rounds):
            if each.opponent is not None and not _agrees(entrants.get(each.opponent), number, index, each):
                raise ReportError(f"Round {index + 1} of player {number} contradicts the opponent's entry.")


def _agrees(opponent: Entrant | None, number: int, index: int, each: Round) -> bool:
    if opponent is None or index >= len(opponent.rounds) or opponent.number == number:
        return False
    theirs = opponent.rounds[index]
    return (
        theirs.opponent == number
        and theirs.played == each.played
        and (each.colour is None or theirs.colour is each.colour.other)
    )


def first_colour(entrants: Iterable[Entrant]) -> Colour | None:
    """Return the colour that was drawn for the first player, as the first round with colours shows."""
    entrants = tuple(entrants)
    rounds = (index for entrant in entrants for index, each in enumerate(entrant.rounds) if each.colour)
    first = min(rounds, default=None)
    if first is None:
        return None
    entered = [entrant for entrant in entrants if any(each.paired for each in entrant.rounds[: first + 1])]
    for place, entrant in enumerate(entered, 1):
        colour = entrant.rounds[first].colour if len(entrant.rounds) > first else None
        if colour:
            return colour if place % 2 else colour.other
    return None


def _with_bye(entrant: Entrant, byes: Iterable[tuple[int, Result, int]], following: int) -> Entrant:
    """Return a player with the bye that line 240 gives in the next round."""
    for round_number, result, number in byes:
        if number == entrant.number and round_number == following and len(entrant.rounds) < following:
            missing = following - 1 - len(entrant.rounds)
            added = (*[Round(Result.ZERO_POINT_BYE)] * missing, Round(result))
            return replace(entrant, rounds=entrant.rounds + added)
    return entrant


def _numbers(text: str) -> list[int]:
    return [int(word) for word in text.split()]


def _half_points(text: str) -> int:
    points = 2 * float(text)
    if points != int(points):
        raise ReportError("points must be halves")
    return int(points)


def format_report(report: Report) -> str:
    """Return a report as TRF16 text, with the number of rounds and what the next pairing needs besides."""
    return "".join(f"{line}\n" for line in _lines(report))


def _lines(report: Report) -> Iterator[str]:
    swiss = report.swiss
    yield from report.headers
    points = {number: scores[-1] for number, scores in swiss.scores().items()}
    order = sorted(points, key=lambda number: (-points[number], number))
    places = {number: place for place, number in enumerate(order, 1)}
    for entrant in swiss.entrants:
        yield _player_line(entrant, points[entrant.number], places[entrant.number])
    yield f"XXR {swiss.rounds}"
    if first_colour(swiss.entrants) is None:
        yield f"XXC {'white1' if swiss.initial_colour is Colour.WHITE else 'black1'}"
    if swiss.scoring != Scoring():
        yield "162  " + "    ".join(
            f"{code}{getattr(swiss.scoring, field) / 2:4.1f}" for code, field in POINT_CODES.items()
        )
    for pair in sorted(sorted(pair) for pair in swiss.forbidden):
        yield f"XXP {pair[0]} {pair[1]}"
    if swiss.absent:
        yield "XXZ " + " ".join(str(number) for number in sorted(swiss.absent))


def _player_line(entrant: Entrant, points: int, place: int) -> str:
    line = list(f"001 {entrant.number:4}".ljust(FIRST_ROUND - 2))
    extra = {**entrant.extra, "identifier": f"{entrant.extra.get('identifier', ''):>11}"}
    texts = [(start, end, extra.get(name, "")) for name, (start, end) in COLUMNS.items()]
    rating = f"{entrant.rating:4}" if entrant.rating else ""
    texts += [(14, 47, entrant.name), (48, 52, rating), (80, 84, f"{points / 2:4.1f}"), (85, 89, f"{place:4}")]
    for start, end, text in texts:
        line[start:end] = text[: end - start].ljust(end - start)
    return ("".join(line) + "".join(_round_text(each) for each in entrant.rounds)).rstrip()


def _round_text(each: Round) -> str:
    opponent = "0000" if each.opponent is None else f"{each.opponent:4}"
    return f"  {opponent} {each.colour or '-'} {each.result}"
