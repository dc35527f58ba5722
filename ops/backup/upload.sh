#!/bin/sh
# upload.sh: moves the archive and base backups to object storage every 15 s, and copies media and
# ENCRYPTION_KEYS every 5 minutes. upload.sh restore <moment>: brings back what restore.sh needs
# (moment: 20261128T093000Z). All of it is encrypted with BACKUP_PASSPHRASE.
set -eu
if [ -z "$BACKUP_PASSPHRASE" ] || [ -z "$BACKUP_S3_BUCKET" ]; then
  echo 'BACKUP_PASSPHRASE and BACKUP_S3_BUCKET must be set.' >&2
  exit 1
fi
data=/var/lib/postgresql
RCLONE_CONFIG_BACKUP_PASSWORD=$(rclone obscure "$BACKUP_PASSPHRASE")
export RCLONE_CONFIG_BACKUP_PASSWORD

if [ "${1:-}" = restore ]; then
  base=$(rclone lsf --dirs-only backup:base | sort | awk -v last="$2/" '$0 <= last' | tail -n 1)
  test -n "$base"
  rclone copy "backup:base/$base" "$data/restore"
  rclone copy backup:wal "$data/archive"
  rclone copy backup:media "media:$MEDIA_S3_BUCKET"
  # PostgreSQL reads both, and archives there again.
  chown -R "$(stat -c %u:%g "$data")" "$data/restore" "$data/archive"
  rclone cat backup:settings.env
  exit
fi

rounds=0
while :; do
  rclone move "$data/archive" backup:wal --exclude '*.tmp' || echo 'The archive could not be uploaded.' >&2
  if [ "$rounds" -eq 0 ]; then
    rclone move "$data/backups" backup:base --exclude 'unfinished/**' || echo 'Base backups could not be uploaded.' >&2
    rclone copy "media:$MEDIA_S3_BUCKET" backup:media || echo 'Media could not be copied.' >&2
    printf 'ENCRYPTION_KEYS=%s\n' "$ENCRYPTION_KEYS" | rclone rcat backup:settings.env ||
      echo 'The keys could not be copied.' >&2
    rclone delete backup:base --min-age "${BACKUP_DAYS}d" || echo 'Old base backups could not be deleted.' >&2
    rclone delete backup:wal --min-age "$((BACKUP_DAYS + 2))d" || echo 'The old archive could not be deleted.' >&2
  fi
  rounds=$(((rounds + 1) % 20))
  sleep 15
done
