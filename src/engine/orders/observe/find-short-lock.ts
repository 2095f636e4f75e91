import type { ServiceOrder } from "#domain/leg.ts"
import type { Reason } from "#domain/reason.ts"
import { hasTimeToTell } from "#domain/time-to-redeem.ts"
import type { OrderData } from "#order/data.ts"
import type { ChainPort } from "#ports/chain.ts"

/**
 * The reason against a deposit with our own secret whose payout could never be redeemed safely:
 * once it is deep enough to tell the secret, too little of its lock is left, even when the solver
 * pays at once. The deposit would only wait for its refund. Pure.
 */
export function findShortLock(
  { ownSecret, policy }: Pick<OrderData, "ownSecret" | "policy">,
  { destination: { timelock, units } }: Pick<ServiceOrder, "destination">,
  destination: Pick<ChainPort, "revealWait">,
): readonly Reason[] {
  const wait = destination.revealWait(units)
  if (ownSecret == null || wait === null) return []
  const { fastestSeconds, secondsPerUnit } = policy.timelocks.destination
  const waitUnits =
    "units" in wait
      ? wait.units
      : BigInt(Math.ceil(wait.seconds / (fastestSeconds ?? secondsPerUnit)))
  if (hasTimeToTell(policy, timelock, timelock - waitUnits)) return []
  const message =
    "The payout's lock is too short for a secret of ours: once the payout is deep enough to " +
    "tell it, too little time is left to redeem"
  return [
    {
      code: "secret.lock_short",
      message,
      timelock: timelock.toString(),
      waitUnits: waitUnits.toString(),
    },
  ]
}
