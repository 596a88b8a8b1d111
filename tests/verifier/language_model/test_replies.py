"""JSON is found in a reply wherever it stands, and the raw text is kept."""

from __future__ import annotations

import pytest

from verifier.language_model.replies import read_json_reply

READ = [
    ('{"a": 1}', {"a": 1}, False),
    ('Sure!\n```json\n{"a": 1}\n```\nDone.', {"a": 1}, False),
    ('```\n{"a": 0}\n```\nNo:\n```\n{"a": 1}\n```', {"a": 1}, False),
    ('I think {"a": {"b": [1, 2]}} is right', {"a": {"b": [1, 2]}}, False),
    ("{'a': 1,}", {"a": 1}, True),
    ('{"a": 1, "b": "cut o', {"a": 1, "b": "cut o"}, True),
]


@pytest.mark.parametrize(("text", "value", "mended"), READ)
def test_json_is_read(text: str, value: object, mended: bool) -> None:
    reply = read_json_reply(text)
    assert (reply.value, reply.mended, reply.raw) == (value, mended, text)


@pytest.mark.parametrize("text", ["", "no json here", "[1, 2]", "{", "{" * 5000])
def test_what_cannot_be_read_has_a_reason(text: str) -> None:
    reply = read_json_reply(text)
    assert reply.value is None
    assert reply.reason
