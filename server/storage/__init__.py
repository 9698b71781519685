"""The engine room of the database, SQLite in a file or PostgreSQL: connections, batches, backups, migrations, locks.

The tables and statements are those of the features, in their `..._store` modules. `database` holds the one SQLAlchemy
engine, `migrate` brings a database up to date, and `writer` and `batches` store what the journal appends.
"""
