import { beforeEach, describe, expect, test } from "vitest"
import { parseAssetId } from "#domain/asset.ts"
import {
  type JudgedRequest,
  type JudgePort,
  judge,
  policyOf,
  readUnblocked,
  toGas,
  toRequest,
  withOffered,
} from "#engine/rules/decide/judge.ts"
import { runAtOnce } from "#engine/rules/decide/steps.ts"
import type { Proposal } from "#policy/evaluate.ts"
import { POLICY } from "../../support/fake-world.ts"
import { SAMPLE } from "../../support/order-sample.ts"

const ETH = parseAssetId("base_sepolia:eth")
const WBTC = parseAssetId("base_sepolia:wbtc")
const BTC = parseAssetId("bitcoin_testnet:btc")
const REQUEST: JudgedRequest = { rule: "band", from: WBTC, to: BTC, sourceUnits: 100n }
const BUDGET = { depositUnits: 10n, refundUnits: 5n }
const OFFER = {
  service: "main",
  quote: { ...SAMPLE.quote, sourceUnits: 90n },
  reference: { from: null, to: null, peg: null, native: null },
  payoutFeeUnits: 0n,
  considered: [],
  refusals: [],
  prices: { from: null, to: null, native: null },
}
const reason = (code: string) => ({ code, message: code })

let blocks: readonly ReturnType<typeof reason>[]
let offer: object | null
let wallet: { units: bigint; nativeUnits: bigint | null; keptUnits: bigint }
let committed: Record<string, bigint>
let reserved: bigint
let opening: bigint
let limits: object
let own: object | undefined
let paysUs: boolean
let routeReasons: readonly ReturnType<typeof reason>[]
beforeEach(() => {
  blocks = []
  offer = OFFER
  wallet = { units: 100n, nativeUnits: 15n, keptUnits: 0n }
  committed = {}
  reserved = 0n
  opening = 0n
  limits = {}
  own = undefined
  paysUs = true
  routeReasons = []
})

function portOf(over: object = {}): JudgePort {
  const plan = { transaction: { plan: { maxFeeUnits: opening } } }
  // CAST: only these parts are asked for.
  return {
    journal: {
      sumCommitted: (asset: string) => committed[asset] ?? 0n,
      sumReservedFees: () => reserved,
      readFlag: (name: string) =>
        opening > 0n && name.startsWith("token-account/")
          ? JSON.stringify(plan, (_, value) => (typeof value === "bigint" ? `${value}n` : value))
          : null,
      sumWindow: () => ({ fiat: 0n, feesFiat: 0n, count: 0, units: 0n }),
      countInFlight: () => 0,
      readFailures: () => ({ count: 0, lastMs: null }),
      countEndings: () => ({ completed: 0, refunded: 0 }),
    },
    clock: { now: () => 1_000 },
    memory: { earlyFailures: new Map() },
    settings: {
      assets: new Map([WBTC, BTC, ETH].map((id) => [id, { id, decimals: 8 }])),
      priceToleranceBps: 0n,
      affiliateFees: [],
      rules: [{ id: "band", maxCost: { kind: "share", bps: 7n } }],
      policyFor: () => POLICY,
      cooldownMs: 0,
      limits: { maxOrder: null, maxInFlight: 8, windows: [], ...limits },
      ownSecrets: own,
    },
    findBlocks: () => blocks,
    paysUs: () => paysUs,
    countWith: () => 3,
    judgeRoute: () => routeReasons,
    coinOf: () => ({ id: ETH, decimals: 18 }),
    isNative: (asset: string) => asset === ETH,
    readOffer: () => ({ ok: true, offer }),
    readWallet: () => ({ ok: true, budget: BUDGET, ...wallet }),
    ...over,
  } as unknown as JudgePort
}

/** The codes against the request, as it is read and then judged. */
function refuse(
  request: JudgedRequest = REQUEST,
  over: object = {},
  later: () => void = () => undefined,
): readonly string[] {
  const read = runAtOnce(readUnblocked(portOf(over), request))
  if (!read.ok) return read.reasons.map(({ code }) => code)
  later()
  const codes = judge(portOf(over), request, read).map(({ code }) => code)
  // The rule's ceiling of seven basis points refuses each offer that has no refusal of its own.
  const ofOffer = ["price.cost", "x"]
  expect(codes.some((code) => ofOffer.includes(code))).toBe(offer !== null)
  return codes.filter((code) => !ofOffer.includes(code))
}

describe("a request is judged by what was read for it", () => {
  test.each<[string, readonly string[], () => void, JudgedRequest?]>([
    ["nothing is against it", [], () => undefined],
    [
      "it is blocked",
      ["pause.paused"],
      () => {
        blocks = [reason("pause.paused")]
      },
    ],
    [
      "it needs a quote",
      ["quote.none"],
      () => {
        offer = null
      },
      { ...REQUEST, needsQuote: true },
    ],
    [
      "it waits for a quote",
      [],
      () => {
        offer = null
      },
    ],
    [
      "a unit is missing",
      ["funds.insufficient"],
      () => {
        wallet.units = 99n
      },
    ],
    [
      "a unit is committed",
      ["funds.insufficient"],
      () => {
        committed[WBTC] = 1n
      },
    ],
    [
      "a unit of gas is missing",
      ["funds.gas"],
      () => {
        wallet.nativeUnits = 14n
      },
    ],
    [
      "the gas is not known",
      [],
      () => {
        wallet.nativeUnits = null
      },
    ],
    [
      "gas is kept",
      ["funds.gas"],
      () => {
        wallet.keptUnits = 1n
      },
    ],
    [
      "gas is reserved",
      ["funds.gas"],
      () => {
        reserved = 1n
      },
    ],
    [
      "gas is committed",
      ["funds.gas"],
      () => {
        committed[ETH] = 1n
      },
    ],
    [
      "the coin pays its own fees",
      [],
      () => {
        wallet.units = 115n
      },
      { ...REQUEST, from: ETH },
    ],
    [
      "the coin lacks a unit for its fees",
      ["funds.insufficient"],
      () => {
        wallet.units = 114n
      },
      { ...REQUEST, from: ETH },
    ],
    [
      "the coin's commitments count once",
      ["funds.insufficient"],
      () => {
        wallet.units = 116n
        committed[ETH] = 2n
      },
      { ...REQUEST, from: ETH },
    ],
    [
      "the coin's commitments count only once",
      [],
      () => {
        wallet.units = 117n
        committed[ETH] = 2n
      },
      { ...REQUEST, from: ETH },
    ],
    [
      "its route has a limit",
      ["limit.route"],
      () => {
        routeReasons = [reason("limit.route")]
      },
    ],
    [
      "its offer is refused, so no limit is asked",
      [],
      () => {
        routeReasons = [reason("limit.route")]
        offer = { ...OFFER, refusals: [reason("x")] }
      },
    ],
    [
      "the service has enough orders",
      ["limit.in_flight_service"],
      () => {
        limits = { maxInFlightPerService: 3 }
      },
    ],
  ])("%s: %o", (_name, expected, change, request) => {
    change()
    expect(refuse(request)).toEqual(expected)
  })

  test.each<[string, () => void]>([
    [
      "what is committed meanwhile",
      () => {
        committed[WBTC] = 1n
      },
    ],
    [
      "what is reserved meanwhile",
      () => {
        reserved = 1n
      },
    ],
    [
      "what of the coin is committed meanwhile",
      () => {
        committed[ETH] = 1n
      },
    ],
  ])("and by %s, or was before", (_name, change) => {
    expect(refuse(REQUEST, {}, change)).toHaveLength(1)
    change()
    const before = refuse(REQUEST, {}, () => {
      committed = {}
      reserved = 0n
    })
    expect(before).toHaveLength(1)
  })

  test("an offer or a wallet that cannot be read is a refusal", () => {
    const gone = { ok: false, reasons: [reason("service.gone")] }
    expect(refuse(REQUEST, { readOffer: () => gone })).toEqual(["service.gone"])
    expect(refuse(REQUEST, { readWallet: () => gone })).toEqual(["service.gone"])
  })

  test("a secret of the service has its limit, and one reason is enough", () => {
    const units = (amount: bigint) => ({ kind: "units", byAsset: { [WBTC]: amount } })
    own = { keeper: {}, modeOf: () => "prefer-own", maxServiceSecret: units(99n) }
    expect(refuse()).toEqual([])
    paysUs = false
    expect(refuse()).toEqual(["limit.service_secret"])
    limits = { maxOrder: units(99n) }
    expect(refuse()).toEqual(["limit.order"])
  })
})

test("a request for an exact payout sells what its offer says, and never more", () => {
  const exactOut = { units: 1n, mostUnits: 200n } as NonNullable<JudgedRequest["exactOut"]>
  const exact = { ...REQUEST, exactOut }
  expect(withOffered(exact, OFFER)).toEqual({
    ...exact,
    sourceUnits: 90n,
    exactOut: { ...exactOut, mostUnits: 90n },
  })
  expect(withOffered(exact, null)).toBe(exact)
  expect(withOffered(REQUEST, OFFER)).toBe(REQUEST)
})

test("a proposal becomes a request for both of its rules, with the planned cost of its kind", () => {
  // CAST: only these parts count.
  const proposal = {
    rules: ["band", "other"],
    from: WBTC,
    to: BTC,
    destination: null,
    units: 5n,
    costFiat: 3n,
  } as unknown as Proposal
  const rules = [{ id: "band", maxCost: { kind: "share", bps: 7n } }] as unknown as Parameters<
    typeof toRequest
  >[0]
  const request = toRequest(rules, proposal)
  expect(request).toMatchObject({
    rule: "band",
    secondRule: "other",
    sourceUnits: 5n,
    costs: { ruleMaxCost: { bps: 7n } },
  })
  expect(request.costs).not.toHaveProperty("planned")
  expect(toRequest(rules, { ...proposal, kind: "cctp" }).costs?.planned).toEqual({
    kind: "cctp",
    costFiat: 3n,
  })
  expect(toRequest(rules, { ...proposal, kind: "cctp", costFiat: null }).costs).not.toHaveProperty(
    "planned",
  )
  expect(toRequest(rules, { ...proposal, rules: ["band"] }).secondRule).toBeNull()
})

test("an order keeps the pair's policy with the request's own parts", () => {
  const port = portOf()
  expect(policyOf(port, REQUEST)).toMatchObject({
    way: POLICY.way,
    ruleMaxCost: { bps: 7n },
    affiliateFees: [],
  })
  expect(policyOf(port, REQUEST)).not.toHaveProperty("approveSteps")
  const costs = { ruleMaxCost: null }
  // CAST: only this part of an agent's limits counts.
  const agent = { approveAboveFiat: 9n } as NonNullable<JudgedRequest["agent"]>
  expect(policyOf(port, { ...REQUEST, costs, way: "gasless", agent })).toMatchObject({
    way: "gasless",
    ruleMaxCost: null,
    approveSteps: [{ over: { kind: "fiat", fiat: 9n }, people: 1 }],
  })
})

test("the gas of a chain is what accepted orders leave of its coin", () => {
  const read = { budget: BUDGET, keptUnits: 3n, nativeUnits: 100n }
  const of = { chain: "base_sepolia", coin: ETH, perOrderUnits: 15n }
  expect(toGas(portOf(), WBTC, read)).toEqual({ ...of, leftUnits: 97n })
  committed[ETH] = 20n
  reserved = 40n
  expect(toGas(portOf(), WBTC, read)).toEqual({ ...of, leftUnits: 37n })
  expect(toGas(portOf(), ETH, read)).toEqual({ ...of, leftUnits: null })
  expect(toGas(portOf(), WBTC, { ...read, nativeUnits: null })).toBeNull()
  expect(toGas(portOf({ coinOf: () => null }), WBTC, read)).toEqual({
    ...of,
    coin: null,
    leftUnits: 57n,
  })
})
