#!/bin/sh
# The command of the plain tarball. It runs from any folder, and by a link to it.
home="$(dirname "$(readlink -f "$0")")"
if "$home/node/bin/node" --version > /dev/null 2>&1; then
  exec "$home/node/bin/node" "$home/bin/ballast.cjs" "$@"
fi
if command -v node > /dev/null; then
  exec node "$home/bin/ballast.cjs" "$@"
fi
echo "ballast: the Node of this archive does not start: $("$home/node/bin/node" --version 2>&1). On Debian: apt-get install libatomic1 libstdc++6." >&2
exit 78
