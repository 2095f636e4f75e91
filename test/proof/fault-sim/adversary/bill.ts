import { FEE } from "../../../support/fake-fees.ts"
import { listTaken } from "../checkers/losses.ts"
import { UNIT_FIAT } from "../configuration.ts"
import type { GroundTruth } from "../ground-truth.ts"
import type { Means } from "./prices.ts"
import type { Spent } from "./purse.ts"

/**
 * The bill of an adversary in one run. Amounts in units, of which each is worth the same on every
 * chain.
 */
export type AdversaryBill = {
  /** The deposits that were taken without a payout, though the payee could receive it. */
  readonly lost: Loss
  /** Those whose payee was frozen by the issuer of the payout's token. */
  readonly frozen: Loss
  readonly spent: ReadonlyMap<Means, Spent>
  /** The orders that the adversary spent on, or could have. */
  readonly attacked: number
  /** Fees of our landed transactions above the usual one. */
  readonly forcedUnits: bigint
  /** The most of one order, and that in hundredths of its worth. */
  readonly mostForcedUnits: bigint
  readonly mostForcedPercent: number
}

type Loss = { readonly orders: number; readonly units: bigint }

export function billOf(truth: GroundTruth): AdversaryBill | null {
  const { adversary, recorder, hasLanded } = truth
  if (adversary === null) return null
  const taken = listTaken(truth)
  const forced = new Map<string, bigint>()
  for (const signature of recorder.signatures.filter(hasLanded)) {
    const above = signature.feeUnits > FEE ? signature.feeUnits - FEE : 0n
    forced.set(signature.orderId, (forced.get(signature.orderId) ?? 0n) + above)
  }
  const parts = [...forced].map(([id, units]) => {
    const worth = recorder.rows.get(id)?.sourceUnits ?? 1n
    return { units, percent: Number((units * 100n) / (worth === 0n ? 1n : worth)) }
  })
  return {
    lost: lossOf(taken.filter(({ order }) => !adversary.wasFrozen(order))),
    frozen: lossOf(taken.filter(({ order }) => adversary.wasFrozen(order))),
    spent: adversary.spent(),
    attacked: truth.world.service.orders.filter((order) => truth.sourceOf(order) !== undefined)
      .length,
    forcedUnits: parts.reduce((sum, { units }) => sum + units, 0n),
    mostForcedUnits: parts.reduce((most, { units }) => (units > most ? units : most), 0n),
    mostForcedPercent: Math.max(0, ...parts.map(({ percent }) => percent)),
  }
}

function lossOf(taken: readonly { readonly units: bigint }[]): Loss {
  return { orders: taken.length, units: taken.reduce((sum, { units }) => sum + units, 0n) }
}

type Progress = {
  readonly seed: number
  readonly orders: number
  readonly deposited: number
  readonly violations: readonly unknown[]
  readonly bill: AdversaryBill | null
}

/** One line of a long run, so that an end before its time leaves its numbers. */
export function formatAttackProgress(results: readonly Progress[]): string {
  const bills = results.flatMap(({ bill }) => bill ?? [])
  const orders = results.reduce((total, result) => total + result.orders, 0)
  const deposited = results.reduce((total, result) => total + result.deposited, 0)
  const found = results.reduce((total, { violations }) => total + violations.length, 0)
  const lost = bills.reduce((total, bill) => total + bill.lost.units, 0n)
  const frozen = bills.reduce((total, bill) => total + bill.frozen.units, 0n)
  const forced = Math.max(0, ...bills.map(({ mostForcedPercent }) => mostForcedPercent))
  const last = Math.max(0, ...results.map(({ seed }) => seed))
  const counts = `${orders} orders (${deposited} with a deposit), ${found} violations`
  return (
    `${results.length} seeds, up to ${last}: ${counts}, ${lost} units lost, ${frozen} to ` +
    `freezes, at most ${forced} % forced on one order`
  )
}

/** The closing lines of a run with an adversary. */
export function formatBills(seeds: readonly Pick<Progress, "seed" | "bill">[]): string {
  const bills = seeds.flatMap(({ bill }) => bill ?? [])
  const sum = (of: (bill: AdversaryBill) => bigint): bigint =>
    bills.reduce((total, bill) => total + of(bill), 0n)
  const most = (of: (bill: AdversaryBill) => number): number => Math.max(0, ...bills.map(of))
  const means = new Map<Means, Spent>()
  for (const [name, { times, fiat }] of bills.flatMap(({ spent }) => [...spent])) {
    const known = means.get(name)
    means.set(name, { times: (known?.times ?? 0) + times, fiat: (known?.fiat ?? 0n) + fiat })
  }
  const spent = [...means.values()].reduce((total, { fiat }) => total + fiat, 0n) / UNIT_FIAT
  return [
    `principal lost: ${formatLoss(seeds, ({ lost }) => lost)}`,
    `principal lost to an issuer's freeze: ${formatLoss(seeds, ({ frozen }) => frozen)}`,
    `orders with a deposit under attack: ${sum(({ attacked }) => BigInt(attacked))}`,
    `the adversary spent: ${spent} units`,
    ...[...means].map(
      ([name, { times, fiat }]) => `  ${name}: ${fiat / UNIT_FIAT} units, ${times} times`,
    ),
    `fees above the usual that he forced on us: ${sum(({ forcedUnits }) => forcedUnits)} units`,
    `  at most for one order: ${most(({ mostForcedUnits }) => Number(mostForcedUnits))} ` +
      `units, and ${most(({ mostForcedPercent }) => mostForcedPercent)} % of its worth`,
  ].join("\n")
}

function formatLoss(
  seeds: readonly Pick<Progress, "seed" | "bill">[],
  of: (bill: AdversaryBill) => Loss,
): string {
  const found = seeds.flatMap(({ seed, bill }) => (bill === null ? [] : [{ seed, ...of(bill) }]))
  const units = found.reduce((sum, loss) => sum + loss.units, 0n)
  const orders = found.reduce((sum, loss) => sum + loss.orders, 0)
  const where = found.filter((loss) => loss.orders > 0).map(({ seed }) => seed)
  const seedsOf = where.length === 0 ? "" : ` (seeds ${where.join(", ")})`
  return `${units} units, in ${orders} orders${seedsOf}`
}
