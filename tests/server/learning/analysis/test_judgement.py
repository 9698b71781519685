"""What counts as a mistake, and the viewpoint of values."""

import pytest

from millrace.engine.games import GAMES, find_game
from millrace.engine.levels.opponents import STRONGEST_LEVEL
from millrace.engine.search.expected_score import engine_version, expected_score, plies_to_end
from millrace.engine.state import State
from millrace.engine.transposition_table import WIN
from millrace.protocol import Judgement, Score
from millrace.server.bots.books.book_files import shipped_book
from millrace.server.bots.requests import AnalysisResult, BotRequest, EvaluatedMove
from millrace.server.bots.searcher import Searcher
from millrace.server.learning.analysis.judgement import judge, judgement_of
from millrace.server.learning.analysis.match_review import PLY_NODES
from millrace.server.learning.analysis.replies import score_of

LEVEL, AHEAD, WON = 0, 140, 1500
WON_IN_5, LOST_IN_4 = WIN - 5, 4 - WIN


def found(best: int, played: int, moves: tuple[str, ...] = ("d6", "f4")) -> AnalysisResult:
    return AnalysisResult(
        9, 1000, 10.0, 20.0, (EvaluatedMove(best, moves),), EvaluatedMove(played, ("a1", "d6")), False, False
    )


@pytest.mark.parametrize(
    ("best", "played", "judgement"),
    [
        (LEVEL, LEVEL, Judgement.GOOD),
        (LEVEL, -20, Judgement.GOOD),
        (LEVEL, -40, Judgement.INACCURACY),
        (LEVEL, -60, Judgement.MISTAKE),
        (LEVEL, -AHEAD, Judgement.BLUNDER),
        (WON, WON - AHEAD, Judgement.GOOD),
        (WON_IN_5, WON, Judgement.GOOD),
        (WON_IN_5, LEVEL, Judgement.BLUNDER),
        (LEVEL, LOST_IN_4, Judgement.BLUNDER),
        (LOST_IN_4, 2 - WIN, Judgement.GOOD),
        (LEVEL, AHEAD, Judgement.GOOD),
    ],
)
def test_a_ply_is_judged_by_its_loss_in_the_chance_to_win(best: int, played: int, judgement: Judgement) -> None:
    judged = judge(State.from_moves(find_game("morris"), "", ("d6", "f4")), "a1", found(best, played))
    assert judged.judgement is judgement
    assert judged.best.moves == ("d6", "f4")


def test_the_only_legal_move_is_never_a_mistake() -> None:
    only = State.of(find_game("battlesheep"), "r2,0,b3,b2 r 2")
    assert len(only.legal_moves) == 1
    move = only.format_move(only.legal_moves[0])
    alone = EvaluatedMove(LEVEL, (move,)), EvaluatedMove(LOST_IN_4, (move,))
    judged = judge(only, move, AnalysisResult(9, 1000, 10.0, 20.0, alone[:1], alone[1], False, False))
    assert (judged.is_forced, judged.judgement, judged.loss) == (True, Judgement.GOOD, 0.0)


def test_each_judgement_starts_at_its_minimum_loss() -> None:
    assert judgement_of(0.0999) is Judgement.INACCURACY
    assert judgement_of(0.1) is Judgement.MISTAKE


def test_with_two_seats_scores_are_from_the_first_seats_view() -> None:
    black = State.of(find_game("morris")).play_text("d6")
    assert score_of(black, 50) == Score(0, -50, None, round(1 - expected_score(black.game, 50), 4))
    assert score_of(black, WON_IN_5) == Score(0, None, -5, 0.0)


def test_with_more_seats_scores_are_from_the_movers_view() -> None:
    game = find_game("battlesheep")
    start = State.of(game, f"{'/'.join(['0,0,0,0,0'] * 5)} r 4")
    blue = start.play(start.legal_moves[0])
    assert score_of(blue, 50).seat == 1
    assert score_of(blue, 50).hundredths == 50


def test_expectations_of_both_sides_add_up_and_grow_with_the_lead() -> None:
    for game in GAMES.values():
        chances = [expected_score(game, lead) for lead in (-WON_IN_5, -300, 0, 300, WON_IN_5)]
        assert chances == sorted(chances)
        assert chances[0] + chances[-1] == pytest.approx(chances[1] + chances[3]) == pytest.approx(1.0)


def test_an_end_is_counted_in_plies() -> None:
    assert plies_to_end(WON_IN_5) == 5
    assert plies_to_end(LOST_IN_4) == -4
    assert plies_to_end(WON) is None


def test_differently_judged_games_have_different_versions() -> None:
    assert len({engine_version(game) for game in GAMES.values()}) == len(GAMES)


@pytest.mark.parametrize("game", sorted(GAMES))
def test_a_good_book_move_is_not_a_mistake_despite_a_short_search(game: str) -> None:
    start = State.of(find_game(game))
    book = shipped_book(start.game)
    assert book is not None
    favourite = max(book.node_at(start).values(), key=lambda each: each.expected_score or 0.0)
    form = book.canonicalizer.canonical_form(start)
    for clicks, moves in book.canonicalizer.equivalent_moves(start, form, start.legal_moves).items():
        if book.node_at(start).get(clicks) is favourite:
            for move in moves:
                text = start.format_move(move)
                judged = judge(start, text, found(LEVEL, -AHEAD, (text,)), book)
                assert (judged.judgement, judged.loss) == (Judgement.GOOD, 0.0)


def test_a_bad_book_move_is_a_mistake_and_unknown_moves_are_left_to_the_search() -> None:
    book = shipped_book(find_game("morris"))
    after = State.of(find_game("morris")).play_text("d6")
    assert judge(after, "a7", found(LEVEL, LEVEL), book).loss > 0.1
    assert judge(after, "d3", found(LEVEL, -AHEAD), book).judgement is Judgement.BLUNDER
    other = State.of(find_game("morris"), "flying=off")
    assert judge(other, "d6", found(LEVEL, -AHEAD), book).judgement is Judgement.BLUNDER, "the book is for other rules"


@pytest.mark.parametrize("move", ["d6", "g4", "a7", "e5", "b2"])
def test_a_normal_first_move_in_a_drawn_opening_is_not_an_inaccuracy(move: str) -> None:
    """Nine Men's Morris is a draw, and so is each kind of first move; searched as a review does."""
    state = State.of(find_game("morris"))
    request = BotRequest("morris", "", (), STRONGEST_LEVEL, 0, None, nodes=PLY_NODES, also=move)
    findings = Searcher(lambda: False, None).analyse(request)
    assert judge(state, move, findings, shipped_book(state.game)).judgement is Judgement.GOOD


@pytest.mark.parametrize("move", ["a7", "g1", "f2"])
def test_in_games_with_many_draws_only_blunders_count_against_a_first_move(move: str) -> None:
    reply = State.of(find_game("morris")).play_text("d6")
    assert judge(reply, move, found(LEVEL, -60), shipped_book(reply.game)).judgement is Judgement.GOOD
    second = State.from_moves(find_game("morris"), "", ("d6", "f4"))
    assert judge(second, "e3", found(LEVEL, -60)).judgement is Judgement.MISTAKE
    decided = State.of(find_game("mingmang"))
    assert judge(decided, "b1-b2", found(LEVEL, -30, ("b1-b3",))).judgement is not Judgement.GOOD
