"""The migrations of the database: Alembic runs them, from the first schema to the present one."""
