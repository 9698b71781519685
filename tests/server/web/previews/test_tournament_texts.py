"""What a link to a tournament shows."""

from millrace.protocol import ClockSettings, TournamentId, TournamentPlan, TournamentSummary
from millrace.server.web.previews.page_texts import text_of_tournament

PLAN = TournamentPlan("Evening", "battlesheep", ClockSettings(180_000, 2_000), 1_764_100_800_000, 90, seats=4)


def test_an_arena_of_tables_says_how_many_sit_at_one() -> None:
    text = text_of_tournament(TournamentSummary(TournamentId("t"), PLAN, "Ann", "planned", 0, 3))
    assert text.title == "Evening · Battle Sheep arena"
    assert text.description == ("Starts on 25 November 2025 at 20:00 UTC. 3 min + 2 s, rated, tables of 4, 90 minutes.")
