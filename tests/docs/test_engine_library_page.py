"""What `docs/engine_library.md` shows of the engine: its examples, in one session, print what the page says."""

import re
from doctest import DocTestParser, DocTestRunner

import millrace.engine
from tests.project.repository import read

PAGE = read("docs/engine_library.md")
EXAMPLES = "\n".join(re.findall(r"^```python\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL))


def test_the_examples_of_the_page_print_what_it_shows() -> None:
    page = DocTestParser().get_doctest(EXAMPLES, {}, "engine_library.md", None, None)
    report: list[str] = []
    results = DocTestRunner().run(page, out=report.append)
    assert results.attempted > 20
    assert results.failed == 0, "".join(report)


def test_what_the_engine_exports_can_be_imported_and_nothing_else() -> None:
    assert all(getattr(millrace.engine, name) is not None for name in millrace.engine.__all__)
    assert not hasattr(millrace.engine, "something_else")
