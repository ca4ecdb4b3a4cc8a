"""Alembic runs this file: it migrates in the connection and transaction that `migrate` provides."""

from alembic import context

from webvigil.store.sql.schema import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    transaction_per_migration=False,
)
context.run_migrations()
