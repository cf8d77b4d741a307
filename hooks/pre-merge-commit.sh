#!/bin/sh
# forge-hook: pre-merge-commit
# forge-pre-commit install writes this file; forge-pre-commit uninstall gives back what stood here before.
program=''
kept() { :; }
kept "$@" || exit
if [ -f "$program" ] && [ -s "$program" ] && [ -x "$program" ]; then exec "$program" run; fi
if command -v forge-pre-commit >/dev/null 2>&1; then exec forge-pre-commit run; fi
echo 'forge: the pre-merge-commit hook could not find forge-pre-commit, so nothing was checked. To put it back: go install github.com/seed-4419f9ca/forge/cmd/forge-pre-commit@latest && forge-pre-commit install' >&2
exit 3
