"""Joining modules: what is refused, and which bundle a module is in."""

import re
from importlib.resources import files

import pytest

from millrace.server.web.bundles import SMALL_BYTES, Bundles, join_modules
from millrace.server.web.javascript import ScriptError, read_source
from millrace.server.web.pages import read_folder

LARGE = f"""export const text = "{"x" * SMALL_BYTES}";\n"""


def join(**modules: str) -> Bundles:
    """Join modules by their names without `.js`; the entry is `main`."""
    return join_modules({f"{name}.js": text.encode() for name, text in modules.items()}, "main.js")


def members(bundles: Bundles) -> dict[str, list[str]]:
    """Return the modules of each bundle."""
    return {path: re.findall(r"^// (\w+)\.js$", body.decode(), re.MULTILINE) for path, body in bundles.files.items()}


def lazy(*names: str) -> str:
    return "".join(f'export const load_{name} = () => import("./{name}.js");\n' for name in names)


def test_modules_run_after_their_imports() -> None:
    bundles = join(
        main='import { b } from "./b.js";\nimport { a } from "./a.js";\n',
        a='import { b } from "./b.js";\nexport const a = b;\n',
        b="export const b = 1;\n",
    )
    assert members(bundles) == {"main.bundle.js": ["b", "a", "main"]}


def test_a_page_loaded_on_demand_has_its_own_bundle() -> None:
    bundles = join(
        main=lazy("page"), page='import { a } from "./a.js";\nexport const b = a;\n', a="export const a = 1;\n"
    )
    assert members(bundles) == {"main.bundle.js": ["main"], "page.bundle.js": ["a", "page"]}
    assert bundles.needed == {"page.js": ("page.bundle.js",)}


@pytest.mark.parametrize(
    ("shared", "expected"),
    [
        (LARGE, {"main": ["main"], "shared": ["shared"], "one": ["one"], "two": ["two"]}),
        ('export const text = "";\n', {"main": ["shared", "main"], "one": ["one"], "two": ["two"]}),
    ],
)
def test_shared_modules_are_loaded_once_and_at_once_if_small(shared: str, expected: dict[str, list[str]]) -> None:
    page = 'import { text } from "./shared.js";\nexport const a = text;\n'
    bundles = join(main=lazy("one", "two"), one=page, two=page, shared=shared)
    assert members(bundles) == {f"{name}.bundle.js": modules for name, modules in expected.items()}


def test_a_page_that_another_page_imports_is_in_one_bundle() -> None:
    bundles = join(
        main=lazy("one", "two"),
        one='import { text } from "./two.js";\nexport const a = text;\n',
        two=LARGE,
    )
    assert bundles.needed == {"one.js": ("one.bundle.js", "two.bundle.js"), "two.js": ("two.bundle.js",)}


@pytest.mark.parametrize(
    "statement",
    [
        'import "./a.js";',
        'import a from "./a.js";',
        'import * as a from "./a.js";',
        'import { a } from "a";',
        'import { b } from "./a.js";',
        'import { a } from "./nothing.js";',
        'import { a } from "./main.js";',
        'import { default as a } from "./a.js";\n',
        'export * from "./a.js";',
        'export { a } from "./a.js";',
        "export default 1;",
        "export let b = 1;",
        "export const { b } = c;",
        "const b = 1;\nexport { b };",
        "load(import(name));",
        "const $b = 1;",
        'import { a } from "./a.js";\nimport("./a.js");',
    ],
)
def test_modules_that_cannot_be_joined_are_refused(statement: str) -> None:
    with pytest.raises(ScriptError, match=r"main\.js|a\.js|nothing\.js"):
        join(main=f"{statement}\n", a="export const a = 1;\n")


def test_modules_that_import_each_other_are_refused() -> None:
    with pytest.raises(ScriptError, match="imports itself"):
        join(
            main='import { a } from "./a.js";\nexport const b = a;\n',
            a='import { b } from "./main.js";\nexport const a = 1;\n',
        )


def test_strings_and_member_names_are_not_imports() -> None:
    script = 'say("import { a }", b.import, this.#export, `\nexport default ${c}`);\n'
    assert script in join(main=script).files["main.bundle.js"].decode()


def test_the_page_is_joined_completely_without_comments() -> None:
    content = read_folder(files("millrace.client") / "web")
    bundles = join_modules(content, "main.js")
    joined = [name for names in map(_modules_in, bundles.files.values()) for name in names]
    apart = {name for name in content if name.endswith(".js") and not name.startswith(("embed/", "package/"))}
    # Modules of types only have nothing to join. A service worker, and what old browsers run, are no modules; the
    # engine's workers load their own.
    assert len(joined) == len(set(joined))
    assert set(joined) <= apart
    others = {"connection/questions.js", "old_browser.js", "worker/service_worker.js"}
    workers = {"engine/engine_module.js", "engine/engine_worker.js", "engine/play_worker.js"}
    assert apart - set(joined) <= others | workers
    for path, body in bundles.files.items():
        script = re.sub(r"^// \S+\.js$", "", body.decode(), flags=re.MULTILINE)
        assert read_source(path, script).text == script


def _modules_in(body: bytes) -> list[str]:
    return re.findall(r"^// (\S+\.js)$", body.decode(), re.MULTILINE)
