import { expect, test } from "vitest"
import { findStarknetEvents } from "#chains/starknet/legs/find-events.ts"
import type { View } from "#chains/starknet/nodes/reference-block.ts"
import { AppError } from "#lib/app-error.ts"
import { AnswerTooLarge } from "#lib/read-body.ts"

const HEAD = 25_000n
/** One event in every thousandth block. */
const HEIGHTS = Array.from({ length: 25 }, (_, at) => at * 1_000)

type Asked = {
  readonly from_block: { readonly block_number: number }
  readonly to_block: { readonly block_number?: number }
  readonly chunk_size: number
  readonly continuation_token?: string
}

/** A node that refuses what `refuse` says, and pages the rest. */
function viewOf(refuse: (asked: Asked) => AppError | null) {
  const asked: Asked[] = []
  const read = async (
    _method: string,
    [request]: [Asked],
    schema: { parse(x: unknown): unknown },
  ) => {
    asked.push(request)
    const error = refuse(request)
    if (error !== null) throw error
    const to = request.to_block.block_number ?? Number(HEAD)
    const all = HEIGHTS.filter((at) => at >= request.from_block.block_number && at <= to)
    const start = Number(request.continuation_token ?? 0)
    const end = start + request.chunk_size
    return schema.parse({
      events: all.slice(start, end).map((block_number) => ({
        from_address: "0x7",
        keys: [],
        data: [],
        transaction_hash: `0x${block_number.toString(16)}`,
        block_number,
        block_hash: "0x1",
      })),
      ...(end < all.length ? { continuation_token: `${end}` } : {}),
    })
  }
  // CAST: a search uses only these parts of a view.
  const view = { read, block: { height: HEAD }, at: { block_hash: "0xff" } } as unknown as View
  return { view, asked }
}

function failed(details: Record<string, number | string>, cause?: unknown): AppError {
  const code = cause === undefined && "rpcCode" in details ? "starknet.rpc" : "starknet.unreachable"
  return new AppError({ code, disposition: "transient", message: "no", details, cause })
}

const search = async (view: View): Promise<readonly number[]> =>
  (await findStarknetEvents(view, 7n, [], 0n)).map(({ height }) => Number(height))

test("a whole search is one request, up to the view's block by its hash", async () => {
  const { view, asked } = viewOf(() => null)
  expect(await search(view)).toEqual(HEIGHTS)
  expect(asked).toMatchObject([{ to_block: { block_hash: "0xff" }, chunk_size: 1_000 }])
})

test.each([
  ["a page that strangers made too large", failed({}, new AnswerTooLarge(1))],
  ["a node that refuses the size of a page", failed({ rpcCode: 31 })],
])("%s is asked for in smaller pages, and no event is lost", async (_what, error) => {
  const { view, asked } = viewOf(({ chunk_size }) => (chunk_size > 10 ? error : null))
  expect(await search(view)).toEqual(HEIGHTS)
  expect(asked.map(({ chunk_size }) => chunk_size)).toEqual([1_000, 100, 10, 10, 10])
})

test("a node that is too slow for all blocks is asked for parts of them, in order", async () => {
  const { view, asked } = viewOf(({ from_block, to_block }) => {
    const to = to_block.block_number ?? Number(HEAD)
    return to - from_block.block_number > 10_000 ? failed({}) : null
  })
  expect(await search(view)).toEqual(HEIGHTS)
  expect(asked.map(({ from_block }) => from_block.block_number)).toEqual([0, 0, 10_000, 20_000])
})

test.each([
  ["its message", { rpcCode: -32_602, found: "block range too large: at most 1000 blocks" }],
  ["its data", { rpcCode: -32_602, found: "invalid params", data: "exceeds the limit of blocks" }],
  ["its code", { rpcCode: -32_005, found: "no" }],
])("a node that limits the blocks of a search by %s is asked for fewer", async (_what, details) => {
  const { view } = viewOf(({ from_block, to_block }) => {
    const to = to_block.block_number ?? Number(HEAD)
    return to - from_block.block_number >= 1_000 ? failed(details) : null
  })
  expect(await search(view)).toEqual(HEIGHTS)
})

test("a refusal that no smaller question avoids is the answer", async () => {
  const { view, asked } = viewOf(() => failed({ rpcCode: 33 }))
  await expect(search(view)).rejects.toMatchObject({ details: { rpcCode: 33 } })
  expect(asked).toHaveLength(1)
})
