import { expect, it } from "vitest"
import type { z } from "zod"
import type { TransactionPlan } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { createNode } from "../node.ts"
import type { Rpc } from "../rpc.ts"
import { broadcast } from "./broadcast.ts"

const nodeError = (rpcCode: number, found: string, words = ""): AppError =>
  new AppError({
    code: "solana.node_error",
    disposition: "transient",
    message: found,
    details: { rpcCode, found, words },
  })
const unreachable = new AppError({
  code: "solana.unreachable",
  disposition: "transient",
  message: "no answer",
})
const badSignature = nodeError(-32003, "Transaction signature verification failure")
const noBlockhash = nodeError(-32002, "Blockhash not found")

it("succeeds when one endpoint accepts the transaction or already knows it", async () => {
  for (const answer of [null, nodeError(-32002, "simulation failed", "known")])
    await expect(send([unreachable, answer])).resolves.toBeUndefined()
})

it(
  "is uncertain if one endpoint may have the transaction, and refused only if all reject it as " +
    "invalid",
  async () => {
    for (const answers of [
      [unreachable],
      [noBlockhash],
      [badSignature, unreachable],
      [noBlockhash, badSignature],
    ]) {
      await expect(send(answers)).rejects.toMatchObject({
        code: "solana.broadcast_uncertain",
        disposition: "uncertain",
      })
    }
    const all = [badSignature, nodeError(-32602, "failed to deserialize")]
    await expect(send(all)).rejects.toMatchObject({
      code: "solana.invalid_transaction",
      disposition: "refused",
    })
  },
)

it(
  "refuses an answer about an earlier slot than the agreed one, also where the node ignores " +
    "the bound",
  async () => {
    const answers: Record<string, unknown> = {
      getSignatureStatuses: { context: { slot: 499 }, value: [null] },
      getAccountInfo: { context: { slot: 499 }, value: null },
      getBalance: { context: { slot: 499 }, value: 5 },
    }
    const rpc = rpcOf([], (method) => answers[method])
    const nodeAt = (minSlot: bigint) => createNode(rpc, { commitment: "finalized", minSlot })
    expect(await nodeAt(499n).fetchStatus("id")).toEqual({ slot: 499n, status: null })
    const behind = { code: "solana.node_behind", disposition: "transient" }
    await expect(nodeAt(500n).fetchStatus("id")).rejects.toMatchObject(behind)
    await expect(nodeAt(500n).fetchAccount("address")).rejects.toMatchObject(behind)
    await expect(nodeAt(500n).fetchBalance("address")).rejects.toMatchObject(behind)
  },
)

/** One endpoint per answer; the answer `null` accepts the transaction. */
function send(answers: readonly (AppError | null)[]): Promise<void> {
  // CAST: broadcast does not read the plan.
  const plan = {} as TransactionPlan
  const urls = answers.map((_, index) => String(index))
  const rpc = rpcOf(urls, (_method, url) => {
    const answer = answers[Number(url)]
    if (answer) throw answer
    return "signature"
  })
  return broadcast({ plan, raw: "AA==", txid: "id" }, rpc, "confirmed")
}

function rpcOf(urls: readonly string[], answer: (method: string, url: string) => unknown): Rpc {
  const readerOf = (url: string) => {
    const ask = async <T>(method: string, _params: unknown, schema: z.ZodType<T>) =>
      schema.parse(answer(method, url))
    return { host: url, checkNetwork: async () => undefined, read: ask, write: ask }
  }
  return { read: readerOf("").read, endpoints: urls.map(readerOf) }
}
