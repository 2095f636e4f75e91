import type { LocalChain } from "../local-chain.ts"
import type { StoredOrder } from "../service/stored-order.ts"

/** The family's fields of the create answer, as `LocalChain.describeSource` gives them. */
export type AnswerFields = Readonly<Record<string, unknown>>

/**
 * The data that a hostile mode can use: the honest order, both its chains, and all other orders of
 * the service.
 */
export type HostileContext = {
  readonly order: StoredOrder
  readonly source: LocalChain
  readonly destination: LocalChain
  readonly others: readonly StoredOrder[]
}
