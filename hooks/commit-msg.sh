#!/bin/sh
# forge-hook: commit-msg
# forge-pre-commit install writes this file; forge-pre-commit uninstall gives back what stood here before.
program=''
kept() { :; }
kept "$@" || exit
if [ -n "${FORGE_VIA:-}" ] && ! sed '/^. -* >8 -*$/,$d' "$1" | git stripspace -s | grep -qv '^Forge-Via: '; then
  echo 'forge: the message holds nothing but the trailer made from FORGE_VIA; nothing is committed.' >&2
  exit 1
fi
if [ -f "$program" ] && [ -s "$program" ] && [ -x "$program" ]; then exec "$program" run --commit-msg "$1"; fi
if command -v forge-pre-commit >/dev/null 2>&1; then exec forge-pre-commit run --commit-msg "$1"; fi
echo 'forge: the commit-msg hook could not find forge-pre-commit, so nothing was checked. To put it back: go install github.com/seed-4419f9ca/forge/cmd/forge-pre-commit@latest && forge-pre-commit install' >&2
exit 3
