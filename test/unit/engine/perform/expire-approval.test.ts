import { expect, test } from "vitest"
import { expireApprovalWork } from "#engine/orders/deposit/expire-approval.ts"
import { sampleData, sampleJob } from "../../../support/sample-job.ts"

const SINCE = 5_000
const TTL = sampleData().policy.approvalTtlMs
const WORK = { kind: "expireApproval" } as const
const OVER = { type: "approval.expired" }
const again = (waitMs: number) => ({ type: "work.deferred", reasons: [], waitMs })

test.each<readonly [string, number, number | null, object]>([
  ["begins", SINCE, null, again(Math.min(TTL, 60_000))],
  ["has a minute left", SINCE + TTL - 60_000, null, again(60_000)],
  ["has more than a minute left", SINCE + TTL - 60_001, null, again(60_000)],
  ["has a moment left", SINCE + TTL - 1, null, again(1)],
  ["is over", SINCE + TTL, null, OVER],
  ["ends with the window of the deposit", SINCE + 9, SINCE + 9, OVER],
  ["has a moment of the window left", SINCE + 8, SINCE + 9, again(1)],
])("a wait for an approval that %s", async (_what, nowMs, sendUntilMs, event) => {
  const data = sampleData({}, { stateSince: SINCE, sendUntilMs })
  expect((await expireApprovalWork.perform(sampleJob(data, {}, { nowMs }), WORK)).event).toEqual(
    event,
  )
})
