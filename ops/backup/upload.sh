#!/bin/sh
# upload.sh: moves the archive of the log to object storage every 15 s; every 5 minutes it uploads base backups, copies
# media and ENCRYPTION_KEYS, and deletes old backups. Times of the last successes are metrics on port 9465.
# upload.sh restore <moment>: brings back what restore.sh needs for the moment (2026-11-28T09:30:00Z, or latest).
# Everything is encrypted with BACKUP_PASSPHRASE.
set -eu
. "$(dirname "$0")/common.sh"
if [ -z "$BACKUP_PASSPHRASE" ] || [ -z "$BACKUP_S3_BUCKET" ]; then
  echo 'BACKUP_PASSPHRASE and BACKUP_S3_BUCKET must be set.' >&2
  exit 1
fi
volume=${VOLUME:-/var/lib/postgresql}
state=$volume/backup-state
RCLONE_CONFIG_BACKUP_PASSWORD=$(rclone obscure "$BACKUP_PASSPHRASE")
export RCLONE_CONFIG_BACKUP_PASSWORD

# Prints the names of base backups in object storage that can be restored. The manifest is uploaded last, after the
# rest was read back, so a backup without it is not complete.
restorable() {
  rclone lsf --recursive --files-only --include '/*/{base.tar.gz,backup_manifest}' backup:base | base_names | uniq -d
}

# Reads paths and prints the names of base backups in them, sorted.
base_names() {
  sed 's|/.*||' | grep -E '^[0-9]{8}T[0-9]{6}Z$' | sort
}

if [ "${1:-}" = restore ]; then
  name=$(name_of_moment "${2:-}")
  bases=$(restorable)
  if [ -z "$bases" ]; then
    echo 'Object storage has no complete base backup.' >&2
    exit 1
  fi
  base=$(echo "$bases" | newest_until "$name")
  if [ -z "$base" ]; then
    echo "No base backup is as old as $2. The first possible moment is $(moment_of_name "$(echo "$bases" | head -n 1)")." >&2
    exit 1
  fi
  rm -rf "$volume/restore"
  rclone copy "backup:base/$base" "$volume/restore/$base"
  rclone copy backup:wal "$volume/archive"
  rclone copy backup:media "media:$MEDIA_S3_BUCKET"
  # PostgreSQL reads both, and archives there again.
  chown -R "$(stat -c %u:%g "$volume")" "$volume/restore" "$volume/archive"
  rclone cat backup:settings.env
  exit
fi

require_number BACKUP_DAYS "$BACKUP_DAYS"
require_number BACKUP_EVERY_HOURS "$BACKUP_EVERY_HOURS"

# Notes that kind $1 was backed up as of the Unix time $2, for check.sh and the metrics.
succeeded() {
  mkdir -p "$state"
  echo "$2" > "$state/$1.new"
  mv "$state/$1.new" "$state/$1"
  write_metrics "$1"
}

# Writes metrics.txt. Both loops do so, each through a file of its own ($1).
write_metrics() {
  {
    echo '# HELP carte_backup_last_success_timestamp_seconds Unix time of the newest backup in object storage.'
    echo '# TYPE carte_backup_last_success_timestamp_seconds gauge'
    for kind in base log media keys; do
      echo "carte_backup_last_success_timestamp_seconds{kind=\"$kind\"} $(cat "$state/$kind" 2> /dev/null || echo 0)"
    done
    echo '# HELP carte_backup_interval_seconds Seconds between two base backups.'
    echo '# TYPE carte_backup_interval_seconds gauge'
    echo "carte_backup_interval_seconds $((BACKUP_EVERY_HOURS * 3600))"
  } > "$state/metrics-$1.new"
  mv "$state/metrics-$1.new" "$state/metrics.txt"
}

# Uploads finished base backups, and deletes each here after it was read back and is the same there.
upload_bases() {
  for path in "$volume"/backups/*Z; do
    [ -d "$path" ] || continue
    base=backup:base/${path##*/}
    rclone copy "$path" "$base" --exclude backup_manifest || return
    # A faulty copy would count as present in the next round.
    rclone check "$path" "$base" --exclude backup_manifest --one-way --download || {
      rclone purge "$base"
      return 1
    }
    rclone copy "$path/backup_manifest" "$base" || return
    rm -rf "$path"
  done
}

# Deletes base backups older than BACKUP_DAYS, and the log that none of the others needs. Deletes nothing while every
# base backup is that old, or is named in the future by a clock that was wrong.
delete_old() {
  limit=$(name_of_seconds "$(($(date +%s) - BACKUP_DAYS * 86400))")
  now=$(name_of_seconds "$(date +%s)")
  kept=$(restorable | awk -v limit="$limit" -v now="$now" '$0 >= limit && $0 <= now' | head -n 1)
  [ -n "$kept" ] || return 0
  old=$(rclone lsf --dirs-only backup:base | base_names | awk -v limit="$limit" '$0 < limit')
  [ -n "$old" ] || return 0
  for name in $old; do
    rclone purge "backup:base/$name" || return
  done
  # A base backup needs the log since its start; it is named by its end.
  rclone delete backup:wal --exclude '*.history.gz' --min-age "$(($(date +%s) - $(seconds_of_name "$kept") + 172800))s"
}

slow_round() {
  upload_bases || echo 'Base backups could not be uploaded.' >&2
  newest=$(restorable | newest_until "$(name_of_seconds "$(date +%s)")")
  if [ -n "$newest" ]; then succeeded base "$(seconds_of_name "$newest")"; fi
  now=$(date +%s)
  if rclone copy "media:$MEDIA_S3_BUCKET" backup:media; then
    succeeded media "$now"
  else
    echo 'Media could not be copied.' >&2
  fi
  if printf 'ENCRYPTION_KEYS=%s\n' "$ENCRYPTION_KEYS" | rclone rcat backup:settings.env; then
    succeeded keys "$now"
  else
    echo 'The keys could not be copied.' >&2
  fi
  delete_old || echo 'Old backups could not be deleted.' >&2
}

fast_round() {
  now=$(date +%s)
  if rclone move "$volume/archive" backup:wal --exclude '*.tmp'; then
    succeeded log "$now"
  else
    echo 'The archive could not be uploaded.' >&2
  fi
}

mkdir -p "$state"
write_metrics start
rclone serve http "$state" --addr ":${METRICS_PORT:-9465}" --include /metrics.txt &
# A large base backup does not hold up the log.
while :; do
  slow_round
  sleep 300
done &
while :; do
  fast_round
  sleep 15
done
