"""The steps of a search as a reviewer sees them."""

from __future__ import annotations

from annotator_server.workflow.film_strip import film_strip
from browser_capture.trajectory import Actor, Download, Trajectory

AT = "2026-01-01T00:00:00.000Z"
SHA = "0" * 64


def test_a_download_is_a_step_with_its_page_where_it_is_a_pdf() -> None:
    trajectory = Trajectory(
        id="s",
        task="t",
        actor=Actor(kind="human", name="ada"),
        started_at=AT,
        ended_at=AT,
        has_stop=False,
        downloads=(
            Download(seq=2, at=AT, url="http://a.example/p.pdf", name="p.pdf", snapshot=SHA),
            Download(seq=3, at=AT, url="http://a.example/t.csv", name="t.csv", state="canceled"),
        ),
    )
    steps = [(step.title, step.detail, step.snapshots) for step in film_strip(trajectory) if step.seq]
    assert steps == [("download", "p.pdf", (SHA,)), ("download", "t.csv (canceled)", ())]
