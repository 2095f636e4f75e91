import type { OrderData } from "./data.ts"

/**
 * The source is redeemed, and our destination node shows no payout: either it is some seconds
 * behind, or this is a theft. True until the alarm is raised.
 */
export function lacksPayout({ seen, alerted }: OrderData): boolean {
  const { sourceRedeemed, destinationInitiated, destinationRedeemed } = seen
  const isShown = destinationInitiated !== null || destinationRedeemed !== null
  return sourceRedeemed !== null && !isShown && !alerted.includes("alarm.source_redeemed")
}
