"""A page with its service worker, on a server of its own that a test may stop, for several tests."""

from playwright.sync_api import expect

from tests.browser.visitor import Visitor

AWAY_PROBLEMS = "Failed to load resource", "WebSocket connection to"
"""What Chromium logs when a server cannot be reached; a page cannot prevent it."""

SHORT_PAUSES = "const wait = setTimeout; window.setTimeout = (done, ms, ...rest) => wait(done, ms / 20, ...rest);"
"""For a page that fetches at leisure what it keeps."""

_IS_KEPT_SCRIPT = """async () => {
  const { active } = await navigator.serviceWorker.ready;
  const names = (await caches.keys()).filter((name) => name.startsWith("millrace-"));
  return active.state === "activated" && navigator.serviceWorker.controller !== null && names.length > 0;
}"""
_KEPT_SCRIPT = """(kind) => new Promise((resolve) => {
  const opening = indexedDB.open("millrace");
  opening.onsuccess = () => {
    const request = opening.result.transaction(kind).objectStore(kind).getAllKeys();
    request.onsuccess = () => { opening.result.close(); resolve(request.result); };
  };
})"""


class InstalledVisitor(Visitor):
    """A visitor whose page has its service worker."""

    def open_installed(self, path: str = "/") -> "InstalledVisitor":
        """Go to a page and wait until it is kept."""
        self.open(path)
        self.wait_until_kept()
        return self

    def wait_until_kept(self) -> None:
        """Wait until the worker keeps the page, and serves it."""
        self.wait_until(lambda: self.page.evaluate(_IS_KEPT_SCRIPT))

    def kept(self, kind: str) -> list[str]:
        """Return the keys of what the device keeps."""
        keys: list[str] = self.page.evaluate(_KEPT_SCRIPT, kind)
        return keys

    def expect_status(self, status: str) -> None:
        expect(self.page.locator(".connection-badge")).to_have_attribute("data-status", status)

    def _note(self, problem: str) -> None:
        if not any(expected in problem for expected in AWAY_PROBLEMS):
            super()._note(problem)
