import { expect, test } from "vitest"
import type { ServiceOrder } from "#domain/leg.ts"
import type { Job } from "#engine/orders/observe/job.ts"
import { readLegs, waitWithoutLegs } from "#engine/orders/observe/read-legs.ts"
import { AppError } from "#lib/app-error.ts"
import type { OrderData, OwnSecret } from "#order/data.ts"
import type { LegObservation } from "#ports/chain/htlc-reader.ts"
import { NOTHING_SEEN, SAMPLE } from "../../support/order-sample.ts"
import { emptyLeg, sampleData, sampleJob } from "../../support/sample-job.ts"

const READ_MS = 100_000
const SHOWN = { txid: "in", height: 1n, final: true, at: READ_MS }
const AWAITING: Partial<OrderData> = { seen: { ...NOTHING_SEEN, sourceInitiated: SHOWN } }
const OWN_SECRET: OwnSecret = {
  nonce: "1",
  hash: "ab".repeat(32),
  status: "unknown",
  revealedAt: null,
  isTold: false,
}

const silent: ServiceOrder = SAMPLE.order
const reporting = (side: "source" | "destination", end: "redeemTx" | "refundTx"): ServiceOrder => ({
  ...silent,
  [side]: { ...silent[side], [end]: "end" },
})
const onChain = { txid: "end", height: 2n, confirmations: 1, seen: true, final: true }
const empty = emptyLeg(5n)
const redeemed: LegObservation = {
  ...empty,
  redeemed: { ...onChain, revealable: true, paidUnits: 1n, secret: null },
}

type Scene = {
  readonly over?: Partial<OrderData>
  readonly job?: Partial<Omit<Job, "context" | "data">>
  readonly report?: ServiceOrder | null
  readonly source?: LegObservation | null
  readonly payout?: LegObservation | null
  readonly readMs?: number | null
  readonly isOutside?: boolean
}

/** Which legs were asked for, in turn, what was answered, and the look that is remembered. */
async function readScene({
  over = AWAITING,
  job: how = {},
  report = silent,
  source = empty,
  payout = empty,
  readMs = READ_MS,
  isOutside = false,
}: Scene) {
  const asked: string[] = []
  const chain = {
    observeLeg: async () => {
      asked.push("source")
      if (source !== null) return source
      throw new AppError({ code: "x.silent", disposition: "transient", message: "silent" })
    },
  }
  const data = sampleData({}, over)
  const state = isOutside ? {} : { state: "funded" as const }
  const job = sampleJob(data, { chain }, { nowMs: READ_MS + 1_000, ...state, ...how })
  const { legReads } = job.context.memory
  if (readMs !== null) legReads.set(data.id, readMs)
  const legs = await readLegs(job, report, async () => {
    asked.push("payout")
    return payout
  })
  return { asked, legs, readMs: legReads.get(data.id) ?? null }
}

test("nodes are not asked while the last look is recent and the service reports no end", async () => {
  expect(await readScene({})).toEqual({ asked: [], legs: null, readMs: READ_MS })
})

test.each<[string, Scene]>([
  ["five seconds after the last look", { job: { nowMs: READ_MS + 5_000 } }],
  ["where the clock was set back", { job: { nowMs: READ_MS - 5_000 } }],
  ["without a look", { readMs: null }],
  ["without the word of the service", { report: null }],
  ["where only the source is reported as redeemed", { report: reporting("source", "redeemTx") }],
  ["where the source is reported as refunded", { report: reporting("source", "refundTx") }],
  ["where the payout is reported as refunded", { report: reporting("destination", "refundTx") }],
  ["in another state", { job: { state: "refund-watch" } }],
  ["outside the worker", { isOutside: true }],
  ["before the deposit was seen", { over: {} }],
  ["with a secret of our own", { over: { ...AWAITING, ownSecret: OWN_SECRET } }],
  [
    "while the relay's deposit is not final",
    {
      over: {
        seen: { ...NOTHING_SEEN, sourceInitiated: { ...SHOWN, final: false } },
        gasless: { digest: "", signature: "", signedAt: 0, submissions: 1, refused: false },
      },
    },
  ],
])("both legs are read %s", async (_name, scene) => {
  const { asked, legs } = await readScene(scene)
  expect(asked).toEqual(["source", "payout"])
  expect(legs).toEqual({ source: empty, payout: empty, isGone: false })
})

test("a reported redemption is looked for first, and the source is read once a block has it", async () => {
  const report = reporting("destination", "redeemTx")
  expect(await readScene({ report })).toMatchObject({ asked: ["payout"], legs: null })
  const found = await readScene({ report, payout: redeemed })
  expect(found).toMatchObject({
    asked: ["payout", "source"],
    legs: { source: empty, payout: redeemed },
  })
})

test.each<[string, LegObservation | null]>([
  ["is unread", null],
  ["is open without agreement", { ...empty, agreed: false }],
])("the source is read too where the payout %s", async (_name, payout) => {
  const { asked } = await readScene({ report: reporting("destination", "redeemTx"), payout })
  expect(asked).toEqual(["payout", "source"])
})

test.each<[string, Scene, number | null]>([
  ["with both legs serves the next ones", {}, READ_MS + 9_000],
  ["without the source serves none", { source: null }, null],
  ["without the payout serves none", { payout: null }, null],
  ["without agreement serves none", { source: { ...empty, agreed: false } }, null],
])("a look %s", async (_name, scene, expected) => {
  const { readMs } = await readScene({ job: { nowMs: READ_MS + 9_000 }, ...scene })
  expect(readMs).toBe(expected)
})

test.each<[string, number | undefined, ServiceOrder | null, readonly number[]]>([
  [
    "until payouts of the route usually come, within poll.max",
    5_000,
    silent,
    Array(5).fill(40_000),
  ],
  ["as usual where no wait is learnt", undefined, silent, []],
  [
    "as usual after an end by the service",
    undefined,
    reporting("source", "redeemTx"),
    Array(5).fill(40_000),
  ],
  ["as usual without its word", undefined, null, Array(5).fill(40_000)],
])("an order whose legs are not read waits %s", (_name, expected, report, waits) => {
  const data = sampleData({}, AWAITING)
  const job = sampleJob(data, {}, { nowMs: READ_MS + 1_000, state: "funded" })
  const { from, to } = data.request
  job.context.memory.routeWaits.set(`${from} ${to}`, waits)
  expect(waitWithoutLegs(job, report)).toBe(expected)
})
