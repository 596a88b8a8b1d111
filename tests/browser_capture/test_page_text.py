"""What of a page counts as its visible text."""

from __future__ import annotations

import time

import pytest

from browser_capture.page_text import read_html

URL = "https://example.org/dir/page"

TEXTS = [
    ("<p>A  b\n c</p><p>d</p>", "A b c\nd"),
    ("a<br>b<hr>c", "a\nb\nc"),
    ("one <b>two</b>three", "one twothree"),
    ("<table><tr><th>Name<th>Year<tr><td>Ada<td>1815</table>", "Name\tYear\nAda\t1815"),
    ("<table><tr><td>a<td><td>c</table>", "a\t\tc"),
    ("<table><tr><td><p>one</p><p>two</p><td>x<br>y</table>", "one two\tx y"),
    ("<table><tr><td>menu<td><table><tr><td>A<td>1</table></table>", "menu\nA\t1"),
    ("<p hidden>no</p>yes", "yes"),
    ("<p style='color:red; display: none'>no</p>yes", "yes"),
    ("<script>no</script><style>no</style><noscript>no</noscript><template>no</template>yes", "yes"),
    ("<div><template shadowmode='open'><p>shadow</p></template><span>light</span></div>", "shadow\nlight"),
    ("<pre>a\n  b</pre>c", "a\nb\nc"),
    ("co\u00adop zero\u200bwidth\u00a0space", "coop zerowidth space"),
    ("<input value='no'><textarea>no</textarea><select><option>no</select>yes", "yes"),
    ("<ul><li>one<li>two</ul>", "one\ntwo"),
    ("<details><summary>More</summary>inside</details>", "More\ninside"),
    ("<p>unclosed <b>bold<p>next", "unclosed bold\nnext"),
    ("", ""),
    ("<!-- only a comment -->", ""),
]


@pytest.mark.parametrize(("html", "text"), TEXTS)
def test_visible_text(html: str, text: str) -> None:
    assert read_html(html, URL).text == text


ENCODED = [
    ("é".encode(), "é"),
    (b"<meta charset='iso-8859-2'>\xb1", "ą"),
    (b"\xef\xbb\xbf<meta charset='ascii'>\xc3\xa9", "é"),
    (b"caf\xe9 without a word about it", "café without a word about it"),
    ("<meta charset='gb18030'>历史".encode("gb18030"), "历史"),
    (b"<meta charset='no-such-thing'>ok", "ok"),
    ("Wärter, Lämpchen".encode() + b"\xc3", "Wärter, Lämpchen\ufffd"),
    (b"<meta charset='punycode'>ok", "ok"),
]


@pytest.mark.parametrize(("data", "text"), ENCODED)
def test_bytes_are_decoded_as_declared(data: bytes, text: str) -> None:
    assert read_html(data, URL).text == text


def test_title_is_folded() -> None:
    assert read_html("<title> A\n page </title><p>x", URL).title == "A page"


def test_links_are_absolute_and_each_once() -> None:
    page = read_html("<a href='../x'>X <b>y</b></a><a href='../x'>X y</a><a href='mailto:a@b'>m</a><a>n</a>", URL)
    assert [(link.url, link.text) for link in page.links] == [("https://example.org/x", "X y")]


def test_base_changes_links() -> None:
    page = read_html("<base href='/other/'><a href='x'>X</a>", URL)
    assert page.links[0].url == "https://example.org/other/x"


def test_frames_are_read_where_they_stand() -> None:
    page = read_html("before<iframe src='cid:1'>no</iframe>after", URL, {"cid:1": "<p>in the frame"})
    assert page.text == "before\nin the frame\nafter"


def test_a_frame_that_holds_itself_ends() -> None:
    page = read_html("<iframe src='cid:1'></iframe>", URL, {"cid:1": "again<iframe src='cid:1'></iframe>"})
    assert page.text == "again"


def test_nesting_as_deep_as_a_browser_keeps_is_read() -> None:
    assert read_html("<div>" * 512 + "deep" + "</div>" * 512, URL).text == "deep"


def test_links_nobody_can_see_are_no_links_of_the_page() -> None:
    page = read_html("<a href=/a>a</a><div hidden><a href=/b>b</a></div><a href=/c style='display:none'>c</a>", URL)
    assert [link.text for link in page.links] == ["a"]


def test_links_beyond_the_first_five_thousand_are_counted() -> None:
    page = read_html("".join(f"<a href=/{n}>{n}</a>" for n in range(5_003)), URL)
    assert (len(page.links), page.links_left_out) == (5_000, 3)


def test_an_element_with_twenty_thousand_attributes_is_read_at_once() -> None:
    crowd = " ".join(f'data-{n}="{n}"' for n in range(20_000))
    began = time.process_time()
    assert read_html(f"<p>one<p {crowd}>two", URL).text == "one\ntwo"
    assert time.process_time() - began < 0.5
