import { chainOf } from "#domain/asset.ts"
import type { Reason } from "#domain/reason.ts"
import { AppError } from "#lib/app-error.ts"
import { encodeJson } from "#lib/json.ts"
import { type DueOccurrence, findDueOccurrences, type RecurringRule } from "#policy/rules/recurring.ts"
import { type Admission, admitSwap } from "./admission.ts"
import { accountPrefix, type EngineContext } from "./context.ts"
import { reasonOf } from "./perform/job.ts"

/**
 * Settles every due occurrence of every rule, each exactly once: with an order, or with the reasons why not. What wakes this does not
 * matter; the journal's occurrence ledger decides.
 */
export async function runSchedule(context: EngineContext): Promise<void> {
  for (const rule of context.settings.rules) {
    if (rule.kind !== "recurring" || rule.enabled === false) continue
    try {
      await runRule(context, rule)
    } catch (error) {
      context.log.error({ rule: rule.id, err: error }, "A rule could not be evaluated; the others go on")
    }
  }
}

async function runRule(context: EngineContext, rule: RecurringRule): Promise<void> {
  const nowMs = context.clock.now()
  const flag = `rule/${rule.id}/settled-until`
  const stored = context.journal.readFlag(flag)
  // A rule's life begins when it is first seen: what its schedule would have said before that was never asked for.
  if (stored === null) return context.journal.writeFlag(flag, String(nowMs))
  const due = findDueOccurrences(rule, Number(stored), nowMs)
  for (const occurrence of due) {
    await settle(context, rule, occurrence)
    context.journal.writeFlag(flag, String(occurrence.atMs))
  }
}

async function settle(context: EngineContext, rule: RecurringRule, occurrence: DueOccurrence): Promise<void> {
  if (context.journal.findOccurrence(occurrence.id) !== null) return
  const { id, atMs } = occurrence
  const admission =
    occurrence.action === "skip" ? missed(atMs) : await propose(context, rule, { id, rule: rule.id, atMs })
  record(context, rule, occurrence, admission)
  if (!admission.ok) context.journal.settleOccurrence({ id, rule: rule.id, atMs }, encodeJson(admission.reasons))
}

async function propose(
  context: EngineContext,
  rule: RecurringRule,
  occurrence: { id: string; rule: string; atMs: number },
): Promise<Admission> {
  const sized = await sizeOf(context, rule)
  if (!sized.ok) return sized
  const { from, to } = rule
  try {
    return await admitSwap(context, { rule: rule.id, occurrence, from, to, sourceUnits: sized.units })
  } catch (error) {
    if (error instanceof AppError) return { ok: false, reasons: [reasonOf(error)] }
    throw error
  }
}

async function sizeOf(
  context: EngineContext,
  { from, amount }: RecurringRule,
): Promise<{ ok: true; units: bigint } | { ok: false; reasons: readonly Reason[] }> {
  if (amount.kind === "units") return { ok: true, units: amount.units }
  if (amount.kind === "fiat") {
    return {
      ok: false,
      reasons: [
        {
          code: "policy.fiat_amount",
          message: "Amounts in fiat need a price source, which this version does not have yet",
        },
      ],
    }
  }
  const chain = context.chains.get(chainOf(from))
  if (!chain)
    return {
      ok: false,
      reasons: [{ code: "request.unknown_asset", message: `${from} is not a configured asset`, asset: from }],
    }
  try {
    const { spendableUnits } = await chain.fetchBalance(from, context.journal.listReserved(accountPrefix(chain)))
    return { ok: true, units: (spendableUnits * amount.bps) / 10_000n }
  } catch (error) {
    if (error instanceof AppError)
      return { ok: false, reasons: [{ ...reasonOf(error), code: "policy.view_incomplete" }] }
    throw error
  }
}

function missed(atMs: number): Admission {
  const at = new Date(atMs).toISOString()
  return {
    ok: false,
    reasons: [
      { code: "policy.missed", message: "The occurrence passed while Ballast was down, and catch_up says skip", at },
    ],
  }
}

function record(context: EngineContext, rule: RecurringRule, occurrence: DueOccurrence, admission: Admission): void {
  const { from, to, amount } = rule
  context.journal.recordDecision({
    id: occurrence.id,
    atMs: context.clock.now(),
    rule: rule.id,
    verdict: admission.ok ? "proposed" : "declined",
    orderId: admission.ok ? admission.id : null,
    body: encodeJson({ from, to, amount, reasons: admission.ok ? [] : admission.reasons }),
    times: 1,
  })
  const fields = {
    rule: rule.id,
    occurrence: occurrence.id,
    ...(admission.ok ? { order: admission.id } : { reasons: admission.reasons }),
  }
  context.log.info(fields, admission.ok ? "A rule asked for an order" : "A rule asked for nothing")
}
