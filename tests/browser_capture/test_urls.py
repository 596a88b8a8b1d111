"""Addresses and the three keys they are compared by."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from browser_capture.urls import fetch_key, host, is_web, loose_key, origin, strict_key, unwrap_redirect

STRICT = [
    ("http://EXAMPLE.org", "https://example.org/"),
    ("https://example.org:443/a", "https://example.org/a"),
    ("http://example.org:8080/a", "https://example.org:8080/a"),
    ("https://user:pw@example.org/", "https://example.org/"),
    ("https://example.org/a#part", "https://example.org/a"),
    ("https://example.org/#!/route", "https://example.org/#!/route"),
    ("https://example.org/?b=2&a=1&b=1", "https://example.org/?a=1&b=2&b=1"),
    ("https://example.org/?utm_source=x&gclid=1&q=2", "https://example.org/?q=2"),
    ("https://example.org/?q=a%20b", "https://example.org/?q=a+b"),
    ("https://example.org/%7Euser/%c3%a9", "https://example.org/~user/%C3%A9"),
    ("https://example.org/é", "https://example.org/%C3%A9"),
    ("https://example.org/a/./b/../c", "https://example.org/a/c"),
    ("https://example.org/a%2Fb", "https://example.org/a%2Fb"),
    ("https://bücher.example/", "https://xn--bcher-kva.example/"),
    ("https://www.google.com/url?q=https%3A%2F%2Fexample.org%2Fx&sa=U", "https://example.org/x"),
    ("about:blank", "about:blank"),
]

LOOSE = [
    ("https://www.example.org/docs/", "https://example.org/docs"),
    ("https://m.example.org/docs/index.php", "https://example.org/docs"),
    ("https://example.org/a;jsessionid=1F?sid=3&_=99&id=4", "https://example.org/a?id=4"),
    ("https://amp.example.org/", "https://example.org"),
]


@pytest.mark.parametrize(("url", "key"), STRICT)
def test_strict_key_evens_spelling(url: str, key: str) -> None:
    assert strict_key(url) == key


@pytest.mark.parametrize(("url", "key"), LOOSE)
def test_loose_key_forgets_variants(url: str, key: str) -> None:
    assert loose_key(url) == key


@pytest.mark.parametrize("url", ["https://example.org/b?utm_source=x&z=1&a=2#top", "https://example.org/a%20b?q=a+b"])
def test_fetch_key_strips_nothing(url: str) -> None:
    assert fetch_key(url) == url


@given(st.from_regex(r"https?://[a-z.%-]{1,12}(:[0-9]{1,4})?/[a-zA-Z0-9%&=+;./?#! é-]{0,30}", fullmatch=True))
def test_keys_are_idempotent(url: str) -> None:
    for key in (fetch_key, strict_key, loose_key):
        assert key(key(url)) == key(url)


UNWRAPPED = [
    ("https://www.google.com/url?q=https://a.example/&sa=U", "https://a.example/"),
    ("https://www.google.co.uk/url?sa=t&url=https%3A%2F%2Fa.example%2Fb%3Fc", "https://a.example/b?c"),
    ("https://duckduckgo.com/l/?uddg=https%3A%2F%2Fa.example%2F", "https://a.example/"),
    ("https://www.google.com/url?q=/search", "https://www.google.com/url?q=/search"),
    (
        "https://www.google.com.evil.example/url?q=https://a.example/",
        "https://www.google.com.evil.example/url?q=https://a.example/",
    ),
]


@pytest.mark.parametrize(("url", "target"), UNWRAPPED)
def test_only_search_engines_redirects_are_unwrapped(url: str, target: str) -> None:
    assert unwrap_redirect(url) == target


@pytest.mark.parametrize("url", ["", "about:blank", "chrome://newtab/", "https://", "http://[", "mailto:a@b.example"])
def test_what_is_no_web_address(url: str) -> None:
    assert not is_web(url)
    assert host(url) == ""


def test_origin_keeps_only_a_foreign_port() -> None:
    assert origin("http://Example.org:80/a") == "http://example.org"
    assert origin("http://example.org:8000/a") == "http://example.org:8000"
