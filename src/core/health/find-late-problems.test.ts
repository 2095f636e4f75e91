import { expect, test } from "vitest"
import { parseAssetId, toChainId } from "#domain/asset.ts"
import { listWatchCauses } from "./find-node-problems.ts"
import { findAlertProblems, findProblems } from "./find-problems.ts"
import { MEANINGS, PROBLEM_KINDS } from "./problem-kind.ts"
import type { ChainNodes, OrderReading, Readings, RuleReading } from "./readings.ts"
import { changeAlarms } from "./watch-alarms.ts"

const NOW = Date.parse("2026-03-04T09:30:00Z")
const MINUTE = 60_000
const SOL = parseAssetId("solana_testnet:sol")
const BTC = parseAssetId("bitcoin_testnet:btc")

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
const rule: RuleReading = {
  id: "dca",
  kind: "x",
  enabled: true,
  paused: false,
  nextMs: NOW,
  overdueSinceMs: null,
  lastMs: NOW - MINUTE,
  verdict: null,
  reasons: [],
}
const well: Readings = {
  nowMs: NOW,
  daemon: {
    answers: true,
    pid: 7,
    lastSeenMs: NOW,
    startedAtMs: NOW,
    version: "1",
    installed: "1",
    waitsFor: [],
  },
  mode: "live",
  pause: null,
  pausedChains: [],
  pausedRules: [],
  nodes: [],
  services: [],
  treasury: [],
  gas: [],
  orders: [order],
  rules: [rule],
  limits: [],
  alarms: [],
  freeBytes: 9e9,
  clockJump: null,
}
const codesOf = (change: Partial<Readings>) =>
  findProblems({ ...well, ...change }, 30_000).map(({ code, kind, level, command }) => [
    code,
    kind,
    level,
    command,
  ])
const withDeadline = (kind: "refund" | "deposit", leftMs: number) =>
  codesOf({ orders: [{ ...order, deadline: { atMs: NOW + leftMs, what: "it ends", kind } }] })

test("a well treasury has no problem", () => {
  expect(codesOf({})).toEqual([])
})

test("a refund is near two hours before, and late an hour after its time", () => {
  expect(withDeadline("refund", 121 * MINUTE)).toEqual([])
  const near = [["order.refund_near", "refund", "attention", "ballast order 5f3a0011"]]
  expect(withDeadline("refund", 119 * MINUTE)).toEqual(near)
  expect(withDeadline("refund", -59 * MINUTE)).toEqual(near)
  expect(withDeadline("refund", -61 * MINUTE)).toEqual([
    ["order.refund_late", "refund", "trouble", "ballast rescue 5f3a0011"],
  ])
})

test("a deposit is late when its time is over", () => {
  expect(withDeadline("deposit", 0)).toEqual([])
  expect(withDeadline("deposit", -1)).toEqual([
    ["order.deposit_late", "deposit", "attention", "ballast order 5f3a0011"],
  ])
})

test("an order that nobody approved in time is named after its end", () => {
  const unapproved = [{ id: order.id, amount: order.amount, from: SOL, endedMs: NOW - MINUTE }]
  expect(codesOf({ unapproved })).toEqual([
    ["approval.expired", "approval", "attention", "ballast order 5f3a0011"],
  ])
})

test(
  "a schedule that asks for an approval every few minutes gives one problem, about its newest " +
    "order",
  () => {
    const missed = ["5f3a0011aa", "6f3a0011aa", "7f3a0011aa"].map((id, index) => ({
      id,
      amount: order.amount,
      from: SOL,
      endedMs: NOW - (index + 1) * MINUTE,
    }))
    const found = findProblems({ ...well, unapproved: missed }, 30_000)
    expect(found).toMatchObject([{ code: "approval.expired", order: "5f3a0011aa" }])
    expect(found[0]?.sentence).toContain(
      "ended 1 min ago, because nobody approved it in time; so did 2 more",
    )
  },
)

test("a foreign transaction that holds an order is a theft, and a stuck deposit needs a person", () => {
  const held = {
    ...order,
    held: true,
    reasons: [{ code: "transaction.foreign_rival", message: "Not ours" }],
  }
  expect(codesOf({ orders: [held] })).toEqual([
    ["transaction.foreign_rival", "theft", "trouble", "ballast order 5f3a0011"],
  ])
  const stuck = {
    atMs: NOW,
    order: order.id,
    closedMs: null,
    reason: { code: "deposit.stuck", message: "It waits" },
  }
  const [found] = findProblems({ ...well, alarms: [stuck] }, 30_000)
  expect(found).toMatchObject({
    kind: "deposit",
    needsPerson: true,
    todo: expect.stringContaining("fee cap"),
  })
})

test("a pause by an alarm names its code and order, and leaves the message to the alarm", () => {
  const alarm = {
    id: "3",
    code: "alarm.source_redeemed",
    order: order.id,
    message: "m".repeat(300),
    at: "x",
  }
  const at = new Date(NOW).toISOString()
  const pause = { by: "alarm", reason: alarm.message, at, alarms: [alarm] } as const
  const [found] = findProblems({ ...well, pause }, 30_000)
  expect(found?.sentence).toMatch(
    /^Everything is paused since .*, by alarm \(alarm\.source_redeemed of order 5f3a0011\)$/,
  )
})

test("rules that sold in a circle name the bounds as the cause, and the alarm to acknowledge", () => {
  const reason = {
    code: "alarm.churn",
    message: "They sold the same money round",
    rules: "dca, refill",
  }
  const alarms = [{ atMs: NOW, order: null, closedMs: null, reason }]
  const found = findProblems({ ...well, alarms, pausedRules: ["refill", "other"] }, 30_000)
  const of = (code: string) => found.filter((one) => one.code === code)
  expect(of("alarm.churn")).toMatchObject([
    { todo: expect.stringContaining("bounds"), command: "ballast check" },
  ])
  expect(of("paused").map(({ command }) => command)).toEqual([
    "ballast resume --rule refill --acknowledge churn-refill",
    "ballast resume --rule other",
  ])
})

test("a rule is silent ten minutes after its time, unless a pause or a person keeps it still", () => {
  const silent = { ...rule, overdueSinceMs: NOW - 10 * MINUTE }
  expect(codesOf({ rules: [silent] })).toEqual([
    ["rule.silent", "rule", "attention", "ballast why dca"],
  ])
  expect(codesOf({ rules: [{ ...silent, overdueSinceMs: NOW - 9 * MINUTE }] })).toEqual([])
  expect(
    codesOf({
      rules: [
        { ...silent, enabled: false },
        { ...silent, paused: true },
      ],
    }),
  ).toEqual([])
  const pause = {
    by: "operator",
    reason: null,
    at: new Date(NOW).toISOString(),
    alarms: [],
  } as const
  expect(codesOf({ rules: [silent], pause }).map(([code]) => code)).toEqual(["paused"])
})

test("another version than the installed one, and a receiver that takes nothing, need a person", () => {
  expect(codesOf({ daemon: { ...well.daemon, installed: "2" } }).map(([code]) => code)).toEqual([
    "version.differs",
  ])
  const failing = { name: "desk", failingSinceMs: NOW - 30_000, error: "HTTP 500" }
  expect(codesOf({ receivers: [failing, { ...failing, failingSinceMs: null }] })).toEqual([
    ["alerts.undelivered", "alerts", "attention", "ballast alerts test desk"],
  ])
  expect(codesOf({ receivers: [{ ...failing, name: null }] })).toEqual([
    ["alerts.undelivered", "alerts", "attention", "ballast reload"],
  ])
})

test("each receiver that takes nothing has an alarm of its own, which the others bring", () => {
  const failing = { name: "desk", failingSinceMs: NOW - 30_000, error: "HTTP 500" }
  const receivers = [failing, { ...failing, name: "mail" }, { ...failing, name: null }]
  const causes = listWatchCauses({ ...well, receivers }, 30_000)
  expect(causes.map(({ code, receiver }) => `${code} ${receiver}`)).toEqual([
    "alerts.undelivered desk",
    "alerts.undelivered mail",
    "alerts.undelivered heartbeat",
  ])
  const { opened, alarms } = changeAlarms([], causes, NOW)
  expect(opened).toHaveLength(3)
  const rest = listWatchCauses({ ...well, receivers: [failing] }, 30_000)
  expect(changeAlarms(alarms, rest, NOW).closed).toHaveLength(2)
  expect(listWatchCauses({ ...well, receivers }, 30_001)).toEqual([])
})

test(
  "each surface names a theft beside the pause that it caused, and an alert also where a held " +
    "order explains it",
  () => {
    const reason = { code: "alarm.source_redeemed", message: "The source was taken" }
    const alarms = [{ atMs: NOW, order: order.id, closedMs: null, reason }]
    const cause = {
      id: "7",
      code: reason.code,
      order: order.id,
      message: reason.message,
      at: new Date(NOW).toISOString(),
    }
    const pause = {
      by: "alarm",
      reason: null,
      at: new Date(NOW).toISOString(),
      alarms: [cause],
    } as const
    const kindsOf = (change: Partial<Readings>) =>
      findAlertProblems({ ...well, ...change }, 30_000).map(({ kind }) => kind)
    expect(kindsOf({ alarms, pause })).toEqual(["theft", "pause"])
    const held = {
      ...order,
      held: true,
      reasons: [{ code: "refund.stuck", message: "No node took it" }],
    }
    expect(kindsOf({ alarms, orders: [held] })).toEqual(["theft", "held"])
    expect(kindsOf({ alarms, orders: [{ ...held, reasons: [reason] }] })).toEqual(["theft"])
  },
)

test("an asset without a price is a problem and an alarm after the allowed time, and not before", () => {
  const asset = parseAssetId("solana_testnet:sol")
  const reason = { code: "prices.disagree", message: "They differ", asset }
  const since = (ms: number): Partial<Readings> => ({
    unpriced: [{ asset, sinceMs: NOW - ms, reason }],
  })
  expect(codesOf(since(29_999))).toEqual([])
  expect(codesOf(since(30_000))).toEqual([
    ["prices.disagree", "prices", "attention", "ballast reload"],
  ])
  expect(listWatchCauses({ ...well, ...since(29_999) }, 30_000)).toEqual([])
  expect(listWatchCauses({ ...well, ...since(30_000) }, 30_000)).toEqual([reason])
})

test("a certificate that has expired is no wrong address of a receiver or a price source", () => {
  const error = "the TLS certificate is not valid at this time (CERT_HAS_EXPIRED)"
  const asset = parseAssetId("base:eth")
  const reason = { code: "prices.unavailable", message: `No price: p.example: ${error}`, asset }
  const found = [
    ...codesOf({ receivers: [{ name: "desk", failingSinceMs: NOW - 30_000, error }] }),
    ...codesOf({ unpriced: [{ asset, sinceMs: NOW - 30_000, reason }] }),
  ]
  expect(found.map(([code, , , command]) => `${code} ${command}`)).toEqual([
    "alerts.undelivered timedatectl status",
    "prices.unavailable timedatectl status",
  ])
})

test("a price source that fails for all of its assets is one problem, and one alarm", () => {
  const source = "prices.example: HTTP 500"
  const unpriced = ["bitcoin:btc", "base:eth", "base:usdc"].map((id) => {
    const asset = parseAssetId(id)
    const reason = { code: "prices.unavailable", message: `No price of ${id}`, asset, source }
    return { asset, sinceMs: NOW - 40_000, reason }
  })
  const [found, ...others] = findProblems({ ...well, unpriced }, 30_000)
  expect(others).toEqual([])
  expect(found).toMatchObject({ code: "prices.unavailable", about: source })
  expect(found?.sentence).toMatch(/bitcoin:btc.*; the same for base:eth, base:usdc$/)
  expect(listWatchCauses({ ...well, unpriced }, 30_000)).toHaveLength(1)
})

test(
  "a signer that does not answer is a problem and an alarm after the allowed time, and not " +
    "before",
  () => {
    const since = (ms: number): Partial<Readings> => ({
      signer: { sinceMs: NOW - ms, error: "the connection ended" },
    })
    expect(codesOf(since(29_999))).toEqual([])
    expect(codesOf(since(30_000))).toEqual([["signer.down", "signer", "trouble", null]])
    expect(listWatchCauses({ ...well, ...since(29_999) }, 30_000)).toEqual([])
    expect(listWatchCauses({ ...well, ...since(30_000) }, 30_000)).toMatchObject([
      { code: "signer.down" },
    ])
  },
)

test("a signer whose record was deleted answers, and the problem says so", () => {
  const error = "the signer's record (signatures.db) was deleted under the running signer"
  const [found] = findProblems({ ...well, signer: { sinceMs: NOW - 30_000, error } }, 30_000)
  expect(found?.sentence).toBe(`The signer answers, and ${error}, 30 s ago`)
  expect(found?.todo).toMatch(/^Restart the signer/)
})

test("a daemon that has too many open files to answer is named so", () => {
  const daemon = { ...well.daemon, answers: false, pid: 7 }
  const sentenceOf = (open: number): string | undefined =>
    findProblems({ ...well, daemon: { ...daemon, files: { open, most: 64 } } }, 30_000)[0]?.sentence
  expect(sentenceOf(64)).toMatch(/does not answer: it has too many open files, 64 of 64 \(EMFILE\)/)
  expect(sentenceOf(63)).toMatch(/does not answer; /)
})

test("a wait for another order or for a service's rest stands after its cause", () => {
  const resting = { code: "service.resting", message: "Services that may quote rest" }
  const behind = "1 orders are in flight, and no more than 1 may be [limit.in_flight_pair]"
  const missed = { count: 5, isMore: false, sinceMs: NOW, reason: behind }
  const unread = { unreadConfig: { file: "/etc/ballast.yaml", mistake: null } }
  const shown = (code: string, reason: string): readonly string[] =>
    codesOf({
      ...unread,
      orders: [{ ...order, reasons: [{ ...resting, code }] }],
      rules: [{ ...rule, missed: { ...missed, reason } }],
    }).map(([found]) => String(found))
  expect(shown("service.resting", behind)).toEqual([
    "config.unread",
    "order.stuck",
    "rule.missed_runs",
  ])
  expect(shown("evm.reverted", "it ended [service.refused]")).toEqual([
    "order.stuck",
    "config.unread",
    "rule.missed_runs",
  ])
})

test("a configuration that the daemon has not read needs a person", () => {
  expect(codesOf({ unreadConfig: { file: "/etc/ballast.yaml", mistake: null } })).toEqual([
    ["config.unread", "config", "attention", "ballast reload"],
  ])
})

test("each kind says what it means for the money, in a sentence", () => {
  expect(PROBLEM_KINDS.filter((kind) => !/^[A-Z].*\.$/.test(MEANINGS[kind]))).toEqual([])
})

test("nodes that are behind or disagree, and a short payout, keep causes of their own", () => {
  const chain = toChainId("solana_testnet")
  const endpoint = (host: string, height: bigint): ChainNodes["endpoints"][number] => ({
    host,
    answeredMs: NOW,
    sinceMs: NOW,
    askedMs: NOW,
    tookMs: 5,
    height,
    blockAtMs: NOW,
    network: "x",
    expected: null,
    error: null,
  })
  const reasons = [
    { code: "chain.disagreement", message: "a.example and b.example differ about an order" },
  ]
  const nodes: ChainNodes = {
    chain,
    needed: 1,
    staleMs: null,
    blockMs: 10_000,
    agreement: { agreeing: 1, reasons, atMs: NOW },
    endpoints: [endpoint("a.example", 1_000n), endpoint("b.example", 900n)],
  }
  const alarms = [
    {
      atMs: NOW,
      order: order.id,
      closedMs: null,
      reason: { code: "alarm.payout_short", message: "Short" },
    },
  ]
  const found = findAlertProblems({ ...well, nodes: [nodes], alarms }, 30_000)
  expect(found.map(({ code, kind, about }) => [code, kind, about]).toSorted()).toEqual([
    ["alarm.payout_short", "theft", null],
    ["chain.disagreement", "node", "solana_testnet"],
    ["node.behind", "node", "solana_testnet b.example"],
  ])
})

test("a rule without a quote stands beside failing services only while one of them answers", () => {
  const reasons = [{ code: "policy.quote_missing", message: "none" }]
  const rules = [{ ...rule, verdict: "declined" as const, reasons, heldSinceMs: NOW - MINUTE }]
  const good = { name: "main", host: "a", answeredMs: NOW, sinceMs: NOW, tookMs: 5 }
  const at = { inFlight: 0, rest: null, askedMs: NOW, error: null }
  const seen = { sinceMs: NOW - MINUTE, lastMs: NOW, times: 9, about: "" }
  const calls = [{ call: "quote" as const, fault: "HTTP 500", ...seen }]
  const main = { ...good, ...at }
  const failing = { ...main, name: "other", calls }
  expect(codesOf({ rules, services: [main, failing] }).flat()).toContain("rule.unmet")
  expect(codesOf({ rules, services: [failing] }).flat()).not.toContain("rule.unmet")
})

test("a daemon that dies again and again is one problem, from the third death on", () => {
  const find = (times: number) => {
    const deaths = { times, sinceMs: NOW - 4 * MINUTE, lastMs: NOW - MINUTE }
    return findProblems({ ...well, daemon: { ...well.daemon, deaths } }, 30_000)
  }
  expect(find(2)).toEqual([])
  expect(find(3)).toMatchObject([
    {
      code: "daemon.dying",
      level: "trouble",
      sentence: expect.stringMatching(/cut off 3 times since .*, and started at last 1 min ago/),
      todo: expect.stringContaining("dmesg"),
    },
  ])
})

test("endpoints that all show one old block lead to the chain itself", () => {
  const endpoint = (host: string, height: bigint) => ({
    host,
    answeredMs: NOW,
    sinceMs: NOW,
    askedMs: NOW,
    tookMs: 20,
    height,
    blockAtMs: NOW - 25 * MINUTE,
    network: "1",
    expected: "1",
    error: null,
  })
  const find = (heights: readonly bigint[]) => {
    const nodes: ChainNodes = {
      chain: toChainId("base"),
      needed: 2,
      agreement: null,
      staleMs: 2 * MINUTE,
      blockMs: 2_000,
      endpoints: heights.map((height, index) => endpoint(`${index}.example`, height)),
    }
    return findProblems({ ...well, nodes: [nodes] }, 30_000)[0]
  }
  const halted = find([7n, 7n])
  expect(halted).toMatchObject({ code: "node.behind", about: "base" })
  expect(halted?.sentence).toMatch(/^base makes no new block, all its endpoints say the same/)
  expect(halted?.todo).toMatch(/the chain itself.*replace no endpoint/)
  for (const heights of [[7n], [7n, 8n]])
    expect(find(heights)?.todo).not.toMatch(/the chain itself/)
})
