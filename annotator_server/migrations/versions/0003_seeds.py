"""What people jot down while reading waits as a seed, and each leads to one question.

Revision 0003, after 0002.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this revision."""
    op.create_table(
        "seed",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("author_id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("url", sa.Text(), nullable=False),
        sa.Column("title", sa.Text(), nullable=False),
        sa.Column("quote", sa.Text(), nullable=False),
        sa.Column("question", sa.Text(), nullable=False),
        sa.Column("topic", sa.String(length=200), nullable=False),
        sa.Column("jotted_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=True),
        sa.Column("set_aside_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["author_id"], ["user.id"], name=op.f("fk_seed_author_id_user")),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_seed_project_id_project")),
        sa.ForeignKeyConstraint(["question_id"], ["question.id"], name=op.f("fk_seed_question_id_question")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seed")),
        sa.UniqueConstraint("author_id", "name", name=op.f("uq_seed_author_id")),
        sa.UniqueConstraint("question_id", name=op.f("uq_seed_question_id")),
    )


def downgrade() -> None:
    """Bring the database back to the revision before; the seeds are lost, the questions they became are not."""
    op.drop_table("seed")
