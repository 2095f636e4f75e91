import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { privateKeyToAddress } from "viem/accounts"
import { afterAll, expect, test } from "vitest"
import { systemClock } from "#lib/clock.ts"
import { checkConfig } from "../../../src/app/cli/actions/setup/check-config.ts"
import type { CommandContext } from "../../../src/app/cli/define-command.ts"

/** The first test loads the libraries of the chains. */
const TIMEOUT = 120_000
const folder = mkdtempSync(join(tmpdir(), "ballast-check-"))
afterAll(() => rmSync(folder, { recursive: true }))

const RPC = 'rpc: ["http://127.0.0.1:9"], key: "env:EVM_KEY"'
const HTLC =
  'token: "0x1111111111111111111111111111111111111111", htlc: ' +
  '["0x2222222222222222222222222222222222222222"]'
/** Two chains with the same three faults each, and two rules that undo each other's work. */
const TEXT = `service: { url: "http://127.0.0.1:9", app_id: x }
data_dir: ./data
chains:
  first: { family: evm, chain_id: 424242, deadline_margin: 1s, ${RPC} }
  second: { family: evm, chain_id: 424243, deadline_margin: 1s, ${RPC} }
assets:
  first:usdc: { decimals: 9, ${HTLC} }
  second:usdc: { decimals: 9, ${HTLC} }
rules:
  - { id: profit, kind: sweep, from: "first:usdc", keep: "1000", to: "second:usdc", every: 1h }
  - { id: mix, kind: weights, weights: { "first:usdc": "50%", "second:usdc": "50%" },
      tolerance: "5%", every: 1h }
guards: { max_cost: "100bps", max_order: "50000 usd", windows: [] }
mode: observe
`

const CODES = [
  "config.rules_in_circle",
  "config.unusual_decimals",
  "config.one_endpoint",
  "config.deadline_margin",
  "config.block_time_guessed",
]

test("check prints each equal warning of two chains, assets or rules once, in at most twenty words", {
  timeout: TIMEOUT,
}, async () => {
  const lines = (await check({ explain: false })).split("\n")
  const warnings = lines.filter((line) => line.startsWith("warning  "))
  expect(warnings.map((line) => /\((config\.[a-z_]+)\);/.exec(line)?.[1])).toEqual(CODES)
  for (const line of warnings) {
    expect(line).toMatch(/mix\+profit|first(:usdc)?, second(:usdc)?/)
    expect(line.split(/\s+/).slice(1).length).toBeLessThanOrEqual(20)
  }
  expect(lines.find((line) => line.includes("config.one_endpoint"))).toContain("b.yaml:4:")
  expect(lines.join("\n")).not.toContain("at worst")
  expect(lines.at(-1)).toContain("--explain")
})

test("--explain adds the long text of each, with its place and its numbers", {
  timeout: TIMEOUT,
}, async () => {
  const text = await check({ explain: true })
  expect(text).toContain("With one endpoint nothing contradicts a lie")
  expect(text).toMatch(/b\.yaml:4:\d+: chains\.first\.rpc: first: it has one endpoint/)
  expect(text).toMatch(/b\.yaml:5:\d+: chains\.second\.rpc: second: it has one endpoint/)
  expect(text).toMatch(/second:usdc → first:usdc → second:usdc; at assumed prices, .* usd a day/)
  expect(text).toContain("one lying endpoint could at worst")
})

test("--json keeps its fields, and adds notices with subjects, paths and the explanation", {
  timeout: TIMEOUT,
}, async () => {
  const answer: unknown = JSON.parse(await check({ explain: false, json: true }))
  expect(answer).toMatchObject({
    ok: true,
    errors: [],
    warnings: CODES.map((code) => expect.stringContaining(`(${code});`)),
    notices: CODES.map((code) => ({
      code,
      severity: "warn",
      explain: expect.stringMatching(/\.$/),
    })),
  })
  expect(answer).toMatchObject({
    notices: [
      { subjects: ["mix", "profit"] },
      { subjects: ["first:usdc", "second:usdc"] },
      { subjects: ["first", "second"], paths: ["chains.first.rpc", "chains.second.rpc"] },
      {},
      {},
    ],
    chains: [{ worst: expect.any(String) }, {}],
  })
  const [found] = (answer as { findings: unknown[] }).findings.slice(-1)
  expect(found).toMatchObject({
    code: expect.any(String),
    place: expect.any(String),
    message: expect.any(String),
  })
})

/** The address of `EVM_KEY`, in small letters. */
const OWN = privateKeyToAddress(`0x${"4c".repeat(32)}`).toLowerCase()

test("a watched address that has a key is an error at its line", { timeout: TIMEOUT }, async () => {
  const watched = RPC.replace("env:EVM_KEY", `watch:${OWN}`)
  const vault = `  vault: { family: evm, chain_id: 424242, ${watched} }`
  const text = TEXT.replace("assets:\n", `${vault}\nassets:\n`)
  const lines = (await check({ explain: false, text })).split("\n")
  const errors = lines.filter((line) => line.startsWith("error "))
  expect(errors).toEqual([expect.stringMatching(/b\.yaml:6:\d+: vault\+first.*same_account/)])
})

async function check({
  explain,
  json = false,
  text = TEXT,
}: {
  explain: boolean
  json?: boolean
  text?: string
}): Promise<string> {
  const config = join(folder, "b.yaml")
  writeFileSync(config, text, { mode: 0o600 })
  let printed = ""
  const parts = {
    config,
    sandbox: false,
    json,
    clock: systemClock,
    env: { EVM_KEY: `0x${"4c".repeat(32)}` },
    tell: () => undefined,
    print: (text: string) => {
      printed = text
    },
  }
  // CAST: the parts of the context that `check` uses.
  const code = await checkConfig(
    parts as unknown as CommandContext,
    { file: null, explain },
    { passwordStdin: false },
  )
  expect(code).toBe(text === TEXT ? 0 : 78)
  return printed
}
