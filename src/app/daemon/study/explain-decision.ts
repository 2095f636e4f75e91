import { type DecisionInputs, readDecisionBody, reasonsIn } from "#engine/rules/tick/decision.ts"
import { formatSecond } from "#health/format-span.ts"
import { decodeJson } from "#lib/json.ts"
import { explainProposal, explainWindows } from "#policy/explain-proposal.ts"
import type { DecisionRow, DecisionStore } from "#ports/journal/decisions.ts"
import type { OrderStore } from "#ports/journal/orders.ts"
import { formatDuration } from "#schema/duration.ts"

/** Sentences about each proposal of a decision, from the inputs that the journal has of it. */
export function explainProposals(
  journal: Pick<DecisionStore, "findInputs">,
  row: DecisionRow,
): readonly string[][] {
  const inputs = readInputs(journal, row)
  const proposals = readDecisionBody(row.body)?.decided.proposals ?? []
  return inputs === null ? [] : proposals.map((one) => [...explainProposal(one, inputs)])
}

/** A decision further back is not looked for. */
const MOST_DECISIONS = 200

/** Sentences about an order from the decision that asked for it; empty where there is none. */
export function explainOrder(
  journal: Pick<DecisionStore, "findInputs" | "listDecisions">,
  { id, rule }: { readonly id: string; readonly rule: string },
): readonly string[] {
  const row = journal
    .listDecisions({ rule, limit: MOST_DECISIONS })
    .find(({ orders }) => orders.includes(id))
  if (row === undefined) return []
  const outcomes = readDecisionBody(row.body)?.outcomes ?? []
  const at = outcomes.findIndex((one) => one !== null && "order" in one && one.order === id)
  return explainProposals(journal, row)[at] ?? []
}

/** Of a decision that a window ended: what each window left, and when it has more room. */
export function describeWindows(
  journal: Pick<DecisionStore, "findInputs"> & Pick<OrderStore, "listOrders">,
  row: DecisionRow,
  nowMs: number,
): readonly string[] {
  const body = readDecisionBody(row.body)
  const isEnded = body !== null && reasonsIn(body).some(({ code }) => /\.window/.test(code))
  const inputs = isEnded ? readInputs(journal, row) : null
  if (inputs === null) return []
  return explainWindows(inputs).map(({ per, left }) => {
    // As `readCapacity` names it; a window of the whole lifetime has no length.
    const seconds = /^(\d+) s$/.exec(per)?.[1]
    const perMs = seconds === undefined ? null : Number(seconds) * 1_000
    const length = perMs === null ? per : formatDuration(perMs)
    const room = `guards.windows of ${length} has more room than ${left}`
    const leavesMs = findNextRoom(journal, perMs, nowMs)
    if (leavesMs === null) return room
    const leaves = formatSecond(new Date(leavesMs).toISOString())
    return `${room}: its oldest order leaves it at ${leaves}`
  })
}

/** The orders of a window are among the newest. */
const MOST_ORDERS = 1_000

function findNextRoom(
  journal: Pick<OrderStore, "listOrders">,
  perMs: number | null,
  nowMs: number,
): number | null {
  if (perMs === null) return null
  const counted = journal
    .listOrders({ limit: MOST_ORDERS })
    .filter(({ createdAtMs }) => createdAtMs > nowMs - perMs)
  const oldestMs = counted.at(-1)?.createdAtMs
  return oldestMs === undefined ? null : oldestMs + perMs
}

function readInputs(
  journal: Pick<DecisionStore, "findInputs">,
  { inputs }: DecisionRow,
): DecisionInputs | null {
  const text = inputs === null ? null : journal.findInputs(inputs)
  // CAST: written by the tick from DecisionInputs.
  return text === null ? null : (decodeJson(text) as DecisionInputs)
}
