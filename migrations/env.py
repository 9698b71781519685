"""Alembic runs this to migrate; `server.storage.migrate` hands it a connection that is in a transaction.

After the migrations it notes which releases work with the tables. A migration that earlier releases need not know,
because it only adds what they do not use, says from which revision on, such as `oldest_compatible = "0026"`. One that
says nothing is for its own release and later ones.
"""

from alembic import context
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, text

FIRST_NOTED = "0027"
"""The revision whose migration adds the column."""


def oldest_compatible(script: ScriptDirectory, revision: str) -> str:
    """Return the revision of the oldest release that works with the tables of a revision."""
    migrations = script.iterate_revisions(revision, "base")
    return max(getattr(each.module, "oldest_compatible", each.revision) for each in migrations)


def note_oldest_compatible(connection: Connection, script: ScriptDirectory) -> None:
    """Store it with the revision of the database, if that has come so far."""
    revision = connection.scalar(text("SELECT version_num FROM alembic_version"))
    if revision is not None and revision >= FIRST_NOTED:
        oldest = oldest_compatible(script, revision)
        connection.execute(text("UPDATE alembic_version SET oldest_compatible = :oldest"), {"oldest": oldest})


context.configure(connection=context.config.attributes["connection"], transactional_ddl=True)
with context.begin_transaction():
    context.run_migrations()
    note_oldest_compatible(context.config.attributes["connection"], context.script)
