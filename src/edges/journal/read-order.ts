import type { AssetId } from "#domain/asset.ts"
import type { EventRow, OrderRow } from "#ports/journal/orders.ts"
import { type One, type Row, textOrNull, toText } from "./row.ts"
import { applyChange } from "./text-change.ts"

/** The order of a row of `orders`, with its snapshot as the last step left it. */
export function toOrder(one: One, row: Row): OrderRow {
  return {
    id: toText(row["id"]),
    state: toText(row["state"]),
    outcome: textOrNull(row["outcome"]),
    rule: toText(row["rule"]),
    // CAST: `insertOrder` wrote it from an AssetId.
    from: toText(row["from_asset"]) as AssetId,
    // CAST: as above.
    to: toText(row["to_asset"]) as AssetId,
    sourceUnits: BigInt(toText(row["source_units"])),
    sourceFiat: row["source_fiat"] == null ? null : BigInt(toText(row["source_fiat"])),
    feeFiat: row["fee_fiat"] == null ? null : BigInt(toText(row["fee_fiat"])),
    feeUnits: BigInt(toText(row["fee_units"])),
    countedAtMs: Number(row["counted_at"]),
    deposited: row["deposited"] === 1,
    service: textOrNull(row["service"]),
    payoutTx: textOrNull(row["payout_tx"]),
    secondRule: textOrNull(row["second_rule"]),
    secretHash: textOrNull(row["secret_hash"]),
    createdAtMs: Number(row["created_at"]),
    updatedAtMs: Number(row["updated_at"]),
    snapshot: readSnapshot(one, row),
  }
}

/**
 * The last whole snapshot with all changes since. Empty when they do not fit each other: the order
 * is damaged, and says so when it is decoded.
 */
function readSnapshot(one: One, row: Row): string {
  const steps: Row[] = []
  let seq = row["last_event"] ?? null
  for (let left = Number(row["changes"]); left > 0; left--) {
    const step = one("select previous, change, body from events where seq = ?", seq)
    if (step === undefined) return ""
    steps.push(step)
    seq = step["previous"] ?? null
  }
  const whole = steps.pop()
  if (whole === undefined) return ""
  const first = toText(whole["change"])
  return steps.reduceRight(
    (text, { change, body }) => applyChange(text, toText(change), toText(body)) ?? "",
    first,
  )
}

export function toEvent(row: Row): EventRow {
  return {
    atMs: Number(row["at"]),
    type: toText(row["type"]),
    state: toText(row["state"]),
    body: toText(row["body"]),
  }
}
