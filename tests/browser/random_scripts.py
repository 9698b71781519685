"""Random modules in the manner of the page's, with everything in them that is hard to tell from a comment or an import.

Each module notes its name and its value when it runs; its value depends on the values that it imports. The entry module
`main.js` offers functions in `globalThis.lazy` that load further modules.
"""

import posixpath
import random

FOLDERS = ("", "board/", "match/")
EXPORTS = (
    "export const {name} = {value};",
    "export function {name}() {{\n  return {value};\n}}",
    "export async function {name}() {{\n  return {value};\n}}",
    """export class {name} {{
  static #import = {value};

  // A getter.
  static get value() {{
    return this.#import;
  }}
}}""",
)
VALUES = (
    '"// no comment"',
    "'/* none */ import'",
    "`import { a } from ${`\\`${1 + 1}//`}; // kept`",
    "`\nexport default 1;\n`",
    '"a/b\\"c".replace(/[/"]|\\//g, "`")',
    "((12 + 8) / 2 / 5)",
    '({ exports: 1, b: { "import": 2 } }).b.import',
    '/* gone */ "kept" /** @type {string} */',
    'new URL("art.svg", import.meta.url).href',
)
READ_SCRIPT = """
/** What a value is, whatever exports it. @param {any} value */
function read(value) {
  if (typeof value !== "function") return value;
  if ("value" in value) return value.value;
  const result = value();
  return result instanceof Promise ? "promised" : result;
}
"""


def random_modules(rng: random.Random) -> dict[str, bytes]:
    """Return the files of a few modules; those that later ones import come first."""
    names = [f"{rng.choice(FOLDERS)}module_{number}.js" for number in range(rng.randrange(3, 12))]
    lazy = rng.sample(names, rng.randrange(len(names) // 2 + 1))
    modules: dict[str, str] = {}
    for number, name in enumerate(names):
        modules[name] = _module(rng, name, rng.sample(names[:number], rng.randrange(min(number, 4) + 1)))
    at_once = _closure([name for name in rng.sample(names, 2) if name not in lazy], modules)
    lazy = [name for name in lazy if name not in at_once]
    loads = "".join(f'globalThis.lazy.push(() => import("./{name}"));\n' for name in lazy)
    modules["main.js"] = _module(rng, "main.js", [name for name in names if name in at_once]) + loads
    return {name: text.encode() for name, text in modules.items()}


def _module(rng: random.Random, name: str, imported: list[str]) -> str:
    imports = "".join(_import(rng, name, other) for other in imported)
    value = rng.choice(VALUES)
    own = [rng.choice(EXPORTS).format(name=f"own_{number}", value=rng.choice(VALUES)) for number in range(3)]
    parts = ", ".join(["own_0", "own_1", "own_2", *(_local(other) for other in imported)])
    note = (
        f"const hidden = {value};\n"
        f"export const result = [{parts}].map(read).concat(hidden).join();\n"
        f'globalThis.log.push(["{name}", result]); // Noted.\n'
    )
    return f"/** A module. */\n\n{imports}{READ_SCRIPT}\n" + "\n\n".join(own) + f"\n\n{note}"


def _import(rng: random.Random, name: str, other: str) -> str:
    address = posixpath.relpath(other, posixpath.dirname(name) or ".")
    address = address if address.startswith(".") else f"./{address}"
    exported = rng.choice(("own_0", "own_1", "own_2", "result"))
    return f'import {{ {exported} as {_local(other)} }} from "{address}";\n'


def _local(other: str) -> str:
    return posixpath.basename(other).removesuffix(".js").replace("module", "other")


def _closure(names: list[str], modules: dict[str, str]) -> set[str]:
    """Return modules with all that they import."""
    found = list(names)
    for name in found:
        found += [
            other for other in modules if f'/{posixpath.basename(other)}"' in modules[name] and other not in found
        ]
    return set(found)
