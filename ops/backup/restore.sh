#!/bin/sh
# restore.sh <moment>: replaces the data of a stopped PostgreSQL. Takes the newest base backup in BASES that is as old
# as the moment (2026-11-28T09:30:00Z, or latest), and replays the archive up to it, or to the end of the archive.
# Prints the moment of the restored data. The former data stays beside it, and stays in place after a failure.
set -eu
. "$(dirname "$0")/common.sh"
name=$(name_of_moment "${1:-}")
data=${PGDATA:-/var/lib/postgresql/18/docker}
bases=${BASES:-/var/lib/postgresql/restore}
archive=${ARCHIVE:-/var/lib/postgresql/archive}
new=$data.restoring
log=$data.restoring.log
missing=$data.restoring.missing

base=$(ls "$bases" | newest_until "$name")
if [ -z "$base" ]; then
  first=$(ls "$bases" | sort | head -n 1)
  test -n "$first" || { echo "There is no base backup in $bases." >&2 && exit 1; }
  echo "No base backup is as old as $1. The first possible moment is $(moment_of_name "$first")." >&2
  exit 1
fi
if [ -e "$data/postmaster.pid" ]; then
  echo "PostgreSQL still runs in $data: stop it first. If it was killed, delete $data/postmaster.pid." >&2
  exit 1
fi
if [ "$(id -u)" = 0 ]; then
  echo 'Run restore.sh as the user of PostgreSQL.' >&2
  exit 1
fi

# Writes the settings of the replay beside those of the base backup. Nobody can connect meanwhile. Segments that the
# archive lacks are noted.
configure() {
  cp "$new.settings" "$new/postgresql.auto.conf"
  cat >> "$new/postgresql.auto.conf" <<SETTINGS
restore_command = 'gzip -dc "$archive/%f.gz" > "%p" || { echo "%f" >> "$missing"; false; }'
recovery_target_action = 'promote'
hot_standby = off
archive_mode = on
archive_command = ''
listen_addresses = ''
unix_socket_directories = '.'
logging_collector = off
lc_messages = 'C'
timezone = 'UTC'
SETTINGS
  if [ "$1" != latest ]; then
    # PostgreSQL does not know the zone Z while it reads its settings.
    echo "recovery_target_time = '$(moment_of_name "$1" | sed 's/Z$/+00/')'" >> "$new/postgresql.auto.conf"
  fi
}

# Starts PostgreSQL, which replays the archive, and returns after the replay. Fails if it ended before.
replay() {
  : > "$missing"
  pg_ctl --pgdata="$new" --log="$log" --silent --wait --timeout=86400 start 2> /dev/null || return
  until grep -q 'ready to accept connections' "$log"; do
    pg_ctl --pgdata="$new" status > /dev/null || return
    sleep 0.2
  done
}

stop() {
  pg_ctl --pgdata="$new" --silent --mode="$1" stop
}

if [ -e "$new/postmaster.pid" ]; then stop immediate || true; fi
rm -rf "$new"
mkdir -p "$new"
tar -xzf "$bases/$base/base.tar.gz" -C "$new"
chmod 700 "$new"
touch "$new/postgresql.auto.conf" "$new/recovery.signal"
cp "$new/postgresql.auto.conf" "$new.settings"
: > "$log"
trap 'stop immediate; exit 1' INT TERM

echo "Replaying the archive since $(moment_of_name "$base"). Progress: $log" >&2
target=$name
configure "$target"
if ! replay; then
  if grep -q 'recovery ended before configured recovery target was reached' "$log"; then
    target=latest
    configure "$target"
  fi
  if [ "$target" = "$name" ] || ! replay; then
    echo "PostgreSQL could not replay the archive. $data is unchanged." >&2
    grep -E 'FATAL|PANIC' "$log" | tail -n 3 >&2
    exit 1
  fi
fi
stop fast

mv "$new.settings" "$new/postgresql.auto.conf"
if [ -e "$data" ]; then mv "$data" "$data.before-$(date -u +%Y%m%dT%H%M%SZ)"; fi
mv "$new" "$data"

reached=$(moment_of_name "$name")
if [ "$target" = latest ]; then
  last=$(sed -nE 's/.*last completed transaction was at log time (.*)/\1/p' "$log" | tail -n 1)
  reached=$(moment_of_name "$(name_of_moment "${last:-$base}")")
  # The replay ends at the first missing segment.
  gap=$(grep -E '^[0-9A-F]{24}$' "$missing" | tail -n 1 || true)
  later=$(ls "$archive" | sed -nE 's/^([0-9A-F]{24})\.gz$/\1/p' | awk -v gap="$gap" \
    'gap != "" && substr($0, 1, 8) "" == substr(gap, 1, 8) && $0 "" > gap ""' | sort | head -n 1)
  if [ -n "$later" ]; then
    echo "The archive lacks the segment $gap. Later ones, such as $later, could not be replayed." >&2
  fi
  if [ "$name" != latest ]; then echo "The archive has no transaction between $reached and $1." >&2; fi
fi
rm -f "$missing"
echo "Restored to $reached. Give this moment to restore:reconcile." >&2
echo "$reached"
