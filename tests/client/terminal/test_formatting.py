"""Lines of text about solved positions."""

import msgspec
import pytest

from millrace.client.terminal.formatting import (
    WITHOUT_DISTANCES,
    crosstable_lines,
    imported_line,
    kind_text,
    live_line,
    notification_line,
    past_line,
    profile_lines,
    seek_line,
    solution_lines,
    status_line,
)
from millrace.protocol import (
    ClockSettings,
    CommandId,
    Crosstable,
    GameInfo,
    GameScore,
    IdentityId,
    ImportedMatch,
    KindRating,
    MatchId,
    MatchSummary,
    Notification,
    NotificationKind,
    PastMatch,
    Player,
    PlayerRatings,
    PlayerStatus,
    Profile,
    RatingKind,
    Seek,
    SolvedMove,
    SolvedPosition,
    Speed,
    TablebaseProbed,
    TournamentId,
    Trophy,
)


@pytest.mark.parametrize(("game", "title"), [("morris", "Nine Men's Morris"), ("chess", "chess")])
def test_matches_are_listed_with_the_titles_of_their_games(game: str, title: str) -> None:
    games = (GameInfo("morris", "Nine Men's Morris", (2,), ("White", "Black"), 8),)
    seek = Seek(MatchId("m1"), game, "", Player(IdentityId("ann"), "Ann"), 1500, ("Ann", ""), None, False)
    assert seek_line(seek, games) == f"m1  {title}, untimed, casual, by Ann (1500)"
    odds = msgspec.structs.replace(seek, clock=ClockSettings(300_000, 3_000), initial_ms=(None, 60_000))
    assert "5 min for Ann, 1 min for the open seat, casual" in seek_line(odds, games)


def lines_of(*moves: SolvedMove, result: int = 0, plies: int | None = None) -> list[str]:
    return list(solution_lines(TablebaseProbed(CommandId("1"), ("4-3",), SolvedPosition(result, plies, moves))))


def test_the_best_move_takes_as_long_as_the_position() -> None:
    moves = (SolvedMove("a7-d7", 1, 0), SolvedMove("a7-d6", 1, 2), SolvedMove("b6-d6", -1, 33))
    first, *others = lines_of(*moves, result=1, plies=1)
    assert first == "With perfect play the seat to move wins in 1 ply."
    assert [line.split(maxsplit=1)[1] for line in others] == ["wins in 1 ply", "wins in 3 plies", "loses in 34 plies"]


def test_results_without_distances_say_what_they_leave_out() -> None:
    moves = (SolvedMove("a7-d6", 1, None), SolvedMove("a7-d7", 0, None), SolvedMove("b6-d6", -1, None))
    first, *others, last = lines_of(*moves, result=1)
    assert first == "With perfect play the seat to move wins."
    assert [line.split()[1] for line in others] == ["wins", "draws", "loses"]
    assert last == WITHOUT_DISTANCES


@pytest.mark.parametrize(("result", "words"), [(0, "draws"), (-1, "has lost")])
def test_draws_and_finished_matches_have_no_ply_count(result: int, words: str) -> None:
    plies = 0 if result else None
    assert lines_of(result=result, plies=plies) == [f"With perfect play the seat to move {words}."]


def test_nobody_reads_the_name_of_a_game_where_it_has_a_title() -> None:
    games = (GameInfo("morris", "Nine Men's Morris", (2,), ("White", "Black"), 8),)
    ann, ben = (Player(IdentityId(name.lower()), name) for name in ("Ann", "Ben"))
    match, command, kind = MatchId("m1"), CommandId("c1"), RatingKind("morris", 2, Speed.BLITZ)
    past = PastMatch(match, 0, "morris", None, False, (ann, ben), (1, 2), (None, None))
    score, status = GameScore("morris", 1, 0, 2), PlayerStatus(ann, match=match, game="morris")
    ratings = PlayerRatings(command, ann, 0, (KindRating(kind, 1500, 80, True, 3, ()),), (past,))
    lines = (
        past_line(past, games),
        imported_line(ImportedMatch(match, "morris", ("Ann", "Ben"), 7), games),
        kind_text(kind, games),
        *profile_lines(Profile(command, status, "", 0, False, (score,)), ratings, games),
        *crosstable_lines(Crosstable(command, (ann, ben), (score,), (past,)), games),
        *(
            notification_line(Notification(each, "m1", 0, game="morris", player=ann), games)
            for each in NotificationKind
        ),
        status_line(status, games),
        live_line(MatchSummary(match, "morris", ("Ann", "Ben"), 3, 0, None), games),
    )
    assert not [line for line in lines if "morris" in line]
    assert sum("Nine Men's Morris" in line for line in lines) == 13


def test_a_profile_has_a_line_for_each_trophy() -> None:
    ann, command = Player(IdentityId("ann"), "Ann"), CommandId("c1")
    trophy = Trophy(TournamentId("t1"), "Daily arena", "morris", 2, 14, 1_764_000_000_000)
    profile = Profile(command, PlayerStatus(ann), "", 0, False, trophies=(trophy,))
    lines = [*profile_lines(profile, PlayerRatings(command, ann, None, (), ()), ())]
    assert lines[-1] == "  Second of 14 in Daily arena, 2025-11-24 (t1)"
