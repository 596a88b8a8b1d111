"""The demo's web on the wire: one port, every host, http and https."""

from __future__ import annotations

import http.client
import socket
import ssl

import pytest

from exports.demo import webs
from exports.demo.web import DemoWeb


def fetch(web: DemoWeb, host: str, path: str, *, method: str = "GET") -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", web.port, timeout=10)
    try:
        connection.request(method, path, headers={"Host": host})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


@pytest.mark.parametrize(
    ("host", "path", "status"),
    [
        ("lights.merrow.example", "/", 200),
        ("LIGHTS.merrow.example:80", "/notices.html", 200),
        ("www.google.com", "/", 200),
        ("www.google.com", "/search?q=", 200),
        ("www.google.com", "/maps", 404),
        ("lights.merrow.example", "/nothing", 404),
        ("www.example.org", "/", 404),
        ("", "/", 404),
    ],
)
def test_host_and_path_choose_the_page(host: str, path: str, status: int, own_demo_web: DemoWeb) -> None:
    assert fetch(own_demo_web, host, path)[0] == status


def test_head_sends_no_body(own_demo_web: DemoWeb) -> None:
    assert fetch(own_demo_web, "lights.merrow.example", "/", method="HEAD") == (200, b"")


def test_same_port_speaks_https(own_demo_web: DemoWeb) -> None:
    trusting = ssl.create_default_context()
    trusting.check_hostname, trusting.verify_mode = False, ssl.CERT_NONE
    connection = http.client.HTTPSConnection("127.0.0.1", own_demo_web.port, timeout=10, context=trusting)
    connection.request("GET", "/", headers={"Host": "lights.merrow.example"})
    body = connection.getresponse().read()
    connection.close()
    assert b"Merrow Lights Board" in body


def test_certificate_is_sound_for_its_hosts_and_trusted_by_nobody(own_demo_web: DemoWeb) -> None:
    with (
        socket.create_connection(("127.0.0.1", own_demo_web.port), timeout=10) as plain,
        pytest.raises(ssl.SSLCertVerificationError, match=r"self.signed"),
    ):
        ssl.create_default_context().wrap_socket(plain, server_hostname="lights.merrow.example")


def test_silent_connection_does_not_hold_up_the_end() -> None:
    with webs.own() as web:
        silent = socket.create_connection(("127.0.0.1", web.port), timeout=10)
        fetch(web, "lights.merrow.example", "/")  # taken after the silent one, so that one is being waited on
    with silent:
        assert silent.recv(1) == b""  # closed by the web


def test_two_webs_share_no_key() -> None:
    with webs.own() as one, webs.own() as other:
        assert one.browser_arguments[1] != other.browser_arguments[1]
