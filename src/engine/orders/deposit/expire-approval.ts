import { approvableUntil } from "#order/data.ts"
import { deferWork, type Performer } from "../observe/job.ts"
import { declinesWhenRefused, runsWhilePaused, type WorkEntry } from "../work-entry.ts"

const RECHECK_MS = 60_000

/** Ends the wait for an operator's approval when its time is over. */
const expireApproval: Performer = async ({ data, nowMs }) => {
  const leftMs = approvableUntil(data) - nowMs
  if (leftMs <= 0) return { event: { type: "approval.expired" } }
  return deferWork(data.reasons, Math.min(leftMs, RECHECK_MS))
}

export const expireApprovalWork: WorkEntry<"expireApproval"> = {
  perform: expireApproval,
  lane: null,
  spends: false,
  whilePaused: runsWhilePaused,
  onRefused: declinesWhenRefused,
  repeat: "Only reads the clock.",
}
