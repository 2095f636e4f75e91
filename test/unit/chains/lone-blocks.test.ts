import { pad } from "viem"
import { expect, test } from "vitest"
import { type Fate, observeEvmTransaction } from "#chains/evm/legs/observe-transaction.ts"
import { observeStarknetTransaction } from "#chains/starknet/legs/observe-transaction.ts"
import type { SignedTransaction } from "#domain/transaction.ts"
import { failure } from "../../support/faults.ts"
import { samplePlan } from "../../support/order-sample.ts"

/*
 * A block that one of two endpoints shows for a transaction of ours, with the other one against it
 * or silent. The engine sends such bytes again, and raises their fee. Bitcoin and Solana are asked
 * in their own files.
 */

/** What one endpoint shows; `silent`: it gives no answer. */
type Shown = "mined" | "absent" | "silent"

const plan = samplePlan("redeem", 0)
const RAW = `0x02f8${"00".repeat(60)}`

const CASES: readonly (readonly [readonly [Shown, Shown], object])[] = [
  [["mined", "mined"], { status: "mined", isAlone: undefined }],
  [["mined", "absent"], { status: "mined", final: false, isAlone: true }],
  [["mined", "silent"], { status: "mined", final: false, isAlone: true }],
  [["absent", "absent"], { status: "unseen" }],
]

const answersOf = <T>(shown: readonly Shown[], values: Readonly<Record<"mined" | "absent", T>>) =>
  shown.map((one, at) => {
    const endpoint = `node-${at}`
    return one === "silent"
      ? { ok: false as const, endpoint, error: failure("transient") }
      : { ok: true as const, endpoint, value: values[one] }
  })

const pick = (seen: object, expected: object): object => {
  const found = new Map(Object.entries(seen))
  return Object.fromEntries(Object.keys(expected).map((key) => [key, found.get(key)]))
}

test.each(CASES)("EVM: %s", async (shown, expected) => {
  const rival = { txid: pad("0x1"), ok: true, height: 90n, isVoid: false }
  const fates = {
    mined: { status: "mined", rival, feeUnits: 5n },
    absent: { status: "absent", pending: false },
  } as const
  const reading = {
    answers: answersOf<unknown>(shown, fates),
    isBlockAgreed: true,
    doubts: [],
    heights: { head: 100n, safe: null, finalized: null },
  }
  const wallet = {
    signed: { note: () => undefined, listBy: () => [] },
    finality: { seen: 1, reveal: 2, ending: 3 },
    rpc: { needed: 2, readEach: async () => reading, noteReported: () => undefined },
  }
  // CAST: the observation asks for these parts alone.
  const seen = await observeEvmTransaction(wallet as never, { plan, txid: "a", raw: RAW })
  expect(pick(seen, expected)).toEqual(expected)
  expect(Object.keys(fates)).toEqual(["mined", "absent"] satisfies Fate["status"][])
})

test.each(CASES)("Starknet: %s", async (shown, expected) => {
  const block = { height: 100n, hash: "0x64", timeMs: null }
  const receipt = {
    execution_status: "SUCCEEDED",
    actual_fee: { amount: 5n },
    block_hash: 7n,
    block_number: 90,
    events: [],
  }
  const nodeOf = (one: Shown) => ({
    host: one,
    block,
    ask: async (method: string) => {
      if (method === "starknet_getTransactionReceipt") return receipt
      if (one === "mined") return { finality_status: "ACCEPTED_ON_L2" }
      return { finality_status: "REJECTED" }
    },
    read: async (method: string) => (method === "starknet_getNonce" ? 0n : receipt),
  })
  const heads = answersOf(shown, { mined: block, absent: block })
  const rpc = {
    needed: 2,
    nodes: [],
    readHeads: async () => ({ height: 100n, heads, outliers: [], tips: [] }),
    askAt: async (
      given: typeof heads,
      ask: (node: unknown, value: unknown) => Promise<unknown>,
    ): Promise<unknown> =>
      Promise.all(
        given.map(async (head, at) =>
          head.ok ? { ...head, value: await ask(nodeOf(shown[at] ?? "silent"), head.value) } : head,
        ),
      ),
  }
  const finality = { seen: 1, reveal: 2, ending: 3, smallEnding: 3 }
  const wallet = { finality, rpc, accountFelt: 1n, chainId: "SN_MAIN" }
  const ours: SignedTransaction = { plan, txid: "0x1", raw: '{"nonce":"0x5"}' }
  // CAST: the observation asks for these parts alone.
  const seen = await observeStarknetTransaction(wallet as never, ours, null)
  expect(pick(seen, expected)).toEqual(expected)
})
