#!/bin/sh
# Stand-in of rclone: `backup:` and `media:` are folders in TARGET. The operations named in `$TARGET/refused` fail, and
# `check` finds a difference in the base backups named in `$TARGET/corrupt`.
set -eu
operation=$1
shift
if grep -qsx "$operation" "$TARGET/refused"; then exit 1; fi
recursive= excluded= age= paths=
while [ $# -gt 0 ]; do
  case $1 in
    --recursive) recursive=yes ;;
    --exclude) excluded=$2 && shift ;;
    --include | --addr) shift ;;
    --min-age) age=${2%s} && shift ;;
    --*) ;;
    *) paths="$paths $(echo "$1" | sed -E "s#^(backup|media):#$TARGET/\1/#")" ;;
  esac
  shift
done
set -- $paths
case $operation in
  obscure) echo hidden ;;
  serve) exec sleep 600 ;;
  lsf) if [ -n "$recursive" ]; then (cd "$1" && find . -type f | sed 's|^\./||'); else ls -p "$1" | grep '/$' || true; fi ;;
  copy | move)
    mkdir -p "$2"
    for path in $(if [ -d "$1" ]; then find "$1" -mindepth 1 -maxdepth 1; else echo "$1"; fi); do
      case ${path##*/} in ${excluded:-nothing}) continue ;; esac
      cp -Rp "$path" "$2/"
      if [ "$operation" = move ]; then rm -r "$path"; fi
    done
    ;;
  check) ! grep -qsx "${2##*/}" "$TARGET/corrupt" ;;
  purge) rm -r "$1" ;;
  delete) find "$1" -type f ! -name "${excluded:-nothing}" ! -newermt "@$(($(date +%s) - age))" -delete ;;
  rcat) cat > "$1" ;;
  cat) cat "$1" ;;
  *) echo "unknown operation $operation" >&2 && exit 2 ;;
esac
