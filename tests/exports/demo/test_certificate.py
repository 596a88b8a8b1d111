"""The certificate of the demo's web: other software reads it, and the browser's hash is the hash of its key."""

from __future__ import annotations

import base64
import hashlib
import ssl
from pathlib import Path

import pytest

from exports.demo.certificate import write_certificate


def test_python_loads_key_and_certificate_as_a_pair(tmp_path: Path) -> None:
    write_certificate(tmp_path / "web.pem", ("one.example",))
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(tmp_path / "web.pem")


def test_key_of_another_certificate_is_refused(tmp_path: Path) -> None:
    for name in ("one", "two"):
        write_certificate(tmp_path / f"{name}.pem", (f"{name}.example",))
    with pytest.raises(ssl.SSLError, match="KEY_VALUES_MISMATCH"):
        ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(tmp_path / "one.pem", tmp_path / "two.pem")


def test_hash_is_of_the_public_key_in_the_certificate(tmp_path: Path) -> None:
    digest = base64.b64decode(write_certificate(tmp_path / "web.pem", ("one.example",)))
    pem = (tmp_path / "web.pem").read_text(encoding="ascii")
    der = ssl.PEM_cert_to_DER_cert(pem[pem.index("-----BEGIN CERTIFICATE") :])
    # The public key of P-256 is 91 bytes of the certificate, wherever it stands in it.
    assert digest in {hashlib.sha256(der[start : start + 91]).digest() for start in range(len(der) - 90)}
