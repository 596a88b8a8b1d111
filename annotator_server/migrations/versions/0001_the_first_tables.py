"""The first tables: accounts, questions, tasks, recordings, answers, reports, reviews, the audit chain.

Revision 0001, after nothing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Bring the database to this revision."""
    op.create_table(
        "project",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("slug", sa.String(length=60), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_project")),
        sa.UniqueConstraint("slug", name=op.f("uq_project_slug")),
    )
    op.create_table(
        "sign_in_attempt",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("account", sa.Text(), nullable=False),
        sa.Column("address", sa.String(length=64), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sign_in_attempt")),
    )
    with op.batch_alter_table("sign_in_attempt", schema=None) as batch_op:
        batch_op.create_index("ix_sign_in_attempt_account_at", ["account", "at"], unique=False)
        batch_op.create_index("ix_sign_in_attempt_address_at", ["address", "at"], unique=False)

    op.create_table(
        "user",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("email", sa.String(length=254), nullable=False),
        sa.Column("name", sa.String(length=200), nullable=False),
        sa.Column("pseudonym", sa.String(length=40), nullable=False),
        sa.Column("password_hash", sa.String(length=200), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("disabled_at", sa.DateTime(timezone=True), nullable=True),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_user")),
        sa.UniqueConstraint("email", name=op.f("uq_user_email")),
        sa.UniqueConstraint("pseudonym", name=op.f("uq_user_pseudonym")),
    )
    op.create_table(
        "api_token",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sha", sa.String(length=64), nullable=False),
        sa.Column("prefix", sa.String(length=12), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("scopes", sa.Text(), nullable=False),
        sa.Column("label", sa.String(length=200), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("revoked_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_api_token_project_id_project")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_api_token_user_id_user")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_api_token")),
        sa.UniqueConstraint("sha", name=op.f("uq_api_token_sha")),
    )
    with op.batch_alter_table("api_token", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_api_token_user_id"), ["user_id"], unique=False)

    op.create_table(
        "audit_entry",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=True),
        sa.Column("verb", sa.String(length=40), nullable=False),
        sa.Column("subject", sa.String(length=120), nullable=False),
        sa.Column("details", sa.Text(), nullable=False),
        sa.Column("previous", sa.String(length=64), nullable=False),
        sa.Column("hash", sa.String(length=64), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_audit_entry_project_id_project")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_audit_entry_user_id_user")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_audit_entry")),
        sa.UniqueConstraint("project_id", "seq", name=op.f("uq_audit_entry_project_id")),
    )
    op.create_table(
        "membership",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("role", sa.String(length=20), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_membership_project_id_project")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_membership_user_id_user")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_membership")),
        sa.UniqueConstraint("project_id", "user_id", "role", name=op.f("uq_membership_project_id")),
    )
    with op.batch_alter_table("membership", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_membership_user_id"), ["user_id"], unique=False)

    op.create_table(
        "once_key",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("key", sa.String(length=80), nullable=False),
        sa.Column("verb", sa.String(length=40), nullable=False),
        sa.Column("result", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_once_key_user_id_user")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_once_key")),
        sa.UniqueConstraint("user_id", "key", name=op.f("uq_once_key_user_id")),
    )
    op.create_table(
        "pairing_code",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sha", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_pairing_code_project_id_project")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_pairing_code_user_id_user")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_pairing_code")),
        sa.UniqueConstraint("sha", name=op.f("uq_pairing_code_sha")),
    )
    with op.batch_alter_table("pairing_code", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_pairing_code_user_id"), ["user_id"], unique=False)

    op.create_table(
        "question",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("public_id", sa.String(length=80), nullable=False),
        sa.Column("author_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["author_id"], ["user.id"], name=op.f("fk_question_author_id_user")),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_question_project_id_project")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_question")),
        sa.UniqueConstraint("project_id", "number", name=op.f("uq_question_project_id")),
        sa.UniqueConstraint("public_id", name=op.f("uq_question_public_id")),
    )
    op.create_table(
        "question_version",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("text", sa.Text(), nullable=False),
        sa.Column("form", sa.Text(), nullable=False),
        sa.Column("language", sa.String(length=20), nullable=False),
        sa.Column("topic", sa.String(length=200), nullable=False),
        sa.Column("temporal", sa.String(length=10), nullable=False),
        sa.Column("cadence_days", sa.Integer(), nullable=True),
        sa.Column("seed_url", sa.Text(), nullable=False),
        sa.Column("seed_quote", sa.Text(), nullable=False),
        sa.Column("author_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["author_id"], ["user.id"], name=op.f("fk_question_version_author_id_user")),
        sa.ForeignKeyConstraint(
            ["question_id"], ["question.id"], name=op.f("fk_question_version_question_id_question")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_question_version")),
        sa.UniqueConstraint("question_id", "version", name=op.f("uq_question_version_question_id")),
    )
    op.create_table(
        "task",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=20), nullable=False),
        sa.Column("state_since", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_task_project_id_project")),
        sa.ForeignKeyConstraint(["question_id"], ["question.id"], name=op.f("fk_task_question_id_question")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_task")),
        sa.UniqueConstraint("question_id", name=op.f("uq_task_question_id")),
    )
    with op.batch_alter_table("task", schema=None) as batch_op:
        batch_op.create_index("ix_task_project_state", ["project_id", "state"], unique=False)

    op.create_table(
        "capture_session",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("session", sa.String(length=80), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("question_version", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("highest_seq", sa.Integer(), nullable=False),
        sa.Column("digest", sa.String(length=64), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("finished_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_capture_session_project_id_project")),
        sa.ForeignKeyConstraint(["task_id"], ["task.id"], name=op.f("fk_capture_session_task_id_task")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_capture_session_user_id_user")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_capture_session")),
        sa.UniqueConstraint("session", name=op.f("uq_capture_session_session")),
    )
    with op.batch_alter_table("capture_session", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_capture_session_task_id"), ["task_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_capture_session_user_id"), ["user_id"], unique=False)

    op.create_table(
        "draft",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("form", sa.String(length=40), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("saved_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["task_id"], ["task.id"], name=op.f("fk_draft_task_id_task")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_draft_user_id_user")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_draft")),
        sa.UniqueConstraint("task_id", "user_id", "form", name=op.f("uq_draft_task_id")),
    )
    op.create_table(
        "lease",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("claimed_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("until", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("end_reason", sa.String(length=20), nullable=False),
        sa.ForeignKeyConstraint(["task_id"], ["task.id"], name=op.f("fk_lease_task_id_task")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_lease_user_id_user")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_lease")),
    )
    with op.batch_alter_table("lease", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_lease_task_id"), ["task_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_lease_user_id"), ["user_id"], unique=False)
        batch_op.create_index(
            "uq_lease_open",
            ["task_id"],
            unique=True,
            sqlite_where=sa.text("ended_at IS NULL"),
            postgresql_where=sa.text("ended_at IS NULL"),
        )

    op.create_table(
        "panel_session",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sha", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=False),
        sa.Column("task_id", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("used_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_panel_session_project_id_project")),
        sa.ForeignKeyConstraint(["task_id"], ["task.id"], name=op.f("fk_panel_session_task_id_task")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_panel_session_user_id_user")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_panel_session")),
        sa.UniqueConstraint("sha", name=op.f("uq_panel_session_sha")),
    )
    op.create_table(
        "web_session",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("sha", sa.String(length=64), nullable=False),
        sa.Column("user_id", sa.Integer(), nullable=False),
        sa.Column("project_id", sa.Integer(), nullable=True),
        sa.Column("task_id", sa.Integer(), nullable=True),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("expires_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(["project_id"], ["project.id"], name=op.f("fk_web_session_project_id_project")),
        sa.ForeignKeyConstraint(["task_id"], ["task.id"], name=op.f("fk_web_session_task_id_task")),
        sa.ForeignKeyConstraint(["user_id"], ["user.id"], name=op.f("fk_web_session_user_id_user")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_web_session")),
        sa.UniqueConstraint("sha", name=op.f("uq_web_session_sha")),
    )
    with op.batch_alter_table("web_session", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_web_session_user_id"), ["user_id"], unique=False)

    op.create_table(
        "answer_version",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("question_id", sa.Integer(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("question_version", sa.Integer(), nullable=False),
        sa.Column("capture_session_id", sa.Integer(), nullable=True),
        sa.Column("author_id", sa.Integer(), nullable=False),
        sa.Column("header", sa.Text(), nullable=False),
        sa.Column("rows", sa.Text(), nullable=False),
        sa.Column("raw_sha", sa.String(length=64), nullable=False),
        sa.Column("valid_from", sa.String(length=10), nullable=False),
        sa.Column("note", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(["author_id"], ["user.id"], name=op.f("fk_answer_version_author_id_user")),
        sa.ForeignKeyConstraint(
            ["capture_session_id"],
            ["capture_session.id"],
            name=op.f("fk_answer_version_capture_session_id_capture_session"),
        ),
        sa.ForeignKeyConstraint(["question_id"], ["question.id"], name=op.f("fk_answer_version_question_id_question")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_answer_version")),
        sa.UniqueConstraint("question_id", "version", name=op.f("uq_answer_version_question_id")),
    )
    with op.batch_alter_table("answer_version", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_answer_version_author_id"), ["author_id"], unique=False)

    op.create_table(
        "event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("capture_session_id", sa.Integer(), nullable=False),
        sa.Column("seq", sa.Integer(), nullable=False),
        sa.Column("type", sa.String(length=30), nullable=False),
        sa.Column("line", sa.Text(), nullable=False),
        sa.Column("received_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["capture_session_id"], ["capture_session.id"], name=op.f("fk_event_capture_session_id_capture_session")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_event")),
        sa.UniqueConstraint("capture_session_id", "seq", name=op.f("uq_event_capture_session_id")),
    )
    op.create_table(
        "recorded_blob",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("capture_session_id", sa.Integer(), nullable=False),
        sa.Column("sha", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=10), nullable=False),
        sa.ForeignKeyConstraint(
            ["capture_session_id"],
            ["capture_session.id"],
            name=op.f("fk_recorded_blob_capture_session_id_capture_session"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_recorded_blob")),
        sa.UniqueConstraint("capture_session_id", "sha", name=op.f("uq_recorded_blob_capture_session_id")),
    )
    with op.batch_alter_table("recorded_blob", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_recorded_blob_sha"), ["sha"], unique=False)

    op.create_table(
        "report",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("answer_version_id", sa.Integer(), nullable=False),
        sa.Column("verdict", sa.String(length=10), nullable=False),
        sa.Column("counts", sa.Text(), nullable=False),
        sa.Column("body", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["answer_version_id"], ["answer_version.id"], name=op.f("fk_report_answer_version_id_answer_version")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_report")),
    )
    with op.batch_alter_table("report", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_report_answer_version_id"), ["answer_version_id"], unique=False)

    op.create_table(
        "verification_job",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("answer_version_id", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(length=10), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("ended_at", sa.DateTime(timezone=True), nullable=True),
        sa.ForeignKeyConstraint(
            ["answer_version_id"],
            ["answer_version.id"],
            name=op.f("fk_verification_job_answer_version_id_answer_version"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_verification_job")),
    )
    with op.batch_alter_table("verification_job", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_verification_job_answer_version_id"), ["answer_version_id"], unique=False)
        batch_op.create_index(batch_op.f("ix_verification_job_state"), ["state"], unique=False)

    op.create_table(
        "review",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("answer_version_id", sa.Integer(), nullable=False),
        sa.Column("reviewer_id", sa.Integer(), nullable=False),
        sa.Column("report_id", sa.Integer(), nullable=True),
        sa.Column("verdict", sa.String(length=10), nullable=False),
        sa.Column("reasons", sa.Text(), nullable=False),
        sa.Column("comment", sa.Text(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.ForeignKeyConstraint(
            ["answer_version_id"], ["answer_version.id"], name=op.f("fk_review_answer_version_id_answer_version")
        ),
        sa.ForeignKeyConstraint(["report_id"], ["report.id"], name=op.f("fk_review_report_id_report")),
        sa.ForeignKeyConstraint(["reviewer_id"], ["user.id"], name=op.f("fk_review_reviewer_id_user")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_review")),
        sa.UniqueConstraint("answer_version_id", "reviewer_id", name=op.f("uq_review_answer_version_id")),
    )
    with op.batch_alter_table("review", schema=None) as batch_op:
        batch_op.create_index(batch_op.f("ix_review_reviewer_id"), ["reviewer_id"], unique=False)


def downgrade() -> None:
    """Take this revision back."""
    with op.batch_alter_table("review", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_review_reviewer_id"))

    op.drop_table("review")
    with op.batch_alter_table("verification_job", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_verification_job_state"))
        batch_op.drop_index(batch_op.f("ix_verification_job_answer_version_id"))

    op.drop_table("verification_job")
    with op.batch_alter_table("report", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_report_answer_version_id"))

    op.drop_table("report")
    with op.batch_alter_table("recorded_blob", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_recorded_blob_sha"))

    op.drop_table("recorded_blob")
    op.drop_table("event")
    with op.batch_alter_table("answer_version", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_answer_version_author_id"))

    op.drop_table("answer_version")
    with op.batch_alter_table("web_session", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_web_session_user_id"))

    op.drop_table("web_session")
    op.drop_table("panel_session")
    with op.batch_alter_table("lease", schema=None) as batch_op:
        batch_op.drop_index(
            "uq_lease_open", sqlite_where=sa.text("ended_at IS NULL"), postgresql_where=sa.text("ended_at IS NULL")
        )
        batch_op.drop_index(batch_op.f("ix_lease_user_id"))
        batch_op.drop_index(batch_op.f("ix_lease_task_id"))

    op.drop_table("lease")
    op.drop_table("draft")
    with op.batch_alter_table("capture_session", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_capture_session_user_id"))
        batch_op.drop_index(batch_op.f("ix_capture_session_task_id"))

    op.drop_table("capture_session")
    with op.batch_alter_table("task", schema=None) as batch_op:
        batch_op.drop_index("ix_task_project_state")

    op.drop_table("task")
    op.drop_table("question_version")
    op.drop_table("question")
    with op.batch_alter_table("pairing_code", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_pairing_code_user_id"))

    op.drop_table("pairing_code")
    op.drop_table("once_key")
    with op.batch_alter_table("membership", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_membership_user_id"))

    op.drop_table("membership")
    op.drop_table("audit_entry")
    with op.batch_alter_table("api_token", schema=None) as batch_op:
        batch_op.drop_index(batch_op.f("ix_api_token_user_id"))

    op.drop_table("api_token")
    op.drop_table("user")
    with op.batch_alter_table("sign_in_attempt", schema=None) as batch_op:
        batch_op.drop_index("ix_sign_in_attempt_address_at")
        batch_op.drop_index("ix_sign_in_attempt_account_at")

    op.drop_table("sign_in_attempt")
    op.drop_table("project")
