import { getAddress, type Hex } from "viem"
import { expect, test } from "vitest"
import { createBurnHistory } from "#chains/evm/cctp/find-burns.ts"
import { AppError } from "#lib/app-error.ts"
import { failure } from "../../../../support/faults.ts"

const OURS = getAddress(`0x${"11".repeat(20)}`)
const TXID: Hex = `0x${"aa".repeat(32)}`

type Answers = { readonly block: unknown; readonly receipt?: unknown }

/** The history over nodes that give these answers, or throw them. */
function historyOver(...nodes: readonly Answers[]) {
  const asked: unknown[] = []
  const askEach = (ask: (client: unknown) => Promise<unknown>) =>
    Promise.all(
      nodes.map(async ({ block, receipt = {} }, at) => {
        const request = async ({ method, params }: { method: string; params: unknown[] }) => {
          asked.push([method, params[0]])
          const answer = method === "eth_getBlockByNumber" ? block : receipt
          if (answer instanceof Error) throw new Error("wrapped", { cause: answer })
          return answer
        }
        const endpoint = `node-${at + 1}`
        try {
          return { endpoint, ok: true, value: await ask({ request }) }
        } catch (error) {
          return { endpoint, ok: false, error }
        }
      }),
    )
  const parts: unknown = { rpc: { askEach }, account: OURS, burns: {} }
  // CAST: only these parts are read.
  const wallet = parts as Parameters<typeof createBurnHistory>[0]
  const history = createBurnHistory(wallet, async () => [])
  return { findGaps: async () => (await history.findGaps?.(1_000n)) ?? [], asked }
}

function nodeError(rpcCode: number, found: string): AppError {
  const details = { rpcCode, found }
  return new AppError({ code: "evm.rpc", disposition: "transient", message: found, details })
}

const FULL = { block: { transactions: [TXID] } }

test("a node that has the first block and its events has no gap", async () => {
  const { findGaps, asked } = historyOver(FULL, { block: { transactions: [] } })
  expect(await findGaps()).toEqual([])
  expect(asked).toContainEqual(["eth_getBlockByNumber", "0x3e8"])
  expect(asked).toContainEqual(["eth_getTransactionReceipt", TXID])
})

test.each([
  ["no such block", { block: null }],
  ["the block without its events", { ...FULL, receipt: null }],
  ["an error with the code for it", { block: nodeError(4444, "no") }],
  ["an error in words", { ...FULL, receipt: nodeError(-32_000, "pruned history unavailable") }],
])("a node that has %s is named with a remedy", async (_what, pruned) => {
  expect(await historyOver(FULL, pruned).findGaps()).toMatchObject([
    {
      code: "evm.history_pruned",
      endpoint: "node-2",
      fromHeight: "1000",
      message: expect.stringContaining("use an endpoint with a longer history"),
    },
  ])
})

test("a node that does not answer is no proof of a gap", async () => {
  const silent = { block: failure("transient", "evm.unreachable") }
  const dear = { block: nodeError(-32_000, "execution aborted") }
  expect(await historyOver(silent, dear).findGaps()).toEqual([])
})
