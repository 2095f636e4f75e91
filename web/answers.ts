import type { ReplayView } from "#daemon/views/read-replay.ts"
import type { BooksView } from "#daemon/views/view-books.ts"
import type { DecisionView } from "#daemon/views/view-decision.ts"
import type { PlanAnswer } from "#daemon/views/view-plan.ts"
import type { QuoteAnswer } from "#daemon/views/view-quote.ts"
import type { SettingsView } from "#daemon/views/view-settings.ts"
import type { Reason } from "#domain/reason.ts"
import type { Overview } from "#health/describe-overview.ts"
import type { CallView, EventView } from "#ops/operations.ts"
import type { OrderView } from "#order/view.ts"

/** The answers of the interface, by their names in this page. */
export type { Overview }
export type Order = OrderView
export type OrderAnswer = OrderView & {
  readonly events: readonly EventView[]
  readonly calls: readonly CallView[]
}
export type Decision = Omit<DecisionView, "body">
export type Replay = ReplayView
export type Plan = PlanAnswer
export type Quote = QuoteAnswer
export type Books = BooksView
export type Settings = SettingsView
export type Alert = {
  readonly at: string
  readonly order: string | null
  readonly reason: Reason
  readonly closed: string | null
}
