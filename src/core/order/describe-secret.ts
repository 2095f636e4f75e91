import type { OrderView } from "./view.ts"

/** The party that chose the secret of the swap, and the state of a secret of our own. */
export function describeSecret({
  secret,
  ownSecret,
}: Pick<OrderView, "secret" | "ownSecret">): string {
  if (ownSecret === undefined)
    return secret === "service" ? "chosen by the service" : "not chosen yet"
  const { status, revealedAt } = ownSecret
  const told = revealedAt === null ? "" : ` at ${revealedAt}`
  return {
    unknown: "our own, told to no other party",
    revealed: `our own, revealed${told}`,
    withheld: "our own, withheld for ever",
    lost: `our own, revealed${told}, and the payout went back to the solver`,
  }[status]
}
