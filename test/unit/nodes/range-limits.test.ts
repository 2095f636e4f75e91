import { expect, test } from "vitest"
import { AppError } from "#lib/app-error.ts"
import { isRangeRefused } from "#nodes/json-rpc.ts"
import { LIMIT_TEXT } from "#nodes/pace.ts"

/** As the client of a family makes it of a node's error. */
function refusal(rpcCode: number, found: string, data: string | null = null): AppError {
  const details = { rpcCode, found, data }
  return new AppError({ code: "evm.rpc", disposition: "transient", message: found, details })
}

type Row = readonly ["range" | "requests" | "other", code: number, found: string, data?: string]
/** The same code means all of these: the words decide. */
const MEANINGS: readonly Row[] = [
  ["range", -32_005, "query returned more than 10000 results"],
  ["range", -32_005, "block range is too wide"],
  ["range", -32_005, "Limit exceeded", '{"to":"0x10"}'],
  ["range", -32_005, "no"],
  ["range", -32_005, ""],
  ["range", -32_602, "eth_getLogs is limited to a 10 block range on your current plan"],
  ["range", -32_600, "invalid params", "ranges over 10000 blocks are paid"],
  ["requests", -32_005, "daily request count exceeded, request rate limited"],
  ["requests", -32_005, "Quota exceeded for this project"],
  ["requests", -32_005, "Limit exceeded", "monthly quota of your plan is used up"],
  ["requests", -32_005, "daily limit reached"],
  ["requests", -32_005, "project is being throttled"],
  ["requests", -32_000, "call limit exceeded: 100 per minute"],
  ["other", -32_005, "Node is behind by 153 slots"],
  ["other", -32_005, "node is unhealthy"],
  ["other", -32_005, "the node is still syncing"],
  ["other", -32_005, "unauthorized: wrong api key"],
  ["other", -32_005, "header not found"],
  ["other", -32_000, "execution aborted"],
]

test.each(MEANINGS)("a limit of %s: %i %j %j", (...row) => {
  // CAST: `each` spreads one row.
  const [meaning, code, found, data] = row as unknown as Row
  expect(isRangeRefused(refusal(code, found, data))).toBe(meaning === "range")
  expect(LIMIT_TEXT.test(`${found} ${data ?? ""}`)).toBe(meaning === "requests")
})
