import type { PauseCause } from "#domain/pause.ts"
import type { Reason } from "#domain/reason.ts"
import { refuseApproval } from "#guards/refuse-approval.ts"
import type { Clock } from "#lib/clock.ts"
import type { UntimedOrderEvent } from "#order/events.ts"
import { refuseRedemption } from "#order/refuse-redemption.ts"
import { STATES } from "#order/states.ts"
import type { EngineContext } from "./context.ts"
import { withDurableCalls } from "./orders/outgoing-calls.ts"
import { applyEvent } from "./orders/stepper.ts"
import { createWorker } from "./orders/worker.ts"
import { recoverOrders } from "./restore/recover.ts"
import type { Recovery } from "./restore/recovered-order.ts"
import { compareKeyRecord } from "./restore/restored-journal.ts"
import { type Admission, admitSwap, type SwapRequest } from "./rules/admission.ts"
import { acceptClock } from "./rules/limit-clock.ts"
import { createTick, type Tick } from "./rules/tick/tick.ts"
import type { ChainAgreement } from "./watches/agreement-watch.ts"
import { liftPause, type PauseScope, type ResumeAnswer, writePause } from "./watches/pause.ts"
import { createRounds, type Watch } from "./watches/watch.ts"
import { createWatches } from "./watches/watch-table.ts"

/** Admits requests, runs due rules, performs the work of the outbox, and answers the operator. */
export type Engine = {
  /**
   * Continues from the journal until `signal` fires, then resolves when the running work has ended.
   */
  readonly run: (signal: AbortSignal) => Promise<void>
  /** Reads the schedule and the outbox now. */
  readonly wake: () => void
  /** Without `rule` the request is by hand. */
  readonly submit: (
    request: Omit<SwapRequest, "rule" | "occurrence"> & { readonly rule?: string },
  ) => Promise<Admission>
  /**
   * Resolves when no running work signs or sends any more. The pause is in the journal, so it
   * outlives the process.
   */
  readonly pause: (scope: PauseScope, cause?: PauseCause) => Promise<void>
  /**
   * Refuses while an alarm of the pause is not in `acknowledge`, or the file that asks for the
   * pause is still there.
   */
  readonly resume: (scope: PauseScope, acknowledge?: readonly string[]) => ResumeAnswer
  /** An operator answers for the machine's clock, so that limits follow it again. */
  readonly confirmClock: () => void
  /** The last report of each chain: how many of its endpoints agree. */
  readonly trust: () => readonly ChainAgreement[]
  /**
   * `intent`: the hash that an approval names. The engine refuses a hash that is not the order's.
   */
  readonly operate: (
    orderId: string,
    verb: OperatorVerb,
    by: string,
    intent?: string | null,
  ) => OperatorAnswer
  /**
   * Compares the unchecked assets with their chains now; a daemon starts with it. Returns the
   * reasons against deposits.
   */
  readonly checkAssets: () => Promise<readonly Reason[]>
  /**
   * Compares journal, signer's record and accounts before `run`: an older journal pauses
   * everything. Returns whether the signer's record is ahead of the journal. Throws
   * `signer.unavailable` (transient).
   */
  readonly checkJournal: () => Promise<boolean>
  /** The assets that differ from their chain, or were not compared yet. */
  readonly findAssetDoubts: () => readonly Reason[]
  /**
   * Finds orders that the journal does not know, after its loss; with `adopt` it goes on with those
   * that hold our money.
   */
  readonly recover: (adopt: boolean) => Promise<Recovery>
  /** The plan of a tick in which every rule is due. Writes nothing, and needs no `run`. */
  readonly preview: Tick["preview"]
  /** The next time at which the rule is evaluated; `null` when the time is unknown. */
  readonly nextMs: Tick["nextMs"]
  readonly overdueSinceMs: Tick["overdueSinceMs"]
  /**
   * The last time at which the loop of the outbox and the loop of the rules began a turn; `null`
   * before the first one.
   */
  readonly lastTurns: () => { readonly workMs: number | null; readonly rulesMs: number | null }
}

type OperatorVerb = "approve" | "reject" | "retry" | "abandon" | "refund" | "redeem"
export type OperatorAnswer =
  | { readonly ok: true; readonly state: string }
  | { readonly ok: false; readonly reasons: readonly Reason[] }

const IDLE_MS = 1_000

export function createEngine(given: EngineContext): Engine {
  const context = withDurableCalls(given)
  const { clock } = context
  let awaken = (): void => undefined
  const wake = (): void => awaken()
  const { gate, heads, agreement, assets, accounts, list } = createWatches(context)
  const worker = createWorker(context, gate, heads, wake)
  const tick = createTick(context)
  const turns: { workMs: number | null; rulesMs: number | null } = { workMs: null, rulesMs: null }
  // Ticks run beside the outbox: a slow quote for a rule must not delay orders in flight.
  const rules: Watch = {
    name: "rules",
    everyMs: IDLE_MS,
    run: async () => {
      turns.rulesMs = clock.now()
      await tick.run()
      return IDLE_MS
    },
  }
  const rounds = createRounds(context, [...list, rules], wake)

  async function run(signal: AbortSignal): Promise<void> {
    signal.addEventListener("abort", wake, { once: true })
    while (!signal.aborted) {
      turns.workMs = clock.now()
      const woken = new Promise<void>((resolve) => {
        awaken = resolve
      })
      await sleepUntil(woken, waitFor([rounds.poll(), worker.poll()], clock), clock)
      // The results of one turn lead to one poll together. Timers and the interface get their turn
      // too: work may end within a microtask, and so may the next one.
      await clock.turn?.()
    }
    await Promise.all([worker.idle(), rounds.idle()])
  }

  return {
    run,
    wake,
    preview: tick.preview,
    nextMs: tick.nextMs,
    overdueSinceMs: tick.overdueSinceMs,
    lastTurns: () => ({ ...turns }),
    submit: (request) => submitSwap(context, request, wake),
    pause: async (scope, cause = { by: "operator", reason: null }) => {
      writePause(context, scope, cause)
      await Promise.all([worker.spendingIdle(), rounds.spendingIdle(), context.journal.durable()])
    },
    resume: (scope, acknowledge = []) => {
      const answer = liftPause(context, scope, acknowledge)
      wake()
      return answer
    },
    confirmClock: () => {
      acceptClock(context)
      context.log.warn({}, "An operator confirmed the clock")
      wake()
    },
    trust: agreement.list,
    checkAssets: () => assets.check().then(() => assets.findReasons()),
    checkJournal: () => compareKeyRecord(context).finally(accounts.check),
    findAssetDoubts: () => assets.findReasons(),
    recover: (adopt) => recoverOrders(context, adopt).finally(wake),
    operate: (...command) => {
      const answer = operateOrder(context, ...command)
      if (answer.ok) wake()
      return answer
    },
  }
}

/** The admission is on disk before its caller hears of it. */
async function submitSwap(
  context: EngineContext,
  request: Parameters<Engine["submit"]>[0],
  wake: () => void,
): Promise<Admission> {
  const admission = await admitSwap(context, { rule: "manual", ...request, occurrence: null })
  wake()
  return context.journal.durable().then(() => admission)
}

/** The time until the first of these is due, within the bounds of one turn. */
function waitFor(dueMs: readonly (number | null)[], clock: Clock): number {
  const leftMs = dueMs.map((atMs) => (atMs ?? Infinity) - clock.now())
  return Math.min(IDLE_MS, Math.max(20, Math.min(...leftMs)))
}

/** Waits for `woken`, or for `ms`. */
async function sleepUntil(woken: Promise<void>, ms: number, clock: Clock): Promise<void> {
  const sleeping = new AbortController()
  await Promise.race([woken, clock.sleep(ms, sleeping.signal)])
  // Without a reason, `abort` would build an error with a stack trace each time.
  sleeping.abort("woken")
}

function operateOrder(
  context: EngineContext,
  ...[orderId, verb, by, intent = null]: Parameters<Engine["operate"]>
): OperatorAnswer {
  const current = readIntent(context, orderId)
  const unredeemable = verb === "redeem" ? findRedeemRefusal(context, orderId) : null
  if (unredeemable !== null) return { ok: false, reasons: [unredeemable] }
  if (verb === "approve" && intent !== null && intent !== current)
    return refuseIntent(intent, current)
  if (verb === "approve" && intent === null && context.memory.unreadRequests.has(orderId))
    return refuseUnread()
  const uncounted = verb === "approve" ? findApprovalRefusal(context, orderId, by, intent) : null
  if (uncounted !== null) return { ok: false, reasons: [uncounted] }
  if (verb === "abandon" && isBeingSigned(context, orderId)) return refuseWhileSigning()
  const { changed, order } = applyEvent(
    context,
    orderId,
    { event: operatorEvent(context, verb, by, current) },
    null,
  )
  if (changed) return { ok: true, state: order.state }
  const message = `${verb} is not possible while the order is ${order.state}`
  return { ok: false, reasons: [{ code: "operator.not_now", message, state: order.state }] }
}

/** The hash of the order's present intent; `null` before its deposit is verified. */
function readIntent({ journal, memory }: EngineContext, orderId: string): string | null {
  const row = journal.findOrder(orderId)
  return row === null ? null : (memory.orders.read(row).data.intent?.hash ?? null)
}

function findApprovalRefusal(
  { journal, memory }: EngineContext,
  orderId: string,
  by: string,
  intent: string | null,
): Reason | null {
  const row = journal.findOrder(orderId)
  return row === null ? null : refuseApproval(memory.orders.read(row).data, by, intent)
}

function findRedeemRefusal({ journal, memory }: EngineContext, orderId: string): Reason | null {
  const row = journal.findOrder(orderId)
  return row === null ? null : refuseRedemption(memory.orders.read(row).data)
}

function refuseUnread(): OperatorAnswer {
  const message = "The order has only now asked for approval; read its intent, and approve that"
  return { ok: false, reasons: [{ code: "approval.intent_unread", message }] }
}

function refuseIntent(approved: string, current: string | null): OperatorAnswer {
  const found = current ?? "none yet"
  const message =
    `The order's intent is ${found}, not the ${approved} that was approved; read the order ` +
    "again"
  return { ok: false, reasons: [{ code: "approval.intent", message, approved, found }] }
}

/**
 * A signature is claimed, and the signed bytes are not in the journal. The order must not end now:
 * its nonce or inputs would be free while a signed transaction may exist.
 */
function isBeingSigned({ journal, memory }: EngineContext, orderId: string): boolean {
  const row = journal.findOrder(orderId)
  if (row === null) return false
  const { work } = STATES[memory.orders.read(row).state]
  if (work?.kind === "signTransaction") return journal.findOpenClaim(orderId, work.purpose) !== null
  return work?.kind === "signTypedData" && journal.findOpenClaim(orderId, "gasless") !== null
}

function refuseWhileSigning(): OperatorAnswer {
  const message =
    "The key is signing for this order: try again once the signature is stored (after " +
    "`ballast resume`, if paused). Ballast then voids or revokes it"
  return { ok: false, reasons: [{ code: "operator.signing", message }] }
}

function operatorEvent(
  { newNonce }: EngineContext,
  verb: OperatorVerb,
  by: string,
  intent: string | null,
): UntimedOrderEvent {
  switch (verb) {
    case "approve":
      return { type: "operator.approved", by, intent }
    case "reject":
      return { type: "operator.rejected", by }
    case "retry":
      return { type: "operator.retried", by, nonce: newNonce() }
    case "abandon":
      return { type: "operator.abandoned", by }
    case "refund":
      return { type: "operator.refunded", by }
    case "redeem":
      return { type: "operator.redeemed", by }
  }
}
