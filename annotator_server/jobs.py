"""Work that may take long runs outside of requests: huey with a queue file of its own, its consumer in this process.

A job's wish stands in the database first; the queue only wakes the consumer. So what a killed server left behind is
found at the next start and asked for again.
"""

from __future__ import annotations

import logging
from typing import cast

from flask import Flask, current_app
from huey import MemoryHuey, SqliteHuey
from huey.consumer import Consumer

from annotator_server.config import Settings, page_store
from annotator_server.workflow.verification import run_verification, waiting_jobs

logger = logging.getLogger(__name__)


class Jobs:
    """The queue of one server. With `at_once`, a job is done before the call that asks for it returns (tests)."""

    def __init__(self, app: Flask, settings: Settings, *, at_once: bool = False) -> None:
        self._app = app
        self._settings = settings
        self._store = page_store(settings.home)
        self._huey = (
            MemoryHuey(immediate=True) if at_once else SqliteHuey("trailbench", filename=str(settings.jobs_file))
        )
        self._verify = self._huey.task()(self._run_verification)
        self._consumer: _QuietConsumer | None = None
        app.extensions["trailbench_jobs"] = self

    def ask_verification(self, job_id: int) -> None:
        """Have a waiting verification job done soon."""
        self._verify(job_id)

    def start(self) -> None:
        """Start the consumer's threads, and ask again for what an earlier process left undone."""
        self._huey.flush()
        with self._app.app_context():
            for job_id in waiting_jobs():
                self.ask_verification(job_id)
        self._consumer = _QuietConsumer(self._huey, workers=1, periodic=False, max_delay=1.0)
        self._consumer.start()

    def stop(self) -> None:
        """Let the running job end, and stop."""
        if self._consumer is not None:
            self._consumer.stop(graceful=True)
            self._consumer = None

    def _run_verification(self, job_id: int) -> None:
        with self._app.app_context():
            run_verification(job_id, self._store, self._settings)


class _QuietConsumer(Consumer):  # type: ignore[misc]  # huey has no types
    """A consumer that lives inside a web worker: signals are the web server's business."""

    def _set_signal_handlers(self) -> None:
        logger.debug("signals are left to the web server")


def jobs() -> Jobs:
    """Return the present app's queue."""
    return cast(Jobs, current_app.extensions["trailbench_jobs"])
