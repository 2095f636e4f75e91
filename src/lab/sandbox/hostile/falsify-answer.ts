import type { LocalChain, LocalSwap, SwapRequest } from "../local-chain.ts"
import type { StoredOrder } from "../service/stored-order.ts"
import type { AnswerFields, HostileContext } from "./hostile-context.ts"
import { type HostileName, hostileMode } from "./hostile-modes.ts"

/** A new order, and the family's fields of the create answer. */
type CreatedOrder = { readonly order: StoredOrder; readonly response: AnswerFields }

/**
 * The order and the create answer with the false terms of a hostile mode.
 *
 * The leg's own chain describes each leg with false terms again. The false terms are then
 * consistent with each other: the address fits the keys, and the swap id fits the terms.
 */
export async function falsifyOrder(
  name: HostileName,
  { order, response }: CreatedOrder,
  context: HostileContext,
): Promise<CreatedOrder> {
  const mode = hostileMode(name)
  if (!mode.families.includes(context.source.family)) return { order, response }
  const source = mode.source
    ? await describeSource(order, mode.source(context), context.source)
    : null
  const deposit = mode.deposit
    ? await describeSource(order, mode.deposit(context), context.source)
    : null
  const destination = mode.destination
    ? await context.destination.describeDestination({
        ...requestOf(order.destination.swap, context.destination),
        ...mode.destination(context),
      })
    : order.destination.swap
  const answer = deposit?.response ?? source?.response ?? response
  return {
    order: {
      ...order,
      source: { ...order.source, swap: source?.swap ?? order.source.swap },
      destination: { ...order.destination, swap: destination },
    },
    response: mode.response?.(answer, context) ?? answer,
  }
}

/** Falsifies the create answer in the form that the dialect gives it. */
export function falsifyAnswer(
  name: HostileName,
  answer: AnswerFields,
  context: HostileContext,
): AnswerFields {
  const mode = hostileMode(name)
  return mode.families.includes(context.source.family) && mode.answer
    ? mode.answer(answer, context)
    : answer
}

/** The false terms that the create answer gave, with the true progress of the order. */
export function withFalsifiedTerms(
  order: StoredOrder,
  falsified: StoredOrder | undefined,
): StoredOrder {
  if (falsified === undefined) return order
  return {
    ...order,
    source: { ...order.source, swap: falsified.source.swap },
    destination: { ...order.destination, swap: falsified.destination.swap },
  }
}

/** The merge patch that falsifies the order in the answers of get and list. */
export function falsifiedReport(name: HostileName, order: StoredOrder): unknown {
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
