"""The one place where exports see the annotation server: its home folder comes in, what is approved goes out."""

from __future__ import annotations

from pathlib import Path

from annotator_server.app import create_app
from annotator_server.config import page_store
from annotator_server.database import db
from annotator_server.workflow.releasing import approved_tasks
from browser_capture.page_store import PageStore
from exports.benchmark.release_content import ReleaseTaskContent


def approved_contents(home: Path, project: str) -> tuple[ReleaseTaskContent, ...]:
    """Return the approved tasks of a project. Raises UserError for an unknown home folder or project."""
    app = create_app(home)
    with app.app_context():
        try:
            return tuple(
                ReleaseTaskContent(one.task, one.answers, one.trajectories, one.reports)
                for one in approved_tasks(project)
            )
        finally:
            db.engine.dispose()


def recorded_pages(home: Path) -> PageStore:
    """Return the pages recorded for a server's tasks."""
    return page_store(home)
