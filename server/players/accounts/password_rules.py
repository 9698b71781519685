"""Passwords: which ones are refused, and their normal form for hashing. Pure.

Length matters most, so no particular characters are required. The most common passwords are refused.
"""

import unicodedata

from millrace.protocol import Code
from millrace.protocol.refusal import Refusal

SHORTEST, LONGEST = 8, 128

_COMMON_PASSWORDS = """
00000000 11111111 11223344 12121212 123123123 1234512345 12341234 12344321 12345678 123456789 1234567890 1234567891
123456abc 1234abcd 1234qwer 12qwaszx 147258369 1q2w3e4r 1q2w3e4r5t 1qaz2wsx 1qazxsw2 22222222 55555555 66666666
77777777 87654321 88888888 987654321 9876543210 99999999 a1b2c3d4 a1234567 aa123456 aaaaaaaa abc12345 abcd1234
abcdefgh abcdefghi access14 administrator asdf1234 asdfasdf asdfghjk asdfghjkl babygirl baseball basketball
blink182 butterfly changeme charlie1 chocolate computer corvette creative dragon123 einstein elephant
facebook fireball firebird football football1 football123 freedom1 fuckyou1 gateway1 hello123 hellohello iloveyou
iloveyou1 iloveyou2 internet jennifer jonathan letmein1 letmein123 liverpool lovelove master123 maverick metallica
michael1 michelle midnight millrace millrace1 millrace123 monkey12 monkey123 mustang1 nicholas nintendo
p@ssw0rd p@ssword pa$$w0rd passw0rd password password! password1 password12 password123 password1234 platinum
pokemon1 princess princess1 q1w2e3r4 qazwsxedc qqqqqqqq qwer1234 qwerasdf qwerqwer qwerty12 qwerty123 qwerty1234
qwertyui qwertyuiop rush2112 samantha scorpion secret123 security slipknot snowball soccer12 spiderman startrek
starwars steelers sunshine sunshine1 superman superman1 swordfish test1234 testtest trustno1 valentine victoria
welcome1 welcome123 whatever wordpass zaq12wsx zaq1zaq1 zxcvbnm1 zxcvbnm123 zzzzzzzz
"""
_TRIMMINGS = "0123456789!?.-_ "
_COMMON = frozenset(_COMMON_PASSWORDS.split())
TOO_SHORT = f"A password needs at least {SHORTEST} characters."
TOO_LONG = f"A password can have at most {LONGEST} characters."


def normalize(password: str) -> str:
    """Return a password in the same form for every keyboard (Unicode NFKC)."""
    return unicodedata.normalize("NFKC", password)


def require_acceptable_password(password: str, name: str) -> None:
    """Check a new password for the account with that name. Raises: Refusal."""
    if len(password) < SHORTEST:
        raise Refusal(Code.BAD_PASSWORD, TOO_SHORT)
    if len(password) > LONGEST:
        raise Refusal(Code.BAD_PASSWORD, TOO_LONG)
    folded = normalize(password).casefold()
    if folded in _COMMON or len(set(folded)) == 1:
        raise Refusal(Code.BAD_PASSWORD, "That password is one of the most common; please choose another.")
    if folded.strip(_TRIMMINGS) == name.casefold().strip(_TRIMMINGS):
        raise Refusal(Code.BAD_PASSWORD, "Your password must not be your name.")
