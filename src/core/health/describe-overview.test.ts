import { describe, expect, test } from "vitest"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import { describeOverview } from "./describe-overview.ts"
import type { ChainNodes, OrderReading, Readings } from "./readings.ts"

const NOW = Date.parse("2026-03-04T09:30:00Z")
const MINUTE = 60_000
const SOLANA = toChainId("solana_testnet")
const SOL = parseAssetId("solana_testnet:sol")
const BTC = parseAssetId("bitcoin_testnet:btc")

const nodes = (sinceMs: number, error: string | null): ChainNodes => ({
  chain: SOLANA,
  needed: 1,
  agreement: null,
  staleMs: 120_000,
  blockMs: 400,
  endpoints: [
    {
      host: "s.example",
      answeredMs: sinceMs,
      sinceMs,
      askedMs: NOW,
      tookMs: 5,
      height: 7n,
      blockAtMs: NOW,
      network: "x",
      expected: null,
      error,
    },
  ],
})

const order: OrderReading = {
  id: "5f3a00112233",
  rule: "dca",
  from: SOL,
  to: BTC,
  amount: "1.5",
  destinationAmount: "0.002",
  state: "funded",
  money: "in the source HTLC",
  sinceMs: NOW - MINUTE,
  held: false,
  deadline: null,
  reasons: [],
}

const well: Readings = {
  nowMs: NOW,
  daemon: {
    answers: true,
    pid: 7,
    lastSeenMs: NOW,
    startedAtMs: NOW - MINUTE,
    version: "1",
    waitsFor: [],
  },
  mode: "live",
  pause: null,
  pausedChains: [],
  pausedRules: [],
  nodes: [nodes(NOW, null)],
  services: [],
  treasury: [],
  gas: [],
  orders: [],
  rules: [],
  limits: [],
  alarms: [],
  freeBytes: 9e9,
  clockJump: null,
}

const verdictOf = (change: Partial<Readings>) => {
  const { level, verdict } = describeOverview({ ...well, ...change }, 30_000)
  return { level, verdict }
}

describe("the verdict", () => {
  test("says that all is well, and what comes next", () => {
    const rule = {
      kind: "recurring",
      enabled: true,
      paused: false,
      lastMs: null,
      verdict: null,
      reasons: [],
    }
    expect(
      verdictOf({
        rules: [{ id: "dca", nextMs: NOW + 190 * MINUTE, overdueSinceMs: null, ...rule }],
      }),
    ).toEqual({
      level: "ok",
      verdict:
        "All is well: 1 chain and 0 services answer, no order is in flight; dca is next, in " +
        "3 h 10 min",
    })
  })

  test("says for how long a chain is silent, and that no order is affected", () => {
    const silent = [nodes(NOW - 12 * MINUTE, "ECONNREFUSED")]
    expect(verdictOf({ nodes: silent })).toEqual({
      level: "attention",
      verdict: "solana_testnet has not answered for 12 min (ECONNREFUSED); no order is affected",
    })
    expect(verdictOf({ nodes: silent, orders: [order] })).toEqual({
      level: "trouble",
      verdict:
        "solana_testnet has not answered for 12 min (ECONNREFUSED); one order in flight waits " +
        "for it",
    })
  })

  test("calls a silent service trouble only where no other service takes orders; a slow one does", () => {
    const answering = {
      name: "slow",
      host: "b.example",
      answeredMs: NOW,
      sinceMs: NOW,
      askedMs: NOW,
      error: null,
      inFlight: 0,
      rest: null,
    }
    const slow = { ...answering, tookMs: 4_500, slowSinceMs: NOW - MINUTE }
    const silent = {
      ...answering,
      name: "down",
      answeredMs: null,
      sinceMs: NOW - MINUTE,
      error: "ECONNREFUSED",
    }
    expect(verdictOf({ services: [silent] }).level).toBe("trouble")
    expect(verdictOf({ services: [silent, { ...silent, name: "other" }] }).level).toBe("trouble")
    expect(verdictOf({ services: [silent, slow] }).level).toBe("attention")
  })

  test("a failing service is one line with its orders, and no second one for what they wait for", () => {
    const down = {
      name: "main",
      host: "b.example",
      answeredMs: null,
      sinceMs: NOW - MINUTE,
      askedMs: NOW,
      error: "HTTP 500",
      inFlight: 2,
      rest: null,
    }
    const codesOf = (code: string, services: Readings["services"]): readonly string[] => {
      const reasons = [{ code, message: "the swap service did not create the order" }]
      const orders = ["5f3a0011", "6a4b1122"].map((id) => {
        return { ...order, id, state: "creating", reasons }
      })
      const { problems } = describeOverview({ ...well, orders, services }, 30_000)
      return problems.map((one) => one.code)
    }
    expect(codesOf("service.uncertain", [down])).toEqual(["service.failing"])
    expect(codesOf("service.unavailable", [down])).toEqual(["service.failing"])
    expect(codesOf("evm.reverted", [down])).toEqual(["service.failing", "order.stuck"])
    expect(codesOf("service.uncertain", [])).toEqual(["order.stuck"])
  })

  test("says that the only endpoint is behind, in one sentence, and does not call the chain silent", () => {
    const [endpoint] = nodes(NOW, null).endpoints
    const late = {
      ...nodes(NOW, null),
      endpoints: endpoint ? [{ ...endpoint, blockAtMs: NOW - 13 * MINUTE }] : [],
    }
    const { verdict, nodes: shown } = describeOverview({ ...well, nodes: [late] }, 30_000)
    expect(verdict).toBe(
      "The endpoint s.example of solana_testnet is behind: height 7, its newest block is 13 " +
        "min old, and the chain has no other; no order is affected",
    )
    expect(shown).toMatchObject([{ state: "degraded", endpoints: [{ state: "behind" }] }])
  })

  test("names a dead endpoint once: the error of its last read is no contradiction of endpoints", () => {
    const read = {
      code: "evm.unreachable",
      message: "No answer from the EVM endpoint",
      chain: SOLANA,
    }
    const report = {
      chain: SOLANA,
      endpoints: 1,
      needed: 1,
      agreeing: 0,
      reasons: [read],
      atMs: NOW,
    }
    const silent = { ...nodes(NOW - 12 * MINUTE, "ECONNREFUSED"), agreement: report }
    const alarms = [
      { atMs: NOW, order: null, closedMs: null, reason: { ...read, watch: "agreement" } },
    ]
    const { problems } = describeOverview({ ...well, nodes: [silent], alarms }, 30_000)
    expect(problems.map(({ code }) => code)).toEqual(["node.silent"])
  })

  test("names a daemon that does not run, and when it was last seen", () => {
    const daemon = { ...well.daemon, answers: false, pid: null, lastSeenMs: NOW - 3 * MINUTE }
    expect(verdictOf({ daemon })).toEqual({
      level: "trouble",
      verdict: "The daemon is not running; last seen 3 min ago",
    })
  })

  test("puts trouble before attention", () => {
    const held = {
      ...order,
      held: true,
      reasons: [{ code: "refund.stuck", message: "No node took it" }],
    }
    const verdict = verdictOf({ nodes: [nodes(NOW - MINUTE, "x")], freeBytes: 5e8, orders: [held] })
    expect(verdict).toEqual({
      level: "trouble",
      verdict: "Order 5f3a0011 is held: No node took it [refund.stuck] (and 2 more)",
    })
  })
})

test("a person gets the nearest deadline first, each with its command", () => {
  const waiting = (id: string, minutes: number): OrderReading => ({
    ...order,
    id,
    state: "awaiting-approval",
    deadline: { atMs: NOW + minutes * MINUTE, what: "the approval expires", kind: "approval" },
  })
  const { tasks } = describeOverview(
    { ...well, orders: [waiting("bbbb22223333", 50), waiting("aaaa11112222", 9)] },
    30_000,
  )
  expect(tasks.map(({ command, left }) => [command, left])).toEqual([
    ["ballast approve aaaa1111", "9 min"],
    ["ballast approve bbbb2222", "50 min"],
  ])
})

test("proposals of one agent are one task, and no trouble", () => {
  const proposed = ["stock", "hot", "stock"].map((rule) => ({ id: "a1", agent: "desk", rule }))
  const { level, tasks } = describeOverview({ ...well, proposed }, 30_000)
  expect(level).toBe("attention")
  expect(tasks.map(({ code, sentence, command }) => [code, sentence, command])).toEqual([
    ["rule.proposed", "The agent desk proposes to change hot, stock", "ballast proposals"],
  ])
})

test("a balance that was never read is unknown, and never zero or below its band", () => {
  const holding = { asset: SOL, decimals: 9, units: null, atMs: null, shares: [] }
  const bounds = [{ rule: "band", minUnits: 1n, targetUnits: 2n, maxUnits: 3n }]
  const { treasury } = describeOverview({ ...well, treasury: [{ ...holding, bounds }] }, 30_000)
  expect(treasury).toMatchObject([
    { amount: null, bounds: [{ place: "unknown", max: "0.000000003" }] },
  ])
})

test(
  "coin for fees needs attention below one deposit with refund, and when it lasts less than a " +
    "week",
  () => {
    const gas = {
      chain: SOLANA,
      symbol: "SOL",
      decimals: 9,
      atMs: NOW,
      neededUnits: 100n,
      perDayUnits: 10n,
    }
    const codesOf = (units: bigint | null) =>
      describeOverview({ ...well, gas: [{ ...gas, units }] }, 30_000).problems.map(
        ({ code }) => code,
      )
    expect([codesOf(99n), codesOf(169n), codesOf(170n), codesOf(null)]).toEqual([
      ["gas.low"],
      ["gas.low"],
      [],
      [],
    ])
  },
)

test("a limit needs attention from four fifths on", () => {
  const limit = { name: "sold in 24 h", max: 1_000_000n, decimals: 6, unit: "usd" }
  const codesOf = (used: bigint) =>
    describeOverview({ ...well, limits: [{ ...limit, used }] }, 30_000).problems.map(
      ({ sentence }) => sentence,
    )
  expect(codesOf(799_999n)).toEqual([])
  expect(codesOf(800_000n)).toEqual(["sold in 24 h: 0.8 of 1 usd are used, 0.2 are left"])
})

test("the alarms of the watch explain nothing twice, and those of money are trouble", () => {
  const alarm = (code: string) => ({
    atMs: NOW,
    order: null,
    closedMs: null,
    reason: { code, message: code },
  })
  const codesOf = (code: string) =>
    describeOverview({ ...well, alarms: [alarm(code)] }, 30_000).problems.map(
      ({ code: found, level }) => [found, level],
    )
  expect(codesOf("node.silent")).toEqual([])
  expect(codesOf("alarm.payout_short")).toEqual([["alarm.payout_short", "trouble"]])
  expect(describeOverview({ ...well, alarms: [alarm("node.silent")] }, 30_000).alarms).toHaveLength(
    1,
  )
})
