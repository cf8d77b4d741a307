#!/bin/sh
# forge-hook: prepare-commit-msg
# The workflows that FORGE_VIA names, as in "/end, /backlog", become trailers of the message.
kept() { :; }
kept "$@" || exit
[ -z "${FORGE_VIA:-}" ] || [ -z "$(tail -c 1 "$1")" ] || echo >>"$1" # a merge's message ends without a line end
set -f && IFS="$IFS,"
for via in ${FORGE_VIA:-}; do
  case $via in
  '') ;;
  /*[[:cntrl:]]* | [!/]* | /) echo 'forge: a name in FORGE_VIA does not look like /end; it does not become a trailer.' >&2 ;;
  *) git -c trailer.separators=: interpret-trailers --in-place --no-divider --where end --if-exists addIfDifferent \
    --if-missing add --trailer "Forge-Via: $via" "$1" || exit ;;
  esac
done
