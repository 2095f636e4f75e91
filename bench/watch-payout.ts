import type { Exchange } from "../test/support/network-recorder.ts"

const POLL_MS = 20
const MOST_MS = 120_000

/**
 * Asks the service itself, beside the order's maker, until the payout of the newest order is
 * in a block. Resolves with that time of `performance.now()`.
 */
export async function watchPayout(
  service: string,
  exchanges: readonly Exchange[],
  before: number,
): Promise<number> {
  const endMs = performance.now() + MOST_MS
  while (performance.now() < endMs) {
    const id = orderIdOf(exchanges.slice(before))
    if (id !== null && (await isPaid(service, id))) return performance.now()
    await new Promise((resolve) => setTimeout(resolve, POLL_MS))
  }
  throw new Error("no payout came")
}

function orderIdOf(exchanges: readonly Exchange[]): string | null {
  const created = exchanges.find(({ request }) => request.startsWith("POST /v2/orders"))
  // CAST: the service's own answer; its text is asked for again until it has an id.
  const answer = JSON.parse(created?.answer ?? "{}") as { result?: { order_id?: string } }
  return answer.result?.order_id ?? null
}

/** The header and id of an app differ between the dialects of the service. */
const APP = { "garden-app-id": "b".repeat(64), "service-app-id": "ballast-sandbox" }

async function isPaid(service: string, id: string): Promise<boolean> {
  const answer = await fetch(`${service}/v2/orders/${id}`, { headers: APP })
  // CAST: the interface of the service.
  const { result } = (await answer.json()) as {
    result?: { destination_swap: { redeem_block_number: string | null } }
  }
  if (result === undefined) throw new Error(`the service does not show its order ${id}`)
  return !["0", null].includes(result.destination_swap.redeem_block_number)
}
