"""The rules for players' profiles: their texts and countries. Pure."""

import re

from millrace.protocol import Code
from millrace.protocol.refusal import Refusal

from ...callers.user_text import require_showable

MOST_LINES = 8
"""Maximum lines of a bio, including empty ones."""

_CODES = """
AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY
BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK
FM FO FR GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR
IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK
ML MM MN MO MP MQ MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM
PN PR PS PT PW PY QA RE RO RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF
TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS YE YT ZA ZM ZW
"""

COUNTRIES = tuple(_CODES.split())
"""The two-letter codes of ISO 3166-1; clients translate them into names."""


def tidy_bio(text: str) -> str:
    r"""Return a bio with single spaces between words and at most one empty line between paragraphs.

    >>> tidy_bio("  I play \t at night.\r\n\r\n\r\nhttps://example.org ")
    'I play at night.\n\nhttps://example.org'

    Raises: Refusal if it has too many lines or contains control characters.
    """
    lines = (" ".join(line.split()) for line in text.strip().splitlines())
    bio = re.sub(r"\n{3,}", "\n\n", "\n".join(lines))
    if bio.count("\n") >= MOST_LINES:
        raise Refusal(Code.BAD_TEXT, "Your text is too long; use at most {most} lines.", most=MOST_LINES)
    require_showable(bio)
    return bio


def check_country(code: str | None) -> None:
    """Check a country code; None is allowed. Raises: Refusal."""
    if code is not None and code not in COUNTRIES:
        raise Refusal(Code.UNKNOWN_COUNTRY, "{code} is not a country code; choose one from the list.", code=code)
