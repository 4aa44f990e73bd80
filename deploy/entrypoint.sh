#!/bin/sh
# Becomes the program of the role named first; exec, so that it is process 1 itself and gets the signal to stop.
set -eu
cd "$(dirname "$0")/.."

role=${1:-node}
[ $# -eq 0 ] || shift

case $role in
  node) program=dist/src/main.js ;;
  worker) program=dist/workers/main.js ;;
  cli) program=dist/cli/main.js ;;
  pbx-simulator) program=dist/simulators/pbx/main.js ;;
  *)
    echo "partyline: there is no role $role; the roles are node, worker [names], cli <command>, pbx-simulator" >&2
    exit 64
    ;;
esac
exec node "$program" "$@"
