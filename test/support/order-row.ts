import { parseAssetId } from "#domain/asset.ts"
import type { OrderRow, StepRow } from "#ports/journal/orders.ts"

/** An order that was just accepted, as the journal has it. */
export const ORDER_ROW: OrderRow = {
  id: "a",
  state: "quoting",
  outcome: null,
  rule: "r",
  secondRule: null,
  from: parseAssetId("base_sepolia:eth"),
  to: parseAssetId("bitcoin_testnet:btc"),
  sourceUnits: 1n,
  sourceFiat: null,
  feeFiat: null,
  feeUnits: 0n,
  countedAtMs: 1,
  deposited: false,
  secretHash: null,
  payoutTx: null,
  service: null,
  createdAtMs: 1,
  updatedAtMs: 1,
  snapshot: "{}",
}

/** A step that writes no more than the order and the event. */
export const PLAIN_STEP: StepRow = {
  order: ORDER_ROW,
  event: { atMs: 2, type: "test.event", state: "next", body: "{}" },
  cause: null,
  work: null,
  reserve: [],
  release: null,
  signed: null,
  settle: null,
  alerts: [],
  booking: { reversedKeys: [], add: [] },
}
