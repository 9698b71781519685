"""Scripts and style sheets without what browsers do not need: comments, indentation, spaces."""

import re

import rcssmin
import rjsmin

from .javascript import read_source

_BOUND = re.compile(r"[`{}]")
_STAND_IN = re.compile(r"\$\$(\d+)\$")
"""Stands for a template; names that start with a dollar sign are reserved."""


def minify_sheet(sheet: str) -> str:
    """Return a style sheet without comments and needless spaces."""
    return str(rcssmin.cssmin(sheet))


def minify_script(script: str) -> str:
    """Return a script without comments and needless spaces.

    rjsmin changes the spaces of a template inside another one, so it is not shown any.

    >>> minify_script('const row = (cells) => `(${cells.map((cell) => `${cell} .`)} )`; // cells')
    'const row=(cells)=>`(${cells.map((cell) => `${cell} .`)} )`;'
    """
    text, code = read_source("bundle", script)
    templates: list[str] = []
    parts, at = [], 0
    for start, end in _outermost_templates(code):
        parts += [text[at:start], f"$${len(templates)}$"]
        templates.append(text[start:end])
        at = end
    minified = str(rjsmin.jsmin("".join([*parts, text[at:]])))
    return _STAND_IN.sub(lambda found: templates[int(found[1])], minified)


def _outermost_templates(code: str) -> list[tuple[int, int]]:
    """Return where each template begins and ends that is in no other one."""
    spans, open_bounds, start = [], [""], 0
    for found in _BOUND.finditer(code):
        bound = found[0]
        if bound == "}" or bound == open_bounds[-1] == "`":
            open_bounds.pop()
        else:
            open_bounds.append(bound)
        if bound == "`" and "`" not in open_bounds:
            spans.append((start, found.end()))
        elif bound == "`" and open_bounds.count("`") == 1 and open_bounds[-1] == "`":
            start = found.start()
    return spans
