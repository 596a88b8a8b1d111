"""A self-signed certificate for this run comes out, with the hash by which one browser may be told to trust it.

Some hosts of the real documents are on Chromium's list of hosts that are asked by https only, so the demo's web speaks
https as well. The key is made anew for every web and is never written to the repository. Nothing but the browser the
demo starts trusts it, and that browser by hash only.
"""

from __future__ import annotations

import base64
import hashlib
from datetime import UTC, datetime, timedelta
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from cryptography.x509.oid import NameOID

DAYS = 2
"""A demo never runs longer; a day before and a day after allow for a clock that is off."""


def write_certificate(file: Path, hosts: tuple[str, ...]) -> str:
    """Write key and certificate for the hosts as one PEM file and return the base64 SHA-256 of its public key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "trailbench demo web")])
    now = datetime.now(UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - timedelta(days=DAYS / 2))
        .not_valid_after(now + timedelta(days=DAYS / 2))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName(host) for host in hosts]), critical=False)
        .sign(key, hashes.SHA256())
    )
    file.touch(mode=0o600)
    file.write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()) + certificate.public_bytes(Encoding.PEM)
    )
    public = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    return base64.b64encode(hashlib.sha256(public).digest()).decode("ascii")
