import type { TransactionPurpose } from "./data.ts"
import type { Work } from "./work.ts"

/** A piece of work as the outbox holds it: also the bodies that Ballast 0.1 wrote. Pure. */
export function migrateWork(stored: Work | WorkV1): Work {
  switch (stored.kind) {
    case "verifyDeposit":
      return { kind: "verifyOrder" }
    case "planMove":
      return { kind: "planTransaction", purpose: stored.move }
    case "signMove":
      return { kind: "signTransaction", purpose: stored.move }
    case "broadcastMove":
      return { kind: "broadcastTransaction", purpose: stored.move }
    case "observeMove":
      return { kind: "observeTransaction", purpose: stored.move }
    case "bumpMove":
      return { kind: "bumpTransaction", purpose: stored.move }
    default:
      return stored
  }
}

/** The pieces of work that version 2 renamed. */
export type WorkV1 =
  | { readonly kind: "verifyDeposit" }
  | { readonly kind: "planMove"; readonly move: Exclude<TransactionPurpose, "approve"> }
  | {
      readonly kind: "signMove" | "broadcastMove" | "observeMove" | "bumpMove"
      readonly move: TransactionPurpose
    }
