import { expect, it } from "vitest"
import type { Esplora } from "#chains/bitcoin/esplora.ts"
import type { SubmitAnswer } from "#chains/bitcoin/nodes/endpoint.ts"
import { broadcastTransaction } from "#chains/bitcoin/spend/broadcast.ts"
import type { SignedTransaction } from "#domain/transaction.ts"
import { AppError } from "#lib/app-error.ts"
import { btc, sampleOptions } from "../../../chains/bitcoin/sample-order.ts"

const txid = "cd".repeat(32)
const { chain } = sampleOptions([])
const plan = {
  chain,
  account: "",
  action: "initiate",
  attempt: 0,
  unsigned: "",
  digest: "",
  resources: [],
} as const
const transaction: SignedTransaction = {
  plan: {
    ...plan,
    spends: [{ asset: btc, units: 1n }],
    maxFeeUnits: 1n,
    fromHeight: 1n,
    expiresAtHeight: null,
  },
  raw: "00",
  txid,
}

const answer = (status: number | null, text: string) => ({ status, text, shown: text })
const rpc = (reason: string): SubmitAnswer =>
  answer(400, `sendrawtransaction RPC error: {"code":-26,"message":"${reason}"}`)
const accepted = answer(200, txid)
const silent = answer(null, "no answer")

async function broadcastTo(...answers: SubmitAnswer[]): Promise<string> {
  // CAST: broadcastTransaction calls only this method.
  const esplora = { submitTx: async () => answers } as unknown as Esplora
  try {
    await broadcastTransaction(esplora, transaction)
    return "sent"
  } catch (error) {
    if (error instanceof AppError) return `${error.disposition} ${error.code}`
    throw error
  }
}

it.each([
  "txn-already-in-mempool",
  "txn-already-known",
  "Transaction already in block chain",
  "Transaction outputs already in utxo set",
])("counts %j as sent", async (reason) => {
  expect(await broadcastTo(rpc(reason))).toBe("sent")
})

it.each([
  "bad-txns-inputs-missingorspent",
  "Missing inputs",
  "txn-mempool-conflict",
  "insufficient fee, rejecting replacement abcd",
])("treats %j as uncertain, so that the engine observes the chain first", async (reason) => {
  expect(await broadcastTo(rpc(reason))).toBe("uncertain bitcoin.broadcast_rejected")
})

it.each([
  "bad-txns-in-belowout",
  "min relay fee not met, 1 < 2",
  "dust",
  "mandatory-script-verify-flag-failed (…)",
])("refuses for good after %j only if every node gives such a reason", async (reason) => {
  expect(await broadcastTo(rpc(reason), rpc("dust"))).toBe("refused bitcoin.broadcast_refused")
  expect(await broadcastTo(rpc(reason), silent)).toBe("uncertain bitcoin.broadcast_unknown")
  expect(await broadcastTo(rpc(reason), accepted)).toBe("sent")
})

it.each([
  silent,
  answer(502, "<html>bad-txns-in-belowout</html>"),
  answer(200, "<html>welcome</html>"),
  answer(200, "ee".repeat(32)),
  rpc("non-BIP68-final"),
  rpc("bad-txns-nonfinal"),
  rpc("mempool min fee not met, 100 < 200"),
  rpc("some reason of a later release"),
])("is uncertain after $status $text", async (answer) => {
  expect(await broadcastTo(answer)).toBe("uncertain bitcoin.broadcast_unknown")
})
