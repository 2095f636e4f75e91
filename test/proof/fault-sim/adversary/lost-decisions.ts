import type { Journal } from "#ports/journal.ts"
import type { ServicePort } from "#ports/service.ts"
import { never } from "../../../support/faults.ts"
import type { Life } from "../faulty-port.ts"

/**
 * The told secrets of which the next process knows nothing, as after a restored journal, by secret
 * hash. `died`: the process has died for it.
 */
export type LostDecisions = {
  readonly lost: Set<string>
  readonly died: Set<string>
  readonly isWanted: (secretHash: string) => boolean
}

/**
 * A journal that loses some decisions to tell a secret with its process, which dies as soon as the
 * secret has left.
 */
export function loseDecisions(journal: Journal, decisions: LostDecisions): Journal {
  /** What only this process knows. */
  const held = new Map<string, Parameters<Journal["decideSecret"]>[0]>()
  const decideSecret: Journal["decideSecret"] = (row) => {
    const isFirst = !decisions.lost.has(row.secretHash)
    if (row.decision !== "reveal" || !isFirst || !decisions.isWanted(row.secretHash))
      return journal.decideSecret(row)
    held.set(row.orderId, row)
    decisions.lost.add(row.secretHash)
  }
  const listSecretDecisions: Journal["listSecretDecisions"] = (orderId) => {
    const known = journal.listSecretDecisions(orderId)
    return held.has(orderId) ? [...known, "reveal"] : known
  }
  // A process that goes on with the order did not tell its secret, so it has lost nothing.
  const commit: Journal["commit"] = (step) => {
    const row = held.get(step.order.id)
    if (row !== undefined) journal.decideSecret(row)
    held.delete(step.order.id)
    journal.commit(step)
  }
  const changed = { decideSecret, listSecretDecisions, commit }
  return new Proxy(journal, {
    get: (target, key) =>
      Object.hasOwn(changed, key) ? Reflect.get(changed, key) : Reflect.get(target, key),
  })
}

type Told = {
  readonly decisions: LostDecisions
  readonly hashOf: (orderId: string) => string
  readonly life: Life
}

/**
 * The process dies with the answer of the service, or with its error, before it writes anything.
 */
export function dieAfterTelling(
  port: ServicePort,
  { decisions, hashOf, life }: Told,
  rest: () => void,
): ServicePort {
  const { revealSecret } = port
  const tell: ServicePort["revealSecret"] = async (orderId, ...how) => {
    const secretHash = hashOf(orderId)
    const told = revealSecret(orderId, ...how)
    if (!decisions.lost.has(secretHash) || decisions.died.has(secretHash)) return told
    await told.catch(() => undefined)
    decisions.died.add(secretHash)
    rest()
    life.die("killed at an await")
    return never()
  }
  return new Proxy(port, {
    get: (target, key) => (key === "revealSecret" ? tell : Reflect.get(target, key)),
  })
}
