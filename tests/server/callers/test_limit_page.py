"""The page of limits is written from the server's limits, and lists all of them."""

import importlib
import pkgutil
from pathlib import Path

import millrace.server
from millrace.server.app.limit_table import LIMITS, write_page
from millrace.server.callers.limit import Limit

PAGE = Path(__file__).parents[3] / "docs" / "limits.md"


def test_the_page_is_up_to_date() -> None:
    command = "python -m millrace.server.app.limit_table"
    assert PAGE.read_text(encoding="utf-8") == write_page(LIMITS), f"docs/limits.md is out of date; run `{command}`."


def test_every_declared_limit_is_in_the_table_with_a_unique_name() -> None:
    declared: dict[int, Limit] = {}
    for module in pkgutil.walk_packages(millrace.server.__path__, "millrace.server."):
        if not module.name.endswith("__main__"):
            found = vars(importlib.import_module(module.name)).values()
            declared.update({id(each): each for each in found if isinstance(each, Limit)})
    assert sorted(each.name for each in declared.values()) == sorted(limit.name for limit in LIMITS)
    assert len({limit.name for limit in LIMITS}) == len(LIMITS)


def test_every_limit_bounds_an_address_or_a_players_stored_data() -> None:
    stored = {"api_tokens", "muted_players", "followed_players", "blocked_players", "wrong_passwords_of_known_player"}
    unbounded = {limit.name for limit in LIMITS if limit.address is None and limit.guests is None}
    assert unbounded == stored
