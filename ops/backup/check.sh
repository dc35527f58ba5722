#!/bin/sh
# Health of the backup. Ends with 1 if the last segment was archived more than 5 minutes ago, or if the newest base
# backup in object storage is older than two intervals.
set -eu
fresh=$(psql --host="${PGHOST:-127.0.0.1}" --username=postgres --dbname=postgres --no-align --tuples-only --command \
  "select coalesce(last_archived_time, '-infinity') > now() - interval '5 minutes' from pg_stat_archiver")
if [ "$fresh" != t ]; then
  echo 'No segment of the log was archived in the last 5 minutes.' >&2
  exit 1
fi
newest=$(cat "${VOLUME:-/var/lib/postgresql}/backup-state/base" 2> /dev/null || echo 0)
if [ "$(($(date +%s) - newest))" -gt "$((BACKUP_EVERY_HOURS * 7200))" ]; then
  echo "Object storage has no base backup of the last $((BACKUP_EVERY_HOURS * 2)) hours." >&2
  exit 1
fi
