"""All tables at once: importing this file is what fills `Base.metadata`."""

from __future__ import annotations

from annotator_server.database import Base
from annotator_server.models import accounts, answers, audit, questions, recordings, reports, reviews, tasks

MODULES = (accounts, questions, tasks, recordings, answers, reports, reviews, audit)

metadata = Base.metadata
