"""Bundles: the browser client's modules joined into a few files, each loaded with one request.

The entry bundle contains the entry module and its imports; a page loaded on demand has its own bundle, and so do
modules shared by the same pages. A module becomes a function that runs once and returns its exports, so its names stay
private, and its text is unchanged except for comments, imports and exports:

    // chat/chat_line.js
    const $chat_chat_line = (() => {
    const { element } = $element;
    function chatLine(line) { ... }
    return { chatLine };
    })();

Modules run in the same order as in a browser. `server.web.modules` says which modules can be joined.
"""

import posixpath
import re
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from .javascript import ScriptError
from .modules import Module, Statement, read_modules

SMALL_BYTES = 1_500
"""Modules shared by several pages join the entry bundle if they are smaller than this, to save a request."""


class Bundles(NamedTuple):
    """The bundles of one entry module."""

    entry: str
    """The path of the entry bundle."""
    files: dict[str, bytes]
    """The content of each bundle, by path."""
    modules: tuple[str, ...]
    """The modules in the entry bundle."""
    needed: dict[str, tuple[str, ...]]
    """For each module loaded on demand, the bundles to load."""


def join_modules(content: Mapping[str, bytes], entry: str) -> Bundles:
    """Join a module and everything it imports.

    Raises:
        ScriptError: A module is not written as `server.web.modules` requires, or modules import each other.
    """
    joining = _Joining(read_modules(content, entry), entry)
    files = {path: joining.write(path).encode() for path in joining.members}
    first = _bundle_path(entry)
    needed = {lazy: joining.bundles_of(lazy) for lazy in joining.lazy}
    return Bundles(first, files, tuple(joining.members[first]), needed)


class _Joining:
    """The distribution of modules over bundles."""

    def __init__(self, modules: Mapping[str, Module], entry: str) -> None:
        self._modules, self._entry = modules, entry
        self.lazy = tuple(dict.fromkeys(lazy for module in modules.values() for lazy in module.lazy))
        """The modules loaded on demand."""

    @cached_property
    def members(self) -> dict[str, list[str]]:
        """The modules of each bundle, in the order in which they run."""
        first = self._run_order([*self._small_shared(), self._entry])
        for lazy in set(first) & set(self.lazy):
            raise ScriptError(f"{lazy}: This module is loaded both on demand and at once.")
        members = {_bundle_path(self._entry): first}
        for group in self._groups(first):
            members[_bundle_path(self._title_of(group))] = group
        return members

    def _title_of(self, group: list[str]) -> str:
        """Return the module that gives a bundle its name: its page, or else its largest module."""
        return max(group, key=lambda each: (each in self.lazy, len(self._modules[each].text)))

    @cached_property
    def _bundle_of(self) -> dict[str, str]:
        return {module: path for path, members in self.members.items() for module in members}

    def bundles_of(self, lazy: str) -> tuple[str, ...]:
        """Return the bundles that a module needs besides the first, its own first."""
        paths = dict.fromkeys(self._bundle_of[each] for each in reversed(self._run_order([lazy])))
        return tuple(path for path in paths if path != _bundle_path(self._entry))

    def write(self, path: str) -> str:
        """Return the text of a bundle."""
        members = self.members[path]
        parts = [*self._bundle_imports(path), *(self._write_module(self._modules[each], path) for each in members)]
        exported = [variable_of(each) for each in members if each in self._used_elsewhere]
        if exported:
            parts.append(f"export {{ {', '.join(exported)} }};\n")
        return "".join(parts)

    def _small_shared(self) -> list[str]:
        """Return the modules that several pages share and that are too small for their own bundle."""
        groups = self._groups(self._run_order([self._entry]))
        sizes = [sum(len(self._modules[each].text) for each in group) for group in groups]
        return [
            each
            for group, size in zip(groups, sizes, strict=True)
            if size < SMALL_BYTES and not set(group) & set(self.lazy)
            for each in group
        ]

    def _groups(self, first: Iterable[str]) -> list[list[str]]:
        """Return the modules loaded later, grouped by the pages that need them."""
        pages: dict[str, set[str]] = {}
        for lazy in self.lazy:
            for each in self._run_order([lazy]):
                pages.setdefault(each, set()).add(lazy)
        groups: dict[frozenset[str], list[str]] = {}
        known = set(first)
        for each in self._run_order(self.lazy):
            if each not in known:
                groups.setdefault(frozenset(pages[each]), []).append(each)
        return list(groups.values())

    def _run_order(self, roots: Iterable[str]) -> list[str]:
        """Return modules after their imports, as a browser runs them. Raises: ScriptError for a cycle."""
        finished: dict[str, None] = {}
        begun: set[str] = set()

        def run(name: str) -> None:
            if name in finished:
                return
            if name in begun:
                raise ScriptError(f"{name}: This module imports itself through others.")
            begun.add(name)
            for each in self._modules[name].imports:
                run(each.module)
            finished[name] = None

        for root in roots:
            run(root)
        return list(finished)

    @cached_property
    def _used_elsewhere(self) -> set[str]:
        """The modules that a bundle other than their own uses."""
        imported = {
            each.module
            for module in self._modules.values()
            for each in module.imports
            if self._bundle_of[each.module] != self._bundle_of[module.name]
        }
        return imported | set(self.lazy)

    def _bundle_imports(self, path: str) -> list[str]:
        used: dict[str, list[str]] = {}
        for name in self.members[path]:
            for each in self._modules[name].imports:
                bundle, variable = self._bundle_of[each.module], variable_of(each.module)
                if bundle != path and variable not in used.setdefault(bundle, []):
                    used[bundle].append(variable)
        return [f'import {{ {", ".join(names)} }} from "{_address(path, each)}";\n' for each, names in used.items()]

    def _write_module(self, module: Module, path: str) -> str:
        lines = [f"\n// {module.name}\nconst {variable_of(module.name)} = (() => {{\n"]
        for each in module.imports:
            names = ", ".join(name if name == own else f"{name}: {own}" for name, own in each.names)
            lines.append(f"const {{ {names} }} = {variable_of(each.module)};\n")
        at = 0
        for statement in module.statements:
            lines += [module.text[at : statement.start], self._replace(statement, module.name, path)]
            at = statement.end
        lines.append(module.text[at:])
        return "".join([*lines, f"\nreturn {{ {', '.join(module.exports)} }};\n}})();\n"])

    def _replace(self, statement: Statement, name: str, path: str) -> str:
        if statement.is_own_address:
            return f'new URL("{_address(path, name)}", import.meta.url).href'
        if not statement.lazy:
            return ""
        imports = ", ".join(f'import("{_address(path, each)}")' for each in self.bundles_of(statement.lazy))
        return f"Promise.all([{imports}]).then(([bundle]) => bundle.{variable_of(statement.lazy)})"


def _bundle_path(module: str) -> str:
    return f"{module.removesuffix('.js')}.bundle.js"


def variable_of(module: str) -> str:
    """Return a module's name in bundles."""
    return "$" + re.sub(r"\W", "_", module.removesuffix(".js").replace("_", "__"))


def _address(path: str, other: str) -> str:
    """Return the address of a file relative to another.

    >>> _address("start/start_page.js", "main.js"), _address("main.js", "main.css")
    ('../main.js', './main.css')
    """
    relative = posixpath.relpath(other, posixpath.dirname(path) or ".")
    return relative if relative.startswith(".") else f"./{relative}"
