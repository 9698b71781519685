"""Languages with more than two plural forms: the rule of a catalogue, and the forms of `{count} move`."""

POLISH = (
    "nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);",
    ["jeden ruch", "{count} ruchy", "{count} ruchów"],
)
RUSSIAN = (
    "nplurals=3; plural=(n%10==1 && n%100!=11 ? 0 : n%10>=2 && n%10<=4 && (n%100<10 || n%100>=20) ? 1 : 2);",
    ["{count} ход", "{count} хода", "{count} ходов"],
)
ARABIC = (
    "nplurals=6; plural=(n==0 ? 0 : n==1 ? 1 : n==2 ? 2 : n%100>=3 && n%100<=10 ? 3 : n%100>=11 ? 4 : 5);",
    ["لا نقلات", "نقلة واحدة", "نقلتان", "{count} نقلات", "{count} نقلة", "{count} نقلة"],
)
