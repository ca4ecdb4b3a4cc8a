"""Search: the words of every change, and a full-text index over them."""

import sqlalchemy as sa
from alembic import op
from sqlalchemy.dialects.postgresql import TSVECTOR

from webvigil.model.change import finding_from_json
from webvigil.store.searching import words_of_change
from webvigil.store.sql.schema import Json
from webvigil.store.sql.search import write_words

revision = "webvigil_0006"
down_revision = "webvigil_0005"
branch_labels = None
depends_on = None

ID = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
INDEX = """
CREATE VIRTUAL TABLE change_fts USING fts5(
    words, content='change_words', content_rowid='change_id', tokenize='unicode61 remove_diacritics 0'
)
"""
WORDS_NEW = """
CREATE TRIGGER change_words_new AFTER INSERT ON change_words BEGIN
    INSERT INTO change_fts(rowid, words) VALUES (new.change_id, new.words);
END
"""
WORDS_GONE = """
CREATE TRIGGER change_words_gone AFTER DELETE ON change_words BEGIN
    INSERT INTO change_fts(change_fts, rowid, words) VALUES ('delete', old.change_id, old.words);
END
"""


def upgrade() -> None:
    op.create_table(
        "change_words",
        sa.Column("change_id", ID, nullable=False, autoincrement=False),
        sa.Column("words", sa.Text().with_variant(TSVECTOR(), "postgresql"), nullable=False),
        sa.ForeignKeyConstraint(
            ["change_id"], ["change.id"], name="fk_change_words_change_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("change_id", name="pk_change_words"),
    )
    if op.get_bind().dialect.name == "postgresql":
        op.create_index("ix_change_words_words", "change_words", ["words"], postgresql_using="gin")
    else:
        for statement in (INDEX, WORDS_NEW, WORDS_GONE):
            op.execute(statement)
    _index_what_is_there(op.get_bind())


def _index_what_is_there(connection: sa.Connection) -> None:
    rows = connection.execute(
        sa.text(
            "SELECT change.id, sentinel.name, page_about.url, change.findings FROM change "
            "JOIN sentinel ON sentinel.id = change.sentinel_id "
            "JOIN page_about ON page_about.page_id = change.page_id"
        ).columns(id=sa.BigInteger(), name=sa.Text(), url=sa.Text(), findings=Json)
    )
    for row in rows.all():
        findings = [finding_from_json(one) for one in row.findings]
        write_words(connection, row.id, words_of_change(row.name, row.url, findings))
