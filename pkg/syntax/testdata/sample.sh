#!/usr/bin/env bash
# Berths of a harbour.
set -euo pipefail

MAX_DRAUGHT=12
readonly LOG="/var/log/berth log"
export PATH="$HOME/bin:$PATH" EDITOR=vi
RATES=(1 2 3)
declare -A NAMES=([north]=1 [south]=2)
LOG+=".txt"

usage() {
  cat <<TEXT
usage: $0 SHIP  DRAUGHT
  assigns a berth
TEXT
}

assign() {
  local ship=$1 draught=${2:-1}
  if [[ $draught -gt $MAX_DRAUGHT ]]; then
    echo "too deep: $ship" >&2
    return 1
  fi
  printf '%s\n' "$ship" >>"$LOG"
  nested() { echo 'inside'; }
}

function report {
  while read -r line; do
    case "$line" in
      north*) echo n ;;
      *) echo "${line%%,*}" ;;
    esac
  done <"$LOG" | sort -u
}

function close_all() (
  for n in "${RATES[@]}"; do
    ((n > 1)) && echo $((n * 2))
  done
)

if [ "${1:-}" = "" ]; then
  usage
  exit 2
fi

assign "$@" \
  && report
