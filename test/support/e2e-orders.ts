import type { OrderView } from "../../src/core/order/view.ts"
import type { DaemonClient } from "./e2e-daemon-client.ts"
import { until } from "./sandbox-process.ts"

export type Swap = { readonly from: string; readonly to: string; readonly amount: string }
export type Refusal = { readonly code: string; readonly message: string }

/** Requests a swap that the daemon must accept. Resolves with the order's id. */
export async function acceptSwap(
  daemon: DaemonClient,
  { from, to, amount }: Swap,
): Promise<string> {
  const { status, body } = await daemon.call("POST", "/api/v1/swap", { from, to, amount })
  if (status !== 202)
    throw new Error(`${from} → ${to} was not accepted: ${status} ${JSON.stringify(body)}`)
  // CAST: our own interface: 202 carries {id}.
  return (body as { id: string }).id
}

/** Requests a swap that the daemon must refuse. Resolves with the reasons. */
export async function refuseSwap(
  daemon: DaemonClient,
  { from, to, amount }: Swap,
): Promise<readonly Refusal[]> {
  const { status, body } = await daemon.call("POST", "/api/v1/swap", { from, to, amount })
  if (status !== 409)
    throw new Error(`expected a refusal with 409, not ${status} ${JSON.stringify(body)}`)
  // CAST: our own interface: 409 carries {reasons}.
  return (body as { reasons: Refusal[] }).reasons
}

/**
 * Waits until an order has its outcome. If the order is held, it fails at once with the reasons.
 */
export async function waitForOutcome(
  daemon: DaemonClient,
  id: string,
  timeoutMs = 60_000,
): Promise<OrderView> {
  let order: OrderView | null = null
  const ended = async (): Promise<boolean> => {
    order = await daemon.order(id)
    if (order.held) throw new Error(`order ${id} is held: ${JSON.stringify(order.reasons)}`)
    return order.outcome !== null
  }
  await until(`order ${id} ended`, ended, timeoutMs).catch((error: unknown) => {
    throw new Error(
      `${String(error)}; it is ${order?.state} with ${JSON.stringify(order?.reasons)}`,
    )
  })
  return daemon.order(id)
}

/** Waits until an order without an outcome shows a reason with such a code. */
export async function untilReason(
  daemon: DaemonClient,
  id: string,
  code: RegExp,
  timeoutMs = 30_000,
): Promise<OrderView> {
  let order = await daemon.order(id)
  const given = async (): Promise<boolean> => {
    order = await daemon.order(id)
    if (order.outcome !== null)
      throw new Error(`order ${id} is ${order.outcome}: ${JSON.stringify(order.reasons)}`)
    return order.reasons.some((reason) => code.test(reason.code))
  }
  await until(`order ${id} says ${code}`, given, timeoutMs).catch((error: unknown) => {
    throw new Error(`${String(error)}; it is ${order.state} with ${JSON.stringify(order.reasons)}`)
  })
  return order
}
