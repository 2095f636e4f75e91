import { z } from "zod"
import {
  amount,
  amountOrNull,
  count,
  mode,
  reasons,
  text,
  textOrNull,
  time,
  timeOrNull,
  units,
  unitsOrNull,
} from "./leaves.ts"

const verdict = z.enum(["proposed", "declined"])

const costParts = z.object({
  swap: amount,
  network: amountOrNull,
  refund: amountOrNull,
  refundRisk: amountOrNull,
  locked: amountOrNull,
})

const proposal = z.object({
  rules: z.array(text),
  from: text,
  to: text,
  destination: textOrNull,
  amount,
  amountUnits: units,
  receive: amountOrNull,
  receiveUnits: unitsOrNull,
  cost: amountOrNull,
  costParts: costParts.nullable(),
  why: reasons,
})

const planSummary = z.object({ orders: count, cost: amountOrNull, exact: z.boolean() })

const outcome = z.union([z.object({ order: text }), z.object({ refused: reasons })]).nullable()

/**
 * `src/app/daemon/views/view-decision.ts` explains the fields. `body` is the decision as the
 * journal has it.
 */
const decision = z.object({
  id: text,
  rule: text,
  verdict,
  at: time,
  atMs: count,
  lastAt: time,
  lastAtMs: count,
  times: count,
  occurrence: timeOrNull,
  proposals: z.array(proposal.extend({ outcome })),
  reasons,
  plan: planSummary.nullable(),
  orderId: textOrNull,
  orders: z.array(text),
  inputs: textOrNull,
  configHash: textOrNull,
  body: z.unknown(),
})

export const decisions = z.object({ decisions: z.array(decision) })

const decided = z.looseObject({
  proposals: z.array(z.looseObject({ rules: z.array(text) })),
  reasons,
})

export const replay = z.object({
  decision: text,
  rule: text,
  same: z.boolean(),
  policy: count,
  findings: z.array(text),
  stored: decided,
  again: decided.nullable(),
})

const opening = z.object({
  asset: text,
  address: text,
  cost: text,
  costUnits: units,
  refused: reasons,
})

/** `src/app/daemon/views/view-plan.ts` explains the fields. */
export const plan = z.object({
  at: time,
  mode,
  paused: z.array(text).exactOptional(),
  plan: planSummary,
  proposals: z.array(proposal.extend({ refused: reasons })),
  tokenAccounts: z.array(opening),
  declined: z.array(z.object({ rule: text, reasons })),
})

const lastDecision = z.object({
  decision: text,
  at: time,
  lastAt: time,
  times: count,
  verdict,
  reasons,
  orders: z.array(text),
})

/** A rule has also the keys of its kind. */
const rule = z.looseObject({
  id: text,
  kind: text,
  enabled: z.boolean(),
  paused: z.boolean(),
  last: lastDecision.nullable(),
  next: timeOrNull,
})

export const rules = z.object({ rules: z.array(rule) })
