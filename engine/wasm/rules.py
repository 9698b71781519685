"""The exports that know the rules: the line of play, legal moves, ends of play, clicks and perft, as kernels."""

from collections.abc import Callable, Mapping

from ..bindings import packing_of, read_move
from ..bits import kernel
from ..game import NO_MOVE, Game, Repetition
from ..game.drawing_kernels import clear_drawing
from ..game.repetition_kernels import make_repetition_kernels
from ..perft import counter_of
from ..repetition import THREEFOLD
from .arrays import FIRST_SEAT, LEAVES, MOST_PERFT_PLIES, MOST_PLIES, PLY, SEATS_PLAYING, Views

Functions = Mapping[str, Callable[..., int]]
"""Exports by name: kernels of integers, which return an integer."""

GOES_ON = -1
"""The result of `outcome` while play can continue."""


def make_rules(game: Game, views: Views) -> Functions:
    """Return the functions that judge the position, and those that change it."""
    judging = _judging(game, views)
    return {**judging, **_playing(game, views, judging["legal_moves"]), **_drawing(game, views)}


def _judging(game: Game, views: Views) -> Functions:
    rules, kernels = game.rules, game.rules.kernels
    generate, outcome_kernel, evaluate_kernel, clicks_kernel = (
        kernels.generate_moves,
        kernels.outcome,
        kernels.evaluate,
        kernels.write_clicks,
    )
    separator_kernel, unpack_row = kernels.separator, packing_of(game).unpack_row
    count_repeats, keep_new = make_repetition_kernels(rules, kernels, read_move, kernel)
    forbids, draws = rules.repetition is Repetition.FORBIDDEN, rules.repetition is Repetition.DRAW_THIRD
    quiet_limit, has_quiet_limit = rules.quiet_limit or 0, rules.quiet_limit is not None
    by_repetition, by_quiet_limit = len(rules.end_reasons), len(rules.end_reasons) + 1
    fields, board, line, past, quiet_plies = views.fields, views.board, views.line, views.past, views.quiet_plies
    moves, ranks, clicks = views.moves, views.ranks, views.clicks

    @kernel
    def legal_moves() -> int:
        """Write the legal moves to `moves`, and return their number."""
        ply = fields()[PLY]
        position = unpack_row(line(), ply)
        count = generate(board(), position, moves())
        if forbids and past()[ply] > 0:
            count = keep_new(board(), position, line(), ply, past()[ply], moves(), count, fields()[SEATS_PLAYING])
        return count

    @kernel
    def adjudicate() -> int:
        """Write to `ranks` how the board alone ends the match, by seat, and return the reason."""
        ply, seats = fields()[PLY], fields()[SEATS_PLAYING]
        reason = outcome_kernel(board(), unpack_row(line(), ply), ranks())
        for _ in range((fields()[FIRST_SEAT] + ply) % seats):
            last = ranks()[seats - 1]
            for seat in range(seats - 1, 0, -1):
                ranks()[seat] = ranks()[seat - 1]
            ranks()[0] = last
        return reason

    @kernel
    def outcome() -> int:
        """Return `GOES_ON`, or write the ranks to `ranks`, by seat, and return the reason."""
        ply = fields()[PLY]
        position = unpack_row(line(), ply)
        if generate(board(), position, moves()) == 0:
            return adjudicate()
        ranks()[:] = 1
        if draws and count_repeats(line(), ply, past()[ply], fields()[SEATS_PLAYING], position) >= THREEFOLD - 1:
            return by_repetition
        if has_quiet_limit and quiet_plies()[ply] >= quiet_limit:
            return by_quiet_limit
        return GOES_ON

    @kernel
    def evaluate() -> int:
        """Return the static evaluation for the seat to move."""
        return evaluate_kernel(board(), unpack_row(line(), fields()[PLY]))

    @kernel
    def write_clicks(move: int) -> int:
        """Write the clicks of a legal move to `clicks`, and return their number."""
        return clicks_kernel(board(), unpack_row(line(), fields()[PLY]), move, clicks())

    @kernel
    def separator(move: int, index: int) -> int:
        """Return the code of the character after the name of the click of this index in the move's text."""
        return separator_kernel(board(), unpack_row(line(), fields()[PLY]), move, index)

    return {each.__name__: each for each in (legal_moves, adjudicate, outcome, evaluate, write_clicks, separator)}


def _drawing(game: Game, views: Views) -> Functions:
    draw_kernel, unpack_row = game.rules.kernels.draw, packing_of(game).unpack_row
    fields, board, line, cells, counts = views.fields, views.board, views.line, views.cells, views.counts
    if draw_kernel is None:
        return {}

    @kernel
    def draw() -> int:
        """Write what is on the board to `cells` and `counts`, with the mover as seat 0."""
        clear_drawing(cells(), counts())
        draw_kernel(board(), unpack_row(line(), fields()[PLY]), cells(), counts())
        return 0

    return {"draw": draw}


def _playing(game: Game, views: Views, legal_moves: Callable[[], int]) -> Functions:
    make_move, is_irreversible = game.rules.kernels.make_move, game.rules.kernels.is_irreversible
    unpack_row, pack_row, forced_pass = packing_of(game).unpack_row, packing_of(game).pack_row, game.rules.forced_pass
    fields, board, line, moves = views.fields, views.board, views.line, views.moves
    moves_played, quiet_plies, past = views.moves_played, views.quiet_plies, views.past

    @kernel
    def begin() -> int:
        """Begin a match: the page has written the seats, the board, and the first row of `line` and of
        `quiet_plies`."""
        fields()[PLY] = 0
        past()[0] = 0
        return 0

    @kernel
    def make(move: int) -> int:
        ply = fields()[PLY]
        if ply == MOST_PLIES:
            return 0
        position = unpack_row(line(), ply)
        pack_row(make_move(board(), position, move), line(), ply + 1)
        is_reset = is_irreversible(board(), position, move)
        moves_played()[ply + 1] = move
        quiet_plies()[ply + 1] = 0 if is_reset else quiet_plies()[ply] + 1
        past()[ply + 1] = 0 if is_reset else past()[ply] + 1
        fields()[PLY] = ply + 1
        return 1

    @kernel
    def push(move: int) -> int:
        """Make a move; return 1, or 0 if it is not legal."""
        is_legal = False
        for index in range(legal_moves()):
            is_legal |= read_move(moves(), index) == move
        return make(move) if is_legal else 0

    @kernel
    def skip() -> int:
        """Make the forced pass, although the seat to move may have moves: its player has left. Return 1, or 0 in a game
        without one."""
        return 0 if forced_pass == NO_MOVE else make(forced_pass)

    @kernel
    def undo() -> int:
        """Take the last move back; return 1, or 0 at the start."""
        if fields()[PLY] == 0:
            return 0
        fields()[PLY] -= 1
        return 1

    return {each.__name__: each for each in (begin, push, skip, undo)}


def make_perft(game: Game, views: Views) -> Functions:
    """Return the functions that count leaves, for depths of at least 2."""
    count_leaves = counter_of(game)
    packing = packing_of(game)
    unpack_row, pack_row = packing.unpack_row, packing.pack_row
    fields, board, line, perft = views.fields, views.board, views.line, views.perft

    @kernel
    def begin_perft(depth: int) -> int:
        """Begin to count the leaves below the position."""
        pack_row(unpack_row(line(), fields()[PLY]), perft().positions, 0)
        perft().ply[0], perft().ply[1] = 0, depth - 2
        for ply in range(MOST_PERFT_PLIES):
            perft().unplayed[ply] = -1
        fields()[LEAVES] = 0
        return 0

    @kernel
    def count(most: int) -> int:
        """Make about so many positions, and return whether all leaves have been counted."""
        fields()[LEAVES] += count_leaves(board(), perft(), most)
        return int(perft().ply[0] < 0)

    return {"begin_perft": begin_perft, "count": count}
