#!/bin/bash
# Unpacks promtool of Debian's prometheus for this system's own release into PREFIX. Nothing is installed, and no root is needed.
# apt checks the signed Release files and the package's hash. A rename creates PREFIX, so a killed run leaves no partial files.
set -euo pipefail
prefix=${1:?usage: fetch-promtool.sh PREFIX}
mkdir -p "$(dirname "$prefix")"
exec 9>"$prefix.lock"
flock 9
[ ! -e "$prefix/promtool" ] || exit 0
work=$(mktemp -d "$prefix.part.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/root" "$work/ready"
options=(-o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work/cache" -o "APT::Sandbox::User=$(id -un)" -o Acquire::Languages=none)
apt-get "${options[@]}" update -qq </dev/null >&2
(cd "$work" && apt-get "${options[@]}" download -qq prometheus </dev/null >&2)
dpkg-deb -x "$work"/prometheus_*.deb "$work/root"
cp -L "$work/root/usr/bin/promtool" "$work/ready/"
mv -T "$work/ready" "$prefix"
