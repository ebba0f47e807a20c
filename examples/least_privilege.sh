#!/bin/sh
# Searches DIRECTORY with the permission to read it and nothing else: no environment, network, writing or
# running. --no-config keeps Deno from obeying a deno.json that it finds there.
#
#     sh examples/least_privilege.sh DIRECTORY PATTERN
set -eu
case $1 in *,*) echo "Deno cannot be granted a path with a comma: $1" >&2 && exit 2 ;; esac
program=${PATHGREP:-jsr:@x/pathgrep/cli}
exec deno run --quiet --no-config --no-prompt --allow-read="$1" "$program" --workspace "$1" -e "$2"
