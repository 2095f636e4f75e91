import { expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import { readWords } from "#nodes/node-words.ts"
import { SELECTORS } from "../htlc.ts"
import { fetchOrder } from "../legs/read-order.ts"
import { type BlockReader, fetchTokenBalance } from "./read-chain.ts"

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

/** A long text as Cairo writes it: words of 31 bytes, the rest, and its length. */
function byteArrayOf(text: string): readonly string[] {
  const words = (text.match(/.{1,31}/g) ?? []).map((each) => Buffer.from(each).toString("hex"))
  return [`0x${(words.length - 1).toString(16)}`, ...words.map((each) => `0x${each}`), "0x10"]
}
const LONG = byteArrayOf(
  "The called contract failed: ENTRYPOINT_NOT_FOUND, and nothing was changed",
)

const FELT = `0x${Buffer.from("ENTRYPOINT_NOT_FOUND").toString("hex")}`

test.each([
  ["a text", { revert_error: "Failure reason: ENTRYPOINT_NOT_FOUND" }],
  ["a felt", { revert_error: FELT }],
  ["a list of felts", { revert_error: ["0x1", FELT] }],
  ["nested lists", { revert_error: { calls: [["0x7", [FELT]]] } }],
  ["a ByteArray", { revert_error: LONG }],
  ["a ByteArray in a text", { revert_error: `(${LONG.join(", ")})` }],
  ["a felt inside of a call", { revert_error: { selector: "0x1", error: FELT } }],
])("a token without the newer name of its view says so by %s", async (_what, data) => {
  const view: BlockReader = {
    read: async (_method, params, schema) => {
      if (!JSON.stringify(params).includes(SELECTORS.balanceOfSnake.toString(16)))
        return schema.parse(["0x5", "0x0"])
      const details = { rpcCode: 40, words: readWords({ code: 40, message: "no", data }) }
      throw new AppError({ code: "starknet.rpc", disposition: "hold", message: "no", details })
    },
    at: { block_hash: "0x1" },
  }
  expect(await fetchTokenBalance(view, 1n, 2n)).toBe(5n)
})
