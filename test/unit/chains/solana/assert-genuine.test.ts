import { base58 } from "@scure/base"
import { Keypair, SystemProgram, TransactionMessage, VersionedTransaction } from "@solana/web3.js"
import { expect, it } from "vitest"
import { assertGenuine } from "#chains/solana/spend/assert-genuine.ts"

const payer = Keypair.generate()
const other = Keypair.generate()

function make(lamports: number): VersionedTransaction {
  const instructions = [
    SystemProgram.transfer({ fromPubkey: payer.publicKey, toPubkey: other.publicKey, lamports }),
  ]
  const parts = {
    payerKey: payer.publicKey,
    recentBlockhash: other.publicKey.toBase58(),
    instructions,
  }
  return new VersionedTransaction(new TransactionMessage(parts).compileToV0Message())
}

function check(transaction: VersionedTransaction | Buffer, txid: string): void {
  const bytes = Buffer.from(Buffer.isBuffer(transaction) ? transaction : transaction.serialize())
  const meta = { err: null, fee: 0n, preBalances: [], postBalances: [] }
  assertGenuine({ slot: 1n, transaction: bytes, meta }, txid)
}

it("accepts the signed bytes of a transaction, and no others under its id", () => {
  const signed = make(1)
  const changed = make(2)
  signed.sign([payer])
  const [signature = new Uint8Array(64)] = signed.signatures
  const txid = base58.encode(signature)
  check(signed, txid)
  changed.signatures = [signature]
  const resigned = make(2)
  resigned.sign([payer])
  for (const forged of [changed, resigned, make(1), Buffer.alloc(0), Buffer.alloc(200, 1)])
    expect(() => check(forged, txid)).toThrow(expect.objectContaining({ code: "solana.nonsense" }))
})

it("accepts a transaction of several signers only with the signature of each", () => {
  const { publicKey } = payer
  const instructions = [
    SystemProgram.transfer({ fromPubkey: other.publicKey, toPubkey: publicKey, lamports: 1 }),
  ]
  const parts = { payerKey: publicKey, recentBlockhash: other.publicKey.toBase58(), instructions }
  const transaction = new VersionedTransaction(new TransactionMessage(parts).compileToV0Message())
  transaction.sign([payer, other])
  const [first = new Uint8Array(64)] = transaction.signatures
  const txid = base58.encode(first)
  check(transaction, txid)
  for (const second of [new Uint8Array(64), first]) {
    transaction.signatures = [first, second]
    expect(() => check(transaction, txid)).toThrow(
      expect.objectContaining({ code: "solana.nonsense" }),
    )
  }
})
