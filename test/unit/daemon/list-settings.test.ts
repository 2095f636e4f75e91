import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from "node:fs"
import { join } from "node:path"
import { expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { Secret } from "#lib/secret.ts"
import { createSettings } from "../../../src/app/daemon/serve/list-settings.ts"
import { temporaryFolder } from "../../support/temporary-folder.ts"

/** A certificate of two days, without its key. */
const CERTIFICATE = `-----BEGIN CERTIFICATE-----
MIIBczCCARmgAwIBAgIUcxdA76MglDZgrFdei/A9r2+W4MEwCgYIKoZIzj0EAwIw
DzENMAsGA1UEAwwEZGVzazAeFw0yNjExMzAwMTIzNDJaFw0yNjEyMDIwMTIzNDJa
MA8xDTALBgNVBAMMBGRlc2swWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAQsQMX4
XVb/2y6KVonDDJhq+BkQlyTNTJ+VlrOH1LrkNlSgiNbVRlWzzDAkojBHOfGq+KkS
tJ/hahZHKCTvEzY6o1MwUTAdBgNVHQ4EFgQU1Sv+MJxjtWTw5P4kJFN+Kpb5JXUw
HwYDVR0jBBgwFoAU1Sv+MJxjtWTw5P4kJFN+Kpb5JXUwDwYDVR0TAQH/BAUwAwEB
/zAKBggqhkjOPQQDAgNIADBFAiEAkqV+8PvyoRK08Ou+/I4yglrUbOki3DqFrcRU
bARNnbQCIEz8cLTCjtbyQMP7lcD8cT27Zay28AGUtcVSEWjXlw3g
-----END CERTIFICATE-----`
const ENDS_MS = Date.UTC(2026, 11, 2, 1, 23, 42)

const dir = temporaryFolder("ballast-settings")
const file = join(dir, "ballast.yaml")

function sourcesOf(more: string, nowMs: number) {
  const text = `service: { url: "https://s" }
chains: { base: { rpc: ["https://x"], key: "file:keys/evm" } }
assets:
  base:eth: { decimals: 18 }
  base:usdc: { decimals: 6, token: "0x1111111111111111111111111111111111111111" }
${more}
`
  const secrets = (reference: string): Secret =>
    new Secret(reference === "file:cert" ? CERTIFICATE : "k", reference)
  const config = parseConfig(text, { file, secrets })
  const written = { chains: { base: { key: "file:keys/evm", rpc: ["https://x"] } } }
  return { config, written, file, nowMs }
}

function list(more: string, nowMs = Date.UTC(2026, 10, 30)) {
  return createSettings()(sourcesOf(more, nowMs))
}

test("a key's file that is gone is named, and not while it is there", () => {
  mkdirSync(join(dir, "keys"))
  writeFileSync(join(dir, "keys", "evm"), "k", { mode: 0o600 })
  expect(list("")).toEqual([])
  rmSync(join(dir, "keys"), { recursive: true })
  expect(list("")).toMatchObject([
    { code: "config.file_missing", about: "chains.base.key", level: "trouble" },
  ])
  mkdirSync(join(dir, "keys"))
  writeFileSync(join(dir, "keys", "evm"), "k", { mode: 0o600 })
})

test("a key's file that other users can read is named, and a group's file is not", () => {
  const key = join(dir, "keys", "evm")
  chmodSync(key, 0o640)
  expect(list("")).toEqual([])
  chmodSync(key, 0o644)
  expect(list("")).toMatchObject([
    {
      code: "config.file_open",
      about: "chains.base.key",
      sentence: "Other users can read the file keys/evm of chains.base.key (mode 644)",
      command: `chmod 600 ${key}`,
    },
  ])
  chmodSync(key, 0o600)
})

test("a key's file that changes under the daemon is named until the daemon reads it", () => {
  const key = join(dir, "keys", "evm")
  const settings = createSettings()
  const sources = sourcesOf("", 0)
  expect(settings(sources)).toEqual([])
  chmodSync(key, 0o600)
  expect(settings(sources)).toEqual([])
  utimesSync(key, 1, 1)
  expect(settings(sources)).toMatchObject([
    {
      code: "config.unread",
      about: "chains.base.key",
      sentence: "The file keys/evm of chains.base.key has changed since the daemon read it",
    },
  ])
  // A reload has another configuration.
  expect(settings(sourcesOf("", 0))).toEqual([])
})

// Only Linux has this folder in memory.
test.runIf(existsSync("/dev/shm"))("a journal in memory is named, unless it is a trial", () => {
  const data = mkdtempSync("/dev/shm/ballast-settings-")
  try {
    expect(list(`data_dir: "${data}"`)).toMatchObject([
      { code: "disk.memory", level: "trouble", todo: expect.stringContaining("data_dir") },
    ])
    expect(list(`data_dir: "${dir}"`)).toEqual([])
  } finally {
    rmSync(data, { recursive: true })
  }
})

test("a rule that can never act is named", () => {
  const rule = 'kind: recurring, schedule: "0 9 * * *", max_cost: "0bps", amount: "5"'
  const pair = 'from: "base:usdc", to: "base:eth"'
  expect(list(`rules: [{ id: some, ${rule}, ${pair} }]`)).toMatchObject([
    {
      code: "config.never_begins",
      kind: "rule",
      about: "some",
      todo: "Raise max_cost, then let the daemon read it.",
    },
  ])
})

test.each([
  ["two weeks before", -14, []],
  ["a day before", -1, [{ level: "attention", sentence: /expires in/ }]],
  ["a day after", 1, [{ level: "trouble", sentence: /has expired/ }]],
])("the end of its own certificate, %s", (_when, days, expected) => {
  const ops = 'ops: { listen: "127.0.0.1:1", tls: { cert: "file:cert", key: "file:key" } }'
  const found = list(ops, ENDS_MS + days * 24 * 3_600_000)
  expect(found).toHaveLength(expected.length)
  for (const [index, one] of expected.entries()) {
    expect(found[index]).toMatchObject({ code: "config.certificate_end", level: one.level })
    expect(found[index]?.sentence).toMatch(one.sentence)
  }
})
