import type { AssetId } from "#domain/asset.ts"
import { chainOf } from "#domain/asset.ts"
import type { CostLimit } from "#domain/order.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import { encodeJson } from "#lib/json.ts"
import { type Evaluation, evaluate, type Proposal } from "#policy/evaluate.ts"
import type { PlanLimits } from "#policy/planner/limits.ts"
import type { TimedRule } from "#policy/policy-rule.ts"
import type { DueOccurrence } from "#policy/rules/recurring.ts"
import type { TreasuryView } from "#policy/treasury-view.ts"
import { type Admission, admitSwap, isPaused, judgeSwap, type SwapRequest } from "../admission.ts"
import type { EngineContext } from "../context.ts"
import { reasonOf } from "../perform/job.ts"
import { buildView } from "./build-view.ts"
import {
  type DecisionBody,
  type DecisionInputs,
  type Outcome,
  readDecisionBody,
  reasonsIn,
  toDecision,
} from "./decision.ts"
import { createDueList, type DueEntry, GRACE_MS, toOccurrence } from "./due-list.ts"
import { createQuoteReader } from "./pair-quotes.ts"

/**
 * All that is due, together: view → evaluate → one admission for each proposal, in order → decision records. One tick at a time; what it proposes is
 * in the journal before the next one looks.
 */
export type Tick = {
  readonly run: () => Promise<void>
  /** What a tick would do now if every rule were due. Writes nothing. */
  readonly preview: () => Promise<Preview>
  readonly nextMs: (rule: TimedRule) => number | null
}

export type Preview = {
  readonly atMs: number
  readonly view: TreasuryView
  readonly evaluation: Evaluation
  /** In step with the proposals: why the guards would refuse each by itself. */
  readonly refusals: readonly (readonly Reason[])[]
}

/** What could not be read is looked at again after this, if the rule itself is not sooner. */
const RETRY_MS = 10_000

export function createTick(context: EngineContext): Tick {
  const { clock, journal, log } = context
  const reader = createQuoteReader(context)
  const dueList = createDueList(context, (occurrence) => settleMissed(context, occurrence))

  async function run(): Promise<void> {
    const startMs = clock.now()
    const entries = dueList.take(startMs)
    if (entries.length > 0) {
      try {
        await decide(entries, startMs)
      } catch (error) {
        log.error(
          { rules: entries.map(({ rule }) => rule), err: error },
          "The rules could not be evaluated; they are tried again",
        )
        for (const entry of entries) dueList.putOff(entry, startMs + RETRY_MS)
      }
    }
    dueList.noteBusy(clock.now() - startMs)
  }

  async function decide(entries: readonly DueEntry[], nowMs: number): Promise<void> {
    const { evaluation, inputs } = await evaluateNow(entries, false)
    const outcomes = new Map<Proposal, Outcome>()
    const decisionFor = (entry: DueEntry) =>
      toDecision(entry, {
        evaluation,
        outcomeOf: (proposal) => outcomes.get(proposal) ?? null,
        inputs: encodeJson(inputs),
        configHash: context.settings.configHash ?? null,
        nowMs,
      })
    for (const proposal of evaluation.proposals) {
      const served = entries.filter(
        ({ rule, occurrence }) => proposal.rules.includes(rule) && occurrence === proposal.occurrence,
      )
      const admission = await admit(
        context,
        {
          ...requestOf(context, proposal, served),
          decisions: (order) => {
            outcomes.set(proposal, { order })
            return served.map(decisionFor)
          },
        },
        proposal.rules,
      )
      outcomes.set(proposal, admission.ok ? { order: admission.id } : { refused: admission.reasons })
      if (!admission.ok) reader.learn(proposal.from, proposal.to, admission.reasons)
    }
    for (const entry of entries) conclude(entry, decisionFor(entry), nowMs)
  }

  async function evaluateNow(
    due: readonly { rule: string; occurrence: string | null }[],
    quoteOccurrences: boolean,
  ): Promise<{ view: TreasuryView; evaluation: Evaluation; inputs: DecisionInputs }> {
    const rules = context.settings.rules.filter(({ enabled }) => enabled !== false)
    const entries = due.map(({ rule, occurrence }) => ({ rule, occurrence }))
    const limits = planLimits(context)
    const view = await buildView(context, reader, { rules, due: entries, limits, quoteOccurrences })
    return {
      view,
      evaluation: evaluate(view, rules, limits, entries),
      inputs: { version: 1, view, rules, limits, due: entries },
    }
  }

  /** Writes the decision down, settles the occurrence or leaves it open, and says when the rule is looked at again. */
  function conclude(entry: DueEntry, decision: ReturnType<typeof toDecision>, nowMs: number): void {
    const first = entry.at === null ? null : journal.findDecision(decision.id)
    const fresh = journal.recordDecision(decision)
    const body = readDecisionBody(decision.body)
    const reasons = body === null ? [] : reasonsIn(body)
    const orders = (body?.outcomes ?? []).flatMap((outcome) => (outcome && "order" in outcome ? [outcome.order] : []))
    const retry = reasons.some(({ code }) => UNREAD.includes(code))
    if (entry.at === null) {
      const everyMs = "everyMs" in entry.of ? entry.of.everyMs : RETRY_MS
      dueList.putOff(entry, nowMs + (retry ? Math.min(everyMs, RETRY_MS) : everyMs))
    } else if (orders.length === 0) {
      const firstMs = Math.max(entry.at.closesMs, first?.atMs ?? nowMs)
      const untilMs = retry ? firstMs + GRACE_MS : entry.at.closesMs
      if (nowMs < untilMs) dueList.putOff(entry, nowMs + RETRY_MS)
      else journal.settleOccurrence(toOccurrence(entry.at), encodeJson(reasons))
    }
    const fields = { rule: entry.rule, ...(entry.occurrence ? { occurrence: entry.occurrence } : {}) }
    if (orders.length > 0) log.info({ ...fields, orders }, "A rule asked for an order")
    else if (fresh) log.info({ ...fields, reasons }, "A rule asked for nothing")
  }

  return {
    run,
    nextMs: (rule) => dueList.nextMs(rule, clock.now()),
    preview: async () => {
      const atMs = clock.now()
      const entries = dueList.peek(atMs)
      const { view, evaluation } = await evaluateNow(entries, true)
      const refusals = await Promise.all(
        evaluation.proposals.map((proposal) => {
          const served = entries.filter(
            ({ rule, occurrence }) => proposal.rules.includes(rule) && occurrence === proposal.occurrence,
          )
          return judgeSwap(context, requestOf(context, proposal, served))
        }),
      )
      return { atMs, view, evaluation, refusals }
    },
  }
}

/** A "no" that is only for want of knowing. */
const UNREAD = [
  "policy.view_incomplete",
  "policy.price_missing",
  "policy.quote_missing",
  "policy.amount_unknown",
  "funds.unreadable",
]

function requestOf(context: EngineContext, proposal: Proposal, served: readonly DueEntry[]): SwapRequest {
  const { rules, from, to, destination, units } = proposal
  const occurrence = served.find(({ at }) => at !== null)?.at ?? null
  return {
    rule: rules[0] ?? "",
    occurrence: occurrence === null ? null : toOccurrence(occurrence),
    from,
    to,
    destination,
    sourceUnits: units,
    maxCost: widestCost(context, rules),
    needsQuote: occurrence !== null && occurrence.closesMs > occurrence.dueMs,
  }
}

/** An order that serves two rules is placed for the one that lets it cost more; the other only profits (`order-bounds.ts`). */
function widestCost({ settings }: EngineContext, ids: readonly string[]): CostLimit | null {
  const costs = ids.map((id) => settings.rules.find((rule) => rule.id === id)?.maxCost ?? null)
  const [first, second] = costs
  if (first === undefined || first === null || second === undefined) return first ?? null
  if (second === null) return null
  if (first.kind === "share" && second.kind === "share") return first.bps >= second.bps ? first : second
  if (first.kind === "fiat" && second.kind === "fiat") return first.fiat >= second.fiat ? first : second
  return null
}

/** Observe mode hears all that the guards have to say, so that what it records is what live mode would do. */
async function admit(context: EngineContext, request: SwapRequest, rules: readonly string[]): Promise<Admission> {
  const paused = rules.find((rule) => isPaused(context, rule, request.from))
  try {
    if (context.settings.mode === "observe") return { ok: false, reasons: await judgeSwap(context, request) }
    if (paused !== undefined && paused !== request.rule) return { ok: false, reasons: [pausedRule(paused)] }
    return await admitSwap(context, request)
  } catch (error) {
    if (error instanceof AppError) return { ok: false, reasons: [reasonOf(error)] }
    throw error
  }
}

function pausedRule(rule: string): Reason {
  return { code: "paused", message: `Rule ${rule} is paused; \`ballast resume --rule ${rule}\` lifts it`, rule }
}

function planLimits({ journal, settings }: EngineContext): PlanLimits {
  const { maxInFlight, maxOrder } = settings.limits
  const maxOrders = Math.max(0, maxInFlight - journal.countInFlight())
  return { maxOrders, maxOrder, split: true, maxCost: commonCost(settings) }
}

/** One for all pairs in the configuration; the engine only knows it by pair. */
function commonCost({ assets, policyFor }: EngineContext["settings"]): CostLimit | null {
  const ids: readonly AssetId[] = [...assets.keys()]
  const [from] = ids
  const to = ids.find((id) => from !== undefined && chainOf(id) !== chainOf(from)) ?? from
  return from === undefined || to === undefined ? null : policyFor(from, to).maxCost
}

function settleMissed({ journal, clock, log, settings }: EngineContext, occurrence: DueOccurrence): void {
  const at = new Date(occurrence.atMs).toISOString()
  const message = "The occurrence passed while Ballast was down, and catch_up says skip"
  const reasons = [{ code: "policy.missed", message, at }]
  const body: DecisionBody = {
    version: 1,
    occurrence: occurrence.id,
    decided: { proposals: [], reasons, plan: null },
    outcomes: [],
  }
  const { id, rule } = occurrence
  const configHash = settings.configHash ?? null
  const declined = { id, atMs: clock.now(), rule, verdict: "declined", body: encodeJson(body), inputs: null } as const
  // Together: a decision without its end would look like one that was tried in time, and could not be read.
  journal.settleOccurrence(toOccurrence(occurrence), encodeJson(reasons), { ...declined, configHash })
  log.info({ rule, occurrence: id, reasons }, "A rule asked for nothing")
}
