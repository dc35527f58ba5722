# shellcheck shell=sh
# Functions of the scripts beside it. A base backup is named by the first moment that it can restore: 20261128T093000Z.

# Ends the script unless $2, the value of the setting $1, is a whole number from 1.
require_number() {
  case $2 in
    '' | 0* | *[!0-9]*)
      echo "$1 must be a whole number, at least 1, not '$2'." >&2
      exit 1
      ;;
  esac
}

# Prints the name that a moment has, which sorts like the moment; `latest` follows all others. Fails for another text.
name_of_moment() {
  if [ "$1" = latest ]; then
    echo latest
    return
  fi
  echo "$1" | sed -E 's/ /T/; s/\+00(:?00)?$/Z/; s/[-:]//g' | grep -E '^[0-9]{8}T[0-9]{6}(\.[0-9]+)?Z$' || {
    echo "The moment '$1' must be in UTC, such as 2026-11-28T09:30:00Z, or the word latest." >&2
    return 1
  }
}

# Prints the moment of a name: 2026-11-28T09:30:00Z.
moment_of_name() {
  echo "$1" | sed -E 's/^(....)(..)(..)T(..)(..)/\1-\2-\3T\4:\5:/'
}

# Prints the Unix time of a name, in seconds.
seconds_of_name() {
  date -u -d "$(moment_of_name "$1" | sed -E 's/T/ /; s/(\.[0-9]+)?Z$//')" +%s
}

# Prints the name of a Unix time.
name_of_seconds() {
  date -u -d "@$1" +%Y%m%dT%H%M%SZ
}

# Reads names of base backups and prints the newest that is as old as the moment with the name $1.
newest_until() {
  sort | awk -v last="$(echo "$1" | sed -E 's/\.[0-9]+Z$/Z/')" '$0 <= last' | tail -n 1
}
