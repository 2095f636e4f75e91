import type { AssetId } from "#domain/asset.ts"
import { BTC, ETH } from "./instant-world.ts"
import { type Bench, submit } from "./run-orders.ts"

/** Opens orders that are funded and wait for their payout. */
export async function openWaiting(
  { engine, journal, world }: Bench,
  count: number,
  [from, to]: readonly [AssetId, AssetId] = [ETH, BTC],
): Promise<void> {
  world.pays = false
  const atOnce = 256
  for (let opened = 0; opened < count; opened += atOnce) {
    const some = Math.min(atOnce, count - opened)
    await Promise.all(Array.from({ length: some }, () => submit(engine, from, to)))
    while (countFunded(journal) < opened + some) await sleep(10)
  }
}

function countFunded(journal: Bench["journal"]): number {
  return journal.countOrders().find(({ state }) => state === "funded")?.count ?? 0
}

export function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms))
}
