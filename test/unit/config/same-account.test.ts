import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { afterAll, expect, test } from "vitest"
import { runDoctor } from "#cli/actions/setup/run-doctor.ts"
import type { CommandContext } from "#cli/define-command.ts"
import { loadConfig } from "#config/load.ts"
import { compose } from "#daemon/compose.ts"
import { createReloader } from "#daemon/start/reload.ts"
import { systemClock } from "#lib/clock.ts"
import { silentLogger } from "#lib/log.ts"

// A watched wallet that is also a hot one: the other doors of `config.same_account`.

const FOLDER = mkdtempSync(join(tmpdir(), "same-account-"))
afterAll(() => rmSync(FOLDER, { recursive: true }))

const ENV = { WORDS: `bip39 0 ${"abandon ".repeat(11)}about` }
const RPC = 'rpc: ["http://127.0.0.1:1"]'
const STARKNET = "0x0049d36570d4e46f48e99674bd3fcc84644ddd6b96f7c741b1562b82f9e004d1"
const FAMILIES = [
  [
    "bitcoin",
    'preset: bitcoin, esplora: ["http://127.0.0.1:1"]',
    "bc1p5cyxnuxmeuwuvkwfem96lqzszd02n6xdcjrs20cac6yqjjwudpxqkedrcr",
    "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  ],
  [
    "base",
    `preset: base, ${RPC}`,
    "0x9858EfFD232B4033E47d90003D41EC34EcaEda94",
    "0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045",
  ],
  [
    "solana",
    `preset: solana, ${RPC}`,
    "HAgk14JpMQLgt6rVgv7cBQFJWFto5Dqxi472uT3DKpqk",
    "9xQeWvG816bUx9EPjHmaT23yvVM2ZWbrrpZb9PusVFin",
  ],
  ["starknet", `preset: starknet, ${RPC}`, STARKNET, `${STARKNET.slice(0, -1)}2`],
] as const

/** The further parts of a chain, as a hot wallet. */
const OWN: Readonly<Record<string, string>> = {
  bitcoin: ", address: p2tr",
  starknet: `, account: "${STARKNET}"`,
}

/** A hot wallet of each family, and the given watched ones. Returns the name of the file. */
function write(watched: ReadonlyMap<string, string>): string {
  const chains = FAMILIES.flatMap(([chain, keys]) => {
    const hot = `  ${chain}: { ${keys}, key: "env:WORDS"${OWN[chain] ?? ""} }`
    const address = watched.get(chain)
    if (address === undefined) return [hot]
    const account = chain === "starknet" ? `, account: "${address}"` : ""
    return [hot, `  vault_${chain}: { ${keys}, key: "watch:${address}"${account} }`]
  })
  const service = 'service: { url: "http://127.0.0.1:1" }'
  const lines = ["mode: observe", service, `data_dir: ${join(FOLDER, "data")}`, "chains:"]
  const file = join(FOLDER, "b.yaml")
  writeFileSync(file, `${[...lines, ...chains].join("\n")}\n`, { mode: 0o600 })
  return file
}

test("a reload takes a watched wallet, and refuses it where it is the hot one", async () => {
  const file = write(new Map())
  const started = loadConfig(file, ENV)
  const live = await compose(started.config, { clock: systemClock, log: silentLogger })
  const { reload } = createReloader(live, started, {
    source: () => loadConfig(file, ENV),
    onRead: () => undefined,
    onChange: async () => undefined,
  })
  const { settings } = live.context
  for (const [chain, , own] of FAMILIES) {
    write(new Map([[chain, own]]))
    const names = `vault_${chain} and ${chain} are one wallet`
    const message = expect.stringMatching(`^${names}.*\\(config.same_account\\)`)
    expect(await reload()).toMatchObject({ reasons: [{ code: "config.unsafe", message }] })
  }
  expect(live.context.settings).toBe(settings)
  const all = FAMILIES.map(([chain, , , another]) => [chain, another] as const)
  write(new Map(all))
  expect(await reload()).toMatchObject({ ok: true })
  expect(live.context.chains.size).toBe(8)
  live.context.journal.close()
})

test("the doctor fails at their lines", async () => {
  const diagnose = async (watched: readonly (readonly [string, string])[]) => {
    let printed = ""
    // CAST: the doctor asks no person and lists no commands.
    const context = {
      config: write(new Map(watched)),
      sandbox: false,
      json: true,
      clock: systemClock,
      env: ENV,
      print: (text: string) => {
        printed += text
      },
      tell: () => undefined,
      columns: null,
    } as unknown as CommandContext
    expect(await runDoctor(context, { passwordStdin: false })).toBe(1)
    // CAST: the form of `doctor --json`.
    const { checks } = JSON.parse(printed) as { checks: readonly Record<string, string>[] }
    return checks.filter(({ check }) => check === "config.same_account")
  }
  const found = await diagnose(FAMILIES.map(([chain, , own]) => [chain, own]))
  const pairs = FAMILIES.map(([chain]) => `vault_${chain}\\+${chain}`).join(", ")
  const where = expect.stringMatching(`b.yaml:6:\\d+,8:\\d+,10:\\d+,…: ${pairs}: `)
  expect(found).toEqual([expect.objectContaining({ status: "fail", found: where })])
  expect(await diagnose(FAMILIES.map(([chain, , , another]) => [chain, another]))).toEqual([])
})
