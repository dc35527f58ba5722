#!/bin/sh
# Health of the archive: ends with 1 when the last segment was archived more than 5 minutes ago, or none ever was.
set -eu
fresh=$(psql --host="${PGHOST:-127.0.0.1}" --username=postgres --dbname=postgres --no-align --tuples-only --command \
  "select coalesce(last_archived_time, '-infinity') > now() - interval '5 minutes' from pg_stat_archiver")
test "$fresh" = t
