"""The Chromium that drives the pages, and its options."""

CHROMIUM_NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
"""The first that there is; the shell is Chromium without its own windows, which takes a third of the processor."""

CHROMIUM_OPTIONS = ("--no-sandbox", "--disable-background-networking", "--disable-gpu")
