"""A server process and a real Chromium for the tests of the page.

Every test fails if a page of its logged an error, which includes every violation of the content security policy.
"""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, BrowserContext, StorageState, expect, sync_playwright

from millrace.server.callers.credentials import identify, new_token
from tests.browser.chromium import CHROMIUM_NAMES, CHROMIUM_OPTIONS
from tests.browser.sites import LONE_SERVER
from tests.browser.visitor import ANSWER_MS, Visit, Visitor
from tests.node_processes import TwoNodes
from tests.server.archive.round_trips import check_round_trips_in
from tests.serving import ServerProcess, Site

SERVER_ARGUMENTS = (
    *("--bot-workers", "1", "--patience", "0.1", "--address-factor", "100", "--least-arena-minutes", "1"),
    *("--race-seconds", "30"),
    *("--limit", "messages.connection=4000", "--limit", "analysis_ms.account=18000000"),
)
WINDOW = os.environ.get("MILLRACE_TEST_WINDOW", "1280x800")
"""Of the pages whose test names none."""
MUST_RUN = os.environ.get("MILLRACE_TESTS_REQUIRE_ALL") == "1"


def pytest_itemcollected(item: pytest.Item) -> None:
    if "tests/browser/" in item.path.as_posix():
        item.add_marker("browser")
        item.add_marker("sampled")


@pytest.fixture(scope="package")
def browser(processes: None) -> Iterator[Browser]:
    chromium = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    if chromium is None:
        (pytest.fail if MUST_RUN else pytest.skip)("There is no Chromium on this machine.")
    expect.set_options(timeout=ANSWER_MS)
    with sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=chromium, args=list(CHROMIUM_OPTIONS))
        yield launched
        launched.close()


@pytest.fixture(scope="package")
def lone_server(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """A server for all tests; it needs the browser so that nothing is started where there is none."""
    with ServerProcess(tmp_path_factory.mktemp("millrace"), *SERVER_ARGUMENTS) as process:
        process.wait_for_rules()
        yield process
    assert [line for line in process.output if "Traceback" in line] == []
    check_round_trips_in(process.data_dir)


@pytest.fixture(scope="package")
def two_nodes(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> Iterator[TwoNodes]:
    """Two nodes, each of which serves every other page."""
    with TwoNodes(tmp_path_factory.mktemp("nodes"), *SERVER_ARGUMENTS) as nodes:
        nodes.wait_for_bots()
        yield nodes
        assert [line for line in nodes.output if "Traceback" in line] == []


@pytest.fixture(scope="package")
def server(browser: Browser, request: pytest.FixtureRequest) -> Site:
    """Where the pages of a test are: one server, and for tests with `on_two_nodes_too` then two nodes."""
    site: ServerProcess | TwoNodes = request.getfixturevalue(getattr(request, "param", LONE_SERVER))
    return site


def guest_of_another_name(names: set[str]) -> str:
    """Return the token of a guest whose name is none of `names`, and add the name to them.

    One pair of guests in 576 has the same name, and is then called by colours.
    """
    while (name := identify(token := new_token("guest")).name) in names:
        pass
    names.add(name)
    return token


def stored(server: Site, token: str) -> StorageState:
    """Return what the browser of a guest keeps."""
    return {
        "cookies": [],
        "origins": [{"origin": server.url, "localStorage": [{"name": "millrace.token", "value": token}]}],
    }


@pytest.fixture
def visit(browser: Browser, server: Site) -> Iterator[Visit]:
    contexts: list[BrowserContext] = []
    visitors: list[Visitor] = []
    names: set[str] = set()

    usual_width, usual_height = map(int, WINDOW.split("x"))

    def open_page(
        width: int = usual_width,
        height: int = usual_height,
        same_as: Visitor | None = None,
        locale: str | None = None,
    ) -> Visitor:
        token = ""
        if same_as is None:
            token = guest_of_another_name(names)
            context = browser.new_context(
                viewport={"width": width, "height": height},
                reduced_motion="reduce",
                locale=locale,
                service_workers="block",  # tests change what a page is sent
                storage_state=stored(server, token),
            )
            context.set_default_timeout(ANSWER_MS)
            contexts.append(context)
        else:
            context = same_as.page.context
        visitor = Visitor(context.new_page(), server, token)
        visitors.append(visitor)
        return visitor

    yield open_page
    for context in contexts:
        context.close()
    assert [problem for visitor in visitors for problem in visitor.problems] == []
