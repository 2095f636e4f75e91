import {
  ComputeBudgetProgram,
  Keypair,
  SystemProgram,
  TransactionMessage,
  VersionedTransaction,
} from "@solana/web3.js"
import { expect, test } from "vitest"
import { correctFee } from "./correct-fee.ts"

const payer = Keypair.fromSeed(new Uint8Array(32).fill(7))
const transfer = SystemProgram.transfer({
  fromPubkey: payer.publicKey,
  toPubkey: payer.publicKey,
  lamports: 1,
})
const price = ComputeBudgetProgram.setComputeUnitPrice({ microLamports: 1_000_001 })
const limit = ComputeBudgetProgram.setComputeUnitLimit({ units: 250_000 })

function receiptOf(instructions: TransactionMessage["instructions"], fee = 5_000): string {
  const recentBlockhash = "11111111111111111111111111111111"
  const message = new TransactionMessage({
    payerKey: payer.publicKey,
    recentBlockhash,
    instructions,
  })
  const transaction = new VersionedTransaction(message.compileToLegacyMessage())
  const encoded = [Buffer.from(transaction.serialize()).toString("base64"), "base64"]
  return JSON.stringify({
    jsonrpc: "2.0",
    id: 1,
    result: { slot: 3, transaction: encoded, meta: { err: null, fee } },
  })
}

function feeOf(text: string): unknown {
  return JSON.parse(correctFee(text)).result.meta.fee
}

test.each([
  ["with price and limit, rounded up", [price, limit, transfer], 5_000 + 250_001],
  [
    "with a price alone, for the usual limit of each instruction",
    [price, transfer],
    5_000 + 200_001,
  ],
  ["without a price", [limit, transfer], 5_000],
])("the fee %s", (_name, instructions, fee) => {
  expect(feeOf(receiptOf(instructions))).toBe(fee)
})

test("a receipt that names the whole fee, an error and another answer pass as they are", () => {
  for (const text of [
    receiptOf([price, limit, transfer], 255_001),
    '{"error":{"code":-32009}}',
    '{"result":null}',
    "tea",
  ])
    expect(correctFee(text)).toBe(text)
})
