#!/bin/sh
# Creates the database and the roles of Millrace in a new PostgreSQL; the image runs it once. Neither role is a superuser:
# `millrace` owns its database, and `metrics`, if it has a password, only reads statistics. The superuser loses its
# password: it can sign in inside the container alone.
set -eu
ask() {
    psql --quiet --set=ON_ERROR_STOP=1 --username="$POSTGRES_USER" --dbname=postgres
}
ask <<'SQL'
\set password `cat /run/secrets/database_password`
CREATE ROLE millrace LOGIN PASSWORD :'password';
CREATE DATABASE millrace OWNER millrace ENCODING 'UTF8' TEMPLATE template0;
REVOKE ALL ON DATABASE millrace FROM PUBLIC;
ALTER ROLE CURRENT_USER PASSWORD NULL;
SQL
[ -e /run/secrets/metrics_password ] || exit 0
ask <<'SQL'
\set password `cat /run/secrets/metrics_password`
CREATE ROLE metrics LOGIN PASSWORD :'password' IN ROLE pg_monitor;
GRANT CONNECT ON DATABASE millrace TO metrics;
SQL
