"""Which parts of a script are code, and which are comments and strings."""

import pytest

from millrace.server.web.javascript import ScriptError, read_source

WITHOUT_COMMENTS = [
    ("const a = 1; // one\n", "const a = 1;\n"),
    ("/** A number. */\nconst a = 1;\n", "const a = 1;\n"),
    ("f();\n  // Alone on its line.\n  g();\n", "f();\n  g();\n"),
    ("const a = /** @type {B} */ (b);\n", "const a =   (b);\n"),
    ("return /* across\nlines */ a;", "return \n a;"),
    ("say(\"// no comment\", '/* none */');", "say(\"// no comment\", '/* none */');"),
    ("say(`// ${a /* gone */} // kept`);", "say(`// ${a  } // kept`);"),
    ("say(`${`${1} // kept`} // kept`); // gone", "say(`${`${1} // kept`} // kept`);"),
    ("const a = text.replace(/[/\"]|\\//g, '') // gone", "const a = text.replace(/[/\"]|\\//g, '')"),
    ("const half = (a + b) / 2 / c; // gone", "const half = (a + b) / 2 / c;"),
    ("if (a) { return /'/; } // gone", "if (a) { return /'/; }"),
]


@pytest.mark.parametrize(("script", "expected"), WITHOUT_COMMENTS)
def test_only_comments_are_removed(script: str, expected: str) -> None:
    assert read_source("a.js", script).text == expected


@pytest.mark.parametrize(
    ("script", "code"),
    [
        ('say("import", `a ${b} c`);', 'say("      ", `   {b}  `);'),
        ("a = /import/g;", 'a = "       ";'),
        ("a = `\nimport { b }`;", "a = `             `;"),
    ],
)
def test_the_contents_of_strings_are_not_code(script: str, code: str) -> None:
    assert read_source("a.js", script).code == code


@pytest.mark.parametrize(
    ("script", "problem"),
    [
        ("a\nb = 'c", "a.js, line 2: A string does not end."),
        ("a = `b", "a.js, line 1: A template does not end."),
        ("a = `b ${c", "a.js, line 1: A brace is not closed."),
        ("{ /* a }", "a.js, line 1: A comment does not end."),
        ("a = /b", "a.js, line 1: A regular expression does not end."),
        ("}", "a.js, line 1: A brace closes nothing."),
        ("if (a) /b'/.test(c);", "a.js, line 1: A slash may divide or begin a regular expression; put spaces"),
    ],
)
def test_doubts_are_reported_with_their_line(script: str, problem: str) -> None:
    with pytest.raises(ScriptError) as caught:
        read_source("a.js", script)
    assert str(caught.value).startswith(problem)
