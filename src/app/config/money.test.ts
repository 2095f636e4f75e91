import { describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import { Secret } from "#lib/secret.ts"
import { parseConfig } from "./load.ts"

const MINUTE_MS = 60_000
const ETH = parseAssetId("base_sepolia:eth")

function configOf(more = "") {
  const text = `service: { url: "http://127.0.0.1:1" }
chains: { base_sepolia: { family: evm, chain_id: 84532, rpc: ["http://127.0.0.1:1"], key: "env:K",
    stuck_after: 3m, deadline_margin: 7m } }
assets: { "base_sepolia:eth": { decimals: 18 } }
${more}`
  return parseConfig(text, {
    file: "b.yaml",
    secrets: (reference) => new Secret(reference.padEnd(16, "k"), reference),
  })
}

describe("the limits on money", () => {
  test("have these values where the file says nothing", () => {
    const { guards, prices } = configOf()
    expect(guards).toMatchObject({
      maxCost: { kind: "share", bps: 100n },
      maxOrder: null,
      windows: [],
      maxInFlight: 8,
      maxGainBps: 100n,
      approveAbove: null,
      approvalTtlMs: 60 * MINUTE_MS,
      destinations: "own",
      payees: {},
      restAfterFailureMs: 5_000,
    })
    expect(prices.toleranceBps).toBe(200n)
  })

  test("are built from their own keys", () => {
    const { guards, prices, chains } = configOf(`guards:
  max_cost: 50bps
  max_order: 3 USD
  max_in_flight: 9
  max_in_flight_per_rule: 1
  max_in_flight_per_pair: 2
  max_in_flight_per_chain: 3
  max_in_flight_per_service: 4
  max_gain: 30bps
  cooldown_after_failure: 1m
  cooldown_max: 9m
  approve_above: "0.5"
  approval_ttl: 2h
  windows: [{ per: 24h, max: 10 USD, max_fees: 2 USD, max_count: 5 }, { per: lifetime, max: "1.5" }]
  quiet_hours: [{ from: "22:00", to: "06:30" }]
prices: { tolerance: 70bps, sources: [{ asset: "base_sepolia:eth", url: "http://127.0.0.1:1",
    path: price }] }`)
    expect(guards).toMatchObject({
      approveSteps: [],
      maxCost: { kind: "share", bps: 50n },
      maxOrder: { kind: "fiat", fiat: 3_000_000n },
      maxInFlight: 9,
      maxInFlightPerRule: 1,
      maxInFlightPerPair: 2,
      maxInFlightPerChain: 3,
      maxInFlightPerService: 4,
      maxGainBps: 30n,
      cooldownAfterFailureMs: MINUTE_MS,
      cooldownMaxMs: 9 * MINUTE_MS,
      approveAbove: { kind: "units", byAsset: { [ETH]: 5n * 10n ** 17n } },
      approvalTtlMs: 120 * MINUTE_MS,
      windows: [
        {
          perMs: 24 * 60 * MINUTE_MS,
          max: { fiat: 10_000_000n },
          maxFeesFiat: 2_000_000n,
          maxCount: 5,
        },
        {
          perMs: null,
          max: { kind: "units", byAsset: { [ETH]: 15n * 10n ** 17n } },
          maxFeesFiat: null,
        },
      ],
      quietHours: [{ fromMinute: 22 * 60, toMinute: 6 * 60 + 30 }],
    })
    expect(prices).toMatchObject({ toleranceBps: 70n, sources: [{ maxAgeMs: 5 * MINUTE_MS }] })
    expect(chains[0]).toMatchObject({
      stuckAfterMs: 3 * MINUTE_MS,
      deadlineMarginMs: 7 * MINUTE_MS,
    })
  })
})

test("an interface that listens everywhere needs TLS", () => {
  expect(() => configOf('ops: { listen: "0.0.0.0:7070" }')).toThrow()
  expect(() => configOf('ops: { listen: "0.0.0.0:7070", token: "env:T" }')).toThrow()
  const tls = 'tls: { cert: "env:T", key: "env:T" }'
  expect(
    configOf(`ops: { listen: "0.0.0.0:7070", token: "env:T", ${tls} }`).ops.listen?.loopback,
  ).toBe(false)
})

describe("approve_above as a list", () => {
  const tokens = `ops: { tokens: [
    { name: anna, token: "env:A", scopes: [approve] },
    { name: ben, token: "env:B", scopes: [approve] } ] }`
  const withSteps = (steps: string, people = tokens) =>
    configOf(`${people}\nguards: { approve_above: [${steps}] }`).guards

  test("asks for more people above a higher amount", () => {
    expect(
      withSteps('{ over: "250 usd", people: 1 }, { over: "5000 usd", people: 2 }'),
    ).toMatchObject({
      approveAbove: { kind: "fiat", fiat: 250_000_000n },
      approveSteps: [{ over: { kind: "fiat", fiat: 5_000_000_000n }, people: 2 }],
    })
  })

  test("is refused where it does not rise, or where people are missing", () => {
    const higher = /expected a higher over, and more people/
    expect(() => withSteps('{ over: "9 usd", people: 1 }, { over: "9 usd", people: 2 }')).toThrow(
      higher,
    )
    expect(() => withSteps('{ over: "9 usd", people: 2 }, { over: "10 usd", people: 1 }')).toThrow(
      higher,
    )
    expect(() => withSteps('{ over: "9 usd", people: 1 }, { over: "10", people: 2 }')).toThrow(
      higher,
    )
    expect(() => withSteps('{ over: "9 usd", people: 2 }', "")).toThrow(/expected at most 0/)
  })
})
