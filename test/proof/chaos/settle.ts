import { setTimeout as sleep } from "node:timers/promises"
import type { OrderView } from "#order/view.ts"
import { leap } from "./inject-fault.ts"
import type { World } from "./start-world.ts"

const PATIENCE_MS = 60_000
const LEAPS = 3
const POLL_MS = 1_000

/**
 * Ends all faults and waits until every order is final or held. After a minute it advances all
 * chains past the timelocks of the open orders, so that these can be refunded. It does so at most
 * three times, because a refund can itself take several observations.
 */
export async function settle(
  world: World,
  say: (text: string) => void,
): Promise<readonly OrderView[]> {
  await world.service.setFaults({ answers: null, solver: null })
  await world.daemon.retire()
  let orders = await listOrders(world)
  for (let leaps = 0; ; leaps++) {
    const end = performance.now() + PATIENCE_MS
    while (performance.now() < end && orders.some(isOpen)) {
      await sleep(POLL_MS)
      orders = await listOrders(world)
    }
    const open = orders.filter(isOpen)
    if (open.length === 0 || leaps === LEAPS) break
    say(
      `${open.length} orders wait ` +
        `(${[...new Set(open.map(({ state }) => state))].join(", ")}): leaping past the ` +
        "timelocks",
    )
    // A chain that fails to leap tries again in the next round.
    for (const leapt of await Promise.allSettled(world.chains.map(leap)))
      if (leapt.status === "rejected") say(String(leapt.reason))
  }
  // Wait until the last redemptions and refunds are mined.
  await sleep(3_000)
  return listOrders(world)
}

function isOpen({ outcome, held, state }: OrderView): boolean {
  return outcome === null && !held && state !== "disarmed"
}

async function listOrders({ daemon }: World): Promise<readonly OrderView[]> {
  const { status, body } = await daemon.process.call("GET", "/api/v1/orders?limit=1000")
  if (status !== 200) throw new Error(`the daemon does not list its orders: ${status}`)
  // CAST: our own interface.
  return (body as { orders: OrderView[] }).orders
}
