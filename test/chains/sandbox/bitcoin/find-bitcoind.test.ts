import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { afterEach, beforeEach, expect, test } from "vitest"
import { silentLogger } from "#lib/log.ts"
import { findBitcoind } from "../../../../src/lab/sandbox/bitcoin/find-bitcoind.ts"
import { temporaryFolder } from "../../../support/temporary-folder.ts"

let home: string

beforeEach(() => {
  home = temporaryFolder("find-bitcoind")
})

afterEach(() => rmSync(home, { recursive: true, force: true }))

/** Installs a program that prints this text for any arguments. */
function install(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, name), `#!/bin/sh\necho '${text}'\n`)
  chmodSync(join(folder, name), 0o755)
  return folder
}

test("uses the bitcoind on PATH", async () => {
  const bin = install(join(home, "bin"), "bitcoind", "Bitcoin Core daemon version v29.0.0 bitcoind")
  const found = await findBitcoind({
    log: silentLogger,
    env: { PATH: `${bin}:/usr/bin:/bin`, HOME: home },
  })
  expect(found).toEqual({ ok: true, command: "bitcoind", kind: "core", version: "29.0.0" })
})

test("uses the cached bitcoind if the one on PATH is too old", async () => {
  const bin = install(join(home, "bin"), "bitcoind", "Bitcoin Core version v22.0.0")
  const cached = install(
    join(home, "cache", "ballast", "bitcoin-knots"),
    "bitcoind",
    "Bitcoin Knots daemon version v29.5.0.knots20260508",
  )
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: home, XDG_CACHE_HOME: join(home, "cache") }
  expect(await findBitcoind({ log: silentLogger, env })).toEqual({
    ok: true,
    command: join(cached, "bitcoind"),
    kind: "knots",
    version: "29.5.0.knots20260508",
  })
})

test("says why the fetch failed and how to install bitcoind, and leaves no partial files", async () => {
  const bin = install(join(home, "bin"), "apt-get", "http://mirror.invalid/debian")
  const failing = 'case "$1" in indextargets) ;; *) echo "the mirror is down" >&2; exit 100 ;; esac'
  appendFileSync(join(bin, "apt-get"), `${failing}\n`)
  const env = { PATH: `${bin}:/usr/bin:/bin`, HOME: home }
  const found = await findBitcoind({ log: silentLogger, env })
  expect(found).toMatchObject({
    ok: false,
    reason: expect.stringContaining("Install Bitcoin Core or Knots 25 or newer"),
  })
  const cache = join(home, ".cache", "ballast")
  const left = existsSync(cache) ? readdirSync(cache) : []
  expect(left.filter((name) => !name.endsWith(".lock"))).toEqual([])
})
