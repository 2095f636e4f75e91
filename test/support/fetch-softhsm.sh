#!/bin/bash
# Unpacks Debian's SoftHSM (softhsm2, libsofthsm2) for this system's own release into PREFIX. Nothing is installed, and no root is needed.
# apt checks the signed Release files and the packages' hashes. A rename creates PREFIX, so a killed run leaves no partial files.
set -euo pipefail
prefix=${1:?usage: fetch-softhsm.sh PREFIX}
mkdir -p "$(dirname "$prefix")"
exec 9>"$prefix.lock"
flock 9
[ ! -e "$prefix/softhsm2-util" ] || exit 0
work=$(mktemp -d "$prefix.part.XXXXXX")
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/root" "$work/ready"
options=(-o "Dir::State::lists=$work/lists" -o "Dir::Cache=$work/cache" -o "APT::Sandbox::User=$(id -un)" -o Acquire::Languages=none)
apt-get "${options[@]}" update -qq </dev/null >&2
(cd "$work" && apt-get "${options[@]}" download -qq softhsm2 libsofthsm2 </dev/null >&2)
for package in "$work"/*.deb; do dpkg-deb -x "$package" "$work/root"; done
cp -L "$work/root/usr/lib/softhsm/libsofthsm2.so" "$work/root/usr/bin/softhsm2-util" "$work/ready/"
mv -T "$work/ready" "$prefix"
