"""What an answer's cells were pasted or marked from becomes links into the recorded pages, as far as it is found there.

The panel only names the event of a copy or a mark. Where its text stands is looked up here, in the snapshots the server
holds; what is not found stays an event of the log, and the review page says so.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence

from annotator_server.workflow.cell_origins import CellOrigin, bare
from browser_capture.errors import TrailbenchError
from browser_capture.page_store import PageStore
from browser_capture.trajectory import Mark, Snapshot, Trajectory
from verifier.answers.answer_version import EvidenceLink
from verifier.evidence.copied_passages import PageWords
from verifier.evidence.passages import CONTEXT

logger = logging.getLogger(__name__)


def declared_links(origins: Sequence[CellOrigin], trajectory: Trajectory, store: PageStore) -> tuple[EvidenceLink, ...]:
    """Return a link for each cell that was pasted or marked from a page of this recording and is found in it."""
    finder = _Finder(trajectory, store)
    return tuple(link for origin in origins if (link := finder.link(origin)) is not None)


def mark_of(origin: CellOrigin, trajectory: Trajectory) -> Mark | None:
    """Return the copy or mark a cell came from; None when this recording has none.

    A paste whose copy the panel did not know of (it was reloaded, the recorder began anew) is known by its text.
    """
    if origin.how in ("paste", "mark") and origin.session == trajectory.id:
        return next((mark for mark in trajectory.marks if mark.seq == origin.seq), None)
    if origin.how in ("paste", "outside", "forgotten"):
        pasted = bare(origin.text or origin.value)
        same = (mark for mark in reversed(trajectory.marks) if bare(mark.quote) == pasted)
        return next(same, None) if pasted else None
    return None


class _Finder:
    def __init__(self, trajectory: Trajectory, store: PageStore) -> None:
        self._trajectory = trajectory
        self._store = store
        self._words: dict[str, PageWords | None] = {}

    def link(self, origin: CellOrigin) -> EvidenceLink | None:
        mark = mark_of(origin, self._trajectory)
        if mark is None:
            return None
        for shot in self._snapshots(mark):
            words = self._words_of(shot)
            where = words.find(mark.quote, mark.prefix, mark.suffix, origin.line or origin.text) if words else None
            if words is not None and where is not None:
                return _link(origin, shot, words.text, *where)
        logger.info("event %s of recording %s is found in no kept page", mark.seq, self._trajectory.id)
        return None

    def _snapshots(self, mark: Mark) -> Iterator[Snapshot]:
        """Yield the snapshots a mark may stand in: its own, those of its visit from its moment on, then earlier."""
        shots = self._trajectory.snapshots
        yield from (shot for shot in shots if shot.id == mark.snapshot)
        visited = [shot for shot in shots if shot.visit is not None and shot.visit == mark.visit]
        yield from sorted(visited, key=lambda shot: (shot.seq < mark.seq, abs(shot.seq - mark.seq)))
        yield from (shot for shot in shots if shot.url == mark.url and shot not in visited)

    def _words_of(self, shot: Snapshot) -> PageWords | None:
        if shot.text_sha not in self._words:
            self._words[shot.text_sha] = self._read(shot)
        return self._words[shot.text_sha]

    def _read(self, shot: Snapshot) -> PageWords | None:
        try:
            return PageWords(self._store.text(self._store.page(shot.id)))
        except (TrailbenchError, UnicodeDecodeError) as error:
            logger.warning("snapshot %s of %s cannot be searched: %s", shot.id, shot.url, error)
            return None


def _link(origin: CellOrigin, shot: Snapshot, text: str, start: int, end: int) -> EvidenceLink:
    return EvidenceLink(
        row=origin.row,
        column=origin.column,
        quote=text[start:end],
        url=shot.url,
        snapshot=shot.id,
        text_sha=shot.text_sha,
        start=start,
        end=end,
        prefix=text[max(0, start - CONTEXT) : start],
        suffix=text[end : end + CONTEXT],
        how="mark" if origin.how == "mark" else "paste",
        note="edited after it was pasted" if origin.is_edited else "",
    )
