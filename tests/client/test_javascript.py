"""The JavaScript package in Node: `docs/javascript.md` word by word in an empty folder, and errors in words."""

import asyncio
import json
import os
import re
import shutil
import signal
import subprocess
import sys
from asyncio.subprocess import PIPE
from pathlib import Path

import pytest
from msgspec.structs import replace

from millrace.client import ClockSettings, connect
from millrace.client.bots.registration import register_bot
from millrace.protocol import Code, TournamentPlan
from tests.bots.matches import challenge, play_some
from tests.client.connecting import new_name
from tests.client.fake_server import FIRST_MATCH, FakeServer
from tests.docs.programs import read_blocks
from tests.processes import child
from tests.project.composed_processes import free_port
from tests.project.repository import read
from tests.serving import PATIENCE_S, Site

pytestmark = pytest.mark.usefixtures("processes")

BLOCKS = read_blocks("docs/javascript.md")
COMMANDS = [block.text.strip() for block in BLOCKS if block.language == "sh"]
INSTALL, PLAY, REGISTER, RUN, CHECK = COMMANDS
MILLRACE = f"{sys.executable} -m millrace.server.app.cli"
TOO_LONG = r"RefusedError: This message is too long: it has 10,\d\d\d bytes, and 8192 are allowed\."
PROBLEMS = """
import { ME, OPEN, connect } from "millrace";
const words = {};
const note = (name) => (error) => (words[name] = `${error.constructor.name}: ${error.message}`);
await connect("here and there").catch(note("address"));
await connect(`localhost:${process.argv[3]}`).catch(note("unreachable"));
await connect(process.argv[2], { token: "api_nonsense" }).catch(note("token"));
await connect(process.argv[2], { token: "a".repeat(500) }).catch(note("long"));
const me = await connect(process.argv[2]);
await me.create("chess", [ME, OPEN]).catch(note("refused"));
await me.create("x".repeat(10_000), [ME, OPEN]).catch(note("oversized"));
me.stream({ type: "analyse", line: { game: "x".repeat(10_000) } }, ({ code }) => (words.stream = code));
await me.watch("nothing").result().catch(note("unknown"));
const { match } = await me.create("morris", [ME, OPEN]);
const ends = [me.watch(match).result().catch(note("feed")), me.watch(match).result().catch(note("closed"))];
me.close();
await Promise.all(ends);
await me.join(match).catch(note("later"));
console.log(JSON.stringify(words));
"""
TURNS = """
import { ME, connect } from "millrace";
const me = await connect(process.argv[2]);
const clock = { initial_ms: 60_000, increment_ms: 1_000 };
const feed = me.watch((await me.create("morris", [ME, ME], { clock })).match);
const seen = [];
const events = (async () => {
  const types = [];
  for await (const { type } of feed.events()) types.push(type);
  return types;
})();
for await (const turn of feed.turns()) {
  if (feed.match.plies.length === 3) {
    await me.command({ type: "resign", match: feed.match.id, seat: turn.seat });
  } else {
    await turn.play(turn.moves[0]);
  }
  await new Promise((resolve) => turn.signal.aborted ? resolve() : turn.signal.addEventListener("abort", resolve));
  seen.push([turn.seat, turn.clock.left_ms > 50_000 && turn.clock.left_ms <= 61_000]);
}
const { ranks } = await feed.result();
const men = [...feed.match.position.piles.keys()];
console.log(JSON.stringify({ seen, men, ranks, events: await events }));
me.close();
"""
LOSSES = """
import { ME, connect } from "millrace";
const me = await connect(process.argv[2]);
console.log("connected");
await new Promise((resolve) => process.stdin.once("data", resolve));
const feed = me.watch((await me.create("toy", [ME, ME])).match);
for await (const turn of feed.turns()) {
  if (feed.match.plies.length === 3) break;
  await turn.play(turn.moves[1]);
}
console.log(`${feed.match.plies.length} plies`);
process.exit();
"""


JOINS = """
import { BotHost, connect } from "millrace";
const me = await connect(process.argv[2], { token: process.argv[3] });
const host = new BotHost(me, { games: ["morris"] }, {
  choose: ({ moves }) => moves[0],
  joins: ({ plan }) => plan.name === process.argv[4],
  say(line) {
    console.log(line);
    if (line.startsWith("Joined")) host.leave();
  },
});
await host.run();
me.close();
"""


@pytest.fixture(scope="module")
def environment() -> dict[str, str]:
    """The environment for Node; an old one needs an option, as the page says."""
    node = shutil.which("npm") and shutil.which("node")
    if not node:
        (pytest.fail if os.environ.get("MILLRACE_TESTS_REQUIRE_ALL") == "1" else pytest.skip)(
            "There is no Node with npm."
        )
    version = subprocess.run([node, "--version"], capture_output=True, text=True, check=True).stdout
    is_old = int(re.findall(r"\d+", version)[0]) < 22
    return {**os.environ, "NODE_OPTIONS": "--experimental-websocket --no-warnings" if is_old else ""}


@pytest.fixture(scope="module")
def folder(server: Site, environment: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with nothing but what the page says to put there."""
    folder = tmp_path_factory.mktemp("javascript")
    for block in BLOCKS:
        if block.language == "js":
            (folder / block.file).write_text(block.text.replace("localhost:8000", server.address))
    command = INSTALL.replace("localhost:8000", server.address)
    subprocess.run(["bash", "-c", command], cwd=folder, env=environment, check=True, capture_output=True)
    return folder


def run(command: str, folder: Path, environment: dict[str, str]) -> str:
    """Run a command of the page and return its output."""
    command = command.replace("millrace ", f"{MILLRACE} ", command.startswith("millrace"))
    done = subprocess.run(
        ["bash", "-c", command],
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE_S,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_programs_of_the_page_are_the_examples() -> None:
    examples = read("client/examples/five_lines.mjs"), read("client/examples/random_bot.mjs")
    programs = [block.text for block in BLOCKS if block.language == "js"]
    assert [program in example for program, example in zip(programs, examples, strict=True)] == [True, True]


def test_the_first_program_plays_a_match_to_its_end(folder: Path, environment: dict[str, str]) -> None:
    assert len(run(PLAY, folder, environment).strip()) > 5, "it prints how the match ended"


async def test_the_bot_is_registered_plays_and_finishes_its_match(
    server: Site, folder: Path, environment: dict[str, str]
) -> None:
    name = new_name()
    run(REGISTER.replace("localhost:8000", server.address).replace("Grinder", name), folder, environment)
    command = RUN.replace("Grinder", name).split()
    async with (
        asyncio.timeout(PATIENCE_S),
        connect(server.address) as me,
        child(*command, stdout=PIPE, cwd=folder, env=environment) as process,
    ):
        feed = await challenge(me, name, "mingmang")
        await play_some(feed, 4)
        process.send_signal(signal.SIGINT)
        async for bots in me.lobby.online_bots():
            if all(line.player.name != name for line in bots):
                break
        await play_some(feed, 8)
        await me.resign(feed.match, 0)
        printed, _ = await process.communicate()
        assert process.returncode == 0
        assert printed.decode().startswith(f"{name} accepts challenges.\n")
        assert f"{feed.match} is over" in printed.decode()


async def test_a_bot_joins_wanted_tournaments_for_bots_and_pauses_when_it_leaves(
    server: Site, folder: Path, environment: dict[str, str]
) -> None:
    (folder / "joins.mjs").write_text(JOINS)
    name, title = new_name(), new_name()
    token = (await register_bot(server.address, name, "correct horse battery")).token
    async with asyncio.timeout(PATIENCE_S), connect(server.address) as host:
        await host.account.register(new_name(), "correct horse battery")
        now_ms = (await host.ping()).now_ms
        people = TournamentPlan(title, "morris", ClockSettings(180_000), now_ms, 60, rated=False)
        bots = replace(people, bots=True)
        for plan in (people, replace(bots, name="Unwanted")):
            await host.tournaments.create(plan)
        wanted = await host.tournaments.create(bots)
        command, printed = f"node joins.mjs {server.address} {token} {title}", ""
        async for view in host.tournaments.follow(wanted):
            if view.summary.status == "running" and not printed:  # who leaves earlier withdraws
                printed = await asyncio.to_thread(run, command, folder, environment)
            if [row.paused for row in view.standings if row.player.name == name] == [True]:
                break
        assert [line for line in printed.splitlines() if "tournament" in line] == [f"Joined the tournament {title}."]


def test_the_bot_passes_the_conformance_run(server: Site, folder: Path, environment: dict[str, str]) -> None:
    command = CHECK.replace(" -- ", f" --server {server.address} --patience 60 --stop-at-fault -- ")
    assert run(command, folder, environment).endswith("23 passed, 0 failed, 0 skipped\n")


def test_problems_are_errors_in_words(server: Site, folder: Path, environment: dict[str, str]) -> None:
    (folder / "problems.mjs").write_text(PROBLEMS)
    port = free_port()
    words = json.loads(run(f"node problems.mjs {server.address} {port}", folder, environment))
    assert re.fullmatch(TOO_LONG, words.pop("oversized"))
    assert words == {
        "stream": "malformed",
        "address": 'TypeError: "here and there" is not the address of a server. '
        "Use one such as localhost:8000 or https://host.",
        "unreachable": f"ConnectionLostError: Could not connect to ws://localhost:{port}/socket. "
        "Is the server running?",
        "long": "ConnectionLostError: The field token must have at most 128 characters.",
        "token": "ConnectionLostError: This is not a token of this server.",
        "refused": "RefusedError: There is no game called 'chess'; there are: morris, battlesheep, mingmang.",
        "unknown": "RefusedError: There is no such match.",
        "feed": "Error: This feed has been closed.",
        "closed": "ConnectionLostError: This program has closed the connection.",
        "later": "ConnectionLostError: This program has closed the connection.",
    }


def test_turns_come_once_with_their_clock_and_end_with_the_ply(
    server: Site, folder: Path, environment: dict[str, str]
) -> None:
    (folder / "turns.mjs").write_text(TURNS)
    played = json.loads(run(f"node turns.mjs {server.address}", folder, environment))
    assert played["seen"] == [[0, True], [1, True], [0, True], [1, True]]
    assert len(played["men"]) == 3
    assert played["ranks"] == [1, 2]
    assert [each for each in played["events"] if each in ("moved", "ended")] == ["moved"] * 3 + ["ended"]


async def test_a_play_takes_effect_once_whatever_the_connection_and_the_server_lose(
    folder: Path, environment: dict[str, str]
) -> None:
    (folder / "losses.mjs").write_text(LOSSES)
    async with asyncio.timeout(PATIENCE_S), FakeServer() as server:
        command = ("node", "losses.mjs", server.address)
        async with child(*command, stdin=PIPE, stdout=PIPE, cwd=folder, env=environment) as process:
            assert process.stdout is not None
            assert await process.stdout.readline() == b"connected\n"
            server.lose_commands, server.lose_answers, server.lose_storage = 1, 1, 1
            server.refuse_greetings = [Code.UNAVAILABLE, Code.TOO_MANY]
            printed, _ = await process.communicate(b"\n")
        assert printed == b"3 plies\n"
        assert [type(each.event).__name__ for each in server.matches[FIRST_MATCH]].count("Moved") == 3
        assert len(server.matches) == 1
        assert server.refuse_greetings == []
