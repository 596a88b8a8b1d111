"""A self-signed certificate for this run comes out, with the hash by which one browser may be told to trust it.

Some hosts of the real documents are on Chromium's list of hosts that are asked by https only, so the demo's web speaks
https as well. The key is made anew for every web and is never written to the repository. Nothing but the browser the
demo starts trusts it, and that browser by hash only, so a few lines of P-256 over Python's integers are enough here
and no library is needed; do not use this where a secret matters.
"""

from __future__ import annotations

import base64
import hashlib
import secrets
from pathlib import Path

# The curve P-256 (FIPS 186-4): y² = x³ - 3x + b over the field of P, with a base point of order N.
_P = 2**256 - 2**224 + 2**192 + 2**96 - 1
_N = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
_BASE = (
    0x6B17D1F2E12C4247F8BCE6E563A440F277037D812DEB33A0F4A13945D898C296,
    0x4FE342E2FE1A7F9B8EE7EB4A7C0F9E162BCE33576B315ECECBB6406837BF51F5,
)
_Point = tuple[int, int]

_EC_PUBLIC_KEY, _P256 = "2a8648ce3d0201", "2a8648ce3d030107"
_ECDSA_SHA256, _COMMON_NAME, _ALT_NAMES = "2a8648ce3d040302", "550403", "551d11"


def write_certificate(file: Path, hosts: tuple[str, ...]) -> str:
    """Write key and certificate for the hosts as one PEM file and return the base64 SHA-256 of its public key."""
    secret = secrets.randbelow(_N - 1) + 1
    public = _key_info(_times(secret, _BASE))
    algorithm = _sequence(_oid(_ECDSA_SHA256))
    body = _certificate_body(public, hosts, algorithm)
    certificate = _sequence(body, algorithm, _bits(_sign(body, secret)))
    key = _sequence(_integer(1), _der(0x04, secret.to_bytes(32, "big")), _der(0xA0, _oid(_P256)))
    file.touch(mode=0o600)
    file.write_text(_pem("EC PRIVATE KEY", key) + _pem("CERTIFICATE", certificate), encoding="ascii")
    return base64.b64encode(hashlib.sha256(public).digest()).decode("ascii")


def _certificate_body(public: bytes, hosts: tuple[str, ...], algorithm: bytes) -> bytes:
    name = _sequence(_der(0x31, _sequence(_oid(_COMMON_NAME), _der(0x0C, b"trailbench demo web"))))
    valid = _sequence(_der(0x18, b"20200101000000Z"), _der(0x18, b"20991231235959Z"))
    alt_names = _sequence(*(_der(0x82, host.encode("ascii")) for host in hosts))
    extension = _sequence(_oid(_ALT_NAMES), _der(0x04, alt_names))
    serial = _integer(secrets.randbits(64) | 1)
    version = _der(0xA0, _integer(2))
    return _sequence(version, serial, algorithm, name, valid, name, public, _der(0xA3, _sequence(extension)))


def _key_info(point: _Point) -> bytes:
    encoded = b"\x04" + point[0].to_bytes(32, "big") + point[1].to_bytes(32, "big")
    return _sequence(_sequence(_oid(_EC_PUBLIC_KEY), _oid(_P256)), _bits(encoded))


def _sign(message: bytes, secret: int) -> bytes:
    digest = int.from_bytes(hashlib.sha256(message).digest(), "big")
    nonce = secrets.randbelow(_N - 1) + 1
    r = _times(nonce, _BASE)[0] % _N
    s = pow(nonce, -1, _N) * (digest + r * secret) % _N
    return _sequence(_integer(r), _integer(s))


def _times(factor: int, point: _Point) -> _Point:
    result: _Point | None = None
    while factor:
        if factor & 1:
            result = point if result is None else _add(result, point)
        point = _add(point, point)
        factor >>= 1
    assert result is not None  # noqa: S101
    return result


def _add(one: _Point, other: _Point) -> _Point:
    if one == other:
        slope = (3 * one[0] * one[0] - 3) * pow(2 * one[1], -1, _P) % _P
    else:
        slope = (other[1] - one[1]) * pow(other[0] - one[0], -1, _P) % _P
    x = (slope * slope - one[0] - other[0]) % _P
    return x, (slope * (one[0] - x) - one[1]) % _P


def _der(tag: int, content: bytes) -> bytes:
    size = len(content)
    if size < 128:
        length = bytes([size])
    else:
        octets = size.to_bytes((size.bit_length() + 7) // 8, "big")
        length = bytes([0x80 | len(octets)]) + octets
    return bytes([tag]) + length + content


def _sequence(*parts: bytes) -> bytes:
    return _der(0x30, b"".join(parts))


def _integer(value: int) -> bytes:
    return _der(0x02, value.to_bytes(value.bit_length() // 8 + 1, "big"))


def _bits(content: bytes) -> bytes:
    return _der(0x03, b"\x00" + content)


def _oid(encoded: str) -> bytes:
    return _der(0x06, bytes.fromhex(encoded))


def _pem(label: str, content: bytes) -> str:
    text = base64.encodebytes(content).decode("ascii")
    return f"-----BEGIN {label}-----\n{text}-----END {label}-----\n"
