import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { inspect } from "node:util"
import { describe, expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import { encodeJson } from "#lib/json.ts"
import { Secret } from "#lib/secret.ts"
import type { Config } from "./config.ts"
import { loadConfig, parseConfig } from "./load.ts"

const KEY = "0x4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318"
const secrets = (reference: string): Secret => new Secret(KEY, reference)

const ESPLORA = 'esplora: ["http://127.0.0.1:4401"]'
const BASE = `service: { url: "http://127.0.0.1:4400" }
chains:
  bitcoin_testnet: { family: bitcoin, network: regtest, ${ESPLORA}, key: "env:BITCOIN_WIF" }
  base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://127.0.0.1:4402"], key: "env:EVM_KEY" }
assets:
  bitcoin_testnet:btc: { decimals: 8 }
  base_sepolia:wbtc: { decimals: 8, token: "0x1111111111111111111111111111111111111111", htlc: [] }
`

function parse(text: string): Config {
  return parseConfig(text, { file: "b.yaml", secrets })
}

/** The lines below the first one: one problem each. */
function problemsOf(text: string): readonly string[] {
  try {
    parse(text)
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    expect({ code: error.code, disposition: error.disposition }).toEqual({
      code: "config.invalid",
      disposition: "fatal",
    })
    return error.message.split("\n").slice(1)
  }
  return []
}

function withRule(rule: string): string {
  return `${BASE}rules:\n  - ${rule}\n`
}

const recurring = (more: string): string =>
  withRule(`{ id: a, kind: recurring, from: base_sepolia:wbtc, to: bitcoin_testnet:btc, ${more} }`)

describe("a good file", () => {
  test("gets every default", () => {
    const config = parse(BASE)
    expect(config.service).toMatchObject({
      appId: "",
      pathPrefix: "/v2",
      timeoutMs: 10_000,
      orderExtras: true,
    })
    expect(config.service.send).toEqual({
      solverId: true,
      nonce: "number",
      delegate: true,
      slippageBps: null,
    })
    expect(config.guards).toMatchObject({
      maxCost: { kind: "share", bps: 100n },
      maxInFlight: 8,
      destinations: "own",
      payees: {},
    })
    expect(config.ops).toEqual({
      listen: null,
      token: null,
      tokens: [],
      agents: [],
      tls: null,
      hosts: [],
    })
    expect(config.chains[1]).toMatchObject({
      maxFeePerGasWei: 500_000_000_000n,
      gasLimitCap: 2_000_000n,
      deposit: "auto",
    })
    expect(config).toMatchObject({
      mode: "live",
      rules: [],
      dataDir: resolve("data"),
      log: { level: "info" },
    })
  })

  test.each([
    ["order_extras: false", { solverId: false, nonce: "off", delegate: false, slippageBps: null }],
    [
      "order_extras: false, send: { solver_id: true, nonce: number }",
      { solverId: true, nonce: "number", delegate: false, slippageBps: null },
    ],
    [
      "send: { delegate: false, nonce: text, slippage: 50 }",
      { solverId: true, nonce: "text", delegate: false, slippageBps: 50 },
    ],
    ["send: { nonce: off }", { solverId: true, nonce: "off", delegate: true, slippageBps: null }],
  ])("sends the fields of %s", (keys, expected) => {
    expect(parse(BASE.replace('4400" }', `4400", ${keys} }`)).service.send).toEqual(expected)
  })

  test("may use every kind of rule and guard", () => {
    const config = parse(`${BASE}
affiliate:
  - { asset: base_sepolia:usdc, address: "0x2222222222222222222222222222222222222222", fee_bps: 10 }
rules:
  - { id: dca,    kind: recurring, schedule: "0 9 * * MON", timezone: Europe/Zurich,
      from: base_sepolia:wbtc, to: bitcoin_testnet:btc, amount: "0.01" }
  - { id: band,   kind: band,  asset: base_sepolia:wbtc, min: "0.5", target: "1", max: "2",
      sources: [bitcoin_testnet:btc], sinks: [bitcoin_testnet:btc], every: 1m }
  - { id: mix,    kind: weights,
      weights: { "bitcoin_testnet:btc": "60%", "base_sepolia:wbtc": "40%" }, tolerance: "5%",
      every: 1h }
  - { id: sweep,  kind: sweep, from: base_sepolia:wbtc, keep: "5", to: bitcoin_testnet:btc,
      every: 1h }
guards:
  max_cost: "60bps"
  max_order: "25000 usd"
  windows: [ { per: 24h, max: "100000 usd", max_fees: "200 usd" }, { per: lifetime, max: "0.5" } ]
  max_in_flight: 8
  cooldown_after_failure: 30m
  approve_above: "10000 usd"
  destinations: own
mode: live
`)
    expect(config.rules[0]).toMatchObject({
      amount: { kind: "units", units: 1_000_000n },
      catchUp: "skip",
      enabled: true,
    })
    expect(config.rules[1]).toMatchObject({
      minUnits: 50_000_000n,
      maxUnits: 200_000_000n,
      everyMs: 60_000,
    })
    expect(config.rules[2]).toMatchObject({
      toleranceBps: 500n,
      weights: [{ bps: 6_000n }, { bps: 4_000n }],
    })
    expect(config.rules[3]).toMatchObject({ keepUnits: 500_000_000n })
    expect(config.rules[0]).toMatchObject({ jitterMs: null, windowMs: null, maxCost: null })
    expect(config.rules[1]).toMatchObject({ move: "target", leastUnits: 1n, maxCost: null })
    expect(config.rules[2]).toMatchObject({ move: "target", leastFiat: 0n })
    expect(config.rules[3]).toMatchObject({ destination: null, leastUnits: 1n })
    expect(config.guards.windows[0]).toMatchObject({ perMs: 86_400_000, maxFeesFiat: 200_000_000n })
    expect(config.guards.windows[1]).toMatchObject({
      perMs: null,
      max: { kind: "units", byAsset: { "base_sepolia:wbtc": 50_000_000n } },
    })
  })

  test("may be JSON with tabs", () => {
    const json = JSON.stringify({ service: { url: "http://x/" }, rules: [] }, null, "\t")
    expect(parse(json).service.url).toBe("http://x")
  })

  test("may have an anchor and its alias", () => {
    const text = BASE.replace('key: "env:BITCOIN_WIF"', 'key: &key "env:K"').replace(
      'key: "env:EVM_KEY"',
      "key: *key",
    )
    expect(parse(text).chains.map((chain) => chain.key.reference)).toEqual(["env:K", "env:K"])
  })

  test("may have app_id as text or as a reference", () => {
    expect(parse('service: { url: "http://x", app_id: "abc" }').service.appId).toBe("abc")
    expect(parse('service: { url: "http://x", app_id: "env:SERVICE_APP_ID" }').service.appId).toBe(
      KEY,
    )
  })
})

describe(
  "the error for a faulty file names file, line, column, path, and the expected and the found " +
    "value",
  () => {
    test.each([
      [
        "an unknown key",
        `${BASE}gaurds: {}\n`,
        "b.yaml:8:1: gaurds: unknown key gaurds; did you mean guards?",
      ],
      [
        "a nested unknown key",
        'service: { url: "http://x", appid: x }',
        "b.yaml:1:29: service.appid: unknown key appid; did you mean app_id?",
      ],
      [
        "a key of another family",
        BASE.replace("regtest,", "regtest, rpc: [],"),
        "b.yaml:3:57: chains.bitcoin_testnet.rpc: unknown key here: rpc belongs to family evm " +
          "and solana and starknet; this chain is bitcoin",
      ],
      [
        "a missing key",
        "mode: live\n",
        "b.yaml:1:1: service: expected a map of keys, found nothing",
      ],
      [
        "a duplicate key",
        "mode: live\nmode: live\n",
        "b.yaml:2:1: this key occurs twice in the same map; keep one",
      ],
      ["broken syntax", 'service: { url: "http://x"\nmode: live\n', "b.yaml:2:1: "],
      [
        "a number instead of an amount",
        recurring('schedule: "* * * * *", amount: 0.01'),
        "b.yaml:9:112: rules[0].amount: expected a decimal in the asset's own unit, in " +
          'quotes, such as "0.01", an amount such as "500 usd", or a share such as "10%", found ' +
          "the number 0.01",
      ],
      [
        "too many digits",
        recurring('schedule: "* * * * *", amount: "0.123456789"'),
        "b.yaml:9:112: rules[0].amount: expected at most 8 digits after the point, found " +
          '"0.123456789"',
      ],
      [
        "a zero amount",
        recurring('schedule: "* * * * *", amount: "0.00"'),
        'rules[0].amount: expected an amount above zero, found "0.00"',
      ],
      [
        "a share above 100%",
        recurring('schedule: "* * * * *", amount: "101%"'),
        'rules[0].amount: expected at most 100%, found "101%"',
      ],
      [
        "a bad schedule",
        recurring('schedule: "61 * * * *", amount: "1"'),
        "b.yaml:9:91: rules[0].schedule: expected a cron expression",
      ],
      [
        "a schedule without any occurrence",
        recurring('schedule: "0 0 30 2 *", amount: "1"'),
        "rules[0].schedule: expected a cron expression",
      ],
      [
        "a schedule with too few fields",
        recurring('schedule: "* * *", amount: "1"'),
        "(five fields, or six with seconds first)",
      ],
      [
        "a random schedule",
        recurring('schedule: "H * * * *", amount: "1"'),
        "rules[0].schedule: expected a cron expression",
      ],
      [
        "an unknown time zone",
        recurring('schedule: "* * * * *", amount: "1", timezone: Europe/Zurick'),
        "rules[0].timezone: expected an IANA time zone such as Europe/Zurich, found " +
          '"Europe/Zurick"; did you mean Europe/Zurich?',
      ],
      [
        "an offset instead of a time zone",
        recurring('schedule: "* * * * *", amount: "1", timezone: "+01:00"'),
        "rules[0].timezone: expected an IANA time zone",
      ],
      [
        "an unknown asset",
        withRule("{ id: a, kind: sweep, from: base_sepolia:wbtx, to: bitcoin_testnet:btc }"),
        "b.yaml:9:33: rules[0].from: expected an asset of assets, found base_sepolia:wbtx; did " +
          "you mean base_sepolia:wbtc?",
      ],
      [
        "a swap of an asset into itself",
        withRule("{ id: a, kind: sweep, from: base_sepolia:wbtc, to: base_sepolia:wbtc }"),
        "rules[0].to: expected another asset than from",
      ],
      [
        "an asset of an unknown chain",
        `${BASE}  base_sepola:x: { decimals: 8 }\n`,
        "b.yaml:8:3: assets.base_sepola:x: expected a chain of chains before the colon, found " +
          "base_sepola; did you mean base_sepolia?",
      ],
      [
        "a duplicate rule id",
        `${withRule("{ id: a, kind: sweep, from: base_sepolia:wbtc, to: bitcoin_testnet:btc }")} ` +
          " - { id: a, kind: sweep, from: base_sepolia:wbtc, to: bitcoin_testnet:btc }\n",
        'b.yaml:10:11: rules[1].id: expected an id that no other rule has, found "a" again',
      ],
      [
        "an unknown kind",
        withRule("{ id: a, kind: swep }"),
        "b.yaml:9:20: rules[0].kind: expected recurring or band or weights or sweep or gas, " +
          'found "swep"',
      ],
      [
        "bounds out of order",
        withRule(
          '{ id: a, kind: band, asset: base_sepolia:wbtc, min: "2", target: "1.5", max: "3", ' +
            "sources: [bitcoin_testnet:btc] }",
        ),
        'rules[0].target: expected at least min (2), found "1.5"',
      ],
      [
        "a band without partners",
        withRule(
          '{ id: a, kind: band, asset: base_sepolia:wbtc, min: "1", target: "1", max: "3" }',
        ),
        "b.yaml:9:5: rules[0]: expected at least one asset in sources or sinks",
      ],
      [
        "weights that do not add up to 100%",
        withRule(
          '{ id: a, kind: weights, weights: { "bitcoin_testnet:btc": "60%", ' +
            '"base_sepolia:wbtc": "30%" } }',
        ),
        "rules[0].weights: expected shares of together 100%, found 90%",
      ],
      [
        "an EVM address on a Bitcoin chain",
        `${BASE}  bitcoin_testnet:x: { decimals: 8, htlc: ["0x1"] }\n`,
        "assets.bitcoin_testnet:x.htlc[0]: expected no address here",
      ],
      [
        "other decimals of bitcoin",
        BASE.replace("btc: { decimals: 8 }", "btc: { decimals: 9 }"),
        "assets.bitcoin_testnet:btc.decimals: expected 8, because bitcoin_testnet:btc is the " +
          "chain's own coin, BTC, found 9",
      ],
      [
        "starknet without account",
        BASE.replace(
          "chains:",
          'chains:\n  s: { family: starknet, rpc: ["http://x"], key: "env:K" }',
        ),
        "b.yaml:3:6: chains.s.account: expected a Starknet address in quotes, such as " +
          '"0x04a0…", found nothing',
      ],
      [
        "an empty window",
        `${BASE}guards: { windows: [{ per: 1h }] }`,
        "guards.windows[0]: expected max, max_fees or max_count",
      ],
      [
        "min_native of no chain",
        `${BASE}guards: { min_native: { base_sepola: "1" } }`,
        "guards.min_native.base_sepola: expected a chain of chains, found base_sepola; did you " +
          "mean base_sepolia?",
      ],
      [
        "a fee cap of zero",
        BASE.replace("chain_id: 84532", 'chain_id: 84532, max_fee_per_gas: "0.0 gwei"'),
        "base_sepolia.max_fee_per_gas: expected a gas price above zero",
      ],
      ["an empty file", "", "b.yaml:1:1: expected a map of keys, found nothing"],
      ["a dangling alias", "mode: *live\n", "b.yaml:1:1: an alias (*name) cannot be resolved"],
    ])("%s", (_name, text, expected) => {
      expect(problemsOf(text).join("\n")).toContain(expected)
    })

    test("one error has all problems, in the order of the file", () => {
      const text = `${BASE}modus: live
rules:
  - { id: a, kind: sweep, from: base_sepolia:nope, to: bitcoin_testnet:btc, every: soon, kep: "1" }
guards: { max_in_flight: 0 }
`
      const places = problemsOf(text).map((line) => line.split(": ").slice(0, 2).join(" "))
      expect(places).toEqual([
        "b.yaml:8:1 modus",
        "b.yaml:10:33 rules[0].from",
        "b.yaml:10:84 rules[0].every",
        "b.yaml:10:90 rules[0].kep",
        "b.yaml:11:26 guards.max_in_flight",
      ])
    })
  },
)

test("a problem inside an alias has the position of the anchor", () => {
  const text = `${BASE}rules: []\nops: &o { listne: x }\nlog: *o\n`
  expect(problemsOf(text).join("\n")).toContain("b.yaml:9:11: log.listne: unknown key listne")
})

describe("secrets", () => {
  const leaks: readonly (readonly [string, string])[] = [
    ["a literal instead of a reference", BASE.replace("env:EVM_KEY", KEY)],
    ["the same without quotes", BASE.replace('"env:EVM_KEY"', KEY)],
    ["in a list", BASE.replace('"env:EVM_KEY"', `["${KEY}"]`)],
    ["as a key without value", BASE.replace('key: "env:EVM_KEY"', `key ${KEY}`)],
    ["as a key", BASE.replace('key: "env:EVM_KEY"', `"${KEY}": x`)],
    [
      "in the wrong field",
      BASE.replace("family: evm, chain_id: 84532", `family: evm, chain_id: "${KEY}"`),
    ],
    ["as an address", BASE.replace("0x1111111111111111111111111111111111111111", KEY)],
    ["as the ops token", `${BASE}ops: { token: "${KEY}" }`],
    ["as an unterminated string", `${BASE}ops: { token: "${KEY}`],
    ["as an alias", `${BASE}ops: { token: *${KEY} }`],
    ["as a tag", `${BASE}ops: { token: !${KEY} x }`],
    ["as the mode", `${BASE}mode: "${KEY}"`],
    ["as an asset", `${BASE}  "${KEY}": { decimals: 8 }`],
    ["in a rule", withRule(`{ id: a, kind: sweep, from: "${KEY}", to: "x:${KEY}" }`)],
  ]
  test.each(leaks)("are not printed: %s", (_name, text) => {
    const problems = problemsOf(text)
    expect(problems.length).toBeGreaterThan(0)
    expect(problems.join("\n")).not.toContain(KEY.slice(2, 14))
  })

  test("are not printed, even if they are short", () => {
    expect(problemsOf(`${BASE}ops: { token: hunter2 }`)).toEqual([
      "b.yaml:8:15: ops.token: expected a reference to a secret: env:NAME, file:PATH, " +
        "keystore:PATH or credential:NAME, found something else (not shown)",
    ])
  })

  test("are not in JSON or inspect output of the configuration", () => {
    const config = parse(`${BASE}ops: { token: "env:TOKEN" }`)
    const shown = [
      JSON.stringify(
        { ...config, chains: config.chains.map(({ key }) => key), guards: null },
        (_k, v: unknown) => (typeof v === "bigint" ? String(v) : v),
      ),
      encodeJson(config),
      inspect(config, { depth: 9, showHidden: true }),
    ]
    for (const text of shown) {
      expect(text).toContain("env:EVM_KEY")
      expect(text).not.toContain(KEY.slice(2, 14))
    }
    expect(config.chains[1]?.key.reveal()).toBe(KEY)
  })

  test("without a value are problems with a position, all in one error", () => {
    const folder = mkdtempSync(join(tmpdir(), "ballast-config-"))
    try {
      const path = join(folder, "b.yaml")
      writeFileSync(path, BASE.replace("env:EVM_KEY", "file:missing.key"))
      const bitcoin =
        /b\.yaml:3:\d+: chains\.bitcoin_testnet\.key: the environment variable BITCOIN_WIF is/
      const evm =
        /b\.yaml:4:\d+: chains\.base_sepolia\.key: file:missing\.key cannot be read \(ENOENT\)/
      expect(() => loadConfig(path, {})).toThrow(
        new RegExp(`${bitcoin.source} not set.*\n.*${evm.source}`),
      )
      writeFileSync(join(folder, "missing.key"), `${KEY}\n`)
      const config = loadConfig(path, { BITCOIN_WIF: "abc" }).config
      expect(config.chains.map((chain) => chain.key.reveal())).toEqual(["abc", KEY])
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})

test("an unreadable file gives config.unreadable", () => {
  expect(() => loadConfig("/nowhere/b.yaml", {})).toThrow(
    expect.objectContaining({ code: "config.unreadable", disposition: "fatal" }),
  )
  expect(() => loadConfig("/nowhere/b.yaml", {})).toThrow(
    "/nowhere/b.yaml does not exist; give its path",
  )
  expect(() => loadConfig("/", {})).toThrow("the configuration file / is a folder; give its path")
})
