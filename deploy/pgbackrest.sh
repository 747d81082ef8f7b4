#!/bin/sh
# Backs up and restores one PostgreSQL server with pgBackRest: one stanza for the services' server, one for each engine.
# Run it as the account that runs PostgreSQL. The configuration is the file in PGBACKREST_CONFIG (pgbackrest.org).
#
#   pgbackrest.sh configure <stanza> <data directory> <port> <repository>   adds the stanza to the configuration
#   pgbackrest.sh create <stanza>                                           after PostgreSQL runs with the settings printed
#   pgbackrest.sh full <stanza> | incremental <stanza>
#   pgbackrest.sh restore <stanza> ['2026-11-22 14:00:00+00']               PostgreSQL stopped; then start it
set -eu

config=${PGBACKREST_CONFIG:-/etc/pgbackrest.conf}
command=${1:?configure, create, full, incremental or restore}
stanza=${2:?the name of the stanza}
backrest="pgbackrest --config=$config --stanza=$stanza"

# The settings of one section of the configuration, without comments and spaces.
section() {
  awk -v header="[$1]" '
    { sub(/[ \t\r]+$/, ""); sub(/[ \t]*=[ \t]*/, "=") }
    /^\[/ { inside = ($0 == header); next }
    inside && /^[^#]/' "$config"
}

case "$command" in
configure)
  data=${3:?the data directory}
  port=${4:?the port}
  repository=${5:?the repository}
  wanted=$(printf 'pg1-path=%s\npg1-port=%s' "$data" "$port")
  if [ ! -e "$config" ]; then
    umask 077
    # Two full backups are kept with the log since the older one. repo1-cipher-pass encrypts the repository.
    printf '[global]\nrepo1-path=%s\nrepo1-retention-full=2\nstart-fast=y\nprocess-max=2\n' "$repository" >"$config"
  fi
  # One file has one repository: what is asked for must not be passed over.
  known=$(section global | sed -n 's/^repo1-path=//p')
  if [ "$known" != "$repository" ]; then
    echo "$config has the repository ${known:-(none)}: set PGBACKREST_CONFIG to another file, or change it there" >&2
    exit 1
  fi
  if ! grep -Fqx "[$stanza]" "$config"; then
    printf '\n[%s]\n%s\n' "$stanza" "$wanted" >>"$config"
  elif [ "$(section "$stanza")" != "$wanted" ]; then
    echo "$config has the stanza $stanza with other settings: change them there" >&2
    exit 1
  fi
  echo "Settings for postgresql.conf, which need a restart:"
  echo "  archive_mode = on"
  echo "  archive_command = 'pgbackrest --config=$config --stanza=$stanza archive-push %p'"
  echo "  archive_timeout = 60"
  ;;
create) $backrest stanza-create && $backrest check ;;
full) $backrest --type=full backup && $backrest info ;;
incremental) $backrest --type=incr backup && $backrest info ;;
restore)
  if [ $# -ge 3 ]; then
    $backrest --delta --type=time "--target=$3" --target-action=promote restore
  else
    $backrest --delta restore
  fi
  echo "Start PostgreSQL; it recovers and begins a new timeline. Then start Cairn's services: see docs/operations.md, Restore."
  ;;
*)
  echo "unknown command: $command" >&2
  exit 2
  ;;
esac
