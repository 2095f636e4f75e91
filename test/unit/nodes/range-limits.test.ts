import { expect, test } from "vitest"
import { z } from "zod"
import { createRpc as createStarknetRpc } from "#chains/starknet/rpc.ts"
import { AppError } from "#lib/app-error.ts"
import { isRangeRefused } from "#nodes/json-rpc.ts"
import { LIMIT_TEXT } from "#nodes/request-limit.ts"
import { createHastyClock } from "../../support/hasty-clock.ts"
import { serve, timeoutMs } from "./askers.ts"

const clock = createHastyClock(timeoutMs)

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
  ["range", -32_602, "requested range too large: max 1000"],
  ["range", -32_000, "too many blocks requested: 43200, at most 5000"],
  ["range", -32_614, "eth_getLogs and eth_newFilter are limited to a 10,000 blocks range"],
  ["range", -32_000, "query exceeds max results 20000, retry with the range 1-2"],
  ["range", -32_602, "Please limit the query to at most 1000 blocks"],
  ["range", -32_000, "query timeout exceeded"],
  ["range", -32_002, "request timed out"],
  ["range", -32_000, "context deadline exceeded"],
  ["range", -32_603, "backend response too large"],
  ["range", -32_008, "Response is too big", "Exceeded max limit of 10485760"],
  ["range", 35, "ranges over 10000 blocks are not supported on freetier"],
  ["range", -32_000, "block range extends beyond the allowed depth"],
  ["range", -32_602, "logs matched by query exceeds limit of 10000"],
  ["requests", -32_005, "Too Many Requests"],
  ["requests", -32_016, "over rate limit"],
  ["requests", -32_029, "Too many requests, reason: call rate limit exhausted, retry in 10s"],
  ["requests", -32_097, "You have reached maximum number of calls per second"],
  ["requests", -32_090, "Too many requests, retry in 10m0s"],
  ["requests", -32_001, "Your plan allows 25 requests/second"],
  ["requests", -32_000, "monthly request allowance used"],
  ["other", -32_000, "missing trie node"],
  ["other", -32_000, "One of the blocks specified in filter (fromBlock, toBlock) cannot be found."],
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

test.each([
  [413, true],
  [504, true],
  [502, false],
  [404, false],
])("a gateway's page with HTTP %i asks for a smaller range: %s", async (status, isRange) => {
  const { url, stop } = await serve(() => ({ status, body: "<html></html>" }))
  try {
    const { read } = createStarknetRpc({ urls: [url], chainId: "SN_MAIN", timeoutMs, clock })
      .nodes[0] ?? { read: () => Promise.reject(new Error("no node")) }
    const asked = read("starknet_getEvents", [], z.unknown())
    expect(isRangeRefused(await asked.catch((error: unknown) => error))).toBe(isRange)
  } finally {
    stop()
  }
})
