"""Answers and drafts know where each cell came from: pasted from a recorded page, marked, typed.

Revision 0002, after 0001.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this revision. Older answers have said nothing about their cells."""
    for table in ("answer_version", "draft"):
        op.add_column(table, sa.Column("origins", sa.Text(), server_default="[]", nullable=False))


def downgrade() -> None:
    """Bring the database back to the revision before."""
    for table in ("draft", "answer_version"):
        with op.batch_alter_table(table, schema=None) as batch_op:
            batch_op.drop_column("origins")
