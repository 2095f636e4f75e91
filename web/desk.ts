import type { Overview } from "./answers.ts"
import type { Known } from "./known.ts"
import type { Live } from "./live.ts"

/** Everything that a view gets. */
export type Desk = {
  readonly overview: Live<Overview>
  readonly known: Known
  readonly scopes: readonly string[]
  /** The part of the place behind the view's name. */
  readonly detail: string | null
}
