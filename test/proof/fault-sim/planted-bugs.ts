import type { SignedTransaction, TransactionPlan, TransactionRequest } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { decodeOrder, encodeOrder } from "#order/step.ts"
import type { RecurringRule } from "#policy/rules/recurring/recurring-rule.ts"
import type { ChainPort } from "#ports/chain.ts"
import type { StepRow } from "#ports/journal/orders.ts"
import type { Journal } from "#ports/journal.ts"
import type { ServicePort } from "#ports/service.ts"
import { emptyLeg } from "../../support/sample-job.ts"
import { ADVERSARY_BUGS, type AdversaryBug } from "./adversary/module-rules.ts"
import type { Configuration } from "./configuration.ts"
import { CHAIN_BUGS, type ChainBug, type ChainPlantDeps } from "./planted-chain-bugs.ts"
import {
  JOURNAL_BUGS,
  type JournalBug,
  type JournalPlantDeps,
  ROW_REWRITERS,
} from "./planted-journal-bugs.ts"
import { READ_BUGS, type ReadBug } from "./planted-reads.ts"
import { ROUTE_BUGS, type RouteBug } from "./planted-route-bugs.ts"

/**
 * Mistakes that have lost money in other systems. The simulator's wrappers make them; production
 * code has no switch for them.
 */
export const PLANTED_BUGS = [
  "sent before recorded",
  "resent with fresh nonce or inputs",
  "send error is final",
  "failed read is zero",
  "same outpoint for two orders",
  "reservation released by time",
  "in-flight limit counted late",
  "pause unread",
  "refund forgotten after restart",
  "signed content differs from verified",
  "payout believed unseen",
  "key used without the journal",
  "schedule read in UTC",
  "missed occurrence fires",
  "order limit ignored",
  "observe mode signs",
  "event form unknown",
  "order sent to another service",
  "final at one confirmation",
  // CAST: the keys of an object that is `as const`.
  ...(Object.keys(READ_BUGS) as ReadBug[]),
  // CAST: as above.
  ...(Object.keys(CHAIN_BUGS) as ChainBug[]),
  // CAST: as above.
  ...(Object.keys(JOURNAL_BUGS) as JournalBug[]),
  // CAST: as above.
  ...(Object.keys(ADVERSARY_BUGS) as AdversaryBug[]),
  // CAST: as above.
  ...(Object.keys(ROUTE_BUGS) as RouteBug[]),
] as const

export type PlantedBug = (typeof PLANTED_BUGS)[number]

const RELEASE_AFTER_MS = 20_000
const COUNT_AGE_MS = 20_000

/** A chain port that makes the mistake of a careless engine, or of a careless family. */
export function plantInChain(
  bug: PlantedBug | null,
  chain: ChainPort,
  deps: ChainPlantDeps,
): ChainPort {
  const known = Object.entries(CHAIN_BUGS).find(([name]) => name === bug)
  if (known !== undefined) return known[1](chain, deps)
  const ofRoute = Object.entries(ROUTE_BUGS).find(([name]) => name === bug)
  if (ofRoute !== undefined) return ofRoute[1](chain)
  switch (bug) {
    case "sent before recorded":
      return {
        ...chain,
        planTransaction: async (intent, reserved) => {
          const plan = await chain.planTransaction(intent, reserved)
          if (intent.action === "initiate" && !("refused" in plan))
            await chain.broadcastTransaction(await chain.signTransaction(plan))
          return plan
        },
      }
    case "resent with fresh nonce or inputs":
      return resendAfresh(chain)
    case "same outpoint for two orders":
      return planWithoutReserved(chain)
    case "signed content differs from verified":
      return {
        ...chain,
        planTransaction: (intent, ...how) => chain.planTransaction(payMore(intent), ...how),
      }
    default:
      return chain
  }
}

/**
 * Mistakes outside the faulty network, for example a failed read that counts as an empty answer.
 */
export function plantOutsideChain(bug: PlantedBug | null, chain: ChainPort): ChainPort {
  if (bug === "payout believed unseen") return believePayout(chain)
  if (bug === "event form unknown") return missEvents(chain)
  return bug === "failed read is zero" ? readZero(chain) : chain
}

export function plantInJournal(
  bug: PlantedBug | null,
  journal: Journal,
  { isFirstLife, ...deps }: JournalPlantDeps & { readonly isFirstLife: boolean },
): Journal {
  const { now } = deps
  const known = Object.entries(JOURNAL_BUGS).find(([name]) => name === bug)
  if (known !== undefined) return known[1](journal, deps)
  switch (bug) {
    case "send error is final":
      return { ...journal, commit: (step) => journal.commit(giveUpOnSendError(step)) }
    case "same outpoint for two orders":
      return shareResources(journal)
    case "reservation released by time":
      return { ...journal, commit: (step) => journal.commit(releaseByTime(step)) }
    case "in-flight limit counted late":
      return { ...journal, countInFlight: countLate(journal, now) }
    case "pause unread":
      return { ...journal, readFlag: (key) => (key === "pause" ? null : journal.readFlag(key)) }
    case "refund forgotten after restart":
      return isFirstLife
        ? journal
        : { ...journal, listDueWork: (...query) => forgetRefunds(journal, query) }
    default:
      return journal
  }
}

/**
 * These bugs store other rows than the machine produced. Comparing rows would find them trivially,
 * so checkers do not use rows then.
 */
export function rewritesRows(bug: PlantedBug | null): boolean {
  return bug === "send error is final" || ROW_REWRITERS.some((name) => name === bug)
}

/** The key itself, below the recorder. */
export function plantInKey(bug: PlantedBug | null, chain: ChainPort): ChainPort {
  return bug === "key used without the journal" ? payTwice(chain) : chain
}

export function plantInConfiguration(
  bug: PlantedBug | null,
  configuration: Configuration,
): Configuration {
  if (bug === "observe mode signs") return { ...configuration, mode: "live" }
  if (bug === "order limit ignored")
    return { ...configuration, limits: { ...configuration.limits, maxOrder: null } }
  return configuration
}

export function plantInRules(
  bug: PlantedBug | null,
  rules: readonly RecurringRule[],
): readonly RecurringRule[] {
  if (bug === "schedule read in UTC") return rules.map((rule) => ({ ...rule, timezone: "UTC" }))
  if (bug === "missed occurrence fires") return rules.map((rule) => ({ ...rule, catchUp: "all" }))
  return rules
}

function payMore(intent: TransactionRequest): TransactionRequest {
  if (intent.action !== "initiate") return intent
  return { ...intent, deposit: { ...intent.deposit, units: intent.deposit.units + 1n } }
}

/**
 * A read that fails counts as an empty HTLC at the last known height, for watching as well as for
 * the proof before an ending.
 */
function readZero(chain: ChainPort): ChainPort {
  let height = 0n
  const observeLeg: ChainPort["observeLeg"] = async (query) => {
    try {
      const leg = await chain.observeLeg(query)
      height = leg.height
      return leg
    } catch {
      return emptyLeg(height)
    }
  }
  const proveUnfunded: ChainPort["proveUnfunded"] = (query) =>
    chain.proveUnfunded(query).catch(() => ({ status: "unfunded", height, rivals: [] }))
  const changed = { observeLeg, proveUnfunded }
  return new Proxy(chain, {
    get: (target, key) =>
      Object.hasOwn(changed, key) ? Reflect.get(changed, key) : Reflect.get(target, key),
  })
}

/** Reports every initiated leg as redeemed. */
function believePayout(chain: ChainPort): ChainPort {
  const observe: ChainPort["observeLeg"] = async (query) => {
    const leg = await chain.observeLeg(query)
    const { initiated } = leg
    if (initiated === null || leg.redeemed !== null) return leg
    return {
      ...leg,
      redeemed: { ...initiated, final: true, paidUnits: initiated.units, secret: null },
    }
  }
  return new Proxy(chain, {
    get: (target, key) => (key === "observeLeg" ? observe : Reflect.get(target, key)),
  })
}

/**
 * Reads events strictly, in a form that the EVM contracts no longer have: neither a deposit nor a
 * payout is ever seen there.
 */
function missEvents(chain: ChainPort): ChainPort {
  if (chain.family !== "evm") return chain
  const observe: ChainPort["observeLeg"] = async (query) => {
    const { height } = await chain.observeLeg(query)
    return emptyLeg(height)
  }
  return new Proxy(chain, {
    get: (target, key) => (key === "observeLeg" ? observe : Reflect.get(target, key)),
  })
}

/** Asks the first deployment for every order. */
export function plantInServices(
  bug: PlantedBug | null,
  services: ReadonlyMap<string, ServicePort>,
): ReadonlyMap<string, ServicePort> {
  const [first] = services.values()
  if (bug !== "order sent to another service" || first === undefined) return services
  const { fetchOrder, submitSignature } = first
  return new Map(
    [...services].map(([name, port]) => [name, { ...port, fetchOrder, submitSignature }]),
  )
}

/** Plans as if no other order had reserved a nonce or an outpoint. */
function planWithoutReserved(chain: ChainPort): ChainPort {
  const { nonces } = chain
  return {
    ...chain,
    planTransaction: (intent, _reserved, how) => chain.planTransaction(intent, new Set(), how),
    ...(nonces && { nonces: { ...nonces, bindPlan: (plan) => nonces.bindPlan(plan, new Set()) } }),
  }
}

/**
 * Ignores that another order has reserved the resource, for the plan as well as for the signature.
 */
function shareResources(journal: Journal): Journal {
  const share = (write: () => void, again: () => void): void => {
    try {
      write()
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== "journal.resource_taken") throw error
      again()
    }
  }
  return {
    ...journal,
    commit: (step) =>
      share(
        () => journal.commit(step),
        () => journal.commit({ ...step, reserve: [] }),
      ),
    claimSignature: (claim, companion) =>
      share(
        () => journal.claimSignature(claim, companion),
        () =>
          journal.claimSignature(
            { ...claim, reserve: [] },
            companion && { ...companion, reserve: [] },
          ),
      ),
  }
}

/**
 * Signs and sends a second transaction with other nonces or inputs, unseen by engine and recorder.
 */
function payTwice(chain: ChainPort): ChainPort {
  const intents = new Map<string, TransactionRequest>()
  const planTransaction: ChainPort["planTransaction"] = async (intent, reserved) => {
    const plan = await chain.planTransaction(intent, reserved)
    if (!("refused" in plan) && intent.action === "initiate") intents.set(plan.digest, intent)
    return plan
  }
  const signTransaction: ChainPort["signTransaction"] = async (plan) => {
    const intent = intents.get(plan.digest)
    intents.delete(plan.digest)
    const more =
      intent === undefined ? null : await chain.planTransaction(intent, new Set(plan.resources))
    if (more !== null && !("refused" in more))
      await chain.broadcastTransaction(await chain.signTransaction(more))
    return chain.signTransaction(plan)
  }
  return { ...chain, planTransaction, signTransaction }
}

function resendAfresh(chain: ChainPort): ChainPort {
  const intents = new Map<string, TransactionRequest>()
  const sent = new Set<string>()
  const planTransaction: ChainPort["planTransaction"] = async (intent, reserved) => {
    const plan = await chain.planTransaction(intent, reserved)
    if (!("refused" in plan) && intent.action === "initiate") intents.set(plan.digest, intent)
    return plan
  }
  const refresh = async ({ plan }: SignedTransaction): Promise<TransactionPlan | null> => {
    const intent = intents.get(plan.digest)
    if (intent === undefined) return null
    const fresh = await chain.planTransaction(intent, new Set(plan.resources))
    return "refused" in fresh ? null : fresh
  }
  const broadcastTransaction: ChainPort["broadcastTransaction"] = async (transaction) => {
    const fresh = sent.has(transaction.txid) ? await refresh(transaction) : null
    sent.add(transaction.txid)
    await chain.broadcastTransaction(
      fresh === null ? transaction : await chain.signTransaction(fresh),
    )
  }
  return { ...chain, planTransaction, broadcastTransaction }
}

function giveUpOnSendError(step: StepRow): StepRow {
  if (step.order.state !== "deposit-sending" || step.event.type !== "work.deferred") return step
  const { data } = decodeOrder(step.order.snapshot)
  const order = {
    ...step.order,
    state: "rejected",
    outcome: "rejected",
    snapshot: encodeOrder({ state: "rejected", data }),
  }
  return { ...step, order, work: null, release: "all" }
}

function releaseByTime(step: StepRow): StepRow {
  if (!/^deposit-(sending|confirming)$/.test(step.order.state)) return step
  const { stateSince } = decodeOrder(step.order.snapshot).data
  return step.event.atMs - stateSince > RELEASE_AFTER_MS ? { ...step, release: "all" } : step
}

function countLate(journal: Journal, now: () => number): () => number {
  let known = { atMs: Number.NEGATIVE_INFINITY, count: 0 }
  return () => {
    if (now() - known.atMs > COUNT_AGE_MS) known = { atMs: now(), count: journal.countInFlight() }
    return known.count
  }
}

function forgetRefunds(
  journal: Journal,
  [nowMs, limit]: Parameters<Journal["listDueWork"]>,
): ReturnType<Journal["listDueWork"]> {
  return journal
    .listDueWork(nowMs, limit)
    .filter(({ orderId }) => !/^refund-/.test(journal.findOrder(orderId)?.state ?? ""))
}
