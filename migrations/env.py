"""Alembic runs this to migrate; `server.storage.migrate` hands it a connection that is in a transaction."""

from alembic import context

context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
