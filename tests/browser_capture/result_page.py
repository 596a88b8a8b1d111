"""Result pages in Google's structure, written for the tests."""

from __future__ import annotations

from collections.abc import Sequence

ADS = """<div id="tads"><div data-text-ad="1"><a href="https://ads.example/"><h3>Buy it</h3></a></div></div>"""
OVERVIEW = """<div id="eKIzJc"><h1>AI Overview</h1><p>Generated text.</p>
<a href="https://cited.example/"><h3>Cited</h3></a></div>"""
QUESTIONS = """<div class="MjjYud"><div class="related-question-pair"><span>Why?</span>
<a href="https://asked.example/"><h3>Answered here</h3></a></div>
<div class="related-question-pair"><span>How?</span></div></div>"""
RIGHT = """<div id="rhs"><a href="https://panel.example/"><h3>About it</h3></a></div>"""
MORE = """<div id="botstuff"><a href="/search?q=x&start=10"><h3>More results</h3></a></div>"""
CAPTCHA = (
    """<title>Sorry</title><form id="captcha-form" action="index" method="post"><div id="recaptcha"></div></form>"""
)
DIALOG = """<div role="dialog"><h1>Before you continue</h1>
<a href="https://policies.google.com/technologies/cookies">cookies</a><button>Accept all</button></div>"""
CONSENT = (
    """<title>Before you continue</title><form action="https://consent.google.com/save"><button>Ok</button></form>"""
)


def result_page(query: str, results: Sequence[tuple[str, str]], *, before: str = "", after: str = "") -> str:
    """Write a result page with results of the years since 2024; `before` stands above them, `after` below."""
    boxes = "".join(_box(url, title) for url, title in results)
    return f"""<!doctype html><html><head><title>{query} - Google Search</title></head><body>
<form action="/search"><input name="q" id="q" value="{query}"></form><div id="main">{before}
<div id="search"><div id="rso">{boxes}</div></div>{after}</div></body></html>"""


def empty_page(query: str, notice: str = "Your search - {} - did not match any documents.") -> str:
    """Write what the engine shows when it finds nothing; `notice` says so in any language, with the query in it."""
    return f"""<!doctype html><title>{query} - Google Search</title><div id="main">
<div id="topstuff"><p>{notice.format(f"<em>{query}</em>")}</p></div>
<div id="search"></div></div>"""


def plain_empty_page(query: str, notice: str) -> str:
    """Write the same for browsers without script: nothing says that this is a notice but its words."""
    words = "</span><span>".join(notice.format(f"</span><span>{query}</span><span>").split("|"))
    return f"""<!doctype html><title>{query} - Google Search</title><body><header><form><input name="q" value="{query}">
</form></header><div id="main"><div><a href="/search?q={query}&amp;tbm=isch">Images</a></div>
<div><div><div><span>{words}</span></div></div></div>
<footer><a href="/url?q=https://support.google.com/websearch&amp;sa=U">Help</a></footer></div>"""


def page_with(*boxes: str, query: str = "x", around: str = "{}") -> str:
    """Write a page whose results' region holds these boxes; `around` stands around the region."""
    region = around.format(f"""<div id="search"><div id="rso">{"".join(boxes)}</div></div>""")
    return f"""<!doctype html><title>{query} - Google Search</title><form action="/search"><textarea name="q">{query}
</textarea></form><div id="main">{region}</div>"""


def box(url: str, title: str = "A title", below: str = '<div data-sncf="1">A snippet of enough words.</div>') -> str:
    """Write one result of the years since 2024; `below` stands under its link."""
    return f"""<div class="MjjYud"><div><div><a href="{url}"><h3>{title}</h3><div><cite>{url}</cite></div></a></div>
{below}</div></div>"""


def cards(heading: str, *urls: str, card: str = "<div>{}</div>", around: str = "<div>{}</div>") -> str:
    """Write a block whose cards have titles like results; `card` stands around each, `around` around all of them."""
    shown = (card.format(f"""<a href="{url}"><h3>A card</h3><div>2 hours ago</div></a>""") for url in urls)
    return f"""<div class="MjjYud">{heading}{around.format("".join(shown))}</div>"""


def accordion(*questions: str, item: str = '<div><div role="button" aria-expanded="true">{}</div>{}</div>') -> str:
    """Write questions that open, each with an answer that has a title, in signs no engine is known for."""
    answer = (
        """<div>It is so.<a href="https://answer{}.example/"><h3>An answer</h3><cite>answer.example</cite></a></div>"""
    )
    return "".join(item.format(question, answer.format(place)) for place, question in enumerate(questions))


def moved(url: str, title: str = '<span class="x">A title</span>') -> str:
    """Write a result whose title is none that is known, and which has no address line."""
    return f"""<div class="MjjYud"><div><a href="{url}">{title}</a></div><div>A snippet of enough words.</div></div>"""


def missing(*words: str, snippet: str, line: str = "<div>{}</div>") -> str:
    """Write a snippet and the line that names words which the page lacks, and offers a search that insists on them."""
    struck = " ".join(f"<s>{word}</s>" for word in words)
    asked = "".join(f"""<a href="/search?q=x+%22{word}%22">{word}</a>""" for word in words)
    return snippet + line.format(f"Missing: {struck} \u200e| Show results with: {asked}")


def plain_page(query: str, results: Sequence[tuple[str, str]]) -> str:
    """Write the page of browsers without script: no `rso`, every link through the engine's redirect."""
    boxes = "".join(
        f"""<div><div class="egMi0"><a href="/url?q={url}&amp;sa=U"><div><h3><div>{title}</div></h3></div>
        <div>example</div></a></div><div><div>Snippet of {title}</div></div></div>"""
        for url, title in results
    )
    return f"""<!doctype html><title>{query} - Google Search</title><body><div id="main">{boxes}</div>"""


def _box(url: str, title: str) -> str:
    return f"""<div class="MjjYud"><div class="tF2Cxc"><div class="yuRUbf"><a jsname="UWckNb" href="{url}">
<h3>{title}</h3><cite>{url}</cite></a></div><div data-sncf="1">Snippet of {title}</div></div></div>"""
