import { AsyncLocalStorage } from "node:async_hooks"

/**
 * What a question to a node, service or price source is asked for. Where an endpoint limits its
 * requests, the first of these goes first. `told`: a look at an order whose secret is out.
 */
export const URGENCIES = ["effect", "told", "look", "person", "background"] as const
export type Urgency = (typeof URGENCIES)[number]

/** Whatever `act` asks has this urgency, also after its waits. */
export function withUrgency<T>(urgency: Urgency, act: () => T): T {
  return withRank(URGENCIES.indexOf(urgency), act)
}

export function withRank<T>(rank: number, act: () => T): T {
  return storage.run(rank, act)
}

/** The rank of the question that is asked now: 0 is the most urgent. Without one it is a look. */
export function rankNow(): number {
  return storage.getStore() ?? URGENCIES.indexOf("look")
}

const storage = new AsyncLocalStorage<number>()
