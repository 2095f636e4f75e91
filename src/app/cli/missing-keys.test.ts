import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { expect, test } from "vitest"
import { familyOf } from "#chains/families.ts"
import { sealKeystore } from "#config/secrets/sealed-keystore.ts"
import { systemClock } from "#lib/clock.ts"
import { openConfig, openConfigForReading } from "./open/open-config.ts"

const FOLDER = mkdtempSync(join(tmpdir(), "ballast-missing-"))
writeFileSync(
  join(FOLDER, "ks.json"),
  sealKeystore({ kind: "key", text: "0x1" }, "the right password"),
)

const CHAINS = {
  bitcoin: "preset: bitcoin_testnet, esplora: [http://127.0.0.1:9/api]",
  evm: "preset: base_sepolia, rpc: [http://127.0.0.1:9]",
  solana: "preset: solana_testnet, rpc: [http://127.0.0.1:9]",
  starknet: 'preset: starknet_sepolia, rpc: [http://127.0.0.1:9], account: "0x1"',
}

function sourceOf(chain: string, key: string, env: Record<string, string> = {}) {
  const lines = [
    "service: { url: http://127.0.0.1:9, app_id: x }",
    "data_dir: ./data",
    `chains: { c: { ${chain}, key: "${key}" } }`,
    "guards: { max_order: 50 usd }",
    "mode: observe",
  ]
  const config = join(FOLDER, "ballast.yaml")
  writeFileSync(config, lines.join("\n"))
  return { config, sandbox: false, env: { ...env }, tell: () => undefined }
}

const CASES = Object.entries(CHAINS).flatMap(
  ([family, chain]) =>
    [
      [family, "env:NO_SUCH", chain, {}, "config.secret", "NO_SUCH is not set"],
      [
        family,
        "file:none.key",
        chain,
        {},
        "config.secret",
        "file:none.key cannot be read (ENOENT)",
      ],
      [family, "credential:none", chain, {}, "config.secret", "CREDENTIALS_DIRECTORY is not set"],
      [
        family,
        "keystore:none.json",
        chain,
        {},
        "config.secret",
        "keystore:none.json cannot be read (ENOENT)",
      ],
      [
        family,
        "keystore:ks.json",
        chain,
        {},
        "config.keystore_locked",
        "keystore:ks.json is locked",
      ],
    ] as const,
)

test.each(CASES)(
  "%s: the key %s names its true cause",
  async (_family, key, chain, env, code, cause) => {
    const config = openConfigForReading(sourceOf(chain, key, env))
    const [opened] = config.chains
    if (opened === undefined) throw new Error("the chain is missing")
    const family = familyOf(opened)
    const world = { assets: [], timeoutMs: 1_000, clock: systemClock, dataDir: null }
    const expected = expect.objectContaining({ code, message: expect.stringContaining(cause) })
    await expect(family.readAccount(opened, [])).rejects.toEqual(expected)
    await expect(family.openPort(opened, world)).rejects.toEqual(expected)
    await expect(family.openKey(opened, { assets: [], foreignRefundKeys: false })).rejects.toEqual(
      expected,
    )
  },
)

test("a wrong password is the cause, and a value that .env cut is named", async () => {
  const source = sourceOf(CHAINS.evm, "keystore:ks.json", { BALLAST_KEYSTORE_PASSWORD: "the" })
  writeFileSync(join(FOLDER, ".env"), "BALLAST_KEYSTORE_PASSWORD=the #right password")
  const [opened] = openConfigForReading(source).chains
  await expect(
    familyOf(opened as NonNullable<typeof opened>).readAccount(opened as never, []),
  ).rejects.toThrow("does not open it")
  expect(() => openConfig(source)).toThrow(
    'In .env the value of BALLAST_KEYSTORE_PASSWORD ends before " #"',
  )
})

test("a configuration that lacks nothing but the password says how to give it", () => {
  writeFileSync(join(FOLDER, ".env"), "")
  expect(() => openConfig(sourceOf(CHAINS.evm, "keystore:ks.json"))).toThrow(
    expect.objectContaining({
      code: "config.keystore_locked",
      message: expect.stringMatching(/BALLAST_KEYSTORE_PASSWORD .*--password-stdin/s),
    }),
  )
})
