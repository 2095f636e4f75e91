#!/bin/bash
# Unpacks a real bitcoind (Debian's bitcoin-knots from trixie-backports, MIT) with all its libraries into a private prefix.
#
# Nothing is installed system-wide and no root is needed. apt checks the signed Release files and every package's hash against
# Debian's keyring; the mirror and the proxy are the ones that apt already uses on this machine. Works on amd64 and arm64.
#
# A single rename creates PREFIX, so a killed run leaves no partial files. A second concurrent run waits for the first one and then uses
# its result. Afterwards PREFIX/bitcoind starts the node. Progress goes to standard error, one line at a time.
set -euo pipefail
umask 022

prefix=${1:?usage: fetch-bitcoind.sh PREFIX}
say() { echo "$*" >&2; }
fail() { say "$*"; exit 1; }

case $prefix in /*) ;; *) fail "PREFIX must be an absolute path" ;; esac
for tool in apt-get apt-config dpkg dpkg-deb flock; do
  command -v "$tool" >/dev/null || fail "$tool is missing: this needs Debian's package tools"
done
arch=$(dpkg --print-architecture)
case $arch in
  amd64) loader=usr/lib/x86_64-linux-gnu/ld-linux-x86-64.so.2 ;;
  arm64) loader=usr/lib/aarch64-linux-gnu/ld-linux-aarch64.so.1 ;;
  *) fail "no bitcoind is packaged here for $arch, only for amd64 and arm64" ;;
esac
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r "$keyring" ] || fail "Debian's keyring is missing (package debian-archive-keyring)"
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' | grep -E '^https?://.*/debian/?$' | head -n 1 || true)
[ -n "$mirror" ] || fail "apt on this machine knows no Debian mirror"

# The lock ends with the process that holds it. Under the lock, remove the temporary folders of killed runs.
mkdir -p "$(dirname "$prefix")"
exec 9>"$prefix.lock"
flock 9
[ ! -x "$prefix/bitcoind" ] || exit 0
rm -rf "$prefix".part.*
work=$(mktemp -d "$prefix.part.XXXXXX")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' INT TERM HUP

# A separate apt configuration with an empty package state and its own lists and cache. From the system's settings it takes only the network
# options, because other settings can contain hooks that need root.
mkdir -p "$work"/apt/lists/partial "$work"/apt/archives/partial "$work"/root
: >"$work/apt/status"
for suite in trixie trixie-backports; do
  echo "deb [arch=$arch signed-by=$keyring] $mirror $suite main"
done >"$work/apt/sources.list"
{
  apt-config dump | grep -E '^Acquire::(http|https|ftp)' || true
  cat <<CONFIG
Dir::Etc::main "/dev/null";
Dir::Etc::parts "/dev/null";
Dir::Etc::sourcelist "$work/apt/sources.list";
Dir::Etc::sourceparts "/dev/null";
Dir::Etc::preferences "/dev/null";
Dir::Etc::preferencesparts "/dev/null";
Dir::State "$work/apt";
Dir::State::status "$work/apt/status";
Dir::Cache "$work/apt";
Dir::Log "$work/apt";
APT::Architecture "$arch";
APT::Architectures "$arch";
APT::Install-Recommends "false";
APT::Sandbox::User "$(id -un)";
Acquire::Languages "none";
Acquire::Retries "3";
CONFIG
} >"$work/apt/apt.conf"
export APT_CONFIG="$work/apt/apt.conf"

say "reading Debian's package lists"
apt-get update -qq --error-on=any </dev/null >&2
say "downloading bitcoind and its libraries"
apt-get install -qq -y --download-only bitcoin-knots/trixie-backports </dev/null >&2

say "unpacking"
for package in "$work"/apt/archives/*.deb; do
  dpkg-deb -x "$package" "$work/root"
done
mkdir -p "$work/ready/lib"
mv "$work/root/usr/bin/bitcoind" "$work/ready/bitcoind.bin"
[ -e "$work/root/$loader" ] || fail "the loader of $arch is not at its expected path"
find "$work/root/usr/lib/$(dirname "${loader#usr/lib/}")" -maxdepth 1 -name '*.so*' -exec cp -a {} "$work/ready/lib/" \;
cat >"$work/ready/bitcoind" <<LAUNCHER
#!/bin/sh
# Runs bitcoind with the C library of its build instead of the one of the system.
here=\$(cd "\$(dirname "\$0")" && pwd)
exec "\$here/lib/$(basename "$loader")" --library-path "\$here/lib" "\$here/bitcoind.bin" "\$@"
LAUNCHER
chmod 755 "$work/ready/bitcoind"
"$work/ready/bitcoind" -version >/dev/null || fail "the unpacked bitcoind does not start"

mv -T "$work/ready" "$prefix"
say "bitcoind is ready"
