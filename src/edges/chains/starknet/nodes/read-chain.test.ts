import { expect, test } from "vitest"
import { type BlockReader, fetchOrder } from "./read-chain.ts"

/** A node that answers `get_order` with these felts. */
function nodeWith(felts: readonly string[]): BlockReader {
  return {
    read: async (_method, _params, schema) => schema.parse(felts),
    at: { block_hash: "0x1" },
  }
}

test.each([
  [
    "an order",
    ["0x0", "0xa", "0xb", "0x5", "0x6", "0x7", "0x0"],
    { isFulfilled: false, initiator: 10n, redeemer: 11n, timelock: 6n, units: 7n },
  ],
  [
    "a closed order",
    ["0x9", "0xa", "0xb", "0x5", "0x6", "0x7", "0x0"],
    { isFulfilled: true, initiator: 10n, redeemer: 11n, timelock: 6n, units: 7n },
  ],
  ["no order", ["0x0", "0x0", "0x0", "0x0", "0x0", "0x0", "0x0"], null],
  ["fewer fields", ["0x0", "0xa", "0xb", "0x5", "0x6", "0x7"], "unreadable"],
  ["more fields", ["0x0", "0xa", "0xb", "0x5", "0x6", "0x7", "0x0", "0x1"], "unreadable"],
  [
    "an amount that is no u256",
    ["0x0", "0xa", "0xb", "0x5", "0x6", `0x1${"0".repeat(32)}`, "0x0"],
    "unreadable",
  ],
])("reads %s of get_order", async (_what, felts, expected) => {
  expect(await fetchOrder(nodeWith(felts), 1n, 2n)).toEqual(expected)
})
