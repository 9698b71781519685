"""The tables that CAMMP publishes, beside ours."""

import pytest
from typer.testing import CliRunner

from benchmarks import published_tables
from millrace.engine.game.techniques import NO_TECHNIQUES, PUBLISHED_TECHNIQUES, TECHNIQUES


@pytest.mark.parametrize("table", [["nodes", "--depth", "1"], ["times"]])
def test_a_command_prints_the_published_figures_beside_those_here(
    table: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(published_tables, "choices", lambda: [("all together", 5_859, PUBLISHED_TECHNIQUES)])
    monkeypatch.setattr(published_tables, "TIMES_MS", {2: 4.5})
    monkeypatch.setattr(published_tables, "read_positions", lambda _game: [""])
    done = CliRunner().invoke(published_tables.app, table, catch_exceptions=False)
    head, row = done.output.splitlines()
    assert "CAMMP" in head
    assert "Millrace" in head
    assert row.split()[1 if table == ["times"] else 2] == ("4.5" if table == ["times"] else "5,859")
    assert all(float(cell.replace(",", "")) > 0 for cell in row.split()[-2:])


def test_each_row_names_the_techniques_that_it_has() -> None:
    for name, _, techniques in published_tables.choices():
        used = {each for each in TECHNIQUES if getattr(techniques, each)}
        word = name.split()[-1]
        if name.startswith("with "):
            assert word in used
            assert used <= {word, "principal_variation", "table_move", "two_level_table"}
        elif name.startswith("all but "):
            assert word not in used
            assert len(used) >= sum(PUBLISHED_TECHNIQUES) - 3
        else:
            assert techniques in (NO_TECHNIQUES, PUBLISHED_TECHNIQUES)
