import type { Overview } from "../answers.ts"

export type Hours = Overview["services"][number]["hours"]

/** `812 calls in 24 h, 3 failed: quotes fail with HTTP 500`. */
export function sayCalls(hours: Hours): string {
  const failed = hours.reduce((sum, one) => sum + one.failed, 0)
  const calls = hours.reduce((sum, one) => sum + one.answered, failed)
  if (calls === 0) return "no call in 24 h"
  const { fault = null } = hours.findLast((one) => one.fault !== null) ?? {}
  const count = `${calls} call${calls === 1 ? "" : "s"}`
  return failed === 0 ? `${count}, all answered` : `▲ ${count}, ${failed} failed: ${fault}`
}
