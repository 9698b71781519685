"""The server's log."""

import io

import structlog

from millrace.server.runtime.standard_streams import log_processors


def test_a_logged_error_shows_no_values_of_variables() -> None:
    written = io.StringIO()
    log = structlog.wrap_logger(
        structlog.PrintLogger(written), processors=log_processors(is_json=False, has_levels=False)
    )
    password = "".join(("tell", "nobody"))
    try:
        raise ValueError(len(password))
    except ValueError:
        log.exception("failed")
    assert "ValueError: 10" in written.getvalue()
    assert password not in written.getvalue()
