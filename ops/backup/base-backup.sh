#!/bin/sh
# Makes a base backup at the start and every BACKUP_EVERY_HOURS. The upload takes it from there.
set -eu
. "$(dirname "$0")/common.sh"
require_number BACKUP_EVERY_HOURS "$BACKUP_EVERY_HOURS"
backups=${VOLUME:-/var/lib/postgresql}/backups
# Both belong to the user of PostgreSQL, whoever looks at them first.
mkdir -p "$backups" "${VOLUME:-/var/lib/postgresql}/archive"
while :; do
  rm -rf "$backups/unfinished"
  pg_basebackup --host=127.0.0.1 --username=postgres --pgdata="$backups/unfinished" \
    --format=tar --gzip --wal-method=fetch --checkpoint=fast
  # The name is the first moment that can be restored. It has no fraction of the second.
  sleep 1
  mv "$backups/unfinished" "$backups/$(date -u +%Y%m%dT%H%M%SZ)"
  sleep "$((BACKUP_EVERY_HOURS * 3600))"
done
