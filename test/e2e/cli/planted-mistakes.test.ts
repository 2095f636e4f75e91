import { mkdtempSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { describe, expect, test } from "vitest"
import { refuseUnsafe } from "#config/judge/judge-config.ts"
import { countWords, MOST_WORDS, summariseFindings } from "#config/judge/summarise-findings.ts"
import { loadConfig } from "#config/load.ts"
import { runBallast } from "../../support/e2e-cli.ts"

/**
 * A live treasury on two main networks, in which `check` finds nothing. Published example keys; no
 * node is asked.
 */
const SAFE = `service: { url: "https://swap.example.com" }
ops: { listen: "127.0.0.1:7070", token: "env:OPS_TOKEN" }
chains:
  bitcoin:
    preset: bitcoin
    esplora: ["https://a.example.com/api", "https://b.example.org/api"]
    key: "env:BITCOIN_WIF"
    deadline_margin: 20m
    max_fee_rate: 200
  base:
    preset: base
    rpc: ["https://a.example.com/rpc", "https://b.example.org/rpc"]
    key: "env:EVM_KEY"
    agree: 2
    max_fee_per_gas: "500 gwei"
assets:
  bitcoin:btc: { decimals: 8 }
  base:wbtc:
    decimals: 8
    token: "0x1111111111111111111111111111111111111111"
    htlc: ["0x2222222222222222222222222222222222222222"]
    pinned: [{ code: "0x1111111111111111111111111111111111111111111111111111111111111111" }]
rules: []
guards:
  max_cost: "60bps"
  max_order: "500 usd"
  max_service_secret: "250 usd"
  approve_above: "250 usd"
  windows:
    - per: 24h
      max: "2000 usd"
      max_fees: "50 usd"
prices:
  sources:
    - { asset: bitcoin:btc, kind: coinbase, product: BTC-USD }
    - { asset: bitcoin:btc, kind: kraken, product: XBTUSD }
    - { asset: base:wbtc, kind: kraken, product: WBTCUSD }
    - { asset: base:wbtc, url: "https://prices.example.com/wbtc", path: price }
  pegs:
    - { assets: [btc, wbtc], tolerance: "50bps" }
  tolerance: "200bps"
  trust_service: false
signer:
  limits:
    bitcoin:btc: { per_day: "0.02" }
    base:wbtc: { per_day: "0.02" }
mode: live
`
function dca(amount: string): string {
  return (
    `{ id: dca, kind: recurring, schedule: "0 12 * * *", from: "bitcoin:btc", to: "base:wbtc", ` +
    `amount: "${amount}" }`
  )
}

const ENV = {
  BITCOIN_WIF: "KwDiBf89QgGbjEhKnhXJuH7LrciVrZi3qYjgd9M7rFU73sVHnoWn",
  EVM_KEY: `0x${"4c".repeat(32)}`,
  OPS_TOKEN: "0123456789abcdef0123456789abcdef",
  SHORT: "12345",
}

/** `at`: the text of the line that the finding names, after the edit. */
type Planted = {
  readonly what: string
  readonly from: string
  readonly to: string
  readonly code: string
  readonly severity: "refuse" | "fail" | "warn"
  readonly at: string
}

const PLANTED: readonly Planted[] = [
  plant(
    "keys in the daemon",
    "signer:\n",
    "signer:\n  run: inside\n",
    "config.keys_inside",
    "warn",
    "  run: inside",
  ),
  plant(
    "an asset without a limit of the signer",
    '    base:wbtc: { per_day: "0.02" }\n',
    "",
    "config.signer_unlimited",
    "warn",
    "    bitcoin:btc:",
  ),
  plant(
    "no limit for one order",
    '  max_order: "500 usd"\n',
    "",
    "config.no_max_order",
    "refuse",
    "  max_cost:",
  ),
  plant(
    "no limit for secrets of the service",
    '  max_service_secret: "250 usd"\n',
    "",
    "config.no_service_secret_limit",
    "warn",
    "  max_cost:",
  ),
  plant(
    "no window",
    / {2}windows:[\s\S]*?fees: "50 usd"\n/,
    "",
    "config.no_window",
    "refuse",
    "  max_cost:",
  ),
  plant(
    "a window without an amount",
    '      max: "2000 usd"\n',
    "",
    "config.no_window",
    "refuse",
    "    - per: 24h",
  ),
  plant(
    "trust in the service",
    "trust_service: false",
    "trust_service: true",
    "config.trust_service",
    "refuse",
    "  trust_service: true",
  ),
  plant(
    "no price sources",
    / {2}sources:\n( {4}- .*\n)+/,
    "",
    "config.no_price",
    "fail",
    "  pegs:",
  ),
  plant(
    "an asset without a price",
    / {4}- \{ asset: base:wbtc.*\n| {2}pegs:\n.*\n/g,
    "",
    "config.no_price",
    "fail",
    "    - { asset: bitcoin:btc, kind: coinbase",
  ),
  plant(
    "one price source",
    / {4}- \{ asset: bitcoin:btc, kind: kraken.*\n/,
    "",
    "config.one_price_source",
    "warn",
    "    - { asset: bitcoin:btc, kind: coinbase",
  ),
  plant(
    "a peg that nothing watches",
    / {4}- \{ asset: base:wbtc.*\n/g,
    "",
    "config.peg_unwatched",
    "warn",
    "    - { assets: [btc, wbtc]",
  ),
  plant(
    "500 bitcoins for one order",
    'max_order: "500 usd"',
    'max_order: "500"',
    "config.absurd_limit",
    "warn",
    '  max_order: "500"',
  ),
  plant(
    "millions for one order",
    'max_order: "500 usd"',
    'max_order: "2000000 usd"',
    "config.absurd_limit",
    "warn",
    '  max_order: "2000000 usd"',
  ),
  plant(
    "500 bitcoins in a window",
    'max: "2000 usd"',
    'max: "500"',
    "config.absurd_limit",
    "warn",
    '      max: "500"',
  ),
  plant(
    "a window below one order",
    'max: "2000 usd"',
    'max: "400 usd"',
    "config.window_below_order",
    "warn",
    '      max: "400 usd"',
  ),
  plant(
    "a scheduled swap above one order",
    "rules: []",
    `rules:\n  - ${dca("600 usd")}`,
    "config.schedule_above_limit",
    "warn",
    `  - ${dca("600 usd")}`,
  ),
  plant(
    "a rule that may cost nothing",
    "rules: []",
    `rules:\n  - ${dca("50 usd").replace(" }", `, max_cost: "0bps" }`)}`,
    "config.never_begins",
    "warn",
    `  - ${dca("50 usd").replace(" }", `, max_cost: "0bps" }`)}`,
  ),
  plant(
    "a window of minutes",
    "per: 24h",
    "per: 5m",
    "config.window_short",
    "warn",
    "    - per: 5m",
  ),
  plant(
    "no approval",
    '  approve_above: "250 usd"\n',
    "",
    "config.no_approval",
    "warn",
    "  max_cost:",
  ),
  plant(
    "an approval above every order",
    '"250 usd"',
    '"600 usd"',
    "config.approval_above_order",
    "warn",
    '  approve_above: "600 usd"',
  ),
  plant("a high cost limit", '"60bps"', '"20%"', "config.high_cost", "warn", '  max_cost: "20%"'),
  plant(
    "a wide price tolerance",
    '"200bps"',
    '"30%"',
    "config.high_cost",
    "warn",
    '  tolerance: "30%"',
  ),
  plant(
    "a wide peg",
    '"50bps"',
    '"30%"',
    "config.high_cost",
    "warn",
    "    - { assets: [btc, wbtc]",
  ),
  plant(
    "a service over http",
    "https://swap",
    "http://swap",
    "config.plain_http",
    "fail",
    "service: {",
  ),
  plant(
    "an endpoint over http",
    "https://b.example.org/rpc",
    "http://b.example.org/rpc",
    "config.plain_http",
    "fail",
    "    rpc: [",
  ),
  plant(
    "a price over http",
    "https://prices",
    "http://prices",
    "config.plain_http",
    "fail",
    '    - { asset: base:wbtc, url: "http://prices',
  ),
  plant(
    "a password in a URL",
    "https://b.example.org/rpc",
    "https://me:secret@b.example.org/rpc",
    "config.secret_in_url",
    "warn",
    "    rpc: [",
  ),
  plant(
    "one endpoint",
    ', "https://b.example.org/api"',
    "",
    "config.one_endpoint",
    "warn",
    "    esplora: [",
  ),
  plant(
    "one endpoint believed",
    "agree: 2",
    "agree: 1",
    "config.one_endpoint",
    "warn",
    "    agree: 1",
  ),
  plant(
    "no deadline margin",
    "deadline_margin: 20m",
    "deadline_margin: 1m",
    "config.deadline_margin",
    "warn",
    "    deadline_margin: 1m",
  ),
  plant(
    "a margin longer than an order",
    "deadline_margin: 20m",
    "deadline_margin: 30d",
    "config.deadline_margin",
    "warn",
    "    deadline_margin: 30d",
  ),
  plant(
    "a huge fee rate",
    "max_fee_rate: 200",
    "max_fee_rate: 20000",
    "config.high_fee_cap",
    "warn",
    "    max_fee_rate: 20000",
  ),
  plant(
    "a huge gas price",
    '"500 gwei"',
    '"50000 gwei"',
    "config.high_fee_cap",
    "warn",
    '    max_fee_per_gas: "50000 gwei"',
  ),
  plant(
    "wrong decimals",
    "    decimals: 8",
    "    decimals: 9",
    "config.unusual_decimals",
    "warn",
    "    decimals: 9",
  ),
  plant(
    "contracts without pins",
    / {4}pinned:.*\n/,
    "",
    "config.not_pinned",
    "warn",
    "    decimals: 8",
  ),
]

/** Mistakes that the form of the file already refuses: `config.invalid` with the line. */
const INVALID: readonly (readonly [string, string, string, string])[] = [
  [
    "operations open to the network",
    "127.0.0.1:7070",
    "0.0.0.0:7070",
    ":2:16: ops.listen: expected a loopback address",
  ],
  [
    "a short token",
    "env:OPS_TOKEN",
    "env:SHORT",
    ":2:41: ops.token: expected a token of at least 16 characters",
  ],
  [
    "one host twice",
    "https://b.example.org/rpc",
    "https://a.example.com/other",
    "chains.base.rpc[1]: expected endpoints of different hosts",
  ],
  [
    "a token in the file",
    '"env:OPS_TOKEN"',
    '"0123456789abcdef"',
    "ops.token: expected a reference to a secret",
  ],
  [
    "more agreement than endpoints",
    "agree: 2",
    "agree: 3",
    "chains.base.agree: expected at most 2",
  ],
  [
    "another chain id than the preset",
    "preset: base\n",
    "preset: base\n    chain_id: 1\n",
    "chains.base.chain_id: expected 8453",
  ],
]

describe("`check` and the start find a planted mistake with its line", () => {
  test("and nothing in a safe configuration", async () => {
    expect(load(SAFE).findings).toEqual([])
    const { code, stdout } = await runBallast(["check", "--config", write(SAFE), "--json"], {
      env: ENV,
    })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ ok: true, errors: [], warnings: [] })
  })

  test.each(PLANTED)("$what → $code", ({ from, to, code, severity, at }) => {
    const { text, findings } = load(edit(SAFE, from, to))
    const [found] = findings.filter((one) => one.code === code)
    expect(findings.map((one) => one.code)).toContain(code)
    expect(found?.severity).toBe(severity)
    expect(text.split("\n")[(found?.line ?? 0) - 1]).toMatch(new RegExp(`^${literal(at)}`))
    expect(found?.todo).not.toBe("")
    const words = summariseFindings(findings).map((notice) => countWords(notice.text))
    expect(Math.max(...words)).toBeLessThanOrEqual(MOST_WORDS)
    if (severity === "refuse") expect(() => refuseUnsafe(findings)).toThrow(code)
    else expect(() => refuseUnsafe(findings)).not.toThrow()
  })

  test.each(INVALID)("%s → config.invalid", (_what, from, to, says) => {
    expect(() => load(edit(SAFE, from, to))).toThrow(says)
  })

  test("and `check` ends with 78 for each that refuses or fails, and shows the guards", async () => {
    const file = write(edit(SAFE, '  max_order: "500 usd"\n', ""))
    const { code, stdout } = await runBallast(["check", "--config", file], { env: ENV })
    expect(code).toBe(78)
    expect(stdout).toMatch(/error +\S+ballast\.yaml:\d+:\d+: guards: mode live has no limit/)
    expect(stdout).toContain("no limit for one order (config.no_max_order); add max_order")
    expect(stdout).toMatch(/max_order +no limit/)
    expect(stdout).toMatch(/window 1d max +2000 usd/)
  })

  test("and the daemon does not start without limits, and names the lines to add", async () => {
    const bare = edit(
      edit(SAFE, '  max_order: "500 usd"\n', ""),
      / {2}windows:[\s\S]*?fees: "50 usd"\n/.source,
      "",
    )
    const { code, stderr } = await runBallast(["run", "--config", write(bare)], { env: ENV })
    expect(code).toBe(78)
    expect(stderr).toContain("[config.unsafe]")
    expect(stderr).toContain('add max_order: "100 usd" under guards')
    expect(stderr).toContain("add windows:")
  })

  test("and it starts no trust in the service on a main network, also in mode observe", () => {
    const { findings } = load(
      edit(
        edit(SAFE, "trust_service: false", "trust_service: true"),
        "mode: live",
        "mode: observe",
      ),
    )
    expect(
      findings.filter(({ severity }) => severity === "refuse").map(({ code }) => code),
    ).toEqual(["config.trust_service"])
  })
})

function plant(
  what: string,
  from: string | RegExp,
  to: string,
  code: string,
  severity: Planted["severity"],
  at: string,
): Planted {
  return {
    what,
    from: typeof from === "string" ? literal(from) : from.source,
    to,
    code,
    severity,
    at,
  }
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
}

/** Fails when the edit changes nothing. */
function edit(text: string, from: string, to: string): string {
  const pattern = new RegExp(from.includes("\\") || from.includes("(") ? from : literal(from), "g")
  if (!pattern.test(text)) throw new Error(`nothing to edit: ${from}`)
  return text.replace(pattern, () => to)
}

function write(text: string): string {
  const file = join(mkdtempSync(join(tmpdir(), "planted-")), "ballast.yaml")
  writeFileSync(file, text)
  return file
}

function load(text: string) {
  return loadConfig(write(text), { ...ENV })
}
