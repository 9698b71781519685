"""The certificates that the server trusts: those of the system, as they are now."""

import os
from pathlib import Path

import pytest

from millrace.server.runtime.tls import client_tls
from tests.server.certificates import make_certificate


def test_replaced_certificates_of_the_system_are_read_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    trusted, _ = make_certificate(tmp_path)
    monkeypatch.setenv("SSL_CERT_FILE", str(trusted))
    monkeypatch.setenv("SSL_CERT_DIR", str(tmp_path / "none"))
    before = client_tls()
    assert client_tls() is before
    (first,) = before.get_ca_certs()
    make_certificate(tmp_path)
    os.utime(trusted, (2_000_000_000, 2_000_000_000))
    (second,) = client_tls().get_ca_certs()
    assert first["serialNumber"] != second["serialNumber"]
