#!/bin/sh
# forge-hook: pre-push
program=''
kept() { :; }
{ true 3<&0 && lines=$(cat); } || exit 3
again() { [ -z "$lines" ] || exec <<EOF
$lines
EOF
}
{ again && kept "$@" && again; } || exit
if [ -f "$program" ] && [ -s "$program" ] && [ -x "$program" ]; then exec "$program" run --pre-push "$@" >&2; fi
if command -v forge-pre-commit >/dev/null 2>&1; then exec forge-pre-commit run --pre-push "$@" >&2; fi
echo 'forge: the pre-push hook could not find forge-pre-commit, so nothing was checked. To put it back: go install github.com/seed-4419f9ca/forge/cmd/forge-pre-commit@latest && forge-pre-commit install' >&2
exit 3
