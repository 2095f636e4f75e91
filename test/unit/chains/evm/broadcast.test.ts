import { afterEach, expect, test } from "vitest"
import { createEvmChain } from "#chains/evm/create-chain.ts"
import type { SignedTransaction, TransactionPlan } from "#domain/transaction.ts"
import { sampleOptions } from "../../../chains/evm/sample-order.ts"
import { type NodeProxy, type ProxyAnswer, startProxy } from "../../../chains/evm/start-proxy.ts"

const TXID = `0x${"ab".repeat(32)}`
// CAST: the plan is not read.
const transaction: SignedTransaction = { plan: {} as TransactionPlan, raw: "0x02", txid: TXID }
const MUTE = "refuses, then falls silent"
const TAKEN = { result: TXID }
const started: NodeProxy[] = []

afterEach(async () => {
  for (const node of started.splice(0)) await node.stop()
})

async function broadcast(
  ...answers: readonly (ProxyAnswer | "known-later" | "dead")[]
): Promise<void> {
  const nodes = await Promise.all(
    answers.map((answer) => (answer === "dead" ? DEAD : startNode(answer))),
  )
  await createEvmChain(sampleOptions(nodes.map(({ url }) => url))).broadcastTransaction(transaction)
}

const DEAD = { url: "http://127.0.0.1:1" }

async function startNode(answer: ProxyAnswer): Promise<NodeProxy> {
  const transaction = { hash: TXID, blockNumber: null, type: "0x2", nonce: "0x1" }
  const node = await startProxy(null, (method) => {
    if (method === "eth_chainId") return { result: "0x14a34" }
    if (method === "eth_sendRawTransaction")
      return answer === "known-later"
        ? says("nonce too low")
        : answer === MUTE
          ? says("intrinsic gas too low")
          : answer
    if (answer === MUTE) return "<html>bad gateway</html>"
    return {
      result:
        method === "eth_getTransactionByHash" && answer === "known-later" ? transaction : null,
    }
  })
  started.push(node)
  return node
}

function says(message: string): ProxyAnswer {
  return { error: { code: -32_000, message } }
}

test.each([
  ["one endpoint accepts it", [TAKEN]],
  [
    "one of several endpoints accepts it",
    ["dead", says("insufficient funds for gas * price + value"), TAKEN],
  ],
  ["the node already has it (geth)", [says("already known")]],
  ["the node already has it (erigon, anvil)", [says("transaction already imported")]],
  ["it used its nonce itself", ["known-later"]],
] as const)("succeeds when %s", async (_name, answers) => {
  await expect(broadcast(...answers)).resolves.toBeUndefined()
})

test.each([
  ["no endpoint answers", ["dead"]],
  ["a proxy answers", ["<html>bad gateway</html>"]],
  ["an unknown transaction used the nonce", [says("nonce too low: next nonce 5, tx nonce 4")]],
  ["another transaction with its nonce is pending", [says("replacement transaction underpriced")]],
  ["the node reports an unknown error", [says("txpool is full")]],
  ["the node returns another hash", [{ result: `0x${"cd".repeat(32)}` }]],
  ["the only endpoint refuses and then stops answering", [MUTE]],
  ["one endpoint refuses and one is silent", [says("intrinsic gas too low"), "dead"]],
  [
    "one endpoint refuses and one reports a used nonce",
    [says("intrinsic gas too low"), says("nonce too low")],
  ],
] as const)("is uncertain when %s", async (_name, answers) => {
  await expect(broadcast(...answers)).rejects.toMatchObject({
    code: "evm.not_taken",
    disposition: "uncertain",
  })
})

test.each([
  ["insufficient funds for gas * price + value"],
  ["intrinsic gas too low"],
  ["exceeds block gas limit"],
])("is refused when every node says: %s", async (words) => {
  const error = { code: "evm.not_taken", disposition: "refused" }
  await expect(broadcast(says(words), says(words))).rejects.toMatchObject(error)
})
