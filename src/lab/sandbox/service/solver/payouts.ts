import type { LocalChain } from "../../local-chain.ts"
import type { OrderStore } from "../order-store.ts"
import type { AffiliateRecord, StoredOrder } from "../stored-order.ts"
import type { AccruedPayout, StoredPayout } from "./stored-payout.ts"

/**
 * Pays all affiliate fees that are earned and unpaid, with one transfer per week, asset and
 * address. A caller uses it to end the week.
 *
 * An affiliate earns a fee in the ISO week in which the order's destination is redeemed. A transfer
 * that fails, for example because no local chain holds the asset, is recorded with its reason, and
 * the next call tries it again.
 */
export async function payAffiliates(
  store: OrderStore,
  chains: readonly LocalChain[],
): Promise<readonly StoredPayout[]> {
  const paid = store.payouts().filter((payout) => payout.tx !== null)
  const results: StoredPayout[] = []
  for (const due of listAccrued(store)) {
    results.push(await payOne(due, chains))
    // Record each transfer immediately, so that an exception in a later one does not lose it.
    store.putPayouts([...paid, ...results])
  }
  return results
}

/** The fees that are earned and not yet paid. */
export function listAccrued(store: OrderStore): readonly AccruedPayout[] {
  const settled = new Set(
    store
      .payouts()
      .flatMap((payout) =>
        payout.tx === null ? [] : payout.orders.map((id) => keyOf(payout, id)),
      ),
  )
  const groups = new Map<string, AccruedPayout>()
  for (const { week, order, fee } of store.list().flatMap(earnedFees)) {
    const group = { week, asset: fee.asset, address: fee.address }
    if (settled.has(keyOf(group, order.id))) continue
    const key = keyOf(group, "")
    const known = groups.get(key)
    const amount = (BigInt(known?.amount ?? "0") + BigInt(fee.amount)).toString()
    groups.set(key, {
      ...group,
      amount,
      orders: [...new Set([...(known?.orders ?? []), order.id])],
    })
  }
  return [...groups.values()]
}

/** As live services list them: what is left to claim, and what was paid, by asset. */
export function listEarnings(store: OrderStore): readonly object[] {
  const accrued = listAccrued(store)
  const paid = store.payouts().filter(({ tx }) => tx !== null)
  const sumOf = (of: readonly AccruedPayout[], asset: string): string =>
    of
      .filter((one) => one.asset === asset)
      .reduce((sum, { amount }) => sum + BigInt(amount), 0n)
      .toString()
  return [...new Set([...accrued, ...paid].map(({ asset }) => asset))].map((asset) => ({
    asset,
    claim_amount: sumOf(accrued, asset),
    claimed_amount: sumOf(paid, asset),
  }))
}

/**
 * The ISO 8601 week of a time in UTC, such as `2026-W47`. A week belongs to the year of its
 * Thursday.
 *
 * Written by hand because Ballast depends on no date library.
 */
export function isoWeek(ms: number): string {
  const day = new Date(ms)
  const thursday = new Date(
    Date.UTC(
      day.getUTCFullYear(),
      day.getUTCMonth(),
      day.getUTCDate() + 4 - (day.getUTCDay() || 7),
    ),
  )
  const dayOfYear = (thursday.getTime() - Date.UTC(thursday.getUTCFullYear(), 0, 1)) / DAY_MS
  return `${thursday.getUTCFullYear()}-W${String(Math.floor(dayOfYear / 7) + 1).padStart(2, "0")}`
}

const DAY_MS = 86_400_000

type Earned = { readonly week: string; readonly order: StoredOrder; readonly fee: AffiliateRecord }

function earnedFees(order: StoredOrder): readonly Earned[] {
  const atMs = order.destination.seen.redeemed?.atMs
  if (atMs === null || atMs === undefined) return []
  return order.affiliateFees.map((fee) => ({ week: isoWeek(atMs), order, fee }))
}

async function payOne(due: AccruedPayout, chains: readonly LocalChain[]): Promise<StoredPayout> {
  const chain = chains.find((candidate) => candidate.assets.some((asset) => asset.id === due.asset))
  if (!chain) return { ...due, tx: null, reason: `no local chain holds ${due.asset}` }
  try {
    return {
      ...due,
      tx: await chain.fund(due.address, due.asset, BigInt(due.amount)),
      reason: null,
    }
  } catch (error) {
    return { ...due, tx: null, reason: error instanceof Error ? error.message : String(error) }
  }
}

function keyOf(group: { week: string; asset: string; address: string }, orderId: string): string {
  return [group.week, group.asset, group.address, orderId].join("|")
}
