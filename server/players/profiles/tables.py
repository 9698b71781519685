"""The tables of profiles, follows and blocks."""

from sqlalchemy import BigInteger, Boolean, Column, Index, Text, false

from ...storage.tables import define_table, optional, required

blocks = define_table(
    "blocks",
    ["by", "whom"],
    *required(Text, "by", "whom"),
    *required(BigInteger, "created_ms"),
)
"""Who blocks whom."""

profiles = define_table(
    "profiles",
    ["identity"],
    *required(Text, "identity"),
    *optional(Text, "bio", "country"),
    Column("is_hidden", Boolean, nullable=False, server_default=false()),
    *optional(BigInteger, "seen_ms"),
    *optional(Text, "toggled_notifications", "page_settings"),
)
"""Profile texts and countries of accounts, whether they hide that they are online, and when they last were.

`toggled_notifications` holds the kinds of notifications, separated by spaces, whose usual setting the player has
changed. `page_settings` is how the player wants the page to look, as the JSON of `PageSettings`."""

follows = define_table(
    "follows",
    ["by", "whom"],
    *required(Text, "by", "whom"),
    *required(BigInteger, "created_ms"),
)
"""Who follows whom."""

Index("follows_whom", follows.c.whom)
