import { beforeEach, expect, test } from "vitest"
import type { EngineContext } from "#engine/context.ts"
import type { Job } from "#engine/orders/observe/job.ts"
import { readPayoutLock } from "#engine/orders/observe/read-leg.ts"
import { findLateRedemption } from "#engine/orders/observe/time-to-redeem.ts"
import { mustExist } from "#lib/assert.ts"
import type { LegQuery } from "#ports/chain/htlc-reader.ts"
import type { ChainPort } from "#ports/chain.ts"
import { createManualClock, type ManualClock, settle } from "../../support/manual-clock.ts"
import { emptyLeg, sampleData, sampleJob } from "../../support/sample-job.ts"

/* At a node with a limit of requests a look lasts longer than any wait for it. */

const SLOW_READ_MS = 12_000
const TRY_MS = 7_000
const HEIGHT = 1_000n
const ownSecret = {
  nonce: "1",
  hash: "ab",
  status: "revealed",
  revealedAt: 5,
  isTold: false,
} as const
const data = sampleData({}, { ownSecret })
const { timelock } = mustExist(data.serviceOrder, "the order").destination
const { fastestSeconds, secondsPerUnit } = data.policy.timelocks.destination
const blockSeconds = fastestSeconds ?? secondsPerUnit

let clock: ManualClock
let context: EngineContext
let asked: LegQuery[]
/** The height at which the payout goes back, as the node shows it. */
let refundableAt: bigint
beforeEach(() => {
  clock = createManualClock(0)
  asked = []
  refundableAt = HEIGHT + timelock
  const port = {
    traits: { htlcPlace: "contract" },
    fetchHeight: () => new Promise(() => undefined),
    observeLeg: async (query: LegQuery) => {
      asked.push(query)
      await clock.sleep(SLOW_READ_MS)
      return { ...emptyLeg(HEIGHT), refundableAt }
    },
  } as Partial<ChainPort> // CAST: only these parts of the port are read.
  context = {
    ...sampleJob(data, {}).context,
    chains: new Map([data.request.from, data.request.to].map((id) => [id.split(":")[0], port])),
    clock,
  } as unknown as EngineContext // CAST: as above.
})

/** One try of a piece of work. Each has a time of its own, and gives up after its waits. */
async function attempt<T>(work: (job: Job) => Promise<T>): Promise<T> {
  const startMs = clock.now()
  const job = { ...sampleJob(data, {}, { nowMs: startMs }), context }
  const result = work(job)
  let isDone = false
  void result.finally(() => {
    isDone = true
  })
  for (let second = 1; second <= 30; second++) {
    await settle()
    if (isDone) break
    clock.set(clock.now() + 1_000)
  }
  clock.set(Math.max(clock.now(), startMs + TRY_MS))
  return result
}

test("the tries of a redemption join one look at its payout, and get its answer", async () => {
  const first = await attempt(readPayoutLock)
  expect(first.payout).toBeNull()
  const second = await attempt(readPayoutLock)
  expect(asked).toHaveLength(1)
  expect(asked[0]).toMatchObject({ side: "destination", isExact: true })
  expect(second.payout).toMatchObject({ refundableAt })
})

test("the lock of a joined look counts with the blocks since the look began", async () => {
  await attempt(readPayoutLock)
  const { lock } = await attempt(readPayoutLock)
  const grown = Number(lock.height - HEIGHT) * blockSeconds * 1_000
  expect(grown).toBeGreaterThan(SLOW_READ_MS - blockSeconds * 1_000)
  // A quarter of the lock is needed. What the look showed would be just enough.
  refundableAt = HEIGHT + timelock / 4n
  await attempt(findLateRedemption)
  await attempt(findLateRedemption)
  expect(await attempt(findLateRedemption)).toMatchObject({ code: "secret.late" })
})

test("a look that has ended serves one try, and the next one asked again", async () => {
  await attempt(readPayoutLock)
  await attempt(readPayoutLock)
  await attempt(readPayoutLock)
  expect(asked).toHaveLength(2)
})
