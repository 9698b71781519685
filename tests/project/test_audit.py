"""The audit of the packages, with a vulnerability service's report and without one."""

import json
import runpy
import sys

import pytest

from tests.project.repository import ROOT, read

AUDIT = runpy.run_path(str(ROOT / ".ci" / "audit"))
judge = AUDIT["judge"]

GOOD = {"name": "rich", "version": "15.0", "vulns": []}
BAD = {"name": "typer", "version": "0.1", "vulns": [{"id": "PYSEC-1", "fix_versions": ["0.2"], "aliases": []}]}
UNKNOWN = {"name": "numba", "skip_reason": "Dependency not found on PyPI and could not be audited: numba (0.68)"}


def test_a_vulnerability_is_named_with_the_fixed_version() -> None:
    report = json.dumps({"dependencies": [GOOD, BAD, UNKNOWN], "fixes": []})
    assert judge(report) == (2, ["numba"], ["typer 0.1: PYSEC-1, mended in 0.2"])


@pytest.mark.parametrize("report", [None, json.dumps({"dependencies": [UNKNOWN]})])
def test_without_a_service_the_audit_says_so_and_does_not_fail(
    report: str | None, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    main = AUDIT["main"]
    monkeypatch.setitem(main.__globals__, "ask", lambda *_: report)
    monkeypatch.setattr(sys, "argv", [".ci/audit", "requirements.lock"])
    main()
    assert capsys.readouterr().out.startswith("NOT AUDITED: ")


def test_a_vulnerability_fails_the_audit(monkeypatch: pytest.MonkeyPatch) -> None:
    main = AUDIT["main"]
    monkeypatch.setitem(main.__globals__, "ask", lambda *_: json.dumps({"dependencies": [GOOD, BAD]}))
    monkeypatch.setattr(sys, "argv", [".ci/audit", "requirements.lock"])
    with pytest.raises(SystemExit, match="1"):
        main()


def test_ci_audits_the_lock_file() -> None:
    assert ".ci/audit requirements.lock" in map(str.strip, read(".ci/run").splitlines())
