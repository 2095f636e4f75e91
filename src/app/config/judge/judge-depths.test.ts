import { expect, test } from "vitest"
import { FAMILIES } from "#chains/families.ts"
import { Secret } from "#lib/secret.ts"
import { parseConfig } from "../load.ts"
import { readYamlSource } from "../yaml-source.ts"
import { refuseUnsafe } from "./judge-config.ts"
import { judgeDepths } from "./judge-depths.ts"
import { placeFindings } from "./place-findings.ts"
import { countWords } from "./summarise-findings.ts"

const KEYS: Readonly<Record<string, string>> = {
  bitcoin: 'esplora: ["http://127.0.0.1:1"]',
  starknet: 'rpc: ["http://127.0.0.1:1"], account: "0x1234"',
}

function judge(name: string, family: string, keys: string) {
  const rest = KEYS[family] ?? 'rpc: ["http://127.0.0.1:1"]'
  const text = `service: { url: "http://127.0.0.1:1" }
mode: live
chains:
  ${name}:
    key: "env:K"
    ${[rest, ...keys.split("; ")].join("\n    ").replaceAll(", account", "\n    account")}
`
  const secrets = (reference: string): Secret => new Secret("x", reference)
  const source = readYamlSource(text, "b.yaml")
  const config = parseConfig(text, { file: "b.yaml", secrets })
  const judged = { config, written: source.value, isReal: true, mains: [] }
  return placeFindings(judgeDepths(judged), source, "b.yaml")
}

const PRESETS = FAMILIES.flatMap(({ name: family, presets }) =>
  presets.map(({ name, network }) => ({ family, name, network })),
)
const MAINS = PRESETS.filter(({ network }) => network === "main")
const TESTS = PRESETS.filter(({ network }) => network === "test")

test.each(MAINS)("confirmations: 1 on $name is an error that names minimum and line", (preset) => {
  const found = judge(preset.name, preset.family, `preset: ${preset.name}; confirmations: 1`)
  const path = `chains.${preset.name}.confirmations`
  const code = "config.confirmations_below_minimum"
  expect(found).toMatchObject([{ code, severity: "refuse", path }])
  const line = preset.family === "starknet" ? 9 : 8
  const message = (() => {
    try {
      refuseUnsafe(found)
      return ""
    } catch (error) {
      return String(error)
    }
  })()
  const said = `${preset.name}: 1 is below the minimum: reveal \\S+`
  expect(message).toMatch(new RegExp(`b\\.yaml:${line}:\\d+: ${said}`))
  expect(message).toContain("config.confirmations_below_minimum")
  expect(countWords(message.split("\n")[1] ?? "")).toBeLessThanOrEqual(20)
})

test.each(MAINS)("the depths of $name itself are no error, nor is a very deep number", (preset) => {
  const of = (keys: string) => judge(preset.name, preset.family, `preset: ${preset.name}${keys}`)
  expect(of("")).toEqual([])
  expect(of("; confirmations: 10000")).toEqual([])
  expect(of("; finality: { seen: 1 }")).toEqual([])
})

test.each(TESTS)("the test network $name keeps confirmations: 1", ({ name, family }) => {
  expect(judge(name, family, `preset: ${name}; confirmations: 1`)).toEqual([])
})

test.each([
  ["bitcoin", "bitcoin", "finality: { reveal: 1 }", "finality.reveal", "reveal 2"],
  ["bitcoin", "bitcoin", "finality: { ending: 1 }", "finality.ending", "ending 2"],
  ["bitcoin", "bitcoin", "confirmations: 2", null, ""],
  ["ethereum", "evm", "finality: { reveal: 64 }", "finality.reveal", "reveal safe (or 65)"],
  ["ethereum", "evm", "finality: { reveal: 65 }", null, ""],
  ["ethereum", "evm", "finality: { ending: safe }", "finality.ending", "ending finalized (or 65)"],
  ["ethereum", "evm", "finality: { reveal: finalized }", null, ""],
  ["base", "evm", "confirmations: 100; block_time: 1h", "confirmations", "reveal safe (or 390)"],
  ["polygon", "evm", "finality: { reveal: safe }", "finality.reveal", "reveal finalized (or 390)"],
  ["core", "evm", "finality: { ending: 299 }", "finality.ending", "ending 300"],
  ["bera", "evm", "confirmations: 3", null, ""],
  ["mine", "evm", "family: evm; chain_id: 1; confirmations: 12", "confirmations", "reveal safe"],
  ["solana", "solana", "finality: { reveal: confirmed }", "finality.reveal", "reveal finalized"],
  ["solana", "solana", "confirmations: 31", "confirmations", "ending finalized (or 32)"],
  ["solana", "solana", "commitment: finalized; confirmations: 1", null, ""],
  ["starknet", "starknet", "finality: { reveal: 59 }", "finality.reveal", "reveal 60"],
  ["starknet", "starknet", "confirmations: 599", "confirmations", "ending 600"],
  ["starknet", "starknet", "finality: { reveal: 60, ending: 600 }", null, ""],
])("%s of family %s with %s", (name, family, keys, path, least) => {
  const found = judge(name, family, keys)
  const paths = path === null ? [] : [`chains.${name}.${path}`]
  expect(found.map((finding) => finding.path)).toEqual(paths)
  if (path !== null) expect(found[0]?.sentence).toContain(least)
})

test("a chain that Ballast does not know gets a warning", () => {
  const found = judge("mine", "evm", "family: evm; chain_id: 987654; confirmations: 1")
  expect(found).toMatchObject([{ severity: "warn", path: "chains.mine.confirmations" }])
})
