import { z } from "zod"
import {
  amount,
  amountOrNull,
  assetId,
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

/** In the reference currency; `null`: no estimate. Ceilings count all but `refund`. */
const costParts = z.object({
  /** Service fee, spread and the payout's own network fee. */
  swap: amount,
  /** Deposit and approval. */
  network: amountOrNull,
  /** Beside the cost, when the swap fails. */
  refund: amountOrNull,
  /** The refund by its probability. */
  refundRisk: amountOrNull,
  /** For the money that the order locks. */
  locked: amountOrNull,
})

/** Amounts in the asset's own unit, with `…Units` beside them. */
const proposal = z.object({
  rules: z.array(text),
  from: assetId,
  to: assetId,
  destination: textOrNull,
  /** The kind of its route. Absent: a swap service with HTLCs. */
  kind: text.exactOptional(),
  amount,
  amountUnits: units,
  receive: amountOrNull,
  receiveUnits: unitsOrNull,
  /** In the reference currency. */
  cost: amountOrNull,
  costParts: costParts.nullable(),
  why: reasons,
  /** Sentences: its cost beside the next best way, and whose ceiling binds. */
  explained: z.array(text).exactOptional(),
})

/** `exact`: no cheaper plan exists. */
const planSummary = z.object({ orders: count, cost: amountOrNull, exact: z.boolean() })

const outcome = z.union([z.object({ order: text }), z.object({ refused: reasons })]).nullable()

/** A decision in the form for people and other programs. */
export const decision = z.object({
  id: text,
  rule: text,
  verdict,
  at: time,
  atMs: count,
  lastAt: time,
  lastAtMs: count,
  times: count,
  /** The scheduled time of the decision; `null` for a rule without a schedule. */
  occurrence: timeOrNull,
  proposals: z.array(proposal.extend({ outcome })),
  /** The policy's reasons, then the guards'. */
  reasons,
  plan: planSummary.nullable(),
  orderId: textOrNull,
  orders: z.array(text),
  inputs: textOrNull,
  configHash: textOrNull,
  /** The decision as the journal has it. */
  body: z.unknown(),
})

export const decisions = z.object({ decisions: z.array(decision), next: textOrNull })

const decided = z.looseObject({
  proposals: z.array(z.looseObject({ rules: z.array(text) })),
  reasons,
})

export const replay = z.object({
  decision: text,
  rule: text,
  same: z.boolean(),
  policy: count,
  /** Always empty: a decision of another version of the policy is refused. */
  findings: z.array(text),
  solved: z.array(z.object({ by: textOrNull, exact: z.boolean(), why: textOrNull })),
  stored: decided,
  again: decided,
})

const opening = z.object({
  asset: assetId,
  address: text,
  /** The most that fee and rent take, with the chain's coin: `0.00229428 SOL`. */
  cost: text,
  costUnits: units,
  refused: reasons,
})

/** The plan of a tick now. */
export const plan = z.object({
  at: time,
  mode,
  /** One sentence for each pause; while one holds, its part of the plan opens no order. */
  paused: z.array(text).exactOptional(),
  plan: planSummary,
  /** Each is judged by itself, without the others. Nothing refused: an order would be opened. */
  proposals: z.array(proposal.extend({ refused: reasons })),
  /** Token accounts of our wallets that are missing. Without refusals the daemon opens them. */
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

/** Equal outcomes in a row are one; `missed`: a scheduled run, or an order, came to no swap. */
const run = z.object({
  at: time,
  lastAt: time,
  times: count,
  outcome: z.enum(["swap", "nothing", "refused", "missed"]),
  reasons,
})

/** A rule has also the keys of its kind. */
const rule = z.looseObject({
  id: text,
  kind: text,
  enabled: z.boolean(),
  paused: z.boolean(),
  last: lastDecision.nullable(),
  next: timeOrNull,
  /** The runs of the next 24 hours by its schedule, at most 100; none without a schedule. */
  upcoming: z.array(time),
  /** The newest outcomes, oldest first, at most 24. */
  runs: z.array(run),
})

export const rules = z.object({ rules: z.array(rule) })
