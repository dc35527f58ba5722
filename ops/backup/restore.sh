#!/bin/sh
# restore.sh <moment>: replaces the data of a stopped PostgreSQL by the base backup in BASE, and has the next start
# replay the archive up to the moment (2026-11-28 09:30:00+00). The former data stays beside it.
set -eu
moment=$1
data=${PGDATA:-/var/lib/postgresql/18/docker}
base=${BASE:-/var/lib/postgresql/restore}
archive=${ARCHIVE:-/var/lib/postgresql/archive}
test -f "$base/base.tar.gz"
if [ -e "$data/postmaster.pid" ]; then
  echo "PostgreSQL still runs in $data: stop it first." >&2
  exit 1
fi
if [ -e "$data" ]; then mv "$data" "$data.before-$(date -u +%Y%m%dT%H%M%SZ)"; fi
mkdir -p "$data"
tar -xzf "$base/base.tar.gz" -C "$data"
chmod 700 "$data"
cat >> "$data/postgresql.auto.conf" <<SETTINGS
restore_command = 'gzip -dc "$archive/%f.gz" > "%p"'
recovery_target_time = '$moment'
recovery_target_action = 'promote'
SETTINGS
touch "$data/recovery.signal"
chown --reference="$data/PG_VERSION" "$data" "$data/recovery.signal"
