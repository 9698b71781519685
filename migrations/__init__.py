"""Alembic's migrations of the database, in `versions`; run by `server.storage.migrate`, from wherever it is installed.

To add one: write `versions/revision_NNNN_what_it_does.py` with the next number as its `revision`, change the table in
the `..._store` module of its feature alike, and let `tests/server/storage/test_migrations.py` say whether both agree.
"""
