"""Two pages that edit one study, each saving and merging as the page does, agree in the end, and nothing is lost.

The program is the page's own (`study_saving.js`), with a server of a few lines that keeps the latest version. A script
says who does what when: changes, saves that arrive, and news that do.
"""

import json
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.project.repository import ROOT

PAGE = (ROOT / "client/web/analysis").as_uri()
PROGRAM = f"""
globalThis.addEventListener = globalThis.removeEventListener = () => {{}};
globalThis.document = {{ documentElement: {{ lang: "en" }} }};
const timers = [];
globalThis.setTimeout = (act) => timers.push(act);
globalThis.clearTimeout = () => {{}};
const {{ RefusedError }} = await import("{PAGE}/../connection/requests.js");
const {{ LineTree }} = await import("{PAGE}/line_tree.js");
const {{ addMovetext, movetextOf }} = await import("{PAGE}/movetext.js");
const {{ OpenChapter }} = await import("{PAGE}/study_saving.js");
const {{ createInterface }} = await import("node:readline");

const settle = async () => {{ for (let turn = 0; turn < 20; turn += 1) await null; }};

async function run(steps) {{
  const stored = {{ text: "", updated_ms: 1 }};
  const editors = [0, 1].map(() => {{
    const waiting = [], news = [];
    const connection = {{
      follow: (_, receive) => {{ editor.receive = receive; return () => {{}}; }},
      ask: (question) => new Promise((resolve, reject) => waiting.push(() => answer(question, resolve, reject))),
    }};
    const root = {{ game: "morris", setup: "" }};
    const study = {{ id: "s", game: "morris", tree: new LineTree(), cache: {{ root }} }};
    const editor = {{ waiting, news, study, receive: null }};
    editor.chapter = new OpenChapter(connection, study, 1, {{ told() {{}}, merged() {{}}, saving() {{}} }});
    editor.chapter.isEditable = true;
    return editor;
  }});
  function answer(question, resolve, reject) {{
    if (question.type === "get_study") return resolve({{ ...stored }});
    const refused = Object.assign(Object.create(RefusedError.prototype), {{ code: "study_changed" }});
    if (question.based_on_ms !== stored.updated_ms) return reject(refused);
    Object.assign(stored, {{ text: question.text, updated_ms: stored.updated_ms + 1 }});
    for (const {{ news }} of editors) news.push({{ ...stored }});
    resolve({{ study: "s", updated_ms: stored.updated_ms }});
  }}
  const nodeAt = (tree, path) => {{
    let node = tree.root;
    for (const step of path) if (node.children.length > 0) node = node.children[step % node.children.length];
    return node;
  }};
  for (const {{ who, act, path, word }} of steps) {{
    const editor = editors[who], {{ tree }} = editor.study, node = nodeAt(tree, path);
    if (act === "add") tree.add(node, word);
    else if (act === "write") node.comment = `${{node.comment}} ${{word}}`.trim();
    else if (act === "begin") node.comment = `${{word}} ${{node.comment}}`.trim();
    else if (act === "draw") node.drawings = [...node.drawings, {{ colour: "green", from: word, to: null }}];
    else if (act === "promote") tree.promote(node);
    else if (act === "remove") tree.remove(node);
    else if (act === "answer") editor.waiting.shift()?.();
    else if (act === "news") {{ const told = editor.news.shift(); if (told) editor.receive(told); }}
    else for (const each of timers.splice(0)) each();
    editor.chapter.touch();
    await settle();
  }}
  for (let round = 0; round < 40; round += 1) {{
    for (const editor of editors) {{
      for (const told of editor.news.splice(0)) editor.receive(told);
      for (const send of editor.waiting.splice(0)) send();
      editor.chapter.touch();
      await settle();
    }}
    for (const each of timers.splice(0)) each();
    await settle();
  }}
  const last = new LineTree();
  addMovetext(last, stored.text);
  return {{ texts: editors.map(({{ study }}) => movetextOf(study.tree)), stored: movetextOf(last) }};
}}

for await (const line of createInterface({{ input: process.stdin }})) {{
  console.log(JSON.stringify(await run(JSON.parse(line))));
}}
"""
PATHS = st.lists(st.integers(0, 2), max_size=5)
CHANGES = ("add", "add", "write", "begin", "draw", "promote")
TRAFFIC = ("answer", "answer", "news", "timers")


@pytest.fixture(scope="module")
def pages(processes: None) -> Iterator["subprocess.Popen[str]"]:
    """The program, which runs a script for each line that it is given."""
    if shutil.which("node") is None:
        pytest.skip("node is not installed")
    arguments = ["node", "--input-type=module", "--eval", PROGRAM]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        yield program
        program.terminate()


def scripts(*acts: str) -> st.SearchStrategy[list[dict[str, Any]]]:
    """Draw scripts; every word and every move is another."""
    step = st.fixed_dictionaries({"who": st.integers(0, 1), "act": st.sampled_from(acts), "path": PATHS})
    return st.lists(step, max_size=40).map(
        lambda steps: [{**step, "word": f"w{number}x"} for number, step in enumerate(steps)]
    )


def run(pages: "subprocess.Popen[str]", steps: list[dict[str, Any]]) -> dict[str, Any]:
    assert pages.stdin is not None and pages.stdout is not None  # noqa: PT018  # pipes
    pages.stdin.write(json.dumps(steps) + "\n")
    pages.stdin.flush()
    told: dict[str, Any] = json.loads(pages.stdout.readline())
    return told


@settings(deadline=None)
@given(steps=scripts(*CHANGES, *TRAFFIC))
def test_two_editors_agree_and_nothing_that_either_did_is_lost(
    pages: "subprocess.Popen[str]", steps: list[dict[str, Any]]
) -> None:
    told = run(pages, steps)
    assert told["texts"] == [told["stored"]] * 2
    for step in steps:
        if step["act"] in ("add", "write", "begin", "draw"):
            assert step["word"] in told["stored"]


@settings(deadline=None)
@given(steps=scripts(*CHANGES, "remove", *TRAFFIC))
def test_two_editors_agree_if_they_remove_lines_too(
    pages: "subprocess.Popen[str]", steps: list[dict[str, Any]]
) -> None:
    told = run(pages, steps)
    assert told["texts"] == [told["stored"]] * 2
