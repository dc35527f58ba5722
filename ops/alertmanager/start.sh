#!/bin/sh
# Starts Alertmanager with alertmanager.yml and the settings ALERT_… of the environment.
set -eu
for name in ALERT_MAIL_TO ALERT_MAIL_FROM ALERT_SMTP; do
  eval "value=\${$name:-}"
  if [ -z "$value" ]; then
    echo "$name is not set" >&2
    exit 1
  fi
done
# A value as sed and a quoted text of YAML take it.
escaped() { printf %s "$1" | sed -e "s/'/''/g" -e 's/[&|\\]/\\&/g'; }
folder="${CONFIG_FOLDER:-/tmp}"
umask 077
printf %s "${ALERT_SMTP_PASSWORD:-}" >"$folder/smtp-password"
sed -e "s|@ALERT_MAIL_TO@|$(escaped "$ALERT_MAIL_TO")|" -e "s|@ALERT_MAIL_FROM@|$(escaped "$ALERT_MAIL_FROM")|" \
  -e "s|@ALERT_SMTP@|$(escaped "$ALERT_SMTP")|" -e "s|@ALERT_SMTP_USER@|$(escaped "${ALERT_SMTP_USER:-}")|" \
  -e "s|require_tls: true|require_tls: ${ALERT_SMTP_TLS:-true}|" -e "s|@PASSWORD_FILE@|$folder/smtp-password|" \
  "$(dirname "$0")/alertmanager.yml" >"$folder/alertmanager.yml"
exec "${ALERTMANAGER:-/bin/alertmanager}" --config.file="$folder/alertmanager.yml" "$@"
