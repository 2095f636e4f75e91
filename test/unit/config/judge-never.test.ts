import { expect, test } from "vitest"
import { parseConfig } from "#config/load.ts"
import { Secret } from "#lib/secret.ts"
import { judgeNever, judgeReceivers } from "../../../src/app/config/judge/judge-never.ts"

function read(rule: string, guards = "", more = "") {
  const text = `service: { url: "https://s" }
chains: { base: { rpc: ["https://x"], key: "env:K" } }
assets:
  base:eth: { decimals: 18, htlc: ["0x2222222222222222222222222222222222222222"] }
  base:usdc: { decimals: 6, token: "0x1111111111111111111111111111111111111111",
      htlc: ["0x3333333333333333333333333333333333333333"] }
  base:bare: { decimals: 6, token: "0x4444444444444444444444444444444444444444" }
${more}guards: { ${guards} }
rules: [{ id: some, ${rule} }]
`
  const secrets = (reference: string): Secret => new Secret("k", reference)
  return parseConfig(text, { file: "b.yaml", secrets })
}

const judge = (rule: string, guards?: string) => judgeNever(read(rule, guards))

const PAIR = 'from: "base:usdc", to: "base:eth"'
const daily = (more = ""): string =>
  `kind: recurring, schedule: "0 9 * * *", ${PAIR}, amount: "500"${more}`
const sweep = (more = ""): string => `kind: sweep, ${PAIR}, keep: "1"${more}`
const QUIET = 'quiet_hours: [{ from: "08:00", to: "10:00" }]'
/** From nine o'clock UTC in winter, and from eight to half past eight in summer. */
const SUMMER = 'quiet_hours: [{ from: "10:00", to: "10:30", timezone: Europe/Berlin }]'

test.each([
  ["each run is quiet", daily(), QUIET, "schedule"],
  ["it may cost nothing", daily(', max_cost: "0bps"'), "", "max_cost"],
  ["it may cost no dollar", sweep(', max_cost: "0 usd"'), "", "max_cost"],
  ["no swap may cost anything", sweep(), 'max_cost: "0bps"', "max_cost"],
  ["it sells more than one order may", daily(), 'max_order: "100"', "amount"],
  ["its smallest order is too large", sweep(', least: "500"'), 'max_order: "100"', "least"],
  [
    "its smallest order is above a window",
    sweep(', least: "500"'),
    'windows: [{ per: 24h, max: "400" }]',
    "least",
  ],
  ["no order may sell anything", sweep(), 'max_order: "0 usd"', "max_order"],
  ["a window is empty", daily(), 'windows: [{ per: 24h, max: "0 usd" }]', "max"],
  ["a window is empty in units", sweep(), 'windows: [{ per: 24h, max: "0" }]', "max"],
  ["no address may be paid", sweep(), "destinations: []", "destinations"],
  ["no solver is left", sweep(), 'solvers: { allow: ["aa"], deny: ["bb", "aa"] }', "solvers"],
  [
    "no person approves in time",
    daily(),
    'approve_above: "1 usd", approval_ttl: 1s',
    "approval_ttl",
  ],
  ["it sells an asset without a contract", daily().replace("base:usdc", "base:bare"), "", 0],
  ["it buys an asset without a contract", sweep().replace("base:eth", "base:bare"), "", 0],
  [
    "it keeps an asset without a contract",
    'kind: band, asset: "base:bare", min: "1", target: "2", max: "3", sources: ["base:eth"]',
    "",
    0,
  ],
  ["its shares are of one asset", 'kind: weights, weights: { "base:eth": "100%" }', "", 0],
  ["a window allows no fees", daily(), 'windows: [{ per: 24h, max_fees: "0 usd" }]', "max_fees"],
])("a rule never acts where %s", (_why, rule, guards, key) => {
  const [found, ...rest] = judge(rule, guards)
  expect(rest).toEqual([])
  expect(found).toMatchObject({ severity: "warn" })
  expect(found?.path.at(-1)).toBe(key)
  expect(found?.code).toMatch(/never_begins|schedule_above_limit/)
})

test.each([
  ["a leap day", daily().replace("0 9 * * *", "0 9 29 2 *"), ""],
  ["runs beside the quiet hours", daily().replace("0 9 * * *", "0 9,12 * * *"), QUIET],
  ["quiet hours on other days", daily(), QUIET.replace(" }", ", days: [SUN] }")],
  ["a window that lasts beyond them", daily(", window: 2h"), QUIET],
  ["a window from quiet hours to quiet hours", daily(", window: 24h"), QUIET],
  ["quiet hours of another zone, in its summer", daily(), SUMMER],
  ["an amount within the limit", daily(), 'max_order: "500"'],
  ["a least within the limit", sweep(', least: "100"'), 'max_order: "100"'],
  ["a short time for approvals that nothing needs", daily(), "approval_ttl: 1s"],
  ["a solver that is left", sweep(), 'solvers: { allow: ["aa", "cc"], deny: ["aa"] }'],
  ["a rule that is off", daily(", enabled: false"), QUIET],
])("is content with %s", (_what, rule, guards) => {
  expect(judge(rule, guards)).toEqual([])
})

test("a rule never acts where the signer may sign nothing of what it sells", () => {
  const of = (asset: string) =>
    judgeNever(read(daily(), "", `signer: { limits: { "${asset}": { per_day: "0" } } }\n`))
  expect(of("base:usdc")).toMatchObject([{ path: ["signer", "limits", "base:usdc", "per_day"] }])
  expect(of("base:eth")).toEqual([])
})

test("shares of two assets with contracts are no finding", () => {
  expect(judge('kind: weights, weights: { "base:eth": "50%", "base:usdc": "50%" }')).toEqual([])
})

test("a receiver of escalations alone is told nothing without them", () => {
  const receiver = (more: string): string =>
    `alerts: { receivers: { desk: { kind: webhook, url: "https://d", least: escalation${more} } }`
  const found = (more: string, alerts = "") =>
    judgeReceivers(read(daily(), "", `${receiver(more)}${alerts} }\n`)).map(
      ({ subjects }) => subjects[0],
    )
  expect(found("")).toEqual(["desk"])
  expect(found(", events: [orders]")).toEqual([])
  expect(found("", ", escalate_after: 30m, escalate_to: [desk]")).toEqual([])
})
