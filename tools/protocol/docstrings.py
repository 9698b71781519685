"""The docstrings below fields, enum members and aliases, which Python itself does not keep."""

import ast
import inspect
import textwrap
from collections.abc import Mapping
from types import ModuleType


def read_member_docs(owner: type | ModuleType) -> Mapping[str, str]:
    """Return the docstring of each member that a class or module assigns, in order; empty where there is none."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(owner)))
    body = tree.body
    if isinstance(owner, type):
        [definition] = tree.body
        assert isinstance(definition, ast.ClassDef)
        body = definition.body
    docs: dict[str, str] = {}
    for statement, next_statement in zip(body, [*body[1:], None], strict=True):
        name = _assigned_name(statement)
        if name is not None:
            docs[name] = _text_of(next_statement)
    return docs


def clean(doc: str | None) -> str:
    r"""Return a docstring as paragraphs without line breaks.

    >>> clean("One line,\n    continued.\n\n    Another paragraph.")
    'One line, continued.\n\nAnother paragraph.'
    """
    paragraphs = inspect.cleandoc(doc or "").split("\n\n")
    return "\n\n".join(" ".join(paragraph.split()) for paragraph in paragraphs)


def _assigned_name(statement: ast.stmt) -> str | None:
    match statement:
        case ast.Assign(targets=[ast.Name(name)]) | ast.AnnAssign(target=ast.Name(name)):
            return name
    return None


def _text_of(statement: ast.stmt | None) -> str:
    match statement:
        case ast.Expr(ast.Constant(str() as text)):
            return clean(text)
    return ""
