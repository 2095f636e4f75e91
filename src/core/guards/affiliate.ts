import type { Reason } from "#domain/reason.ts"
import {
  type AffiliateFee,
  type AffiliateRecord,
  PAYOUT_SYMBOLS,
  sumBps,
  symbolOf,
} from "#domain/route/affiliate-fee.ts"

/**
 * Judges the affiliate entries of an order. Returns all reasons to refuse: `affiliate.asset`,
 * `affiliate.address`, `affiliate.sum`.
 *
 * `isAddress` is the check of the chain's own port; `null` when the chain is not configured, so
 * that only the service can check.
 */
export function judgeAffiliateFees(
  fees: readonly AffiliateFee[],
  isAddress: (fee: AffiliateFee) => boolean | null,
): Reason[] {
  const reasons = fees.flatMap((fee): Reason[] => {
    const { asset, address } = fee
    if (!PAYOUT_SYMBOLS.includes(symbolOf(asset))) {
      const message =
        `Affiliate payouts are USDC or cbBTC, not ${asset}; correct affiliate in the ` +
        "configuration"
      return [{ code: "affiliate.asset", message, asset }]
    }
    if (isAddress(fee) !== false) return []
    const message = `${address} cannot receive ${asset}; correct affiliate in the configuration`
    return [{ code: "affiliate.address", message, asset, address }]
  })
  const sum = sumBps(fees)
  if (sum <= 10_000) return reasons
  const message =
    "The affiliate fees are more than the whole amount; correct affiliate in the configuration"
  return [...reasons, { code: "affiliate.sum", message, bps: String(sum), limit: "10000" }]
}

/**
 * Compares the affiliates of the order read back with the entries that Ballast asked for.
 * `affiliate.record` for each missing entry.
 *
 * Additional entries do us no harm: another check compares the amounts of both legs with the quote.
 */
export function compareAffiliateFees(
  asked: readonly AffiliateFee[],
  recorded: readonly AffiliateRecord[],
): readonly Reason[] {
  const left = [...recorded]
  const found = recorded
    .map(({ asset, address, feeBps }) => `${feeBps} bps in ${asset} to ${address}`)
    .join(", ")
  return asked.flatMap((fee): Reason[] => {
    const at = left.findIndex((record) => isSame(record, fee))
    if (at >= 0) {
      left.splice(at, 1)
      return []
    }
    const expected = `${fee.feeBps} bps in ${fee.asset} to ${fee.address}`
    const message =
      "The order, read back, does not have an affiliate fee that was asked for; nothing was signed"
    return [{ code: "affiliate.record", message, expected, found: found === "" ? "none" : found }]
  })
}

function isSame(record: AffiliateRecord, fee: AffiliateFee): boolean {
  return (
    record.asset === fee.asset &&
    record.feeBps === fee.feeBps &&
    sameText(record.address, fee.address)
  )
}

/**
 * Hex addresses may carry a checksum in the case of their letters; other addresses are
 * case-sensitive.
 */
function sameText(a: string, b: string): boolean {
  return a === b || (a.startsWith("0x") && a.toLowerCase() === b.toLowerCase())
}
