import { describe, expect, test } from "vitest"
import { familyNamed } from "#chains/families.ts"
import { chainOf } from "#domain/asset.ts"
import type { EngineSettings } from "#engine/context.ts"
import {
  chainOfPurpose,
  configuredChains,
  declineAfterPatience,
  declineAsTooLate,
  deferWhileStopped,
  deferWork,
  holdForMissingGas,
  holdForStuckTransaction,
  isTooLate,
  isTooLateNow,
  leadsToDeposit,
  protectsFunds,
  reasonOf,
  refuseIfGone,
  saysDepositExists,
  sideOfPurpose,
  stuckReason,
  UNSENT_PATIENCE_MS,
  usesAllowance,
} from "#engine/orders/observe/job.ts"
import { AppError } from "#lib/app-error.ts"
import type { OrderData, TransactionPurpose } from "#order/data.ts"
import { SAMPLE, samplePlan, sampleTransaction } from "../../../support/order-sample.ts"
import { sampleData, sampleJob } from "../../../support/sample-job.ts"

const NOW = 50_000_000
const REASONS = [{ code: "a", message: "first" }]
const { from, to } = SAMPLE.input.request
const PURPOSES: readonly TransactionPurpose[] = [
  "approve",
  "deposit",
  "void",
  "refund",
  "revoke",
  "redeem",
]

function jobOf(data: Partial<OrderData> = {}, chain: object = {}, over: object = {}) {
  // CAST: each function reads these parts of a chain.
  return sampleJob(sampleData({}, data), { chain: chain as never }, { nowMs: NOW, ...over })
}

test("each transaction is on the source, but for a redemption", () => {
  const job = jobOf()
  const chains = PURPOSES.map((kind) => [
    kind,
    chainOfPurpose(job, kind).chain,
    sideOfPurpose(kind),
  ])
  expect(chains).toEqual(
    PURPOSES.map((kind) => {
      return kind === "redeem"
        ? [kind, chainOf(to), "destination"]
        : [kind, chainOf(from), "source"]
    }),
  )
  expect(PURPOSES.filter(leadsToDeposit)).toEqual(["approve", "deposit"])
  expect(PURPOSES.filter(protectsFunds)).toEqual(["void", "refund", "revoke", "redeem"])
})

test("a chain that the configuration has lost is none", () => {
  const job = jobOf()
  expect(configuredChains(job)).toMatchObject({
    source: { chain: chainOf(from) },
    destination: { chain: chainOf(to) },
  })
  const context = { ...job.context, chains: new Map() }
  expect(configuredChains({ ...job, context })).toEqual({ source: null, destination: null })
})

test("work that its order has left behind is refused, and work without a number never is", () => {
  const job = jobOf()
  const context = (has: boolean) => {
    return { ...job.context, journal: { ...job.context.journal, hasWork: () => has } }
  }
  expect(() => refuseIfGone({ ...job, context: context(false), workId: 7 })).toThrow(
    expect.objectContaining({ code: "journal.stale_work", disposition: "aborted" }),
  )
  expect(() => refuseIfGone({ ...job, context: context(true), workId: 7 })).not.toThrow()
  expect(() => refuseIfGone({ ...job, context: context(false) })).not.toThrow()
})

test("deferred work names its wait only where it has one", () => {
  expect(deferWork(REASONS).event).toEqual({ type: "work.deferred", reasons: REASONS })
  expect(deferWork(REASONS, 0).event).toEqual({
    type: "work.deferred",
    reasons: REASONS,
    waitMs: 0,
  })
})

describe("an allowance", () => {
  test.each<[string, string, string | null | undefined, boolean]>([
    ["is part of each deposit where the chain carries it", "carried", null, true],
    ["is needed for a token", "separate", "0xtoken", true],
    ["is not needed for the coin", "separate", null, false],
    ["is not needed for an asset that is not configured", "separate", undefined, false],
    ["is needed nowhere else", "none", "0xtoken", false],
  ])("%s", (_name, allowances, token, expected) => {
    const job = jobOf({}, { traits: { allowances } })
    const assets = new Map(token === undefined ? [] : [[from, { token }]])
    // CAST: only the token counts.
    const settings = { ...job.context.settings, assets } as unknown as EngineSettings
    expect(usesAllowance({ ...job, context: { ...job.context, settings } })).toBe(expected)
  })
})

test("a refusal tells of an existing deposit if one of its reasons does", () => {
  const { traits } = familyNamed("evm")
  const job = jobOf({}, { traits: { ...traits, refusalsOfExistingDeposit: ["there"] } })
  expect(saysDepositExists(job, [...REASONS, { code: "there", message: "" }])).toBe(true)
  expect(saysDepositExists(job, REASONS)).toBe(false)
  expect(saysDepositExists(job, [])).toBe(false)
})

describe("a transaction that cannot leave", () => {
  const since = (ago: number) => ({ stateSince: NOW - ago })

  test("holds its order after ten minutes without gas, and names the next step", () => {
    expect(UNSENT_PATIENCE_MS).toBe(600_000)
    expect(holdForMissingGas(jobOf(since(600_000)), "refund", REASONS)).toBeNull()
    const held = holdForMissingGas(jobOf(since(600_001)), "refund", REASONS)?.event
    expect(held).toMatchObject({
      type: "order.held",
      reasons: [
        { code: "refund.unaffordable", message: expect.stringContaining("ballast retry") },
        REASONS[0],
      ],
    })
    const redeem = holdForMissingGas(jobOf(since(600_001)), "redeem", [])?.event
    expect(redeem).toMatchObject({
      reasons: [{ message: expect.stringContaining("Ballast then sends it by itself") }],
    })
  })

  test.each(PURPOSES)("holds its order after ten minutes without a node: %s", (kind) => {
    const signed = [1, 2].map((attempt) => sampleTransaction(samplePlan(kind, attempt)))
    const of = (ago: number) => {
      const data = sampleData({ [kind]: signed }, since(ago))
      return holdForStuckTransaction(sampleJob(data, {}, { nowMs: NOW }), kind, REASONS)?.event
    }
    expect(of(600_000)).toBeUndefined()
    const reasons = [stuckReason(kind, signed[1]?.txid ?? ""), ...REASONS]
    const held = { type: "order.held", reasons }
    expect(of(600_001)).toEqual(protectsFunds(kind) ? held : undefined)
  })
})

test("nothing new leaves for an order while it is stopped", () => {
  const job = jobOf()
  expect(deferWhileStopped(job)).toBeNull()
  const readFlag = (name: string) => (name === `pause/chain/${chainOf(from)}` ? "now" : null)
  const journal = { ...job.context.journal, readFlag }
  const stopped = deferWhileStopped({ ...job, context: { ...job.context, journal } })
  expect(stopped?.event.type).toBe("work.deferred")
  expect(Reflect.get(Object(stopped?.event), "reasons")).not.toHaveLength(0)
})

test("an order ends once its patience is over, with what kept it and the seconds that it had", () => {
  const policy = { ...sampleData().policy, patienceMs: 90_000 }
  const of = (ago: number) =>
    declineAfterPatience(jobOf({ policy, patienceSince: NOW - ago, reasons: REASONS }))
  expect(of(90_000)).toBeNull()
  expect(of(90_001)?.event).toMatchObject({
    type: "order.declined",
    reasons: [REASONS[0], { code: "order.patience", seconds: "90" }],
  })
})

describe("the time to send a deposit", () => {
  const marginMs = sampleData().policy.deadlineMarginMs
  const until = (ms: number) => ({ sendUntilMs: NOW + ms, reasons: REASONS })

  test("is over at its end, and for an order with a voucher never", () => {
    const late = [-1, 0, 1].map((ms) => isTooLate(jobOf(until(ms))))
    expect(late).toEqual([true, true, false])
    expect(isTooLate(jobOf(until(marginMs + 1)))).toBe(false)
    // CAST: it is enough that there is one.
    const voucher = {} as NonNullable<OrderData["voucher"]>
    const quote = { ...SAMPLE.quote, kind: "cctp" } as const
    expect(isTooLate(jobOf({ ...until(-1), voucher, quote }))).toBe(false)
  })

  test("is asked by the present moment where the process may have stood still", () => {
    const job = jobOf(until(marginMs + 1))
    const at = (nowMs: number) => {
      const clock = { ...job.context.clock, now: () => nowMs }
      return isTooLateNow({ ...job, context: { ...job.context, clock } })
    }
    expect([at(NOW), at(NOW + marginMs + 3)]).toEqual([false, true])
  })

  test("ends the order with its reasons and the end", () => {
    expect(declineAsTooLate(jobOf(until(0))).event).toMatchObject({
      type: "order.declined",
      reasons: [REASONS[0], { code: "deposit.too_late", until: new Date(NOW).toISOString() }],
    })
  })
})

test("an error is a reason with its details as text, which cannot replace its code", () => {
  const error = new AppError({
    code: "evm.unreachable",
    disposition: "transient",
    message: "gone",
    details: { height: 7n, code: "other" },
  })
  expect(reasonOf(error)).toEqual({ code: "evm.unreachable", message: "gone", height: "7" })
})
