import { isSameAddress } from "#domain/is-same-address.ts"
import { readUsualTimes } from "#engine/rules/route-waits.ts"
import { decodeJson } from "#lib/json.ts"
import { decodeOrNull } from "#order/decode-or-null.ts"
import { decodeOrder, type Order } from "#order/step.ts"
import { type TxidFormOf, viewOrder } from "#order/view.ts"
import type { DecisionStore } from "#ports/journal/decisions.ts"
import type { Ledger } from "#ports/journal/ledger.ts"
import type { NoticeStore } from "#ports/journal/notices.ts"
import type { EventRow, OrderRow, OrderStore } from "#ports/journal/orders.ts"
import type { Outbox } from "#ports/journal/outbox.ts"
import type { AnswerOf } from "#schema/answers/answers.ts"
import { explainOrder } from "./study/explain-decision.ts"
import { listCalls } from "./views/view-calls.ts"
import type { Decimals } from "./views/view-decision.ts"
import { viewNextAsk } from "./views/view-next-ask.ts"

type Surroundings = {
  readonly decimals: Decimals
  readonly nowMs: number
  readonly txidFormOf: TxidFormOf
}

/** One order with its timeline, its next work and the requests of operators about it. */
export function viewOrderWithEvents(
  journal: DecisionStore & Ledger & NoticeStore & OrderStore & Outbox,
  { id, snapshot, updatedAtMs }: OrderRow,
  { decimals, nowMs, txidFormOf }: Surroundings,
): AnswerOf<"OrderWithEvents"> {
  const order = decodeOrder(snapshot)
  return {
    ...viewOrder(order, decimals, updatedAtMs, txidFormOf),
    nextAsk: viewNextAsk(journal, order, nowMs),
    usual: readUsualTimes(journal, order.data.request),
    events: journal.listEvents(id).map(viewEvent),
    calls: listCalls(journal, id),
    explained: [...explainOrder(journal, order.data)],
    ...(order.state === "awaiting-approval" ? { payee: countUses(journal, order) } : {}),
  }
}

type Payee = AnswerOf<"OrderWithEvents">["payee"]

const MOST_USES = 100

function countUses(journal: OrderStore, order: Order): NonNullable<Payee> {
  const { to, destinationOwner } = order.data.request
  const paid = journal.listOrders({ to, state: "completed", limit: MOST_USES })
  const uses = paid.filter(({ snapshot }) => {
    const other = decodeOrNull(snapshot)?.data.request.destinationOwner ?? ""
    return isSameAddress(other, destinationOwner)
  })
  const first = uses.at(-1)?.createdAtMs ?? null
  return {
    uses: uses.length,
    of: paid.length,
    since: first === null ? null : new Date(first).toISOString(),
  }
}

function viewEvent(event: EventRow): AnswerOf<"OrderWithEvents">["events"][number] {
  return {
    at: new Date(event.atMs).toISOString(),
    type: event.type,
    state: event.state,
    body: decodeJson(event.body),
  }
}
