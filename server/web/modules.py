"""The modules of the browser client, for `server.web.bundles`: their imports and exports.

Only modules that can be joined without parsing the whole language are accepted: imports and exports by name, each at
the start of a line, of bindings that never change (`const`, `function`, `class`). `import("...")` loads a page on
demand.
"""

import posixpath
import re
from collections.abc import Mapping
from typing import NamedTuple

from .javascript import ScriptError, Source, read_source

_KEYWORD = re.compile(r"(?<![.#\w$])(?:import|export)\b")
_IMPORT = re.compile(r'import \{([^{}]*)\} from "( *)";\n')
_EXPORT = re.compile(r"export (?=(?:const|class|(?:async )?function\*?) ([\w$]+)( = )?)")
_NO_EXPORT = re.compile(r"export \{\};\n")
_LAZY_IMPORT = re.compile(r'import\("( *)"\)')
_OWN_ADDRESS = re.compile(r"import\.meta\.url\b")
_IMPORTED = re.compile(r"([A-Za-z]\w*)(?: as ([A-Za-z]\w*))?")
_RESERVED = re.compile(r"(?<![\w$])\$\w")
"""Names that the bundles give to modules."""


class Import(NamedTuple):
    """The imports of one statement."""

    module: str
    names: tuple[tuple[str, str], ...]
    """The name of each binding in the other module and in this one."""


class Statement(NamedTuple):
    """A part of a module's text that a bundle replaces: at most one of the following."""

    start: int
    end: int
    imported: Import | None = None
    exported: str = ""
    lazy: str = ""
    """The module loaded on demand."""
    is_own_address: bool = False
    """Whether the part is `import.meta.url`."""


class Module(NamedTuple):
    """A module to be joined."""

    name: str
    text: str
    """The text without comments."""
    statements: tuple[Statement, ...]

    @property
    def imports(self) -> tuple[Import, ...]:
        """The modules that it imports when it runs."""
        return tuple(each.imported for each in self.statements if each.imported is not None)

    @property
    def exports(self) -> tuple[str, ...]:
        """The names that it exports."""
        return tuple(each.exported for each in self.statements if each.exported)

    @property
    def lazy(self) -> tuple[str, ...]:
        """The modules that it loads on demand."""
        return tuple(each.lazy for each in self.statements if each.lazy)


def read_modules(content: Mapping[str, bytes], entry: str) -> dict[str, Module]:
    """Return a module and everything it imports, now or later.

    Raises:
        ScriptError: A module is missing, is not written as described above, or imports what is not exported.
    """
    modules: dict[str, Module] = {}
    names = [entry]
    for name in names:
        if name in modules:
            continue
        if name not in content:
            raise ScriptError(f"{name}: This module is imported but does not exist.")
        module = modules[name] = read_module(name, content[name].decode())
        names += [*(each.module for each in module.imports), *module.lazy]
    for module in modules.values():
        _check_imports(module, modules)
    return modules


def read_module(name: str, text: str) -> Module:
    """Return a module. Raises: ScriptError if it is not written as described above."""
    source = read_source(name, text)
    if _RESERVED.search(source.code):
        raise ScriptError(f"{name}: Names that start with a dollar sign are reserved.")
    keywords = _KEYWORD.finditer(source.code)
    return Module(name, source.text, tuple(_read_statement(name, source, keyword.start()) for keyword in keywords))


def _read_statement(name: str, source: Source, start: int) -> Statement:
    """Return the statement or expression of the keyword at a place in a module."""
    text, code = source
    if code[start - 1 : start] in ("", "\n"):
        if found := _IMPORT.match(code, start):
            module = _resolve(name, text[slice(*found.span(2))])
            return Statement(*found.span(), imported=Import(module, _parse_names(name, found[1])))
        if (found := _EXPORT.match(code, start)) and _is_plain(found):
            return Statement(*found.span(), exported=found[1])
        if found := _NO_EXPORT.match(code, start):
            return Statement(*found.span())
    if found := _LAZY_IMPORT.match(code, start):
        return Statement(*found.span(), lazy=_resolve(name, text[slice(*found.span(1))]))
    if found := _OWN_ADDRESS.match(code, start):
        return Statement(*found.span(), is_own_address=True)
    raise ScriptError(f"{name}: This import or export cannot be joined: {text[start:].partition(chr(10))[0]}")


def _is_plain(export: re.Match[str]) -> bool:
    """Return whether an export declares one name without a pattern."""
    return not export.string.startswith("const", export.end()) or export[2] is not None


def _resolve(name: str, address: str) -> str:
    if not address.startswith(("./", "../")) or not address.endswith(".js"):
        raise ScriptError(f"{name}: The address {address!r} is not that of a module beside this one.")
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), address))


def _parse_names(name: str, text: str) -> tuple[tuple[str, str], ...]:
    found = [_IMPORTED.fullmatch(each.strip()) for each in text.strip().removesuffix(",").split(",")]
    names = tuple((each[1], each[2] or each[1]) for each in found if each is not None)
    if len(names) < len(found):
        raise ScriptError(f"{name}: These imports are not names: {text.strip()}")
    return names


def _check_imports(module: Module, modules: Mapping[str, Module]) -> None:
    for each in module.imports:
        for name, _ in each.names:
            if name not in modules[each.module].exports:
                raise ScriptError(f"{module.name}: {each.module} exports no {name!r}.")
