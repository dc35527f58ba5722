#!/bin/sh
# Brings the schema of Temporal's two databases to that of its server. Safe to run again: it runs at every start.
set -eu

prepare() { # database, folder of its schema
  # Fails on a database that has one already; whether it is right, the update tells.
  temporal-sql-tool --database "$1" --quiet setup-schema --version 0.0
  temporal-sql-tool --database "$1" update-schema --schema-name "postgresql/v12/$2"
}

prepare temporal temporal
prepare temporal_visibility visibility
