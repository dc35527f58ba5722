#!/bin/sh
# archive_command of PostgreSQL: archive.sh <path> <name> <archive>. Writes each segment once, compressed: one that
# archive_timeout has cut is almost empty. Fails when another segment has the name.
set -eu
path=$1 target=$3/$2.gz
mkdir -p "$3"
if [ -e "$target" ]; then
  gzip -dc "$target" | cmp -s - "$path"
  exit
fi
gzip -c "$path" > "$target.tmp"
sync "$target.tmp"
mv "$target.tmp" "$target"
