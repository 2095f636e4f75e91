import type { AssetId } from "#domain/asset.ts"
import type { EventRow, OrderRow } from "./port.ts"
import { type Row, textOrNull, toText } from "./row.ts"

export function toOrder(row: Row): OrderRow {
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
    snapshot: toText(row["snapshot"]),
  }
}

export function toEvent(row: Row): EventRow {
  return { atMs: Number(row["at"]), type: toText(row["type"]), state: toText(row["state"]), body: toText(row["body"]) }
}
