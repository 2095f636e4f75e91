import type { LocalChain, LocalSwap, SwapRequest } from "../local-chain.ts"
import type { StoredOrder } from "../service/stored-order.ts"
import { type HostileName, hostileMode, type Response, type Scene } from "./hostile-modes.ts"

/** An order as just made, and the family's fields of the answer to its creation. */
export type Made = { readonly order: StoredOrder; readonly response: Response }

/**
 * The order and the create answer as a hostile service gives them. A leg that is lied about is described anew by its own chain, so that a lie
 * is consistent in itself: an address that fits its keys, an id that fits its terms.
 */
export async function tellLies(name: HostileName, { order, response }: Made, scene: Scene): Promise<Made> {
  const mode = hostileMode(name)
  if (!mode.families.includes(scene.source.family)) return { order, response }
  const source = mode.source ? await describeSource(order, mode.source(scene), scene.source) : null
  const deposit = mode.deposit ? await describeSource(order, mode.deposit(scene), scene.source) : null
  const destination = mode.destination
    ? await scene.destination.describeDestination({
        ...requestOf(order.destination.swap, scene.destination),
        ...mode.destination(scene),
      })
    : order.destination.swap
  const answer = deposit?.response ?? source?.response ?? response
  return {
    order: {
      ...order,
      source: { ...order.source, swap: source?.swap ?? order.source.swap },
      destination: { ...order.destination, swap: destination },
    },
    response: mode.response?.(answer, scene) ?? answer,
  }
}

/** The create answer in the dialect's form, spoilt. */
export function spoilAnswer(name: HostileName, answer: Response, scene: Scene): Response {
  const mode = hostileMode(name)
  return mode.families.includes(scene.source.family) && mode.answer ? mode.answer(answer, scene) : answer
}

/** The terms as they were told, with the progress as it is. */
export function withLies(order: StoredOrder, told: StoredOrder | undefined): StoredOrder {
  if (told === undefined) return order
  return {
    ...order,
    source: { ...order.source, swap: told.source.swap },
    destination: { ...order.destination, swap: told.destination.swap },
  }
}

/** A merge patch of the order read back. */
export function reportOf(name: HostileName, order: StoredOrder): unknown {
  return hostileMode(name).report?.(order) ?? {}
}

function describeSource(order: StoredOrder, change: Partial<SwapRequest>, chain: LocalChain) {
  return chain.describeSource({ ...requestOf(order.source.swap, chain), ...change })
}

function requestOf(swap: LocalSwap, { family }: LocalChain): SwapRequest {
  const delegate = family === "bitcoin" && swap.side === "source" ? swap.delegate : undefined
  return {
    assetId: swap.asset,
    units: BigInt(swap.units),
    owner: swap.owner,
    secretHash: swap.secretHash,
    timelock: swap.timelock,
    ...(delegate === undefined ? {} : { delegate }),
  }
}
