import type { ChainPort } from "#chains/port.ts"
import type { MoveIntent, MovePlan, SignedMove } from "#domain/move.ts"
import type { Journal, StepRow } from "#journal/port.ts"
import { decodeOrder, encodeOrder } from "#order/step.ts"

/** Mistakes of the kind that lose money elsewhere. They live in the simulator's wrappers; production code knows nothing of them. */
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
] as const

export type PlantedBug = (typeof PLANTED_BUGS)[number]

const RELEASE_AFTER_MS = 20_000
const COUNT_AGE_MS = 20_000

/** The chain as a careless engine would use it. */
export function plantInChain(bug: PlantedBug | null, chain: ChainPort): ChainPort {
  switch (bug) {
    case "sent before recorded":
      return {
        ...chain,
        planMove: async (intent, reserved) => {
          const plan = await chain.planMove(intent, reserved)
          if (intent.purpose === "initiate" && !("refused" in plan))
            await chain.broadcastMove(await chain.signMove(plan))
          return plan
        },
      }
    case "resent with fresh nonce or inputs":
      return resendAfresh(chain)
    case "same outpoint for two orders":
      return { ...chain, planMove: (intent) => chain.planMove(intent, new Set()) }
    default:
      return chain
  }
}

/** The careless answer to an error, outside the network: a read that failed says that there is nothing. */
export function plantOutsideChain(bug: PlantedBug | null, chain: ChainPort): ChainPort {
  if (bug !== "failed read is zero") return chain
  const nothing = { initiated: null, redeemed: null, refunded: null, refundableAt: null }
  return new Proxy(chain, {
    get: (target, key) => {
      if (key !== "observeLeg") return Reflect.get(target, key)
      const observe: ChainPort["observeLeg"] = (query) =>
        target.observeLeg(query).catch(() => ({ height: 0n, ...nothing }))
      return observe
    },
  })
}

export function plantInJournal(
  bug: PlantedBug | null,
  journal: Journal,
  now: () => number,
  isFirstLife: boolean,
): Journal {
  switch (bug) {
    case "send error is final":
      return { ...journal, commit: (step) => journal.commit(giveUpOnSendError(step)) }
    case "same outpoint for two orders":
      return { ...journal, commit: (step) => journal.commit({ ...step, reserve: [] }) }
    case "reservation released by time":
      return { ...journal, commit: (step) => journal.commit(releaseByTime(step)) }
    case "in-flight limit counted late":
      return { ...journal, countInFlight: countLate(journal, now) }
    case "pause unread":
      return { ...journal, readFlag: (key) => (key === "pause" ? null : journal.readFlag(key)) }
    case "refund forgotten after restart":
      return isFirstLife ? journal : { ...journal, listDueWork: (...query) => forgetRefunds(journal, query) }
    default:
      return journal
  }
}

/** Bugs that rewrite rows: what they store is not what the machine said, which is no way to find them. */
export function rewritesRows(bug: PlantedBug | null): boolean {
  return bug === "send error is final"
}

function resendAfresh(chain: ChainPort): ChainPort {
  const intents = new Map<string, MoveIntent>()
  const sent = new Set<string>()
  const planMove: ChainPort["planMove"] = async (intent, reserved) => {
    const plan = await chain.planMove(intent, reserved)
    if (!("refused" in plan) && intent.purpose === "initiate") intents.set(plan.digest, intent)
    return plan
  }
  const refresh = async ({ plan }: SignedMove): Promise<MovePlan | null> => {
    const intent = intents.get(plan.digest)
    if (intent === undefined) return null
    const fresh = await chain.planMove(intent, new Set(plan.claims))
    return "refused" in fresh ? null : fresh
  }
  const broadcastMove: ChainPort["broadcastMove"] = async (move) => {
    const fresh = sent.has(move.txid) ? await refresh(move) : null
    sent.add(move.txid)
    await chain.broadcastMove(fresh === null ? move : await chain.signMove(fresh))
  }
  return { ...chain, planMove, broadcastMove }
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
