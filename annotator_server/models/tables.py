"""All tables at once: importing this file is what fills `Base.metadata`."""

from __future__ import annotations

from annotator_server.database import Base
from annotator_server.models import accounts, answers, audit, questions, recordings, reports, reviews, seeds, tasks

MODULES = (accounts, questions, seeds, tasks, recordings, answers, reports, reviews, audit)

metadata = Base.metadata
